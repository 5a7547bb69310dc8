//! The database file, below the engine: made before the engine sees it, checked before it
//! is trusted.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use crate::state;

const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// How SQLite opens a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// For writing; made if nothing is there.
    Create,
    Write,
    /// For reading, while others may write.
    Read,
    /// For reading, where nobody can write: without the files beside it.
    Still,
}

/// The flags and the name to open a file with.
///
/// SQLite opens its log and the index of it through no link. The file itself it would: the crate
/// does not give the flag against that, so [`check_plain`] looks before.
pub(super) fn flags(path: &Path, access: Access) -> (sqlite::OpenFlags, PathBuf) {
    let flags = sqlite::OpenFlags::new();
    let flags = match access {
        Access::Create => flags.with_read_write().with_create(),
        Access::Write => flags.with_read_write(),
        Access::Read => flags.with_read_only(),
        Access::Still => flags.with_read_only().with_uri(),
    };
    if access != Access::Still {
        return (flags, path.to_owned());
    }
    let folder = std::fs::canonicalize(folder_of(path));
    let real = match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        // SQLite says what is wrong with it.
        _ => path.to_owned(),
    };
    (flags, still(&real))
}

/// The name of a file that does not change, as SQLite reads it.
fn still(path: &Path) -> PathBuf {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut uri = b"file:".to_vec();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'%' | b'?' | b'#' => uri.extend(format!("%{byte:02x}").bytes()),
            byte => uri.push(byte),
        }
    }
    uri.extend(b"?immutable=1");
    PathBuf::from(std::ffi::OsString::from_vec(uri))
}

/// A connection of its own to a file.
pub(super) fn connect(path: &Path, access: Access) -> sqlite::Result<sqlite::Connection> {
    let (flags, name) = flags(path, access);
    sqlite::Connection::open_with_flags(name, flags)
}

/// Checks that a database and what SQLite keeps beside it are plain files, each with one name:
/// through a link another file would be written.
pub(super) fn check_plain(path: &Path) -> Result<(), StoreError> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        state::check_file(&beside(path, suffix))?;
    }
    Ok(())
}

/// Makes an empty database file with the engine's table, in a layout of our own that the
/// engine then finds: keys are stored once (`without rowid`), on large pages, and the log is
/// written ahead (the mode persists in the file). Measured with 50,000 nodes, their lookups,
/// edges and mirrors: 61 MB against 86 MB in the engine's layout, written no slower.
///
/// SQLite syncs the log at every commit (`synchronous` is FULL in a fresh connection): what
/// was committed survives a loss of power.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    let connection = connect(path, Access::Create).map_err(|err| from_sqlite(path, &err))?;
    connection
        .execute(
            "pragma page_size = 16384; pragma journal_mode = wal;
             create table cozo (k BLOB primary key, v BLOB) without rowid;",
        )
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
    connect(from, access)
        .and_then(|connection| {
            connection.execute(format!("vacuum into '{}'", name.replace('\'', "''")))
        })
        .map_err(|err| from_sqlite(from, &err))?;
    // SQLite counts copies of copies here.
    connect(to, Access::Create)
        .and_then(|connection| connection.execute("pragma schema_version = 1"))
        .map_err(|err| from_sqlite(to, &err))
}

/// Moves the log into the database file and leaves it empty, so that the file stands alone.
/// Fails with [`StoreError::Locked`] while another process reads or writes.
pub(super) fn settle(path: &Path) -> Result<(), StoreError> {
    let mut busy = false;
    connect(path, Access::Write)
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

/// What tells one file from another at the same path: 0 where the system has no such number.
pub(super) fn identity(path: &Path) -> u64 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(path).map_or(0, |meta| meta.ino())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        0
    }
}

/// Checks that a file can be a whole SQLite database, from its header and length alone.
pub(super) fn check(path: &Path) -> Result<(), StoreError> {
    let foreign = |reason: &str| StoreError::NotADatabase {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    let damaged = |reason: String| StoreError::Corrupt { path: path.to_owned(), reason };
    check_plain(path)?;
    let meta = std::fs::symlink_metadata(path).map_err(|err| StoreError::io("read", path, err))?;
    let mut header = Vec::with_capacity(100);
    File::open(path)
        .and_then(|file| file.take(100).read_to_end(&mut header))
        .map_err(|err| StoreError::io("read", path, err))?;
    let Ok(header) = <[u8; 100]>::try_from(header) else {
        return Err(match meta.len() {
            0 => foreign("the file is empty"),
            _ => foreign("the file is too short"),
        });
    };
    if !header.starts_with(MAGIC) {
        return Err(foreign("it does not begin like an SQLite file"));
    }
    let number = |at: usize, len: usize| {
        let bytes = header.get(at..at + len).unwrap_or_default();
        bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
    };
    let page_size = match number(16, 2) {
        1 => 65536,
        size => size,
    };
    if !page_size.is_power_of_two() || page_size < 512 {
        return Err(damaged(format!("page size {page_size} in the header")));
    }
    // The count is valid if both counters of changes agree; with a log, the rest lies there.
    let counted = number(24, 4) == number(92, 4);
    let expected = number(28, 4) * page_size;
    if counted && !has_log(path) && meta.len() < expected {
        return Err(damaged(format!("{} bytes of {expected}", meta.len())));
    }
    Ok(())
}

/// Whether a log with content lies beside a database.
pub(super) fn has_log(path: &Path) -> bool {
    std::fs::symlink_metadata(beside(path, "-wal")).is_ok_and(|meta| meta.len() > 0)
}

/// The folder that a file lies in.
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

/// SQLite's own check of every page; slow. Fails with what it found first.
pub(super) fn integrity(path: &Path) -> Result<(), StoreError> {
    let damaged = |reason: String| StoreError::Corrupt { path: path.to_owned(), reason };
    let mut found = None;
    connect(path, Access::Read)
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
        None => Err(damaged("no answer to the check".to_owned())),
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
