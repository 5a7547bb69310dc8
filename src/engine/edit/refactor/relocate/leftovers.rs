//! Removes imports of the old module that only the moved text needed.

use super::changes::Changes;
use super::import_needs::Needed;
use super::relocation::Relocation;
use crate::edit::refactor::leftover_imports::{Leaving, Leftover};
use crate::edit::target::{Files, Halt};
use asof_index::PathMeaning;
use asof_model::ByteRange;
use asof_refactor::{Pruned, without_names};

impl Relocation<'_> {
    /// Takes the names out of the imports that nothing else needs.
    pub(super) fn remove_leftovers(
        &self,
        files: &mut Files,
        needed: &Needed,
        changes: &mut Changes,
    ) -> Result<(), Halt> {
        if needed.is_empty() {
            return Ok(());
        }
        let subject = self.subject;
        let ranges: Vec<ByteRange> = subject.pieces.iter().map(|piece| piece.range).collect();
        let leaving = Leaving {
            file_path: &subject.file_path,
            module: subject.module,
            module_index: subject.module_index,
            ranges: &ranges,
            ids: &subject.ids,
        };
        let needs = |name: &str, meaning: &PathMeaning| {
            needed.names.contains(name) || needed.has_trait(meaning)
        };
        let unused = leaving.leftovers(self.snapshot, files, self.view, &needs)?;
        let loaded = files.loaded(self.snapshot, &subject.file_path)?;
        for Leftover { index, names } in unused {
            let Some(import) = loaded.facts.items.get(index as usize) else { continue };
            let (start, end) = (import.span.start_byte, import.span.end_byte);
            let text = loaded.text.get(start as usize..end as usize).unwrap_or_default();
            let bytes = asof_refactor::imported_as(text, &names);
            match without_names(text, &bytes) {
                None => {}
                Some(Pruned::Nothing) => changes.drop_item(loaded, index),
                Some(Pruned::Without(ranges)) => {
                    for range in ranges {
                        let (from, to) = (start + range.start, start + range.end);
                        changes.replace(&subject.file_path, from, to, String::new());
                    }
                }
            }
        }
        Ok(())
    }
}
