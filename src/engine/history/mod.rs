//! The history of items: their versions across moves and renames, differences between two moments,
//! the log of operations, the last change of each item. Rows come from `queries/history`, matches
//! from `item_tracking`.

mod blame;
mod branch;
mod compose;
mod diff;
mod difference;
mod ends;
mod fold;
mod hotspots;
mod log;
mod matches;
mod past;
mod scope;
mod selected;
mod trees;
mod versions;
mod walk;

pub(super) use blame::relative;
pub(super) use matches::store_matches;
pub(super) use past::fetch;
pub(super) use scope::Scope;
pub(super) use trees::{diff_trees, file_scope};

use super::database::Snapshot;
use super::error::EngineError;
use crate::wire::Hint;

impl Snapshot<'_> {
    /// That this snapshot has a history.
    ///
    /// # Errors
    /// It was read from the files of a commit that is not imported.
    fn need_history(&self) -> Result<(), EngineError> {
        match &self.database.commit {
            None => Ok(()),
            Some(hash) => Err(EngineError::NoRevision {
                text: hash.clone(),
                reason: "this commit is not imported, and its files have no history".to_owned(),
                hint: Hint::ImportHistory(Some(hash.clone())),
            }),
        }
    }
}
