//! The write lock: one writer at a time, across processes and threads. It is held for a
//! transaction, never for a process's life.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use super::error::StoreError;
use super::file;
use asof_files::state::StateError;

/// Whether a process holds the write lock of a database.
pub(super) fn is_held(database: &Path) -> Result<bool, StoreError> {
    Ok(asof_files::state::is_held(&file::beside(database, ".lock"))?)
}

/// Takes the write lock of a database, the file `<db>.lock` beside it, waiting at most this long.
/// Dropping the file releases it; so does the end of the process, however it ends.
pub(super) fn acquire(database: &Path, wait: Duration) -> Result<File, StoreError> {
    asof_files::state::acquire(&file::beside(database, ".lock"), wait).map_err(
        |error| match error {
            StateError::Locked { pid, waited, .. } => {
                StoreError::Locked { path: database.to_owned(), pid, waited }
            }
            error => error.into(),
        },
    )
}
