//! The database file, below the engine: made before the engine sees it, checked before it
//! is trusted.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::StoreError;

const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Makes an empty database file with the engine's table, in a layout that we chose: keys are
/// stored once (`WITHOUT ROWID`), and the log is written ahead (the mode persists in the file).
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    let connection = sqlite::open(path).map_err(|err| from_sqlite(path, &err))?;
    connection
        .execute(
            "pragma page_size = 4096; pragma journal_mode = wal;
             create table cozo (k BLOB primary key, v BLOB) without rowid;",
        )
        .map_err(|err| from_sqlite(path, &err))
}

/// Checks that a file can be a whole SQLite database, from its header and length alone.
pub(super) fn check(path: &Path) -> Result<(), StoreError> {
    let foreign = |reason: &str| StoreError::NotADatabase {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    let damaged = |reason: String| StoreError::Corrupt { path: path.to_owned(), reason };
    let meta = std::fs::metadata(path).map_err(|err| StoreError::io("read", path, err))?;
    if !meta.is_file() {
        return Err(foreign("not a file"));
    }
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
    let page_size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65536,
        size => u64::from(size),
    };
    if !page_size.is_power_of_two() || page_size < 512 {
        return Err(damaged(format!("page size {page_size} in the header")));
    }
    let word = |at: usize| {
        u64::from(u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]))
    };
    // The count is valid if both counters of changes agree; with a log, the rest lies there.
    let counted = word(24) == word(92);
    let expected = word(28) * page_size;
    if counted && !has_log(path) && meta.len() < expected {
        return Err(damaged(format!("{} bytes of {expected}", meta.len())));
    }
    Ok(())
}

/// Whether a log with content lies beside a database.
fn has_log(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|meta| meta.len() > 0)
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
    let flags = sqlite::OpenFlags::new().with_read_only();
    let mut found = None;
    sqlite::Connection::open_with_flags(path, flags)
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
        Some(10 | 13) => StoreError::Full { reason },
        Some(14) => StoreError::Io { action: "open", path, source: std::io::Error::other(reason) },
        Some(26) => StoreError::NotADatabase { path, reason },
        _ => StoreError::Corrupt { path, reason },
    }
}
