//! The edit lock: one process at a time applies, undoes or recovers.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use super::error::FilesError;
use asof_files::state::Folder;

/// How long to wait for another process. A check after an edit may take longer, and then the user
/// should know.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The lock file in the state folder.
const NAME: &str = "edit.lock";

/// Whether a process is editing now.
///
/// # Errors
/// The lock file cannot be read, or is not one.
pub fn is_editing(state_dir: &Path) -> Result<bool, FilesError> {
    Ok(asof_files::state::is_held(&state_dir.join(NAME))?)
}

/// Takes the lock, waiting at most this long. Dropping the file releases it; so does the end of the
/// process, however it ends. Programs that the process starts do not inherit it.
pub(super) fn acquire(state_dir: &Path, wait: Duration) -> Result<File, FilesError> {
    Folder::create(state_dir)?;
    Ok(asof_files::state::acquire(&state_dir.join(NAME), wait)?)
}
