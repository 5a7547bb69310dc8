//! An item that both states have, and what is said of it.

use asof_model::{Class, NodeId, NodeKind};
use asof_query::ItemFacts;
use asof_wire::{ReadReason, ReasonToRead, ReviewedItem};

/// An item that both states have.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub old: NodeId,
    pub new: NodeId,
    pub kind: NodeKind,
    /// What changed of it, as `diff` says it.
    pub classes: Vec<Class>,
    /// Whether it is listed if it is proven: its own text or place differs.
    pub is_listed: bool,
}

/// An item in the terms of an answer.
pub(super) fn reviewed(item: &ItemFacts, line: u32, classes: Vec<Class>) -> ReviewedItem {
    ReviewedItem {
        path: item.canonical_path.clone().unwrap_or_else(|| item.name.clone()),
        previous_path: None,
        kind: item.kind,
        file_path: item.file_path.clone(),
        previous_file_path: None,
        line,
        id: item.id,
        previous_id: None,
        classes,
        in_test: item.in_test,
    }
}

/// A reason without a place.
pub(super) fn reason(reason: ReadReason, what: &str) -> ReasonToRead {
    ReasonToRead { reason, what: what.to_owned(), line: None, previous_line: None }
}
