//! Writes the references of some items of a file. Its other items keep their rows, and their entries
//! in the rows of the mirror.

use std::collections::{BTreeMap, BTreeSet};

use super::content::Columns;
use super::error::IndexError;
use super::reads::FileReads;
use super::state;
use super::uses::FileRows;
use super::write::Writer;
use asof_model::{Micros, NodeId};
use asof_store::Store;

/// The stored rows of the items.
pub(super) struct StoredUses<'s> {
    pub store: &'s Store,
    pub at: Micros,
    pub path: &'s str,
    /// The items, those that are gone included.
    pub ids: &'s BTreeSet<NodeId>,
    pub uses: BTreeMap<NodeId, Columns>,
    /// What was read for the items of the file.
    pub reads: Option<FileReads>,
}

impl StoredUses<'_> {
    /// Writes what differs from them.
    pub fn write(self, mut new: FileRows, writer: &mut Writer) -> Result<(), IndexError> {
        let mut old = FileRows::of_stored(self.uses);
        // Rows of the mirror that the items have the same entries in need not be read.
        let targets = old.differing_targets(&new);
        let used_in = match targets.as_slice() {
            [] => BTreeMap::new(),
            targets => state::used_in(self.store, self.at, self.path, targets)?,
        };
        new.only_targets(&targets);
        new.keep_others(&used_in, self.ids);
        old.used_in = used_in;
        let mut reads = self.reads.clone().unwrap_or_default();
        reads.replace(self.ids, new.reads.take().unwrap_or_default());
        new.reads = Some(reads).filter(|reads| self.reads.as_ref() != Some(reads));
        writer.uses(self.path, &old, new)
    }
}
