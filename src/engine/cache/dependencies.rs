//! A cache of open databases of dependencies' sources.

use std::sync::{Arc, Mutex, PoisonError};

use asof_wire::DependencyRef;

/// Crates that are kept in memory.
const KEPT: usize = 4;

/// Crates whose sources were indexed, the last one last.
#[derive(Debug)]
pub(crate) struct DependencyCache<D>(Mutex<Vec<(DependencyRef, Arc<D>)>>);

impl<D> Default for DependencyCache<D> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<D> DependencyCache<D> {
    pub fn get(&self, of: &DependencyRef) -> Option<Arc<D>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == of).map(|(_, database)| Arc::clone(database))
    }

    pub fn put(&self, of: DependencyRef, database: Arc<D>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((of, database));
    }
}
