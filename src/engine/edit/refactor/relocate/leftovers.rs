//! Removes imports of the old module that only the moved text needed.

use super::changes::Changes;
use super::import_needs::Needed;
use super::relocation::Relocation;
use crate::edit::refactor::leftover_imports::{Cut, Leaving, cut_names, places};
use crate::edit::target::{Files, Halt};
use asof_index::PathMeaning;
use asof_model::ByteRange;

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
        for cut in cut_names(loaded, &places(loaded, unused), &[]) {
            match cut {
                Cut::Import(index) => changes.drop_item(loaded, index),
                Cut::Ranges(ranges) => {
                    for range in ranges {
                        let path = &subject.file_path;
                        changes.replace(path, range.start, range.end, String::new());
                    }
                }
            }
        }
        Ok(())
    }
}
