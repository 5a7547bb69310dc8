//! The write lock: one writer at a time, across processes and threads. It is held for a
//! transaction, never for a process's life.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::StoreError;

/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// The lock file of a database: `<db>.lock`, beside it.
pub(super) fn lock_path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

/// Takes the write lock of a database, waiting at most that long. Dropping the file frees it;
/// so does the end of the process, however it ends.
pub(super) fn acquire(database: &Path, wait: Duration) -> Result<File, StoreError> {
    let path = lock_path(database);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(|err| StoreError::io("open the lock file", &path, err))?;
    let begin = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if begin.elapsed() < wait => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                return Err(StoreError::Locked {
                    path: database.to_owned(),
                    pid: text.trim().parse().ok(),
                    waited: begin.elapsed(),
                });
            }
            Err(TryLockError::Error(err)) => {
                return Err(StoreError::io("lock", &path, err));
            }
        }
    }
    // Only for the message of those who wait: a full disk must not stand in the way.
    let _ = file
        .set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| file.write_all(std::process::id().to_string().as_bytes()));
    Ok(file)
}
