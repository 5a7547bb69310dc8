//! A workspace's database: opening, refreshing, and snapshots at a moment.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::cache::{
    AnswerCache, ContextCache, CorpusCache, DenseState, DependencyCache, MatchCache, SourceCache,
    TotalsCache, TruthCache,
};
use super::error::EngineError;
use super::history::store_matches;
use crate::index::{self, Memory, Options, Progress, Silent};
use crate::model::{Micros, RevisionId};
use crate::query::{self, Queries};
use crate::state::{self, Folder};
use crate::store::{Params, Store, StoreError, WriteLock};
use crate::syntax::TreeCache;
use crate::wire::{Answer, AnswerSource, Basis, ErrorKind, Freshness, Hint, IndexReport, When};
use crate::workspace;

/// Folder of our own state, at the root of the workspace.
pub const STATE_DIR: &str = ".asof";

/// A refresh matches the items of its revision if it added and removed at most this many, which
/// takes some milliseconds.
const MAX_JUDGED: usize = 200;

/// How long a question waits at most for another process that writes, if it need not be fresh.
const MOMENT: Duration = Duration::from_millis(250);

/// The database within [`STATE_DIR`].
const DATABASE: &str = "asof.db";
/// Keeps the folder out of Git.
const IGNORE: &str = ".gitignore";

/// The database of a workspace.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use asof::wire::ResolveRequest;
/// use asof::{Database, Refresh, When};
/// use asof::index::{Options, Silent};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("retry.rs"), "pub fn next_delay() -> u32 { 1 }")?;
/// let database = Database::create_or_open(folder.path())?;
/// database.refresh(&Options::default(), &Silent)?;
///
/// let now = database.snapshot(&When::Now, Refresh::First)?;
/// let found = now.resolve(&ResolveRequest::new("retry::next_delay"))?;
/// let item = found.one()?;
/// assert_eq!(item.signature, "pub fn next_delay() -> u32");
/// assert_eq!((item.span.start_line, item.span.end_line), (1, 1));
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Database {
    pub(super) store: Store,
    /// Root of the workspace; none for a database without its files.
    pub(super) root: Option<PathBuf>,
    /// The commit whose files this is a database of, if it was made for one question about it.
    pub(super) commit: Option<String>,
    /// Cached item matches of revisions. They never change; computing them takes milliseconds.
    pub(super) item_matches: MatchCache,
    /// State that one refresh passes to the next.
    memory: Memory,
    pub(super) totals: TotalsCache,
    /// Terms of the newest revision, for searches.
    pub(super) corpus: CorpusCache,
    /// Sources of dependencies of which items were asked for.
    pub(super) dependencies: DependencyCache<Self>,
    /// The last answers about intents.
    pub(super) contexts: ContextCache,
    /// Texts of the moment that was read last, for text searches and syntax queries.
    pub(super) sources: SourceCache,
    /// Syntax trees for syntax queries.
    pub(super) trees: TreeCache,
    /// True answers to the last questions that claims were about.
    pub(super) truths: TruthCache,
    /// Answers of earlier searches.
    pub(super) answers: AnswerCache,
    /// The model and the vectors that searches use.
    pub(super) dense: DenseState,
}

impl Database {
    pub(super) fn of(store: Store, root: Option<PathBuf>) -> Self {
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
        match Self::find(&full).or_else(|| workspace::root_above(&full)) {
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
        Ok(Self::of(store, Some(root)))
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
            Ok(store) => Ok(Self::of(store, Some(root))),
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

    /// Replaces the database of a workspace, damaged or of another version, with an empty one. The
    /// old file is kept as `asof.db.old`.
    pub fn recreate(root: &Path) -> Result<Self, EngineError> {
        let root = canonical(root)?;
        let path = Self::path_of(&root);
        if state_folder(&root)?.is_some() && path.symlink_metadata().is_ok() {
            for suffix in ["-wal", "-shm"] {
                let mut side = path.clone().into_os_string();
                side.push(suffix);
                let _ = fs::remove_file(side);
            }
            let old = path.with_extension("db.old");
            fs::rename(&path, &old).map_err(|source| EngineError::Io {
                action: "set aside",
                path: path.clone(),
                source,
            })?;
        }
        Self::create_or_open(&root)
    }

    /// Opens a database file directly, with a root or without its source files.
    pub fn open_file(path: &Path, root: Option<&Path>) -> Result<Self, EngineError> {
        let root = root.map(canonical).transpose()?;
        Ok(Self::of(Store::open(path)?, root))
    }

    /// Whether the opened database file is still at its path. After a restore, a rebuild or a
    /// removal it is not, and every call fails until [`Database::reopen`].
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
            (root, Some(path)) => Ok(Self::of(Store::open(&path)?, root)),
            (root, None) => Ok(Self::of(Store::in_memory()?, root)),
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

    pub(super) fn need_root(&self) -> Result<&Path, EngineError> {
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
        let report = index::refresh(&self.store, self.need_root()?, &options, progress)?;
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
    pub(super) fn tidy(&self) {
        if let Some(path) = self.store.path().filter(|_| self.store.why_read_only().is_none()) {
            state::sweep(path.parent().unwrap_or(path));
        }
    }

    /// Stores the item matches of a revision that was just written.
    pub(super) fn judge(&self, lock: &WriteLock<'_>, at: Micros) -> Result<(), EngineError> {
        store_matches(&self.store, lock, at, MAX_JUDGED)
    }

    /// Options of a refresh within another operation.
    pub(super) fn own_options(&self) -> Options {
        Options { memory: Some(self.memory.clone()), ..Options::default() }
    }

    /// The database at one moment, for queries.
    pub fn snapshot(&self, when: &When, refresh: Refresh) -> Result<Snapshot<'_>, EngineError> {
        if let Some(hash) = &self.commit {
            return self.of_commit_only(hash);
        }
        let mut freshness = (Freshness::Unknown, Vec::new());
        let mut note = None;
        if *when == When::Now && self.root.is_some() {
            match self.refresh_for(refresh)? {
                Refreshed::Done => freshness.0 = Freshness::Fresh,
                Refreshed::Not(reason) => {
                    let stale = index::stale_files(&self.store, self.need_root()?)?;
                    let state = if stale.is_empty() { Freshness::Fresh } else { Freshness::Stale };
                    if let (Freshness::Stale, Some(reason)) = (state, reason) {
                        note = Some(format!("NOW could not be updated: {reason}"));
                    }
                    freshness = (state, stale);
                }
            }
        }
        let (revision, at) = self.revision(when)?;
        let floor = self.floor()?;
        if let (Some(at), Some(floor)) = (at, floor)
            && at < floor
        {
            return Err(EngineError::dropped(at, floor));
        }
        let mut basis = Basis::unknown(revision, at);
        (basis.freshness_state, basis.stale_files) = freshness;
        basis.note = note;
        let origin = match when {
            When::Now | When::Newest => AnswerSource::Now,
            When::At(_) | When::Ago(_) | When::Revision(_) | When::Named(_) => AnswerSource::AsOf,
        };
        Ok(Snapshot { database: self, at: at.unwrap_or(Micros(0)), floor, basis, origin })
    }

    /// The only moment of a database of one commit.
    fn of_commit_only(&self, hash: &str) -> Result<Snapshot<'_>, EngineError> {
        let (_, at) = self.revision(&When::Newest)?;
        let mut basis = Basis::unknown(None, at);
        basis.note = Some(format!(
            "the commit {hash} is not imported: this is what its files say, without a history"
        ));
        let origin = AnswerSource::AsOf;
        Ok(Snapshot { database: self, at: at.unwrap_or(Micros(0)), floor: None, basis, origin })
    }

    /// Updates NOW for a query, if that is wanted and possible.
    fn refresh_for(&self, refresh: Refresh) -> Result<Refreshed, EngineError> {
        let lock_wait = match refresh {
            Refresh::Skip => return Ok(Refreshed::Not(None)),
            Refresh::First => Options::default().lock_wait,
            Refresh::IfFree => MOMENT,
        };
        if let Some(reason) = self.store.why_read_only() {
            return Ok(Refreshed::Not(Some(reason.to_string())));
        }
        match self.refresh(&Options { lock_wait, ..Options::default() }, &Silent) {
            Ok(_) => Ok(Refreshed::Done),
            Err(error) if refresh == Refresh::IfFree && error.kind() == ErrorKind::Locked => {
                Ok(Refreshed::Not(Some("another process is writing".to_owned())))
            }
            Err(error) => Err(error),
        }
    }

    /// The moment this long ago.
    ///
    /// The clock may be behind the newest revisions: it was ahead when they were written, or is
    /// wrong now. Their times then do not give an age; but a revision written while the clock was
    /// behind an earlier one also stores the clock's time.
    ///
    /// # Errors
    /// It is unknown which of these revisions existed at that moment.
    pub(super) fn moment(&self, ago: i64) -> Result<Micros, EngineError> {
        let clock = Micros::now();
        let moment = Micros(clock.0.saturating_sub(ago));
        let after = Micros(clock.0.saturating_add(1));
        let ahead = Queries::revisions_between(&self.store, after, Micros(i64::MAX))?;
        let Some(oldest) = ahead.first() else { return Ok(moment) };
        for revision in ahead.iter().rev() {
            match revision.clock {
                Some(written) if written <= moment => return Ok(revision.at),
                Some(written) if written <= clock => {}
                _ => break,
            }
        }
        let before = Micros(oldest.at.0.saturating_sub(1));
        let last = query::run(&self.store, "history/newest_at", Params::new().with("at", before))?;
        let last: Option<Micros> = last.iter().next().map(|row| row.get("at")).transpose()?;
        // Later revisions follow the last one that is not ahead of the clock.
        if last.is_some_and(|last| moment < last)
            || ahead.iter().all(|revision| revision.clock.is_some_and(|c| moment < c && c <= clock))
        {
            return Ok(moment);
        }
        Err(EngineError::NoRevision {
            text: format!("-{:#}", jiff::SignedDuration::from_micros(ago)),
            reason: format!(
                "revisions since {} lie after the clock, which says {clock}: how old they are is \
                 not known",
                oldest.at
            ),
            hint: Hint::ListRevisions,
        })
    }

    pub(super) fn revision(
        &self,
        when: &When,
    ) -> Result<(Option<RevisionId>, Option<Micros>), EngineError> {
        if let When::Named(name) = when {
            let (id, at) = self.named(name)?;
            return Ok((Some(id), Some(at)));
        }
        if let When::Ago(micros) = when {
            return self.revision(&When::At(self.moment(*micros)?));
        }
        let (program, params, text) = match when {
            When::Now | When::Newest => ("history/newest", Params::new(), "NOW".to_owned()),
            When::At(at) => ("history/newest_at", Params::new().with("at", *at), at.to_string()),
            When::Revision(id) => {
                ("history/revision", Params::new().with("id", *id), id.to_string())
            }
            // Both were handled above.
            When::Named(_) | When::Ago(_) => return Ok((None, None)),
        };
        let rows = query::run(&self.store, program, params)?;
        match rows.iter().next() {
            Some(row) => Ok((Some(row.get("id")?), Some(row.get("at")?))),
            None if matches!(when, When::Now | When::Newest) => Ok((None, None)),
            None => Err(EngineError::NoRevision {
                text,
                reason: "the database has no revision from that time".to_owned(),
                hint: Hint::ListRevisions,
            }),
        }
    }
}

/// The state folder, if it exists; a link is refused.
pub(super) fn state_folder(root: &Path) -> Result<Option<Folder>, EngineError> {
    Ok(Folder::open(&root.join(STATE_DIR)).map_err(StoreError::from)?)
}

pub(super) fn canonical(root: &Path) -> Result<PathBuf, EngineError> {
    fs::canonicalize(root).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => {
            crate::workspace::WorkspaceError::NotFound { path: root.to_owned() }.into()
        }
        _ => EngineError::Io { action: "open", path: root.to_owned(), source },
    })
}

/// Whether NOW is updated from the files on disk before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// Update it first.
    First,
    /// Update it, unless another process keeps the write lock for longer than a moment: the
    /// answer is then based on the newest revision, and says so.
    IfFree,
    /// Read it as it is: the basis of each answer lists the files that differ.
    Skip,
}

/// What a refresh before a question came to.
enum Refreshed {
    Done,
    /// Why it was not made, if it was wanted.
    Not(Option<String>),
}

/// A database at one moment: all answers of a snapshot have the same basis.
#[derive(Debug)]
pub struct Snapshot<'a> {
    pub(super) database: &'a Database,
    pub(super) at: Micros,
    /// Time before which versions were dropped, if any were.
    pub(super) floor: Option<Micros>,
    pub(super) basis: Basis,
    pub(super) origin: AnswerSource,
}

impl Snapshot<'_> {
    /// The time that every query is run at.
    pub fn at(&self) -> Micros {
        self.at
    }

    /// Where the answers come from.
    pub fn source(&self) -> AnswerSource {
        self.origin
    }

    /// The basis of the answers.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    pub(super) fn store(&self) -> &Store {
        &self.database.store
    }

    pub(super) fn params(&self) -> Params {
        Params::new().with("at", self.at)
    }

    /// Truncates a list to the limit; `items` should contain one more if there are more.
    pub(super) fn answer<T>(
        &self,
        started: Instant,
        items: Vec<T>,
        limit: Option<usize>,
    ) -> Answer<T> {
        let mut answer = Answer {
            basis: self.basis.clone(),
            source: self.origin,
            truncated: false,
            total: items.len(),
            items,
            ms: started.elapsed().as_secs_f64() * 1e3,
        };
        answer.cut(limit);
        answer
    }
}
