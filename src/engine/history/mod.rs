//! What changed, and when: versions of items across moves and renames, differences between two
//! moments or between files that no database has, the log of operations, the last change of each
//! item.

mod api_diff;
mod blame;
mod branch;
mod commit_trees;
mod compose;
mod diff;
mod difference;
mod expansions;
mod file_states;
mod hotspots;
mod implied_entries;
mod log;
mod macro_calls;
mod outside_types;
mod public_interface;
mod readded_items;
mod scope;
mod selected;
mod touched_declarations;
mod trees;
mod versions;
mod walk;

pub use commit_trees::{Between, FilesAt};

pub(super) use commit_trees::{
    changed_between, index_edited, index_states, package_changes_between, with_both,
};
pub(super) use diff::{Followed, FollowedDiff};
pub(super) use file_states::{State, index_trees};
pub(super) use scope::Scope;
pub(super) use trees::diff_trees;

use super::database::Snapshot;
use super::error::EngineError;
use asof_model::Hint;

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
