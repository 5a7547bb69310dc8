//! Lock files: one holder at a time, across processes and threads.

use std::fs::{File, TryLockError};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use super::super::identity::FileIdentity;
use super::error::StateError;
use super::folder::{alone, plain, refused};

/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(5);
/// A lock file contains a process id and blanks: anything longer is not a lock file.
const MOST: usize = 32;
/// Attempts to take a lock file that is removed meanwhile, before giving up.
const MOST_REMOVED: usize = 64;

/// Takes the lock of a lock file, which is created if missing; waits at most this long for another
/// holder. Dropping the file releases it; so does the end of the process, however it ends.
/// Programs that the process starts do not inherit it.
///
/// # Errors
/// [`StateError::Locked`]; [`StateError::NotOurs`] for anything that is not a lock file: it is never
/// truncated, and written only if it is empty or contains a process id.
pub fn acquire(path: &Path, wait: Duration) -> Result<File, StateError> {
    let begin = Instant::now();
    for _ in 0..MOST_REMOVED {
        let file = open(path)?;
        read_pid(&file, path)?;
        match wait_for(&file, path, begin, wait) {
            Ok(()) if is_at(&file, path) => {
                // Only for the message of waiting processes: a full disk must not prevent locking.
                let _ = file.write_all_at(format!("{:<10}\n", std::process::id()).as_bytes(), 0);
                return Ok(file);
            }
            // Removed since it was opened: nobody else would see the lock.
            Ok(()) => {}
            Err(error) => return Err(error),
        }
    }
    Err(StateError::not_ours(path, "is removed again and again"))
}

/// Whether a process holds the lock of a lock file. Writes nothing.
///
/// # Errors
/// As [`acquire`], without [`StateError::Locked`].
pub fn is_held(path: &Path) -> Result<bool, StateError> {
    match statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => plain(&stat, path)?,
        Err(Errno::NOENT) => return Ok(false),
        Err(err) => return Err(refused("open the lock file", path, err)),
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match openat(CWD, path, flags, Mode::empty()) {
        Ok(fd) => File::from(fd),
        Err(Errno::NOENT) => return Ok(false),
        Err(err) => return Err(refused("open the lock file", path, err)),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(err)) => Err(StateError::io("lock", path, err)),
    }
}

/// Locks an open file, waiting at most this long.
fn wait_for(file: &File, path: &Path, begin: Instant, wait: Duration) -> Result<(), StateError> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if begin.elapsed() < wait => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                let (path, waited) = (path.to_owned(), begin.elapsed());
                return Err(StateError::Locked { pid: read_pid(file, &path)?, path, waited });
            }
            Err(TryLockError::Error(err)) => return Err(StateError::io("lock", path, err)),
        }
    }
}

fn open(path: &Path) -> Result<File, StateError> {
    let failed = |err| refused("open the lock file", path, err);
    // Before opening: opening alone can trigger a device.
    match statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => plain(&stat, path)?,
        Err(Errno::NOENT) => {}
        Err(err) => return Err(failed(err)),
    }
    let flags =
        OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(CWD, path, flags, Mode::from_raw_mode(0o666)).map_err(failed)?;
    let file = File::from(file);
    let meta = file.metadata().map_err(|err| StateError::io("read", path, err))?;
    if !meta.is_file() {
        return Err(StateError::not_ours(path, "is not a regular file"));
    }
    alone(meta.nlink(), path)?;
    Ok(file)
}

/// The process that the file names, if it is a lock file at all.
fn read_pid(file: &File, path: &Path) -> Result<Option<u32>, StateError> {
    let mut bytes = [0; MOST + 1];
    let len = file.read_at(&mut bytes, 0).map_err(|err| StateError::io("read", path, err))?;
    let text = bytes.get(..len).unwrap_or_default();
    if len > MOST || !text.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace()) {
        return Err(StateError::not_ours(path, "is not a lock file: it contains something else"));
    }
    let text = std::str::from_utf8(text).unwrap_or_default();
    Ok(text.split_whitespace().next().and_then(|pid| pid.parse().ok()))
}

/// Whether this file is the one at the path.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(open), Ok(there)) => FileIdentity::new(&open) == FileIdentity::new(&there),
        _ => false,
    }
}
