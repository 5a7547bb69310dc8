//! Items that could be listed, and the most certain uses of items.

use std::collections::HashMap;

use super::attributes::Attributes;
use crate::error::EngineError;
use asof_model::NodeId;
use asof_query::{Declared, Queries};

/// Least confidence, in percent, of a use that is no guess.
const USE: u32 = 50;

/// An item that could be listed.
pub(super) struct Candidate<'d> {
    pub item: &'d Declared,
    pub path: &'d str,
    pub root: NodeId,
    pub attributes: Attributes,
    pub reach: Reach,
}

/// Where an item can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// In this module and those below it.
    Module(NodeId),
    /// In its crate.
    Crate,
    /// In other packages too.
    Public,
}

/// The most certain uses of items, in percent.
pub(super) struct Best(HashMap<NodeId, u32>);

impl Best {
    pub fn load(
        queries: &Queries<'_>,
        ids: impl Iterator<Item = NodeId>,
    ) -> Result<Self, EngineError> {
        let mut best = Self(HashMap::new());
        best.read(queries, &ids.collect::<Vec<_>>())?;
        Ok(best)
    }

    /// Adds those of more items.
    pub fn read(&mut self, queries: &Queries<'_>, ids: &[NodeId]) -> Result<(), EngineError> {
        self.0.extend(queries.best_uses(ids)?.into_iter().map(|row| (row.id, row.confidence)));
        Ok(())
    }

    /// Whether something uses an item that is no guess.
    pub fn is_use(&self, id: NodeId) -> bool {
        self.0.get(&id).is_some_and(|confidence| *confidence >= USE)
    }

    /// Whether anything may use an item.
    pub fn is_known(&self, id: NodeId) -> bool {
        self.0.contains_key(&id)
    }
}
