//! Resolves the names of the trees that come next, on a thread of its own, while the rows of the present
//! one are compared and written: which state a tree has does not depend on the store.

use std::fmt;
use std::sync::Arc;

use super::current::{self, walk_tree};
use super::dependencies;
use super::error::IndexError;
use super::load_state::resolved_state;
use super::memory::{Memory, NextState};
use super::options::{FactSet, Options, Silent};
use super::parse::{self, TextSink, Want};
use super::resolved_state::ResolvedState;
use super::state::{self, Roots, State};
use super::stats::{FileStat, now_ns, suspects};
use super::wide::item_trees;
use asof_model::SourceFile;
use asof_store::Store;
use asof_workspace::SourceTree;

/// The states of a series of trees, each from the one before it and the files that differ. A run takes
/// a state only if it has the same item trees and roots ([`Memory::expect`]), so what is different when
/// the run comes to it costs time and nothing else.
pub struct Lookahead {
    options: Options,
    /// Of the last tree, as a run would load it from the store.
    state: State,
    resolved: Arc<ResolvedState>,
    /// States before that one which a run may still use. They are dropped here: that takes as long as
    /// writing a small commit, and is cheaper where they were made.
    before: Vec<Arc<ResolvedState>>,
}

impl fmt::Debug for Lookahead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookahead").field("files", &self.state.stats.len()).finish_non_exhaustive()
    }
}

impl Lookahead {
    /// From the newest state of a store; none if it has no state, or the options have no memory.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn from_store(store: &Store, options: &Options) -> Result<Option<Self>, IndexError> {
        let state = State::load(store)?;
        if state.at.is_none() || options.memory.is_none() || options.facts != FactSet::All {
            return Ok(None);
        }
        let resolved = resolved_state(store, &state, options.memory.as_ref())?;
        Ok(Some(Lookahead { options: options.clone(), state, resolved, before: Vec::new() }))
    }

    /// The state of the next tree, which is still to be [prepared](NextState::prepare).
    ///
    /// # Errors
    /// The tree is no workspace, or cannot be read: the run that comes to it says why. The tree after
    /// it is compared with the last one that could be read.
    pub fn next(&mut self, tree: &dyn SourceTree) -> Result<NextState, IndexError> {
        let _span = tracing::debug_span!("lookahead").entered();
        self.before.retain(|state| Arc::strong_count(state) > 1);
        let threads = self.options.threads;
        let plain = walk_tree(tree)?;
        let mut walk = plain.clone();
        let seen = state::seen(&walk);
        let (layout, _, _) = current::layout(tree, Some(&self.state), &seen, &mut walk)?;
        let sources = self.options.sources(tree);
        let old = self.state.roots.as_ref().map(|roots| &roots.dependencies);
        let dependencies = dependencies::choose(tree, &layout, &sources, old, threads)?;
        let roots = Roots { layout, links: walk.links.clone(), seen, dependencies };
        let request = parse::Request {
            tree,
            files: &suspects(&walk.files, &self.state.stats),
            known: &self.state.stats,
            want: Want::Trees,
            options: &self.options,
        };
        let parsed = parse::parse(&request, TextSink::Memory, &Silent)?;
        tree.check()?;
        let before = self.resolved.stored_input();
        let files = item_trees(before, &parsed, |path| walk.has_file(path), threads)?;
        if before.files != files || !before.roots.mean_the_same(&roots) {
            let kept = self.options.memory.as_ref().and_then(Memory::expansions);
            let folders = Some(sources.folders());
            let before = Some(&*self.resolved);
            let state =
                ResolvedState::resolve(roots.clone(), files, folders, threads, kept, before)?;
            self.before.push(std::mem::replace(&mut self.resolved, Arc::new(state)));
        }
        let read_ns = now_ns();
        let manifest =
            |file: &SourceFile| (file.path.clone(), FileStat::new(file, String::new(), read_ns));
        self.state.stats.retain(|path, _| walk.has_file(path));
        self.state.stats.extend(parsed.stats);
        self.state.stats.extend(walk.manifests.iter().map(manifest));
        self.state.roots = Some(roots);
        let folders = sources.folders().clone();
        let resolved = Arc::clone(&self.resolved);
        Ok(NextState { tree: tree.id(), walk: plain, folders, resolved })
    }
}

impl NextState {
    /// Makes what uses are resolved with, which the state after this one does not wait for.
    ///
    /// # Errors
    /// If sources of dependencies went away, or no thread can be had: the run that comes to the state
    /// says so.
    pub fn prepare(&self, threads: Option<usize>) -> Result<(), IndexError> {
        let _span = tracing::debug_span!("prepare").entered();
        self.resolved.prepare(&self.folders, threads)
    }
}
