//! Other forms of source: without documentation, only signatures, with impls; and the item at a
//! line.

use std::collections::BTreeSet;
use std::time::Instant;

use super::database::Snapshot;
use super::error::EngineError;
use crate::model::{NodeId, NodeKind};
use crate::query::Queries;
use crate::syntax;
use crate::wire::{Answer, Hint, Item, Shown, SourceForm};

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
            shown.text = syntax::without_docs(&shown.text);
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

    /// The innermost item at a line of a file, documentation and attributes included; for a field
    /// or variant, its type.
    ///
    /// # Errors
    /// The file is not indexed, or the line is outside every item.
    pub fn item_at_line(&self, path: &str, line: u32) -> Result<Item, EngineError> {
        let path = self.indexed(path)?;
        let queries = Queries::at(self.store(), self.at);
        let rows = queries.items_at_line(&path, line)?;
        let is_part = |kind| matches!(kind, NodeKind::Field | NodeKind::Variant);
        let found = rows.into_iter().find(|row| !is_part(row.kind));
        let item = found.map(|row| self.items(&[row.id])).transpose()?.and_then(|mut i| i.pop());
        item.ok_or_else(|| EngineError::NotFound {
            what: format!("no item at {path}:{line}"),
            hint: Hint::OutlineOf(path),
        })
    }
}
