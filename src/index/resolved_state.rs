//! A state of the workspace with its names resolved, which owns its input: unlike a
//! [`ResolvedWorkspace`], it can be kept from one run to the next.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use self_cell::self_cell;

use super::error::IndexError;
use super::expansions::Expansions;
use super::reads::FileReads;
use super::resolved_workspace::{MadeItems, ResolutionInput, ResolvedWorkspace, StoredInput};
use super::state::Roots;
use super::threads::pool;
use super::uses::FileRows;
use asof_model::{FileFacts, FileUses, NodeId, Reference, StoredTree};
use asof_resolve::{
    ItemIndex, Libraries, LocalFacts, OutsideMacros, References, Source, serialize,
};
use asof_workspace::SourceFolders;

self_cell!(
    struct InputCell {
        owner: Arc<StoredInput>,
        #[covariant]
        dependent: ResolutionInput,
    }
);

self_cell!(
    struct WorkspaceCell {
        owner: InputCell,
        #[covariant]
        dependent: ResolvedWorkspace,
    }
);

self_cell!(
    struct WorldCell {
        owner: (Arc<WorkspaceCell>, Arc<Libraries>),
        #[not_covariant]
        dependent: ItemIndex,
    }
);

/// See the module. The item index for resolving uses is built when it is first needed.
pub(super) struct ResolvedState {
    stored_input: Arc<StoredInput>,
    side: Arc<WorkspaceCell>,
    /// Once they were loaded.
    dependencies: OnceLock<Arc<Libraries>>,
    world: OnceLock<WorldCell>,
    /// Set once it is being saved.
    is_saved: AtomicBool,
}

/// The crates outside of a workspace.
///
/// # Errors
/// If their sources went away.
fn load(
    roots: &Roots,
    folders: &SourceFolders,
    threads: Option<usize>,
) -> Result<Arc<Libraries>, IndexError> {
    let dependencies = roots.dependencies.load(folders, threads)?;
    Ok(Arc::new(Libraries::new(dependencies, &roots.layout.packages)))
}

impl ResolvedState {
    /// The state of these files, after another one. `folders`: where the sources of the crates outside of
    /// the workspace are, if these are wanted. `expansions`: those of the state before, if they are kept.
    ///
    /// # Errors
    /// If their sources went away.
    pub fn resolve(
        roots: Roots,
        files: BTreeMap<String, Arc<StoredTree>>,
        folders: Option<&SourceFolders>,
        threads: Option<usize>,
        expansions: Option<&Expansions>,
        before: Option<&ResolvedState>,
    ) -> Result<Self, IndexError> {
        if !MadeItems::may_be(&files) {
            let made = MadeItems::default();
            let input = StoredInput { roots, files, made, ..StoredInput::default() };
            return Ok(Self::new(input, None, before));
        }
        let stored = before.map(ResolvedState::stored_input);
        if let Some(made) = stored.and_then(|stored| stored.made_by_same_calls(&roots, &files)) {
            let input = StoredInput { roots, files, made, ..StoredInput::default() };
            return Ok(Self::new(input, None, before));
        }
        let shared = before.and_then(|before| before.shared_dependencies(&roots));
        let outside = match (shared, folders) {
            (Some(shared), _) => Some(Arc::clone(shared)),
            (None, Some(folders)) => Some(load(&roots, folders, threads)?),
            (None, None) => None,
        };
        let macros = outside.as_ref().map(|outside| outside.dependencies() as &dyn OutsideMacros);
        let expand = || MadeItems::expand(&roots, &files, macros, expansions, stored);
        let (made, tree) = pool(threads)?.install(expand);
        let input = StoredInput { roots, files, made, tree, ..StoredInput::default() };
        Ok(Self::new(input, outside, before))
    }

    /// `dependencies`: the crates outside of the workspace, if they were loaded. `before`: a state of
    /// which most is the same.
    pub fn new(
        stored_input: StoredInput,
        dependencies: Option<Arc<Libraries>>,
        before: Option<&ResolvedState>,
    ) -> Self {
        let stored_input = Arc::new(stored_input);
        let input = InputCell::new(Arc::clone(&stored_input), |held| ResolutionInput::new(held));
        let side = Arc::new(WorkspaceCell::new(input, |input| {
            let before = before.map(ResolvedState::side);
            ResolvedWorkspace::resolve(input.borrow_dependent(), before)
        }));
        let shared = || before?.shared_dependencies(&stored_input.roots).cloned();
        let known = dependencies.or_else(shared);
        let loaded = known.map_or_else(OnceLock::new, OnceLock::from);
        let is_saved = AtomicBool::new(stored_input.saved.is_some());
        Self { stored_input, side, dependencies: loaded, world: OnceLock::new(), is_saved }
    }

    /// Whether it is to be saved: it is told so once.
    pub fn begins_to_be_saved(&self) -> bool {
        !self.is_saved.swap(true, Ordering::Relaxed)
    }

    pub fn stored_input(&self) -> &StoredInput {
        &self.stored_input
    }

    pub fn side(&self) -> &ResolvedWorkspace<'_> {
        self.side.borrow_dependent()
    }

    /// The crates outside of the workspace. References need them.
    ///
    /// # Errors
    /// If their sources went away.
    pub fn dependencies(
        &self,
        folders: &SourceFolders,
        threads: Option<usize>,
    ) -> Result<&Arc<Libraries>, IndexError> {
        if let Some(loaded) = self.dependencies.get() {
            return Ok(loaded);
        }
        let loaded = load(&self.stored_input.roots, folders, threads)?;
        Ok(self.dependencies.get_or_init(|| loaded))
    }

    /// Those of this state, if another with these roots has the same.
    fn shared_dependencies(&self, roots: &Roots) -> Option<&Arc<Libraries>> {
        let own = &self.stored_input.roots;
        let [then, now] = [own, roots]
            .map(|roots| roots.layout.packages.iter().map(|package| &package.dependencies));
        let is_same =
            |_: &&_| own.dependencies.meaning() == roots.dependencies.meaning() && then.eq(now);
        self.dependencies.get().filter(is_same)
    }

    /// Makes what uses are resolved with, before any is asked for.
    ///
    /// # Errors
    /// See [`ResolvedState::dependencies`].
    pub fn prepare(
        &self,
        folders: &SourceFolders,
        threads: Option<usize>,
    ) -> Result<(), IndexError> {
        let dependencies = self.dependencies(folders, threads)?;
        pool(threads)?.install(|| self.world(dependencies));
        Ok(())
    }

    /// [`ResolvedState::prepare`], on a thread of its own.
    ///
    /// # Errors
    /// As there, and if no thread can be had.
    pub fn prepare_beside(
        self: &Arc<Self>,
        folders: &SourceFolders,
        threads: Option<usize>,
    ) -> Result<(), IndexError> {
        let (state, pool) = (Arc::clone(self), pool(threads)?);
        let dependencies = Arc::clone(self.dependencies(folders, threads)?);
        // What is asked for before it is done waits for it.
        let prepare = move || {
            pool.install(|| state.world(&dependencies));
        };
        let thread = std::thread::Builder::new().name("prepare".to_owned()).spawn(prepare);
        thread.map(drop).map_err(|error| IndexError::Threads { reason: error.to_string() })
    }

    /// Rows of what these files use, or only some of their items, by path. The threads of the pool
    /// have stacks for deep nesting.
    pub fn references<'f>(
        &self,
        files: impl IntoIterator<Item = (&'f FileFacts, Option<&'f BTreeSet<u32>>)>,
        dependencies: &Arc<Libraries>,
        pool: &rayon::ThreadPool,
    ) -> BTreeMap<&str, FileRows> {
        let sources = self.sources(files);
        pool.install(|| self.rows_of(&sources, dependencies))
    }

    /// What a file uses, on a thread of such a pool.
    pub fn references_of(
        &self,
        facts: &FileFacts,
        dependencies: &Arc<Libraries>,
        pool: &rayon::ThreadPool,
    ) -> Vec<Reference> {
        let sources = self.sources([(facts, None)]);
        let world = || self.world(dependencies);
        pool.install(|| world().with_dependent(|_, world| world.references(&sources)))
    }

    /// What inference finds out about a file beside its references, on a thread of such a pool.
    pub fn local_facts(
        &self,
        facts: &FileFacts,
        dependencies: &Arc<Libraries>,
        pool: &rayon::ThreadPool,
    ) -> LocalFacts {
        let sources = self.sources([(facts, None)]);
        let Some(source) = sources.first() else { return LocalFacts::default() };
        let world = || self.world(dependencies);
        pool.install(|| world().with_dependent(|_, world| world.local_facts(source)))
    }

    /// [`ResolvedState::references`], on a thread of such a pool.
    pub fn item_references<'f>(
        &self,
        files: impl IntoIterator<Item = (&'f FileFacts, Option<&'f BTreeSet<u32>>)>,
        dependencies: &Arc<Libraries>,
    ) -> BTreeMap<&str, FileRows> {
        self.rows_of(&self.sources(files), dependencies)
    }

    /// [`ResolvedState::item_references`] of all items of files by path, one after the other, and no longer than
    /// needed: the rows and parse results of all of them at once would be most of what a first run
    /// holds in memory.
    pub fn each_references<E: Send>(
        &self,
        files: Vec<(&str, Cow<'_, FileUses>)>,
        dependencies: &Arc<Libraries>,
        take: impl Fn(&str, FileRows) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        // Before there are other jobs: one that waits for the item index inside of its making never ends.
        self.world(dependencies);
        files.into_par_iter().with_max_len(1).try_for_each(|(path, uses)| {
            let Some(file) = self.side().number_of(path) else { return Ok(()) };
            let rows = self.rows_of(&[Source { file, uses: &uses, only: None }], dependencies);
            drop(uses);
            rows.into_iter().try_for_each(|(path, rows)| take(path, rows))
        })
    }

    /// The stored form of the module tree, of the resolved names, and of what uses are resolved
    /// with; none as long as no use was resolved.
    pub fn to_parts(&self) -> Option<[Vec<u8>; 3]> {
        let side = self.side();
        let world = self.world.get()?.with_dependent(|_, world| world.to_bytes());
        let tree = postcard::to_allocvec(&side.tree).ok()?;
        Some([tree, serialize::to_bytes(&side.assembly, side.scopes()), world])
    }

    fn sources<'f>(
        &self,
        files: impl IntoIterator<Item = (&'f FileFacts, Option<&'f BTreeSet<u32>>)>,
    ) -> Vec<Source<'f>> {
        let source = |(facts, only): (&'f FileFacts, _)| {
            let file = self.side().number_of(&facts.path)?;
            Some(Source { file, uses: &facts.uses, only })
        };
        files.into_iter().filter_map(source).collect()
    }

    /// What uses are resolved with.
    fn world(&self, dependencies: &Arc<Libraries>) -> &WorldCell {
        self.world.get_or_init(|| {
            let owner = (Arc::clone(&self.side), Arc::clone(dependencies));
            WorldCell::new(owner, |(side, dependencies)| {
                let side = side.borrow_dependent();
                let (input, assembly, scopes) = (side.input(), &side.assembly, side.scopes());
                let saved = side.saved_world().and_then(|bytes| {
                    ItemIndex::restored(bytes, input, assembly, scopes, dependencies)
                });
                saved.unwrap_or_else(|| ItemIndex::new(input, assembly, scopes, dependencies))
            })
        })
    }

    fn rows_of(
        &self,
        sources: &[Source<'_>],
        dependencies: &Arc<Libraries>,
    ) -> BTreeMap<&str, FileRows> {
        if sources.is_empty() {
            return BTreeMap::new();
        }
        let side = self.side();
        let found = self
            .world(dependencies)
            .with_dependent(|_, world| world.references_with_reads(sources));
        let path_of = |id: NodeId| side.node(id).and_then(|node| side.path_of(node));
        let paths = sources.iter().filter_map(|source| Some(side.files.get(source.file)?.0));
        let mut by_path: BTreeMap<&str, References> =
            paths.map(|path| (path, References::default())).collect();
        for reference in found.list {
            if let Some(of_path) = path_of(reference.source).and_then(|path| by_path.get_mut(path))
            {
                of_path.list.push(reference);
            }
        }
        for (item, reads) in found.reads {
            if let Some(of_path) = path_of(item).and_then(|path| by_path.get_mut(path)) {
                of_path.reads.insert(item, reads);
            }
        }
        let rows = |(path, found): (_, References)| {
            (path, FileRows::new(&found.list, FileReads::new(found.reads)))
        };
        by_path.into_par_iter().map(rows).collect()
    }
}
