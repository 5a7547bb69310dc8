//! Reads one file of a workspace on disk.

use std::path::{Path, PathBuf};

use super::error::issue;
use super::tree::{Disk, file_at, read_from};
use asof_model::{Issue, IssueKind};

/// Longest file that is read, whatever a caller asks for.
const MAX_BYTES: u64 = 256 << 20;

/// The bytes of the file `path`, relative to the folder `root`.
///
/// # Errors
/// See [`read_from`].
pub fn read_file(root: &Path, path: &str, cap: u64) -> Result<Vec<u8>, Issue> {
    let disk =
        Disk::at(root).map_err(|error| issue(path, IssueKind::Unreadable, error.to_string()))?;
    read_from(&disk, path, cap.min(MAX_BYTES))
}

/// The place of the plain file `path` on disk, relative to the folder `root`, links followed
/// within it.
pub fn real_file(root: &Path, path: &str) -> Option<PathBuf> {
    let disk = Disk::at(root).ok()?;
    file_at(&disk, path).map(|file| disk.full(&file))
}
