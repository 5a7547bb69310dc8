//! Who uses an item directly.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::database::Snapshot;
use super::error::EngineError;
use super::test_code::in_tests;
use super::texts::Texts;
use crate::model::{NodeId, RefKind};
use crate::query::{Queries, UseFilter, UseRow};
use crate::wire::{
    Certainty, Guesses, ItemRef, Snippets, Symbol, Tests, Use, UseRequest, WhereUsedResult,
};

/// Uses that are less sure than this, in percent, are guesses; unresolved ones have 0.
const GUESS: u32 = 50;

impl UseRequest {
    pub(super) fn filter(&self, all: &[RefKind]) -> UseFilter {
        let kinds = if self.use_kinds.is_empty() { all.to_vec() } else { self.use_kinds.clone() };
        UseFilter { kinds, min_confidence: percent(self.min_confidence) }
    }

    /// Whether uses are left out.
    pub(super) fn is_filtered(&self) -> bool {
        !self.use_kinds.is_empty() || self.min_confidence > 0.0 || self.tests == Tests::Exclude
    }
}

/// From percent, as stored, to a number from 0 to 1.
pub(super) fn share(percent: u32) -> f64 {
    f64::from(percent) / 100.0
}

/// The inverse of [`share`].
pub(super) fn percent(share: f64) -> u32 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u32
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
        let mut rows = queries.where_used(&ids, &request.filter(RefKind::ALL))?;
        let sources: BTreeSet<NodeId> = rows.iter().map(|row| row.source).collect();
        let sources: Vec<NodeId> = sources.into_iter().collect();
        let tests = in_tests(&queries, &sources)?;
        if request.tests == Tests::Exclude {
            rows.retain(|row| !tests.contains(&row.source));
        }
        let mut guesses_left_out = 0;
        if request.guesses == Guesses::LeaveOut {
            let (guesses, sure): (Vec<_>, Vec<_>) =
                rows.into_iter().partition(|row| (1..GUESS).contains(&row.confidence));
            guesses_left_out = guesses.iter().map(|row| row.occurrences.0.len()).sum();
            rows = sure;
        }
        let items = self.item_refs(&queries, &sources)?;
        let mut occurrences = self.occurrences(&rows, &items, &tests)?;
        let files = occurrences.iter().map(|place| &place.file_path).collect::<BTreeSet<_>>().len();
        if request.snippets == Snippets::Lines {
            let mut texts = Texts::of(self);
            let shown = request.limit.unwrap_or(usize::MAX);
            for place in occurrences.iter_mut().take(shown) {
                place.snippet = Some(texts.snippet(&place.file_path, place.line)?);
            }
        }
        let answer = self.answer(started, std::mem::take(&mut occurrences), request.limit);
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

    fn occurrences(
        &self,
        rows: &[UseRow],
        items: &BTreeMap<NodeId, ItemRef>,
        tests: &BTreeSet<NodeId>,
    ) -> Result<Vec<Use>, EngineError> {
        let mut texts = Texts::of(self);
        let mut occurrences = Vec::new();
        for row in rows {
            let Some(item) = items.get(&row.source) else { continue };
            for [offset, down, column] in &row.occurrences.0 {
                let byte = row.start_byte + offset;
                // Columns of the first line count from the item's start, not from the line's.
                let (line, column) = match down {
                    0 => texts.place(&row.file_path, byte)?,
                    down => (row.start_line + down, column + 1),
                };
                occurrences.push(Use {
                    file_path: row.file_path.clone(),
                    line,
                    column,
                    byte,
                    use_kind: row.kind,
                    depth: 1,
                    confidence: share(row.confidence),
                    provenance: row.provenance.clone(),
                    in_test: tests.contains(&row.source),
                    item: item.clone(),
                    target: row.target,
                    snippet: None,
                });
            }
        }
        occurrences.sort_by(|a, b| {
            let key = |p: &Use| (p.byte, p.use_kind, p.target, p.item.id);
            a.file_path.cmp(&b.file_path).then_with(|| key(a).cmp(&key(b)))
        });
        Ok(occurrences)
    }

    /// Items of these ids, in short.
    pub(super) fn item_refs(
        &self,
        queries: &Queries<'_>,
        ids: &[NodeId],
    ) -> Result<BTreeMap<NodeId, ItemRef>, EngineError> {
        let mut found = BTreeMap::new();
        for d in queries.describe(ids)? {
            let path = d.canonical_path.unwrap_or_else(|| d.name.clone());
            let kind = d.kind.as_str().to_owned();
            found.insert(d.id, ItemRef { id: d.id, kind, name: d.name, path });
        }
        Ok(found)
    }
}

/// The symbol that stands for all.
pub(super) fn first(symbols: &[Symbol]) -> Result<Symbol, EngineError> {
    symbols.first().cloned().ok_or_else(|| EngineError::BadRequest {
        what: "no item is named".to_owned(),
        hint: "give the path of one".into(),
    })
}
