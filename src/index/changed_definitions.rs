//! The definitions that a revision touches: its row of `changes`.

use std::collections::{BTreeMap, BTreeSet};

use super::content::{Columns, same_version};
use asof_model::{Micros, NodeId};
use asof_store::{Batch, StoreError, Value};

/// Definitions that a revision touches.
#[derive(Debug, Default)]
pub(super) struct Touched {
    added: BTreeSet<NodeId>,
    removed: BTreeSet<NodeId>,
    changed: BTreeSet<NodeId>,
}

impl Touched {
    /// Adds the items whose old and new rows are different versions.
    pub fn compare(&mut self, old: &BTreeMap<NodeId, Columns>, new: &BTreeMap<NodeId, Columns>) {
        self.removed.extend(old.keys().filter(|id| !new.contains_key(id)));
        for (id, values) in new {
            match old.get(id) {
                Some(before) if same_version(before, values) => {}
                before => self.touch(*id, before.is_some()),
            }
        }
    }

    /// Adds a definition with a new row; `was_there` says whether it existed before.
    pub fn touch(&mut self, id: NodeId, was_there: bool) {
        if was_there {
            self.changed.insert(id)
        } else {
            self.added.insert(id)
        };
    }

    pub fn remove(&mut self, id: NodeId) {
        self.removed.insert(id);
    }

    /// Writes the row of the revision, if it touches anything.
    pub fn write(self, batch: &mut Batch, at: Micros) -> Result<(), StoreError> {
        let Self { added, removed, changed } = self;
        if added.is_empty() && removed.is_empty() && changed.is_empty() {
            return Ok(());
        }
        let lists = [added, removed, changed].map(Value::list);
        batch.put("changes", [Value::from(at)].into_iter().chain(lists))
    }
}
