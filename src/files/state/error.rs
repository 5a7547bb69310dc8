//! Errors of asof's own files.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An error of a file in the state folder.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// Something that asof did not create.
    #[error("{} {reason}", path.display())]
    NotOurs { path: PathBuf, reason: String },
    /// Another process holds the lock.
    #[error("{} is locked", path.display())]
    Locked { path: PathBuf, pid: Option<u32>, waited: Duration },
    /// A file that could not be read or written.
    #[error("cannot {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
}

impl StateError {
    pub(super) fn not_ours(path: &Path, reason: impl Into<String>) -> Self {
        Self::NotOurs { path: path.to_owned(), reason: reason.into() }
    }

    pub(super) fn io(action: &'static str, path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Io { action, path: path.to_owned(), source: source.into() }
    }

    /// The hint that goes with [`StateError::NotOurs`].
    pub const HINT: &'static str = "asof does not open links or special files as its own state: find out where it comes from, then \
         remove it";
}
