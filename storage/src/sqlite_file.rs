//! SQLite as a storage of the engine, in place of the engine's own.
//!
//! The differences: a query reads one snapshot, whatever other threads and processes write
//! meanwhile; several calls of the engine can be one transaction, so that a large batch needs
//! memory only for a part of itself; a version is found by comparing bytes of keys, not by decoding
//! them; large values are compressed, long ones are stored apart from their keys, and older
//! versions may be differences from newer ones; and nothing here panics. The table is the engine's.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cozo::{DataValue, Storage, StoreTx, ValidityTs};
use miette::{Result, miette};
use sqlite::State;

use crate::chain::{Neighbours, Values};
use crate::connection::{Connection, Prepared};
use crate::large::pack;
use crate::parts;
use crate::report::report;
use crate::row::{self, StoredRow, decode};
use crate::versions::Versions;
use crate::{Access, pages};

type Pair = (Vec<u8>, Vec<u8>);
type Tuple = Vec<DataValue>;

/// How long SQLite waits for another process, in milliseconds.
const PATIENCE: usize = 5000;
/// Writes that are held back, so that one statement serves many of them.
const MAX_HELD: usize = 512;
const MAX_HELD_BYTES: usize = 1 << 20;

const GET: &str = "select v from cozo where k = ?";
const PUT: &str =
    "insert into cozo(k, v) values (?, ?) on conflict(k) do update set v = excluded.v";
/// For keys that are probably new: it costs half of [`PUT`], for which SQLite copies each page
/// before it is changed, because of the triggers.
const INSERT: &str = "insert into cozo(k, v) values (?, ?)";
/// SQLite's code for a key that exists.
const EXISTS: isize = 19;
const ANY: &str = "select 1 from cozo where k >= ? and k < ? limit 1";
const HAS: &str = "select 1 from cozo where k = ?";
const DELETE: &str = "delete from cozo where k = ?";
const DELETE_RANGE: &str = "delete from cozo where k >= ? and k < ?";
const RANGE: &str = "select k, v from cozo where k >= ? and k < ? order by k";
const COUNT: &str = "select count(*) from cozo where k >= ? and k < ?";
const ALL: &str = "select k, v from cozo order by k";

/// A database file. Clones share it.
#[derive(Clone)]
pub(crate) struct FileStorage(Arc<Shared>);

struct Shared {
    path: PathBuf,
    access: Access,
    idle: Mutex<Vec<Connection>>,
    held: Mutex<Option<Arc<Held>>>,
}

/// A transaction that spans several calls.
struct Held {
    connection: Connection,
    failed: AtomicBool,
    /// Whether another database is attached to the connection: then it is closed afterwards.
    beside: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl FileStorage {
    pub fn new(path: PathBuf, access: Access) -> Self {
        let idle = Mutex::default();
        Self(Arc::new(Shared { path, access, idle, held: Mutex::default() }))
    }

    /// Begins a transaction that includes all writes until it is released.
    pub fn hold(&self) -> Result<Hold<'_>> {
        self.begin(self.0.connect()?, false)
    }

    /// [`FileStorage::hold`] with another database file attached as `other`.
    pub fn hold_beside(&self, other: &str) -> Result<Hold<'_>> {
        let connection = self.0.connect()?;
        let mut attach = connection.prepare("attach database ? as other")?;
        attach.bind((1, other)).map_err(report)?;
        attach.next().map_err(report)?;
        drop(attach);
        self.begin(connection, true)
    }

    /// Writes rows, or removes those of these keys, in the order in which they come. In the
    /// transaction that is held, or one of its own.
    pub fn write(&self, rows: Vec<StoredRow>, remove: bool) -> Result<()> {
        let mut tx = self.transact(true)?;
        let connection = tx.connection()?;
        let mut insert = connection.prepare(if remove { DELETE } else { INSERT })?;
        let mut beside = match rows.first() {
            Some(row) if tx.has_relation(row.key())? => Some(Neighbours::new(connection)?),
            // Nothing is beside the first rows of a relation.
            _ => None,
        };
        for row in rows {
            if let Some(beside) = &mut beside {
                if remove {
                    beside.before_removal(row.key())?
                } else {
                    beside.before_put(row.key(), row.value())?
                }
            }
            insert.reset().map_err(report)?;
            insert.bind((1, row.key())).map_err(report)?;
            if remove {
                while insert.next().map_err(report)? != State::Done {}
                continue;
            }
            let (value, long) = parts::split(row.key(), Cow::Borrowed(row.value()));
            insert.bind((2, &*value)).map_err(report)?;
            match insert.next() {
                Err(error) if error.code == Some(EXISTS) => {
                    // This reports the same error again.
                    let _ = insert.reset();
                    let mut put = connection.prepare(PUT)?;
                    put.bind((1, row.key())).map_err(report)?;
                    put.bind((2, &*value)).map_err(report)?;
                    while put.next().map_err(report)? != State::Done {}
                }
                outcome => outcome.map(drop).map_err(report)?,
            }
            if let Some(long) = long {
                parts::put(connection, row.key(), &long)?;
            }
        }
        drop((insert, beside));
        StoreTx::commit(&mut tx)
    }

    fn begin(&self, connection: Connection, beside: bool) -> Result<Hold<'_>> {
        connection.execute("begin immediate")?;
        let held = Held { connection, failed: AtomicBool::new(false), beside };
        *lock(&self.0.held) = Some(Arc::new(held));
        Ok(Hold { storage: self, done: false })
    }
}

/// A held transaction; rolled back unless it is committed.
pub struct Hold<'a> {
    storage: &'a FileStorage,
    done: bool,
}

impl std::fmt::Debug for Hold<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hold").field("done", &self.done).finish_non_exhaustive()
    }
}

impl Hold<'_> {
    /// Runs a statement of SQLite within the transaction.
    pub fn execute(&self, sql: &str) -> Result<()> {
        let held = lock(&self.storage.0.held).clone();
        let held = held.ok_or_else(|| miette!("the transaction is gone"))?;
        held.connection.execute(sql)
    }

    /// Commits what the engine's calls wrote, or rolls all of it back if one of them failed.
    pub fn commit(mut self) -> Result<()> {
        self.end(true)
    }

    fn end(&mut self, commit: bool) -> Result<()> {
        if mem::replace(&mut self.done, true) {
            return Ok(());
        }
        let shared = &self.storage.0;
        let Some(held) = lock(&shared.held).take() else {
            return Err(miette!("the transaction is gone"));
        };
        let failed = held.failed.load(Ordering::Acquire);
        let outcome = if !commit {
            Ok(())
        } else if failed {
            Err(miette!("a part of the transaction failed"))
        } else {
            held.connection.execute("commit")
        };
        if outcome.is_err() || !commit {
            let _ = held.connection.execute("rollback");
        }
        if let Some(held) = Arc::into_inner(held)
            && !held.beside
        {
            lock(&shared.idle).push(held.connection);
        }
        outcome
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let _ = self.end(false);
    }
}

impl Shared {
    fn connect(&self) -> Result<Connection> {
        if let Some(connection) = lock(&self.idle).pop() {
            return Ok(connection);
        }
        let mut connection = pages::open_thread_safe(&self.path, self.access).map_err(report)?;
        connection.set_busy_timeout(PATIENCE).map_err(report)?;
        Ok(Connection::new(connection))
    }
}

impl<'s> Storage<'s> for FileStorage {
    type Tx = FileTx;

    fn storage_kind(&self) -> &'static str {
        "sqlite"
    }

    fn transact(&'s self, write: bool) -> Result<FileTx> {
        let held = if write { lock(&self.0.held).clone() } else { None };
        let link = match held {
            Some(held) => Link::Held(held),
            None => {
                let connection = self.0.connect()?;
                connection.execute(if write { "begin immediate" } else { "begin" })?;
                Link::Own(connection)
            }
        };
        Ok(FileTx {
            shared: self.0.clone(),
            link: Some(link),
            write,
            committed: false,
            waiting: Mutex::default(),
        })
    }

    fn range_compact(&'s self, _lower: &[u8], _upper: &[u8]) -> Result<()> {
        Ok(())
    }

    fn batch_put<'a>(&'a self, data: Box<dyn Iterator<Item = Result<Pair>> + 'a>) -> Result<()> {
        let mut tx = self.transact(true)?;
        for pair in data {
            let (key, value) = pair?;
            tx.write(key, Some(value))?;
        }
        StoreTx::commit(&mut tx)
    }
}

enum Link {
    Own(Connection),
    Held(Arc<Held>),
}

/// Writes that wait for their statement; `None` deletes.
#[derive(Default)]
struct Waiting {
    writes: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    bytes: usize,
}

/// A transaction: one snapshot to read, or the one writer.
pub(crate) struct FileTx {
    shared: Arc<Shared>,
    /// None only while it is dropped.
    link: Option<Link>,
    write: bool,
    committed: bool,
    waiting: Mutex<Waiting>,
}

impl Drop for FileTx {
    fn drop(&mut self) {
        match self.link.take() {
            // A connection that cannot roll back is closed, which rolls back.
            Some(Link::Own(connection))
                if self.committed || connection.execute("rollback").is_ok() =>
            {
                lock(&self.shared.idle).push(connection);
            }
            Some(Link::Held(held)) if !self.committed => held.failed.store(true, Ordering::Release),
            _ => {}
        }
    }
}

impl FileTx {
    pub fn connection(&self) -> Result<&Connection> {
        match &self.link {
            Some(Link::Own(connection)) => Ok(connection),
            Some(Link::Held(held)) => Ok(&held.connection),
            None => Err(miette!("the transaction has ended")),
        }
    }

    /// A statement that sees what this transaction wrote.
    fn prepare(&self, sql: &'static str) -> Result<Prepared<'_>> {
        if self.write {
            self.flush(&mut lock(&self.waiting))?;
        }
        self.connection()?.prepare(sql)
    }

    pub fn range(&self, sql: &'static str, lower: &[u8], upper: &[u8]) -> Result<Prepared<'_>> {
        let mut statement = self.prepare(sql)?;
        statement.bind((1, lower)).map_err(report)?;
        statement.bind((2, upper)).map_err(report)?;
        Ok(statement)
    }

    /// [`FileTx::range`] with a reader of its values.
    pub fn scan(&self, lower: &[u8], upper: &[u8]) -> Result<(Prepared<'_>, Values<'_>)> {
        Ok((self.range(RANGE, lower, upper)?, self.values()?))
    }

    pub fn values(&self) -> Result<Values<'_>> {
        self.connection().map(Values::new)
    }

    /// Whether the relation of a key has any row.
    fn has_relation(&self, key: &[u8]) -> Result<bool> {
        let Some(number) = key.first_chunk::<8>() else { return Ok(true) };
        let end = u64::from_be_bytes(*number).saturating_add(1).to_be_bytes();
        let mut any = self.range(ANY, number, &end)?;
        Ok(any.next().map_err(report)? == State::Row)
    }

    fn write(&self, key: Vec<u8>, value: Option<Vec<u8>>) -> Result<()> {
        if !self.write {
            return Err(miette!("a write in a read transaction"));
        }
        let mut waiting = lock(&self.waiting);
        waiting.bytes += key.len() + value.as_ref().map_or(0, Vec::len);
        waiting.writes.push((key, value));
        if waiting.writes.len() >= MAX_HELD || waiting.bytes >= MAX_HELD_BYTES {
            self.flush(&mut waiting)?;
        }
        Ok(())
    }

    fn flush(&self, waiting: &mut Waiting) -> Result<()> {
        if waiting.writes.is_empty() {
            return Ok(());
        }
        let connection = self.connection()?;
        let mut put = connection.prepare(PUT)?;
        let mut delete = connection.prepare(DELETE)?;
        let mut beside = Neighbours::new(connection)?;
        waiting.bytes = 0;
        for (key, value) in waiting.writes.drain(..) {
            let packed = value.as_deref().map(pack);
            match &packed {
                Some(packed) => beside.before_put(&key, packed)?,
                None => beside.before_removal(&key)?,
            }
            let statement = if packed.is_some() { &mut put } else { &mut delete };
            statement.reset().map_err(report)?;
            statement.bind((1, key.as_slice())).map_err(report)?;
            let stored = packed.map(|packed| parts::split(&key, packed));
            if let Some((value, _)) = &stored {
                statement.bind((2, &**value)).map_err(report)?;
            }
            while statement.next().map_err(report)? != State::Done {}
            if let Some((_, Some(long))) = stored {
                parts::put(connection, &key, &long)?;
            }
        }
        Ok(())
    }
}

/// The values of all rows in a database file, before they were packed, in the order of their keys.
/// For what studies the form of rows; the engine's catalogue is not among them.
///
/// # Errors
/// If SQLite fails, or a row is damaged.
pub fn values(path: &Path) -> Result<Vec<Vec<u8>>> {
    let connection = Connection::new(pages::open_thread_safe(path, Access::Read).map_err(report)?);
    let mut statement = connection.prepare(ALL)?;
    let mut read = Values::new(&connection);
    let mut values = Vec::new();
    while statement.next().map_err(report)? == State::Row {
        let key: Vec<u8> = statement.read(0).map_err(report)?;
        let value = read.value(&key, statement.read(1).map_err(report)?)?;
        if row::is_compact(&value) {
            values.push(value);
        }
    }
    Ok(values)
}

fn for_engine(key: &[u8], value: &[u8]) -> Result<Pair> {
    let value = row::for_engine(key, value.to_vec())?;
    Ok((key.to_vec(), value))
}

/// Pairs of a statement, each turned into an item; an error ends it.
fn pairs<'a, T>(
    statement: Result<(Prepared<'a>, Values<'a>)>,
    turn: impl Fn(&[u8], &[u8]) -> Result<T> + 'a,
) -> Box<dyn Iterator<Item = Result<T>> + 'a>
where
    T: 'a,
{
    let (mut statement, mut values) = match statement {
        Err(error) => return Box::new(std::iter::once(Err(error))),
        Ok(pair) => pair,
    };
    // The next row may be a difference from this one.
    let mut last: Option<Pair> = None;
    let mut ended = false;
    Box::new(std::iter::from_fn(move || {
        if ended {
            return None;
        }
        let mut next = || -> Result<Option<T>> {
            if statement.next().map_err(report)? == State::Done {
                return Ok(None);
            }
            let key: Vec<u8> = statement.read(0).map_err(report)?;
            let before = last.as_ref().map(|(key, value)| (key.as_slice(), value.as_slice()));
            let value = values.after(&key, statement.read(1).map_err(report)?, before)?;
            let item = turn(&key, &value)?;
            last = Some((key, value));
            Ok(Some(item))
        };
        let item = next();
        ended = !matches!(item, Ok(Some(_)));
        item.transpose()
    }))
}

impl<'s> StoreTx<'s> for FileTx {
    fn get(&self, key: &[u8], _for_update: bool) -> Result<Option<Vec<u8>>> {
        let mut statement = self.prepare(GET)?;
        statement.bind((1, key)).map_err(report)?;
        match statement.next().map_err(report)? {
            State::Done => Ok(None),
            State::Row => {
                let stored = statement.read(0).map_err(report)?;
                let value = self.values()?.value(key, stored)?;
                row::for_engine(key, value).map(Some)
            }
        }
    }

    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.write(key.to_vec(), Some(value.to_vec()))
    }

    fn supports_par_put(&self) -> bool {
        true
    }

    fn par_put(&self, key: &[u8], value: &[u8]) -> Result<()> {
        self.write(key.to_vec(), Some(value.to_vec()))
    }

    fn del(&mut self, key: &[u8]) -> Result<()> {
        self.write(key.to_vec(), None)
    }

    fn par_del(&self, key: &[u8]) -> Result<()> {
        self.write(key.to_vec(), None)
    }

    fn del_range_from_persisted(&mut self, lower: &[u8], upper: &[u8]) -> Result<()> {
        let mut statement = self.range(DELETE_RANGE, lower, upper)?;
        while statement.next().map_err(report)? != State::Done {}
        Ok(())
    }

    fn exists(&self, key: &[u8], _for_update: bool) -> Result<bool> {
        let mut statement = self.prepare(HAS)?;
        statement.bind((1, key)).map_err(report)?;
        Ok(statement.next().map_err(report)? == State::Row)
    }

    fn commit(&mut self) -> Result<()> {
        if self.write {
            self.flush(&mut lock(&self.waiting))?;
        }
        if let Some(Link::Own(connection)) = &self.link {
            connection.execute("commit")?;
        }
        self.committed = true;
        Ok(())
    }

    fn range_scan_tuple<'a>(
        &'a self,
        lower: &[u8],
        upper: &[u8],
    ) -> Box<dyn Iterator<Item = Result<Tuple>> + 'a>
    where
        's: 'a,
    {
        pairs(self.scan(lower, upper), decode)
    }

    fn range_skip_scan_tuple<'a>(
        &'a self,
        lower: &[u8],
        upper: &[u8],
        valid_at: ValidityTs,
    ) -> Box<dyn Iterator<Item = Result<Tuple>> + 'a> {
        let Reverse(at) = valid_at.0;
        match self.scan(lower, upper) {
            Err(error) => Box::new(std::iter::once(Err(error))),
            Ok((statement, values)) => Box::new(Versions::new(statement, values, upper, at)),
        }
    }

    fn range_scan<'a>(
        &'a self,
        lower: &[u8],
        upper: &[u8],
    ) -> Box<dyn Iterator<Item = Result<Pair>> + 'a>
    where
        's: 'a,
    {
        pairs(self.scan(lower, upper), for_engine)
    }

    fn range_count<'a>(&'a self, lower: &[u8], upper: &[u8]) -> Result<usize>
    where
        's: 'a,
    {
        let mut statement = self.range(COUNT, lower, upper)?;
        statement.next().map_err(report)?;
        let count: i64 = statement.read(0).map_err(report)?;
        usize::try_from(count).map_err(|_| miette!("a count of {count}"))
    }

    fn total_scan<'a>(&'a self) -> Box<dyn Iterator<Item = Result<Pair>> + 'a>
    where
        's: 'a,
    {
        pairs(self.prepare(ALL).and_then(|all| Ok((all, self.values()?))), for_engine)
    }
}
