//! Whether files are near enough to those that a state was made of for a refresh to be shorter than an
//! index of every file.

use std::path::Path;

use super::current::{full_layout, walk_tree, with_known_targets};
use super::dependencies::{self, DependencySources};
use super::error::IndexError;
use super::stale::stale_in;
use super::state::State;
use asof_store::Store;
use asof_workspace::{Disk, SourceTree};

/// A refresh of so many files is short in any case…
const FEW: usize = 16;
/// …and of more, if of so many files at most one differs. Rows of a refresh are compared with those
/// that are there, which an index of every file saves.
const OF_WHICH_ONE: usize = 12;
/// The same where nothing has to be unpacked and checked before.
pub(super) const OF_WHICH_ONE_AT_HAND: usize = 5;

/// Why an index of every file takes no longer than a refresh of the rows of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooFar {
    /// Names were resolved with the declarations of other crates, so all have to be resolved again.
    Dependencies,
    /// So many of these Rust files differ.
    Files { differing: usize, all: usize },
}

/// Whether the files below a root are too far from those that a store was made of. Reads all files.
///
/// # Errors
/// The files are no workspace, or the store fails.
pub fn too_far(store: &Store, root: &Path) -> Result<Option<TooFar>, IndexError> {
    let tree = &Disk::open(root)?;
    too_far_from(&State::load(store)?, tree, &DependencySources::from_tree(tree), OF_WHICH_ONE)
}

/// Whether the files of a tree are too far from those of a state: if many differ, more than one of so
/// many. Reads all that the state does not vouch for.
pub(super) fn too_far_from(
    state: &State,
    tree: &dyn SourceTree,
    sources: &DependencySources,
    of_which_one: usize,
) -> Result<Option<TooFar>, IndexError> {
    let mut walk = walk_tree(tree)?;
    let (layout, _) = full_layout(tree, &mut walk)?;
    let old = state.roots.as_ref().map(|roots| &roots.dependencies);
    let dependencies = dependencies::choose(tree, &layout, sources, old, None)?;
    if state.has_other_dependencies(&dependencies) {
        return Ok(Some(TooFar::Dependencies));
    }
    let stale = stale_in(state, tree, &with_known_targets(&walk, tree, state));
    let differing = stale.iter().filter(|path| path.ends_with(".rs")).count();
    let all = walk.files.len();
    let is_far = differing > FEW && differing * of_which_one > all;
    Ok(is_far.then_some(TooFar::Files { differing, all }))
}
