//! State that a run passes to the next one in the same process, so that a save or a commit does not
//! load and resolve the whole workspace again. All of it can be rebuilt from the store.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::expansions::Expansions;
use super::resolved_state::ResolvedState;
use super::state::Roots;
use asof_model::{FileFacts, RawHash};
use asof_workspace::{SourceFolders, SourceTree, Walk};

/// Limit of the source, in bytes, whose parse results are kept.
const MAX_SOURCE: usize = 24 << 20;

/// The state of a tree that comes next, with its names resolved.
#[derive(Clone)]
pub struct NextState {
    /// [`SourceTree::id`] of the tree.
    pub(super) tree: Option<Vec<u8>>,
    pub(super) walk: Walk,
    /// Where the sources of its dependencies are.
    pub(super) folders: SourceFolders,
    pub(super) resolved: Arc<ResolvedState>,
}

impl fmt::Debug for NextState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NextState").finish_non_exhaustive()
    }
}

/// Kept from one run to the next. Clones share it.
#[derive(Clone, Default)]
pub struct Memory {
    kept: Arc<Mutex<Kept>>,
    expansions: Arc<Expansions>,
    parsed: bool,
}

#[derive(Default)]
struct Kept {
    /// Whether the process ends with the run.
    is_last: bool,
    /// The state that the item trees of this hash give.
    resolved_state: Option<(String, Arc<ResolvedState>)>,
    /// The state that the next run will probably have.
    next: Option<NextState>,
    /// By path and hash of the bytes, so that a text that returns is not parsed again.
    facts: BTreeMap<(String, RawHash), Arc<FileFacts>>,
    /// Hash of the last text of each path.
    newest: BTreeMap<String, RawHash>,
    /// Bytes of source in `facts`.
    source: usize,
    /// Names of the last run that are being saved.
    saving: Option<JoinHandle<()>>,
}

impl Kept {
    /// Drops parse results: first those of earlier texts, since those of now are asked for again and
    /// again; all of them if that is not enough.
    fn forget(&mut self) {
        let newest = &self.newest;
        self.facts.retain(|(path, hash), _| newest.get(path) == Some(hash));
        self.source = self.facts.values().map(|facts| facts.len as usize).sum();
        if self.source > MAX_SOURCE / 4 * 3 {
            self.facts.clear();
            self.source = 0;
        }
    }

    fn wait(&mut self) {
        self.saving.take().map(JoinHandle::join);
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // The next process reads them.
        self.wait();
        if self.is_last {
            // Freeing it piece by piece takes longer than the process has left to live.
            std::mem::forget(self.resolved_state.take());
        }
    }
}

impl Memory {
    /// A memory that keeps parse results too, for a series of runs: a file that is resolved again
    /// because others changed, or that has an earlier content again, is not parsed.
    #[must_use]
    pub fn with_parsed() -> Self {
        Self { parsed: true, ..Self::default() }
    }

    /// A memory for a run that none follows in its process: what the run knows of names at its end is
    /// dropped while its last rows are written, or, if it is kept until then, left to the process's end.
    #[must_use]
    pub fn of_last_run() -> Self {
        let memory = Self::default();
        memory.kept().is_last = true;
        memory
    }

    /// Whether a run may follow.
    pub(super) fn is_for_more(&self) -> bool {
        !self.kept().is_last
    }

    /// What macro calls expand to, if a run may follow.
    pub(super) fn expansions(&self) -> Option<&Expansions> {
        self.is_for_more().then_some(&self.expansions)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kept state, if it has these item trees, and roots that mean the same.
    pub(super) fn resolved_state(
        &self,
        item_trees: &str,
        roots: &Roots,
    ) -> Option<Arc<ResolvedState>> {
        let kept = self.kept();
        let (hash, resolved_state) = kept.resolved_state.as_ref()?;
        (hash == item_trees && resolved_state.stored_input().roots.mean_the_same(roots))
            .then(|| Arc::clone(resolved_state))
    }

    /// Gives the next run the state that it will probably have.
    pub fn expect(&self, next: Option<NextState>) {
        self.kept().next = next;
    }

    /// The state that this run probably has.
    pub(super) fn expected(&self) -> Option<Arc<ResolvedState>> {
        self.kept().next.as_ref().map(|next| Arc::clone(&next.resolved))
    }

    /// The files of a tree, if it is the one that was expected.
    pub(super) fn expected_walk(&self, tree: &dyn SourceTree) -> Option<Walk> {
        let id = tree.id()?;
        let kept = self.kept();
        kept.next
            .as_ref()
            .filter(|next| next.tree.as_ref() == Some(&id))
            .map(|next| next.walk.clone())
    }

    pub(super) fn keep(&self, item_trees: String, resolved_state: Arc<ResolvedState>) {
        self.kept().resolved_state = Some((item_trees, resolved_state));
    }

    /// Begins to save names, which goes on beside this process. At its end, and before others are
    /// saved, they are waited for.
    pub(super) fn save(&self, begin: impl FnOnce() -> Option<JoinHandle<()>>) {
        let mut kept = self.kept();
        kept.wait();
        kept.saving = begin();
    }

    /// The parse result of these bytes of a file.
    pub(super) fn facts(&self, path: &str, hash: &RawHash) -> Option<Arc<FileFacts>> {
        if !self.parsed {
            return None;
        }
        self.kept().facts.get(&(path.to_owned(), *hash)).cloned()
    }

    pub(super) fn keep_facts<'f>(&self, facts: impl IntoIterator<Item = &'f Arc<FileFacts>>) {
        if !self.parsed {
            return;
        }
        let mut kept = self.kept();
        for one in facts {
            kept.newest.insert(one.path.clone(), one.raw_hash);
            let old = kept.facts.insert((one.path.clone(), one.raw_hash), Arc::clone(one));
            kept.source = kept.source.saturating_add(one.len as usize);
            kept.source = kept.source.saturating_sub(old.map_or(0, |old| old.len as usize));
            if kept.source > MAX_SOURCE {
                kept.forget();
            }
        }
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept();
        f.debug_struct("Memory")
            .field("item_trees", &kept.resolved_state.as_ref().map(|(hash, _)| hash))
            .field("parsed", &kept.facts.len())
            .finish()
    }
}
