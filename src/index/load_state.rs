//! Loads the stored state with its names resolved: from the memory of this process, from the file
//! beside the database, or from the stored item trees.

use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use super::error::IndexError;
use super::memory::Memory;
use super::name_cache::{self, Key, SavedNames};
use super::resolved_state::ResolvedState;
use super::resolved_workspace::{MadeItems, StoredInput};
use super::state::{self, Roots, State};
use super::threads::pool;
use asof_model::{FileFacts, ItemTree, StoredTree};
use asof_store::Store;
use asof_workspace::SourceFolders;

/// The stored state with its names resolved; the one in memory if it is the same.
pub(super) fn resolved_state(
    store: &Store,
    state: &State,
    memory: Option<&Memory>,
) -> Result<Arc<ResolvedState>, IndexError> {
    let nowhere = Roots::default();
    let roots = state.roots.as_ref().unwrap_or(&nowhere);
    let kept = memory.zip(state.item_trees.as_deref());
    if let Some(resolved_state) =
        kept.and_then(|(memory, item_trees)| memory.resolved_state(item_trees, roots))
    {
        return Ok(resolved_state);
    }
    let _span = tracing::debug_span!("load_names").entered();
    let state::StoredTrees { files, made, damage } = state::item_trees(store)?;
    let made = MadeItems::stored(made, &files, None);
    let item_trees = state.item_trees.as_deref();
    let saved = item_trees.and_then(|all| SavedNames::read(store, Key::new(all, roots)));
    let held = StoredInput { roots: roots.clone(), files, made, tree: None, saved, damage };
    if held.saved.is_none() {
        pool(None)?.install(|| held.read_all())?;
    }
    let resolved_state = Arc::new(ResolvedState::new(held, None, None));
    if let Some((memory, item_trees)) = kept {
        memory.keep(item_trees.to_owned(), Arc::clone(&resolved_state));
    }
    Ok(resolved_state)
}

/// A state with other texts: by path, the path where each is then, and its facts. It is the old one if
/// no name outside of the texts can differ.
pub(super) fn with_texts(
    before: &Arc<ResolvedState>,
    texts: &[(&str, &str, &FileFacts)],
    gone: &[&str],
    folders: &SourceFolders,
    memory: Option<&Memory>,
) -> Result<Arc<ResolvedState>, IndexError> {
    let mut files = before.stored_input().files.clone();
    files.retain(|path, _| !gone.contains(&path.as_str()));
    for (path, to, facts) in texts {
        let old = files.remove(*path);
        let item_tree = StoredTree::from(ItemTree::from_facts(facts));
        let old = old.filter(|old| **old == item_tree);
        files.insert((*to).to_owned(), old.unwrap_or_else(|| Arc::new(item_tree)));
    }
    if before.stored_input().files == files {
        return Ok(Arc::clone(before));
    }
    let roots = before.stored_input().roots.clone();
    let kept = memory.and_then(Memory::expansions);
    Ok(Arc::new(ResolvedState::resolve(roots, files, Some(folders), None, kept, Some(before))?))
}

/// Begins to save the names of a state. They are of use to no other, so it does not matter whether
/// this one is committed. What cannot be written is resolved again when it is needed.
pub(super) fn save(
    store: &Store,
    state: &Arc<ResolvedState>,
    item_trees: &str,
    roots: &Roots,
) -> Option<JoinHandle<()>> {
    let file = store.side_file(name_cache::SUFFIX)?;
    let key = Key::new(item_trees, roots);
    let state = Arc::clone(state);
    let save = move || {
        if let Some(parts) = state.to_parts() {
            let _ = name_cache::write(&file, key, parts.each_ref().map(Vec::as_slice));
        }
    };
    Builder::new().name("names".to_owned()).spawn(save).ok()
}
