//! The database file, below the engine: created before the engine opens it, and checked before it
//! is trusted.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use asof_storage::pages::{self, First, PAGE, Page};
use asof_storage::{Access, parts};

use super::error::StoreError;
use super::schema::SCHEMA_VERSION;
use asof_files::FileIdentity;
use asof_model::OrNever;

const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Checks that a database and SQLite's files beside it are regular files with one name each:
/// through a link, another file would be written.
pub(super) fn check_plain(path: &Path) -> Result<(), StoreError> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        asof_files::state::check_file(&beside(path, suffix))?;
    }
    Ok(())
}

/// Creates an empty database file with the engine's table, in a layout of our own: keys are stored
/// once (`without rowid`), pages are large and have room for a checksum, and the journal mode is
/// the write-ahead log (which persists in the file). With 50,000 nodes, their lookups, edges and
/// mirrors it takes 61 MB instead of 86 MB in the engine's layout, and is no slower to write.
///
/// SQLite syncs the log at every commit (`synchronous` is FULL in a fresh connection): what
/// was committed survives a loss of power.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    pages::open(path, Access::Create)
        .and_then(|connection| {
            connection.execute(format!(
                "pragma page_size = {PAGE}; pragma journal_mode = wal;
                 create table cozo (k BLOB primary key, v BLOB) without rowid;"
            ))?;
            connection.execute(parts::CREATE)
        })
        .map_err(|err| from_sqlite(path, &err))
}

/// Copies the committed state of a database, its log included, into a new compact file.
/// Equal states give equal bytes.
pub(super) fn copy(from: &Path, access: Access, to: &Path) -> Result<(), StoreError> {
    let name = to.to_str().ok_or_else(|| StoreError::Io {
        action: "write to",
        path: to.to_owned(),
        source: std::io::Error::other("the path is not UTF-8"),
    })?;
    pages::open(from, access)
        .and_then(|connection| {
            connection.execute(format!("vacuum into '{}'", name.replace('\'', "''")))
        })
        .map_err(|err| from_sqlite(from, &err))?;
    // SQLite increments this with each copy.
    pages::open(to, Access::Write)
        .and_then(|connection| connection.execute("pragma schema_version = 1"))
        .map_err(|err| from_sqlite(to, &err))
}

/// Moves the log into the database file and leaves it empty, so that the file is complete on its
/// own. Fails with [`StoreError::Locked`] while another process reads or writes.
pub(super) fn settle(path: &Path) -> Result<(), StoreError> {
    let mut busy = false;
    pages::open(path, Access::Write)
        .and_then(|connection| {
            connection.execute("pragma journal_mode = wal")?;
            connection.iterate("pragma wal_checkpoint(truncate)", |row| {
                busy = row.first().is_some_and(|(_, value)| *value == Some("1"));
                true
            })
        })
        .map_err(|err| from_sqlite(path, &err))?;
    if busy {
        let path = path.to_owned();
        return Err(StoreError::Locked { path, pid: None, waited: Default::default() });
    }
    Ok(())
}

/// Pages of a database, its log included.
pub(super) struct Pages {
    pub free: u64,
    pub all: u64,
}

impl Pages {
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let count = |connection: &sqlite::Connection, what: &str| {
            let mut found = None;
            connection.iterate(format!("pragma {what}"), |row| {
                let value = row.first().and_then(|(_, value)| value.as_deref());
                found = value.and_then(|value| value.parse().ok());
                true
            })?;
            Ok(found)
        };
        pages::open(path, Access::Read)
            .and_then(|connection| {
                Ok((count(&connection, "freelist_count")?, count(&connection, "page_count")?))
            })
            .map_err(|err| from_sqlite(path, &err))
            .and_then(|counts| match counts {
                (Some(free), Some(all)) => Ok(Self { free, all }),
                _ => {
                    let reason = "it does not say how many pages it has".to_owned();
                    Err(StoreError::Corrupt { path: path.to_owned(), reason })
                }
            })
    }
}

/// Moves a settled database to a path that must not exist.
pub(super) fn publish(fresh: &Path, path: &Path) -> Result<(), StoreError> {
    // The log of a deleted database would be replayed into this one.
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(path, suffix));
    }
    asof_files::state::publish(fresh, path).map_err(|err| match err.kind() {
        std::io::ErrorKind::AlreadyExists => StoreError::Exists { path: path.to_owned() },
        _ => StoreError::io("write", path, err),
    })
}

/// Files that this process has open as databases, one entry a store.
static OPEN: Mutex<Vec<FileIdentity>> = Mutex::new(Vec::new());

/// Records that this process has a file open as a database, until it is dropped.
///
/// SQLite's locks belong to the process and the file: closing any other handle of the file drops
/// them (<https://sqlite.org/howtocorrupt.html>, section 2.2). So a file that is open is not
/// opened a second time to check it.
#[derive(Debug)]
pub(super) struct Opened(FileIdentity);

impl Opened {
    /// Checks a file, unless it is already open and therefore checked.
    pub fn check(path: &Path) -> Result<Self, StoreError> {
        let meta = path.symlink_metadata().map_err(|err| StoreError::io("read", path, err));
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = meta.as_ref().ok().map(FileIdentity::new);
        if known.is_none_or(|known| !open.contains(&known)) {
            check(path)?;
        }
        let identity = FileIdentity::new(&meta?);
        open.push(identity);
        Ok(Self(identity))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = open.iter().position(|identity| *identity == self.0) {
            open.swap_remove(at);
        }
    }
}

/// Checks that a file can be a complete asof database, from its first page and length alone.
fn check(path: &Path) -> Result<(), StoreError> {
    let foreign = |reason: &str| StoreError::NotADatabase {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    let damaged = |reason: String| StoreError::Corrupt { path: path.to_owned(), reason };
    check_plain(path)?;
    let meta = std::fs::symlink_metadata(path).map_err(|err| StoreError::io("read", path, err))?;
    let mut first = Vec::with_capacity(PAGE);
    File::open(path)
        .and_then(|file| file.take(PAGE as u64).read_to_end(&mut first))
        .map_err(|err| StoreError::io("read", path, err))?;
    if !first.starts_with(MAGIC) {
        return Err(match first.len() {
            0 => foreign("the file is empty"),
            1..100 => foreign("the file is too short"),
            _ => foreign("it does not have the header of an SQLite file"),
        });
    }
    // With a log, the newest first page may be there.
    let logged = has_log(path);
    if first.len() < 100 && !logged {
        return Err(foreign("the file is too short"));
    }
    let Ok(first) = <&Page>::try_from(first.as_slice()) else {
        let reason = format!("{} bytes are less than a page", first.len());
        return if logged { Ok(()) } else { Err(damaged(reason)) };
    };
    let number = |at: usize, len: usize| {
        let bytes = first.get(at..at + len).or_never("a page has a head");
        bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
    };
    match pages::first(first) {
        First::Unsealed if number(16, 2) == PAGE as u64 => {
            return Err(StoreError::SchemaVersion {
                found: "3 or older, without checksums".to_owned(),
                expected: SCHEMA_VERSION.to_owned(),
            });
        }
        First::Unsealed => return Err(foreign("the file belongs to another program")),
        First::Damaged if !logged => {
            return Err(damaged("the checksum of page 1 does not match".to_owned()));
        }
        First::Damaged | First::Sound => {}
    }
    // The count is valid if both counters of changes agree; with a log, the rest is there.
    let counted = number(24, 4) == number(92, 4);
    let expected = number(28, 4) * PAGE as u64;
    if counted && !logged && meta.len() < expected {
        return Err(damaged(format!("{} of {expected} bytes are left", meta.len())));
    }
    Ok(())
}

/// Whether a log with content is beside a database.
pub(super) fn has_log(path: &Path) -> bool {
    std::fs::symlink_metadata(beside(path, "-wal")).is_ok_and(|meta| meta.len() > 0)
}

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A file beside a database: `<db><suffix>`.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// SQLite's own check of every page; slow. Fails with the first thing that it found.
pub(super) fn integrity(path: &Path) -> Result<(), StoreError> {
    let damaged = |reason: String| StoreError::Corrupt { path: path.to_owned(), reason };
    let mut found = None;
    pages::open(path, Access::Read)
        .and_then(|connection| {
            connection.iterate("pragma integrity_check(1)", |row| {
                found = row.first().and_then(|(_, value)| value.map(str::to_owned));
                false
            })
        })
        .or_else(|err| if found.is_some() { Ok(()) } else { Err(from_sqlite(path, &err)) })?;
    match found.as_deref() {
        Some("ok") => Ok(()),
        Some(reason) => Err(damaged(reason.to_owned())),
        None => Err(damaged("SQLite's check gave no answer".to_owned())),
    }
}

/// The error that a result code of SQLite stands for (<https://sqlite.org/rescode.html>).
pub(super) fn from_sqlite(path: &Path, error: &sqlite::Error) -> StoreError {
    let path = path.to_owned();
    let reason = error.to_string();
    match error.code.map(|code| code & 0xff) {
        Some(5 | 6) => StoreError::Locked { path, pid: None, waited: Default::default() },
        Some(8) => StoreError::ReadOnly,
        Some(13) => StoreError::Full { reason },
        Some(10 | 14) => {
            StoreError::Io { action: "read or write", path, source: std::io::Error::other(reason) }
        }
        Some(26) => StoreError::NotADatabase { path, reason },
        _ => StoreError::Corrupt { path, reason },
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::collections::BTreeSet;
    use std::os::unix::fs::MetadataExt;

    use crate::Store;

    /// Locks of this process on a file, as the system lists them, without their numbers.
    ///
    /// The list is not read at once: where other locks come and go, a read can miss an entry that
    /// was there all along. So several reads are put together.
    fn locks(path: &std::path::Path) -> BTreeSet<String> {
        let inode = format!(":{} ", path.metadata().unwrap().ino());
        let pid = format!(" {} ", std::process::id());
        let mut found = BTreeSet::new();
        for _ in 0..50 {
            let all = std::fs::read_to_string("/proc/locks").unwrap();
            let own = all.lines().filter(|line| line.contains(&inode) && line.contains(&pid));
            found.extend(own.filter_map(|line| line.split_once(": ")).map(|(_, lock)| lock.into()));
        }
        found
    }

    #[test]
    fn a_second_store_over_a_file_leaves_the_locks_of_the_first() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("asof.db");
        let first = Store::create(&path).unwrap();
        first.run("?[at] := *revision{at}", &Default::default()).unwrap();
        let before = locks(&path);
        assert!(!before.is_empty(), "SQLite holds a lock on a database with a log");
        drop(Store::open(&path).unwrap());
        assert_eq!(locks(&path), before);
    }
}
