//! Matches of the items of imported revisions, found on a thread of its own while the next commits are
//! written: they depend on what was stored up to their revision, which stays as it is.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use super::scoped_thread::spawn;
use crate::error::EngineError;
use crate::past::{commit_matches, find_matches};
use asof_model::Micros;
use asof_store::{Batch, Store, WriteLock};

/// See the module. Who holds the lock writes what is found.
pub(super) struct Matching {
    asked: Sender<Micros>,
    found: Receiver<Result<Option<Batch>, EngineError>>,
}

impl Matching {
    /// Begins, in a store to which only this process writes.
    ///
    /// # Errors
    /// No thread can be had.
    pub fn begin<'scope>(
        scope: &'scope Scope<'scope, '_>,
        store: &'scope Store,
    ) -> Result<Self, EngineError> {
        let (asked, revisions) = channel::<Micros>();
        let (answer, found) = channel();
        spawn(scope, "match", move || {
            for at in revisions {
                if answer.send(find_matches(store, at, usize::MAX, &[])).is_err() {
                    break;
                }
            }
        })?;
        Ok(Matching { asked, found })
    }

    /// Has the items of a revision matched that was just written.
    pub fn ask(&self, at: Micros) {
        // A thread that is gone says why when the scope ends.
        let _ = self.asked.send(at);
    }

    /// Writes what was found so far.
    ///
    /// # Errors
    /// The store cannot be read or written.
    pub fn write(&self, lock: &WriteLock<'_>) -> Result<(), EngineError> {
        self.found.try_iter().try_for_each(|found| commit_matches(lock, found?))
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn finish(self, lock: &WriteLock<'_>) -> Result<(), EngineError> {
        drop(self.asked);
        self.found.iter().try_for_each(|found| commit_matches(lock, found?))
    }
}
