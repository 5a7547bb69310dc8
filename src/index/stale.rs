//! Files that differ from what was indexed, by their metadata.

use std::collections::BTreeSet;
use std::path::Path;

use super::current::with_known_targets;
use super::error::IndexError;
use super::state::State;
use super::stats::{gone, suspects};
use asof_model::{RawHash, is_document};
use asof_store::Store;
use asof_workspace::{Disk, SourceTree, Walk};

/// Files below `root` that differ from when they were last indexed. Reads only those whose metadata
/// differs.
pub fn stale_files(store: &Store, root: &Path) -> Result<Vec<String>, IndexError> {
    let state = State::load(store)?;
    let tree = &Disk::open(root)?;
    let walk = with_known_targets(&asof_workspace::walk_tree(tree)?, tree, &state);
    Ok(stale_in(&state, tree, &walk))
}

/// Files of a tree and its walk that differ from those of a state.
pub(super) fn stale_in(state: &State, tree: &dyn SourceTree, walk: &Walk) -> Vec<String> {
    let mut stale = BTreeSet::new();
    for files in [&walk.files, &walk.manifests, &walk.documents] {
        for file in suspects(files, &state.stats) {
            let known = state.stats.get(&file.path).map(|stat| stat.raw_hash.as_str());
            // One that could not be read then, either.
            let known = known.filter(|hash| !hash.is_empty());
            let cap = size_limit(&file.path);
            let now =
                asof_workspace::read_from(tree, &file.path, cap).map(|bytes| RawHash::hash(&bytes));
            if now.ok().as_ref().map(|hash| hash.as_str()) != known {
                stale.insert(file.path.clone());
            }
        }
    }
    stale.extend(gone(&state.stats, &[&walk.files, &walk.manifests, &walk.documents]));
    stale.into_iter().collect()
}

/// Bytes of a file that is read.
pub(super) fn size_limit(path: &str) -> u64 {
    if is_document(path) {
        asof_syntax::MAX_DOCUMENT_BYTES as u64
    } else {
        asof_syntax::MAX_FILE_BYTES as u64
    }
}
