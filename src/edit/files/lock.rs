//! The edit lock: one process at a time applies, undoes or recovers.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::error::FilesError;

/// How long to wait for another process. A check after an edit may take longer: then the user
/// had better know.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// The lock file within the folder of our state.
const NAME: &str = "edit.lock";

/// Takes the lock, waiting at most that long. Dropping the file frees it; so does the end of the
/// process, however it ends. Programs that the process starts do not inherit it.
pub(super) fn acquire(state_dir: &Path, wait: Duration) -> Result<File, FilesError> {
    fs::create_dir_all(state_dir).map_err(|err| FilesError::io("create", state_dir, err))?;
    let path = state_dir.join(NAME);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(|err| FilesError::io("open the lock file", &path, err))?;
    let begin = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if begin.elapsed() < wait => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                let pid = text.trim().parse().ok();
                return Err(FilesError::Locked { pid, waited: begin.elapsed() });
            }
            Err(TryLockError::Error(err)) => return Err(FilesError::io("lock", &path, err)),
        }
    }
    // Only for the message of those who wait: a full disk must not stand in the way.
    let _ = file
        .set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| file.write_all(std::process::id().to_string().as_bytes()));
    Ok(file)
}
