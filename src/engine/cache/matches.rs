//! A cache of item matches, by revision.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use asof_item_tracking::ItemMatches;
use asof_model::Micros;

/// Cache of matches of revisions without rows. Matches of a revision never change.
#[derive(Debug, Default)]
pub(crate) struct MatchCache(Mutex<BTreeMap<Micros, Arc<ItemMatches>>>);

impl MatchCache {
    const MAX_REVISIONS: usize = 4_096;

    pub fn get(&self, at: Micros) -> Option<Arc<ItemMatches>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&at).cloned()
    }

    pub fn insert(&self, at: Micros, item_matches: &Arc<ItemMatches>) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.len() >= Self::MAX_REVISIONS {
            cached.clear();
        }
        cached.insert(at, Arc::clone(item_matches));
    }
}
