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
mod trees;
mod versions;
mod walk;

pub(super) use blame::relative;
pub(super) use diff::Scope;
pub(super) use matches::{MatchCache, store_matches};
pub(super) use past::fetch;
pub(super) use trees::{diff_trees, file_scope};
