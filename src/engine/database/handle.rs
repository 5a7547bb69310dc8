//! A workspace's database: opening and refreshing.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cache::{
    AnswerCache, ContextCache, CorpusCache, DenseState, DependencyCache, MatchCache, SourceCache,
    TotalsCache, TruthCache,
};
use crate::error::EngineError;
use crate::past::{commit_matches, find_matches};
use asof_files::state::{Folder, Scratch};
use asof_index::{Memory, Options, Progress};
use asof_model::{Micros, NodeId};
use asof_store::{Store, StoreError, WriteLock};
use asof_syntax::TreeCache;
use asof_wire::IndexReport;

/// Folder of our own state, at the root of the workspace.
pub const STATE_DIR: &str = ".asof";

/// A refresh matches the items of its revision if it added and removed at most this many, which
/// takes some milliseconds.
const MAX_JUDGED: usize = 200;

/// The database within [`STATE_DIR`].
const DATABASE: &str = "asof.db";
/// Keeps the folder out of Git.
const IGNORE: &str = ".gitignore";

/// The database of a workspace.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use asof_wire::ResolveRequest;
/// use asof_engine::{Database, Refresh};
/// use asof_wire::When;
/// use asof_index::{Options, Silent};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("retry.rs"), "pub fn next_delay() -> u32 { 1 }")?;
/// let database = Database::create_or_open(folder.path())?;
/// database.refresh(&Options::default(), &Silent)?;
///
/// let now = database.snapshot(&When::Now, Refresh::First)?;
/// let found = now.resolve(&ResolveRequest::new("retry::next_delay"))?;
/// let item = found.unique()?;
/// assert_eq!(item.signature, "pub fn next_delay() -> u32");
/// assert_eq!((item.span.start_line, item.span.end_line), (1, 1));
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Database {
    pub(crate) store: Store,
    /// Root of the workspace; none for a database without its files.
    pub(crate) root: Option<PathBuf>,
    /// The commit whose files this is a database of, if it was made for one question about it.
    pub(crate) commit: Option<String>,
    /// Cached item matches of revisions. They never change; computing them takes milliseconds.
    pub(crate) item_matches: MatchCache,
    /// State that one refresh passes to the next.
    memory: Memory,
    pub(crate) totals: TotalsCache,
    /// Terms of the newest revision, for searches.
    pub(crate) corpus: CorpusCache,
    /// Sources of dependencies of which items were asked for.
    pub(crate) dependencies: DependencyCache<Self>,
    /// The last answers about intents.
    pub(crate) contexts: ContextCache,
    /// Texts of the moment that was read last, for text searches and syntax queries.
    pub(crate) sources: SourceCache,
    /// Syntax trees for syntax queries.
    pub(crate) trees: TreeCache,
    /// True answers to the last questions that claims were about.
    pub(crate) truths: TruthCache,
    /// Answers of earlier searches.
    pub(crate) answers: AnswerCache,
    /// The model and the vectors that searches use.
    pub(crate) dense: DenseState,
    /// The folder of a store that is made for one question. Dropped after the store.
    pub(crate) folder: Option<Scratch>,
}

/// What [`Database::recreate`] made.
#[derive(Debug)]
pub struct Recreated {
    pub database: Database,
    /// Where the old database is; none if there was none.
    pub old: Option<PathBuf>,
}

impl Database {
    pub(crate) fn from_store(store: Store, root: Option<PathBuf>) -> Self {
        Self {
            store,
            root,
            commit: None,
            item_matches: MatchCache::default(),
            memory: Memory::default(),
            totals: TotalsCache::default(),
            corpus: CorpusCache::default(),
            dependencies: DependencyCache::default(),
            contexts: ContextCache::default(),
            sources: SourceCache::default(),
            trees: TreeCache::default(),
            truths: TruthCache::default(),
            answers: AnswerCache::default(),
            dense: DenseState::default(),
            folder: None,
        }
    }

    /// Path of a workspace's database.
    pub fn path_of(root: &Path) -> PathBuf {
        root.join(STATE_DIR).join(DATABASE)
    }

    /// The nearest folder with a database: `start` or a parent.
    pub fn find(start: &Path) -> Option<PathBuf> {
        let start = fs::canonicalize(start).ok()?;
        // A link counts too; opening it reports what is wrong.
        let is_there = |dir: &&Path| {
            let meta = Self::path_of(dir).symlink_metadata();
            meta.is_ok_and(|meta| meta.is_file() || meta.is_symlink())
        };
        start.ancestors().find(is_there).map(Path::to_owned)
    }

    /// The root of the workspace that a folder belongs to: the nearest parent with a database, else
    /// the root of its Cargo workspace or package, else of its Git repository, else the folder
    /// itself.
    pub fn root_of(start: &Path) -> PathBuf {
        let Ok(full) = fs::canonicalize(start) else { return start.to_owned() };
        match Self::find(&full).or_else(|| asof_workspace::root_above(&full)) {
            Some(root) if root != full => root,
            _ => start.to_owned(),
        }
    }

    /// Opens the database of a workspace that was indexed before. If its folder is read-only, it
    /// can still be queried.
    pub fn open(root: &Path) -> Result<Self, EngineError> {
        let root = canonical(root)?;
        state_folder(&root)?;
        let store = Store::open(&Self::path_of(&root))?;
        Ok(Self::from_store(store, Some(root)))
    }

    /// Opens the database of a workspace, or creates an empty one.
    pub fn create_or_open(root: &Path) -> Result<Self, EngineError> {
        let root = canonical(root)?;
        let path = Self::path_of(&root);
        if state_folder(&root)?.is_some() && path.symlink_metadata().is_ok() {
            return Self::open(&root);
        }
        Self::prepare(&root)?;
        match Store::create(&path) {
            Ok(store) => Ok(Self::from_store(store, Some(root))),
            // Another process was faster.
            Err(StoreError::Exists { .. }) => Self::open(&root),
            Err(error) => Err(error.into()),
        }
    }

    /// Creates the state folder, ignored by Git; returns the root with links resolved.
    pub(super) fn prepare(root: &Path) -> Result<PathBuf, EngineError> {
        let root = canonical(root)?;
        let folder = Folder::create(&root.join(STATE_DIR)).map_err(StoreError::from)?;
        // Another process may be creating the folder, too.
        if let Some(mut file) = folder.create_if_absent(IGNORE).map_err(StoreError::from)? {
            file.write_all(b"*\n").map_err(|source| EngineError::Io {
                action: "write",
                path: folder.path().join(IGNORE),
                source,
            })?;
        }
        Ok(root)
    }

    /// Removes the state folder of [`Database::prepare`] again, if nothing else is in it.
    pub(super) fn unprepare(root: &Path) {
        let folder = root.join(STATE_DIR);
        let _ = fs::remove_file(folder.join(IGNORE));
        let _ = fs::remove_dir(folder);
    }

    /// Replaces the database of a workspace, damaged or of another version, with an empty one. All
    /// files of the old one are kept: as `asof.db.old`, or `asof.db.old-2` and so on if there is one.
    ///
    /// # Errors
    /// Another process still writes after `lock_wait`: nothing is replaced.
    pub fn recreate(root: &Path, lock_wait: Duration) -> Result<Recreated, EngineError> {
        let root = canonical(root)?;
        let path = Self::path_of(&root);
        let old = match state_folder(&root)? {
            Some(_) => Store::set_aside(&path, lock_wait)?,
            None => None,
        };
        Ok(Recreated { database: Self::create_or_open(&root)?, old })
    }

    /// Opens a database file directly, with a root or without its source files.
    pub fn open_file(path: &Path, root: Option<&Path>) -> Result<Self, EngineError> {
        let root = root.map(canonical).transpose()?;
        Ok(Self::from_store(Store::open(path)?, root))
    }

    /// Whether the opened database file is still at its path. After a restore, a rebuild or a
    /// removal it is not, and every call fails until the database is opened again.
    pub fn is_in_place(&self) -> bool {
        self.store.is_in_place()
    }

    /// Opens the file that is now at this database's path; creates an empty database if there is
    /// none and the workspace still exists.
    ///
    /// # Errors
    /// The file is not a database of this version, or the workspace is gone.
    pub fn reopen(self) -> Result<Self, EngineError> {
        let path = self.store.path().map(Path::to_owned);
        let Self { root, store, .. } = self;
        // Close first: a connection to the old file must not outlive it.
        drop(store);
        match (root, path) {
            (Some(root), Some(path)) if path == Self::path_of(&root) => Self::create_or_open(&root),
            (root, Some(path)) => Ok(Self::from_store(Store::open(&path)?, root)),
            (root, None) => Ok(Self::from_store(Store::in_memory()?, root)),
        }
    }

    /// Root of the workspace.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The database file; none for a database in memory.
    pub fn file(&self) -> Option<&Path> {
        self.store.path()
    }

    /// Checks every page of the database file.
    ///
    /// # Errors
    /// A damaged page.
    pub fn verify_pages(&self) -> Result<(), EngineError> {
        Ok(self.store.verify_pages()?)
    }

    /// The store below, for the tests of this crate.
    #[doc(hidden)]
    pub fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn need_root(&self) -> Result<&Path, EngineError> {
        self.root.as_deref().ok_or_else(|| EngineError::BadRequest {
            what: "this database was opened without its files".to_owned(),
            hint: "open it with the root of the workspace".into(),
        })
    }

    /// Updates NOW from the files on disk, in one transaction.
    pub fn refresh(
        &self,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<IndexReport, EngineError> {
        if self.has_pending_edit() {
            self.recover_edits()?;
        }
        let options = match options.memory {
            Some(_) => options.clone(),
            None => Options { memory: Some(self.memory.clone()), ..options.clone() },
        };
        self.tidy();
        let report = asof_index::refresh(&self.store, self.need_root()?, &options, progress)?;
        if let (Some(_), Some(at)) = (report.revision, report.at) {
            // Another process may already be writing; then the matches are computed on demand.
            match self.store.write_lock(Duration::ZERO) {
                Ok(lock) => self.judge(&lock, at)?,
                Err(StoreError::Locked { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(report)
    }

    /// Removes leftovers of killed processes beside the database.
    fn tidy(&self) {
        if let Some(path) = self.store.path().filter(|_| self.store.why_read_only().is_none()) {
            asof_files::state::sweep(path.parent().unwrap_or(path));
        }
    }

    /// Stores the item matches of a revision that was just written.
    pub(crate) fn judge(&self, lock: &WriteLock<'_>, at: Micros) -> Result<(), EngineError> {
        self.judge_told(lock, at, &[])
    }

    /// The same; `told`: what the edit that made the revision says of its items, old and new.
    pub(crate) fn judge_told(
        &self,
        lock: &WriteLock<'_>,
        at: Micros,
        told: &[(NodeId, NodeId)],
    ) -> Result<(), EngineError> {
        commit_matches(lock, find_matches(&self.store, at, MAX_JUDGED, told)?)
    }

    /// What the last run in this process resolved.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Options of a refresh within another operation.
    pub(crate) fn own_options(&self) -> Options {
        Options { memory: Some(self.memory.clone()), ..Options::default() }
    }
}

/// The state folder, if it exists; a link is refused.
pub(super) fn state_folder(root: &Path) -> Result<Option<Folder>, EngineError> {
    Ok(Folder::open(&root.join(STATE_DIR)).map_err(StoreError::from)?)
}

pub(crate) fn canonical(root: &Path) -> Result<PathBuf, EngineError> {
    fs::canonicalize(root).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => {
            asof_workspace::WorkspaceError::NotFound { path: root.to_owned() }.into()
        }
        _ => EngineError::Io { action: "open", path: root.to_owned(), source },
    })
}
