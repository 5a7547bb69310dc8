//! Source in other forms: without documentation, only signatures, with impls; and the items at
//! lines.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::{NodeId, NodeKind};
use asof_query::Queries;
use asof_wire::{Answer, Item, Shown, SourceForm};

impl Snapshot<'_> {
    /// Source of these items in a form.
    ///
    /// # Errors
    /// See [`Snapshot::show`].
    pub fn show_as(&self, items: &[Item], form: SourceForm) -> Result<Answer<Shown>, EngineError> {
        let started = Instant::now();
        let mut answer = match form {
            SourceForm::Source => return self.show(items),
            SourceForm::WithoutDocs => self.show(items)?,
            SourceForm::Signature => {
                let signature =
                    |item: &Item| Shown { item: item.clone(), text: item.signature.clone() };
                return Ok(self.answer(started, items.iter().map(signature).collect(), None));
            }
        };
        for shown in &mut answer.items {
            shown.text = asof_syntax::without_docs(&shown.text);
        }
        Ok(answer)
    }

    /// These items, each type followed by its impls, whichever file they are in: inherent
    /// ones first.
    ///
    /// # Errors
    /// The database failed.
    pub fn with_impls(&self, items: &[Item]) -> Result<Vec<Item>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let mut seen: BTreeSet<NodeId> = items.iter().map(|item| item.id).collect();
        let mut all = Vec::new();
        for item in items {
            all.push(item.clone());
            let rows = queries.outline(&[item.id], 1, false)?;
            let impls = rows.into_iter().filter(|row| row.rank > 0 && seen.insert(row.id));
            let impls: Vec<NodeId> = impls.map(|row| row.id).collect();
            let described = self.items(&impls)?;
            all.extend(
                impls.iter().filter_map(|id| described.iter().find(|i| i.id == *id)).cloned(),
            );
        }
        Ok(all)
    }

    /// The innermost item around lines of a file, documentation and attributes included; for a field
    /// or variant, its type. If several lines are in no item but a module, an impl or the like, the
    /// items in it that they touch.
    ///
    /// # Errors
    /// The file is not indexed, or the lines are outside every item.
    pub fn items_at_lines(
        &self,
        path: &str,
        first: u32,
        last: u32,
    ) -> Result<Vec<Item>, EngineError> {
        let path = self.indexed(path)?;
        let queries = Queries::at(self.store(), self.at);
        let mut rows = queries.items_at_lines(&path, first, last)?;
        rows.retain(|row| !matches!(row.kind, NodeKind::Field | NodeKind::Variant));
        let around = rows.iter().find(|row| row.start_line <= first && last <= row.end_line);
        let collects = |kind| {
            use NodeKind::{ForeignMod, Impl, Module, Trait};
            matches!(kind, Module | Impl | Trait | ForeignMod)
        };
        let inside: Vec<NodeId> = match around {
            Some(row) if first == last || !collects(row.kind) => Vec::new(),
            Some(row) => rows.iter().filter(|r| r.parent_id == row.id).map(|r| r.id).collect(),
            None => {
                let known: BTreeSet<NodeId> = rows.iter().map(|row| row.id).collect();
                let outer = rows.iter().filter(|row| !known.contains(&row.parent_id));
                outer.map(|row| row.id).collect()
            }
        };
        let ids =
            if inside.is_empty() { around.map(|row| row.id).into_iter().collect() } else { inside };
        let mut items = self.items(&ids)?;
        items.sort_by_key(|item| (item.span.start_byte, item.id));
        if items.is_empty() {
            let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
            return Err(EngineError::NotFound {
                what: format!("no item at {path}:{lines}"),
                hint: Hint::OutlineOf(path),
            });
        }
        Ok(items)
    }
}
