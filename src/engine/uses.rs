//! Who uses a definition, directly.

use std::collections::BTreeSet;
use std::time::Instant;

use serde::Serialize;

use super::answer::{Answer, Freshness};
use super::certainty::Certainty;
use super::database::Snapshot;
use super::error::EngineError;
use super::history::Guesses;
use super::symbol::Symbol;
use super::texts::{Snippet, Texts};
use crate::model::{NodeId, RefKind};
use crate::query::{Described, Queries, UseFilter, UseRow};

/// Whether test code counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tests {
    #[default]
    Include,
    Exclude,
}

/// Whether items carry the lines around their place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Snippets {
    #[default]
    None,
    Lines,
}

/// Which uses are asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UseRequest {
    /// Kinds of use; empty for all that the question is about.
    pub kinds: Vec<RefKind>,
    /// From 0 to 1; less certain uses are left out.
    pub min_confidence: f64,
    pub tests: Tests,
    pub snippets: Snippets,
    pub limit: Option<usize>,
    /// Whether calls on receivers of unknown type are listed, which may mean this item or
    /// another of the same name.
    pub guesses: Guesses,
}

/// Less certain uses are guesses; unresolved ones have 0.
pub(super) const GUESS: f64 = 0.5;

impl UseRequest {
    pub(super) fn filter(&self, all: &[RefKind]) -> UseFilter {
        let kinds = if self.kinds.is_empty() { all.to_vec() } else { self.kinds.clone() };
        UseFilter { kinds, min_confidence: self.min_confidence }
    }

    /// Whether uses are left out.
    pub(super) fn is_filtered(&self) -> bool {
        !self.kinds.is_empty() || self.min_confidence > 0.0 || self.tests == Tests::Exclude
    }
}

/// An item, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ItemRef {
    pub id: NodeId,
    pub kind: String,
    pub name: String,
    /// Canonical path, or the name of an item that has none.
    pub path: String,
}

impl From<Described> for ItemRef {
    fn from(d: Described) -> Self {
        let path = d.canonical_path.unwrap_or_else(|| d.name.clone());
        Self { id: d.id, kind: d.kind.as_str().to_owned(), name: d.name, path }
    }
}

/// A place where a definition is used.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Use {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    pub byte: u32,
    pub edge_kind: RefKind,
    pub depth: u32,
    /// From 0 to 1.
    pub confidence: f64,
    /// The rule that found it.
    pub provenance: String,
    pub in_test: bool,
    /// The item that the place is in.
    pub item: ItemRef,
    /// Which of the symbols is used.
    pub target: NodeId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Snippet>,
}

impl From<UseRow> for Use {
    fn from(row: UseRow) -> Self {
        let path = row.path.unwrap_or_else(|| row.name.clone());
        let kind = row.kind.as_str().to_owned();
        Self {
            file: row.file_path,
            line: row.line,
            column: row.column,
            byte: row.start_byte,
            edge_kind: row.use_kind,
            depth: 1,
            confidence: row.confidence,
            provenance: row.provenance,
            in_test: row.in_test,
            item: ItemRef { id: row.source, kind, name: row.name, path },
            target: row.target,
            snippet: None,
        }
    }
}

/// Who uses a definition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhereUsedResult {
    /// The first of `symbols`.
    pub symbol: Symbol,
    pub symbols: Vec<Symbol>,
    #[serde(flatten)]
    pub answer: Answer<Use>,
    pub freshness_state: Freshness,
    /// Files with uses, those past the limit included.
    pub files: usize,
    /// Occurrences that are left out as guesses: they may mean another item of the same name, and
    /// most of them do.
    pub guesses_left_out: usize,
    #[serde(flatten)]
    pub certainty: Certainty,
}

impl Snapshot<'_> {
    /// Every place where these are used, by file and line.
    ///
    /// # Errors
    /// A request without symbols, or a failure of the database.
    pub fn where_used(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
    ) -> Result<WhereUsedResult, EngineError> {
        let mut found = self.where_used_or_none(symbols, symbols, request)?;
        found.certainty = self.certainty(symbols, request)?;
        Ok(found)
    }

    /// Every place where `targets` are used; the answer is about `symbols`.
    pub(super) fn where_used_or_none(
        &self,
        symbols: &[Symbol],
        targets: &[Symbol],
        request: &UseRequest,
    ) -> Result<WhereUsedResult, EngineError> {
        let started = Instant::now();
        let symbol = first(symbols)?;
        let queries = Queries::at(self.store(), self.at);
        let ids: Vec<NodeId> = targets.iter().map(|s| s.id).collect();
        let rows = queries.where_used(&ids, &request.filter(RefKind::ALL))?;
        let mut occurrences: Vec<Use> = rows.into_iter().map(Use::from).collect();
        if request.tests == Tests::Exclude {
            occurrences.retain(|place| !place.in_test);
        }
        let all = occurrences.len();
        if request.guesses == Guesses::LeaveOut {
            occurrences.retain(|place| place.confidence == 0.0 || place.confidence >= GUESS);
        }
        let guesses_left_out = all - occurrences.len();
        let files = occurrences.iter().map(|place| &place.file).collect::<BTreeSet<_>>().len();
        if request.snippets == Snippets::Lines {
            let mut texts = Texts::of(self);
            let shown = request.limit.unwrap_or(usize::MAX);
            for place in occurrences.iter_mut().take(shown) {
                place.snippet = Some(texts.snippet(&place.file, place.line)?);
            }
        }
        let answer = self.answer(started, occurrences, request.limit);
        Ok(WhereUsedResult {
            symbol,
            symbols: symbols.to_vec(),
            answer,
            freshness_state: self.basis.freshness_state,
            files,
            guesses_left_out,
            certainty: Certainty::default(),
        })
    }
}

/// The first of the symbols that a question is about.
pub(super) fn first(symbols: &[Symbol]) -> Result<Symbol, EngineError> {
    symbols.first().cloned().ok_or_else(|| EngineError::BadRequest {
        what: "no item is named".to_owned(),
        hint: "name one by its path".to_owned(),
    })
}
