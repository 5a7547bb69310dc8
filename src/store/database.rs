//! Opening, reading and writing a database.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use asof_storage::Access;
use cozo::ScriptMutability;

use super::batch::{Batch, Written};
use super::boundary::{Context, Engine};
use super::error::StoreError;
use super::excerpt::query_name;
use super::place::{self, Source};
use super::rows::Rows;
use super::schema::{self, SCHEMA_VERSION};
use super::value::{Params, Value};
use super::{file, guard, lock, newest};
use asof_files::FileIdentity;
use asof_files::state::Scratch;

/// How long a reader retries while another process switches the log.
const READ_PATIENCE: Duration = Duration::from_secs(2);
/// How long [`Store::commit`] waits for the write lock.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// A database: the only access to stored facts. Share it between threads by reference.
pub struct Store {
    pub(super) engine: Engine,
    /// `None` in memory.
    path: Option<PathBuf>,
    /// Where the rows are read from; none in memory.
    source: Option<Source>,
    /// Why nothing can be written; none if it can.
    read_only: Option<ReadOnly>,
    /// One writer at a time also where a lock is shared between threads.
    writing: Mutex<()>,
    /// Which file was opened; none in memory.
    identity: Option<FileIdentity>,
    /// The last field: it is dropped when the engine has closed the file.
    opened: Option<file::Opened>,
}

/// Why a store is read-only.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ReadOnly {
    /// It was opened read-only.
    Asked,
    /// Its folder cannot be written.
    Place(String),
}

/// Limits of an ad-hoc query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    /// Estimated bytes of everything that the query keeps in memory.
    pub memory_bytes: usize,
    pub rows: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), memory_bytes: 512 << 20, rows: 10_000 }
    }
}

/// The write lock, held: no other process and no other thread writes until it is dropped.
#[must_use = "the lock is released when this is dropped"]
#[derive(Debug)]
pub struct WriteLock<'a> {
    store: &'a Store,
    _file: Option<File>,
}

impl WriteLock<'_> {
    /// Writes a batch in one transaction: all of it, or nothing if it fails.
    pub fn commit(&self, batch: Batch) -> Result<Written, StoreError> {
        let _span = tracing::debug_span!("transaction", rows = batch.len()).entered();
        self.store.write(batch)
    }

    /// Writes batches in one transaction while others are made. It begins with the first of them
    /// and is committed by [`Streamed::Commit`]; without that, nothing is written. Meanwhile
    /// nothing else can be committed.
    pub fn commit_stream(&self, batches: &Receiver<Streamed>) -> Result<Written, StoreError> {
        let _span = tracing::debug_span!("transaction", rows = "streamed").entered();
        self.store.write_stream(batches)
    }
}

/// What [`WriteLock::commit_stream`] receives.
#[derive(Debug)]
pub enum Streamed {
    /// Rows, of which no other batch has the keys.
    Rows(Batch),
    /// There are no more.
    Commit,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Store {
    /// Creates a database with the relations of the schema. Fails with
    /// [`StoreError::Exists`] if there is something at the path.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists { path: path.to_owned() });
        }
        // Created beside it and moved into place: a killed process leaves no incomplete database.
        let dir = Scratch::new(file::folder_of(path), "create")?;
        let fresh = dir.join("database");
        file::create(&fresh)?;
        drop(Self::fill(&fresh)?);
        file::settle(&fresh)?;
        file::publish(&fresh, path)?;
        Self::open(path)
    }

    /// Creates a database from the committed state of another one, which others may read and write
    /// meanwhile. Every page of it is checked. `change` adapts the copy before it is at its path.
    /// Fails with [`StoreError::Exists`] if there is something at the path, and for a source that
    /// [`Store::open`] refuses or that has a damaged page.
    pub fn create_from<E: From<StoreError>>(
        source: &Path,
        path: &Path,
        change: impl FnOnce(&Self) -> Result<(), E>,
    ) -> Result<Self, E> {
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists { path: path.to_owned() }.into());
        }
        let dir = Scratch::new(file::folder_of(path), "create").map_err(StoreError::from)?;
        let fresh = dir.join("database");
        {
            let source = Self::open_read_only(source)?;
            let (from, access) = source.source().ok_or(StoreError::ReadOnly)?;
            file::copy(from, access, &fresh)?;
        }
        // Only then is the log persistent, as in a database of [`Store::create`].
        file::settle(&fresh)?;
        change(&Self::open(&fresh)?)?;
        file::settle(&fresh)?;
        file::publish(&fresh, path)?;
        Ok(Self::open(path)?)
    }

    /// Opens a database for reading and writing, or read-only if its folder cannot be written
    /// ([`Store::why_read_only`]). Fails with [`StoreError::Missing`],
    /// [`StoreError::NotADatabase`], [`StoreError::Corrupt`] or [`StoreError::SchemaVersion`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_as(path, None)
    }

    /// Opens a database for reading: a write fails with [`StoreError::ReadOnly`].
    /// Fails as [`Store::open`] does.
    pub fn open_read_only(path: &Path) -> Result<Self, StoreError> {
        Self::open_as(path, Some(ReadOnly::Asked))
    }

    /// Creates an empty database in memory, for tests.
    pub fn in_memory() -> Result<Self, StoreError> {
        let store = Self::over(Engine::memory()?, None, None, None);
        store.apply_schema()?;
        Ok(store)
    }

    /// Where the database is; `None` in memory.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether the file that was opened is still at its path. If not, every call fails with
    /// [`StoreError::Replaced`] or [`StoreError::Removed`].
    pub fn is_in_place(&self) -> bool {
        self.check_identity().is_ok()
    }

    /// Why nothing can be written, if the folder of the database is read-only.
    pub fn why_read_only(&self) -> Option<&str> {
        match &self.read_only {
            Some(ReadOnly::Place(reason)) => Some(reason),
            _ => None,
        }
    }

    /// Takes the write lock, waiting at most this long for another writer. Fails with
    /// [`StoreError::Locked`] after that, and with [`StoreError::ReadOnly`].
    pub fn write_lock(&self, wait: Duration) -> Result<WriteLock<'_>, StoreError> {
        self.need_write()?;
        let _span = tracing::trace_span!("write_lock", ?wait).entered();
        let held = self.path.as_deref().map(|path| lock::acquire(path, wait)).transpose()?;
        Ok(WriteLock { store: self, _file: held })
    }

    /// Whether a writer holds the write lock. Writes nothing.
    pub fn is_locked(&self) -> Result<bool, StoreError> {
        Ok(self.path.as_deref().map(lock::is_held).transpose()?.unwrap_or(false))
    }

    /// Takes the write lock, writes a batch in one transaction, and releases the lock.
    /// If it fails, nothing of the batch is stored.
    pub fn commit(&self, batch: Batch) -> Result<Written, StoreError> {
        self.write_lock(WRITE_PATIENCE)?.commit(batch)
    }

    /// Runs a shipped program. It cannot write. For scripts of users: [`Store::run_bounded`].
    pub fn run(&self, script: &str, params: &Params) -> Result<Rows, StoreError> {
        self.read(Context { script, path: self.path(), ..Context::default() }, params)
    }

    /// Runs a user's script: checked before it is parsed, unable to write, within limits of time
    /// and memory, and with at most `limits.rows` rows in the answer.
    ///
    /// The engine has no row limit outside the script: the memory limit bounds its work, and the
    /// answer is truncated afterwards.
    pub fn run_bounded(
        &self,
        script: &str,
        params: &Params,
        limits: Limits,
    ) -> Result<Rows, StoreError> {
        guard::check(script)?;
        let mut rows = self.read(
            Context {
                script: &newest::replace_now(script),
                path: self.path(),
                time: Some(limits.time),
                memory: Some(limits.memory_bytes),
                foreign: true,
            },
            params,
        )?;
        if rows.rows.len() > limits.rows {
            rows.rows.truncate(limits.rows);
            rows.truncated = true;
        }
        Ok(rows)
    }

    /// The plan of a script: one row for each operation, from the engine's `::explain`.
    /// The script is checked like an ad-hoc one.
    pub fn explain(&self, script: &str, params: &Params) -> Result<Rows, StoreError> {
        guard::check(script)?;
        const BEFORE: &str = "::explain { ";
        let explained = format!("{BEFORE}{}\n}}", newest::replace_now(script));
        let context =
            Context { script: &explained, path: self.path(), foreign: true, ..Context::default() };
        let plan = self.read(context, params);
        plan.map_err(|error| error.in_original(script, |at| at.saturating_sub(BEFORE.len())))
    }

    fn open_as(path: &Path, asked: Option<ReadOnly>) -> Result<Self, StoreError> {
        let opened = file::Opened::check(path)?;
        let read_only = place::unwritable(path).map(ReadOnly::Place);
        let source = match (&read_only, &asked) {
            (Some(_), _) => Source::read_only(path)?,
            (None, Some(_)) => Source::new(path, Access::Read),
            (None, None) => Source::new(path, Access::Write),
        };
        let engine = Engine::file(&source.path, source.access)?;
        let mut store = Self::over(engine, Some(path), Some(source), asked.or(read_only));
        store.opened = Some(opened);
        store.check_version(path)?;
        Ok(store)
    }

    fn fill(path: &Path) -> Result<Self, StoreError> {
        let source = Source::new(path, Access::Write);
        let engine = Engine::file(path, source.access)?;
        let store = Self::over(engine, Some(path), Some(source), None);
        store.apply_schema()?;
        Ok(store)
    }

    fn need_write(&self) -> Result<(), StoreError> {
        match (&self.read_only, &self.path) {
            (None, _) => Ok(()),
            (Some(ReadOnly::Place(reason)), Some(path)) => {
                Err(StoreError::Unwritable { path: path.clone(), reason: reason.clone() })
            }
            (Some(_), _) => Err(StoreError::ReadOnly),
        }
    }

    fn over(
        engine: Engine,
        path: Option<&Path>,
        source: Option<Source>,
        read_only: Option<ReadOnly>,
    ) -> Self {
        Self {
            engine,
            path: path.map(Path::to_owned),
            source,
            read_only,
            writing: Mutex::default(),
            identity: path.and_then(FileIdentity::at),
            opened: None,
        }
    }

    fn apply_schema(&self) -> Result<(), StoreError> {
        let context = Context { path: self.path(), ..Context::default() };
        self.engine.together(context, || {
            for (name, text) in schema::FILES {
                for script in schema::statements(text) {
                    let context = Context { script, ..context };
                    self.engine
                        .run(context, Default::default(), ScriptMutability::Mutable)
                        .map_err(|err| StoreError::Row {
                            relation: (*name).to_owned(),
                            reason: err.to_string(),
                        })?;
                }
            }
            Ok(())
        })?;
        let mut batch = Batch::new();
        batch.put("meta", ["schema_version", SCHEMA_VERSION].map(Value::from))?;
        self.write(batch)?;
        Ok(())
    }

    fn check_version(&self, path: &Path) -> Result<(), StoreError> {
        let script = r#"?[value] := *meta{key: "schema_version", value}"#;
        let rows = match self.run(script, &Params::new()) {
            Ok(rows) => rows,
            Err(StoreError::Query { .. }) => {
                let reason = "it has no relation `meta`".to_owned();
                return Err(StoreError::NotADatabase { path: path.to_owned(), reason });
            }
            Err(error) => return Err(error),
        };
        match rows.column::<String>("value")?.pop() {
            Some(found) if found == SCHEMA_VERSION => Ok(()),
            found => Err(StoreError::SchemaVersion {
                found: found.unwrap_or_else(|| "none".to_owned()),
                expected: SCHEMA_VERSION.to_owned(),
            }),
        }
    }

    /// Runs a script on one snapshot: it does not see what others commit meanwhile.
    fn read(&self, context: Context<'_>, params: &Params) -> Result<Rows, StoreError> {
        self.check_identity()?;
        let begin = Instant::now();
        let named = loop {
            match self.engine.run(context, params.0.clone(), ScriptMutability::Immutable) {
                Err(StoreError::Locked { .. }) if begin.elapsed() < READ_PATIENCE => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                outcome => break outcome?,
            }
        };
        Ok(Rows {
            query: query_name(context.script),
            headers: named.headers,
            rows: named.rows,
            truncated: false,
        })
    }

    fn check_identity(&self) -> Result<(), StoreError> {
        let Some(path) = &self.path else { return Ok(()) };
        match FileIdentity::at(path) {
            None => Err(StoreError::Removed { path: path.clone() }),
            found if found != self.identity => Err(StoreError::Replaced { path: path.clone() }),
            Some(_) => self.source.as_ref().map_or(Ok(()), Source::check),
        }
    }

    /// The file that the rows are read from, and how; none in memory.
    pub(super) fn source(&self) -> Option<(&Path, Access)> {
        self.source.as_ref().map(|source| (source.path.as_path(), source.access))
    }

    /// [`Engine::import_beside`] with the rows of a batch.
    pub(super) fn write_beside(
        &self,
        other: &Path,
        join: Option<(&[&str], i64)>,
        statements: &[&str],
        mut batch: Batch,
    ) -> Result<(), StoreError> {
        batch.sort()?;
        self.write_all(|engine, context| {
            engine.import_beside(context, other, join, statements, batch.into_parts())
        })
    }

    /// Writes with the engine, as the only writer of this process.
    pub(super) fn write_all<T, E: From<StoreError>>(
        &self,
        write: impl FnOnce(&Engine, Context<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.need_write()?;
        let _one = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_identity()?;
        write(&self.engine, Context { path: self.path(), ..Context::default() })
    }

    fn write_stream(&self, batches: &Receiver<Streamed>) -> Result<Written, StoreError> {
        self.need_write()?;
        let abandoned = |_| StoreError::Engine { reason: "the rows did not come".to_owned() };
        let mut next = batches.recv().map_err(abandoned)?;
        let _one = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_identity()?;
        let context = Context { path: self.path(), ..Context::default() };
        let mut written = Written::default();
        self.engine.together(context, || {
            while let Streamed::Rows(mut batch) = next {
                written.add(batch.sort()?);
                self.engine.write_within(context, batch.into_parts())?;
                next = batches.recv().map_err(abandoned)?;
            }
            Ok(())
        })?;
        Ok(written)
    }

    fn write(&self, mut batch: Batch) -> Result<Written, StoreError> {
        self.need_write()?;
        let written = batch.sort()?;
        if batch.is_empty() {
            return Ok(written);
        }
        self.write_all(|engine, context| engine.write(context, batch.into_parts()))?;
        Ok(written)
    }
}
