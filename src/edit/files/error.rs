//! Errors of the file layer, with hints.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use asof_files::state::StateError;
use asof_model::Hint;
use asof_model::RawHash;

/// An error of the file layer. Unless a variant says otherwise, no file is changed.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// A path that must not be written.
    #[error("`{path}` cannot be edited: {reason}")]
    Refused { path: String, reason: String },
    /// A file that has changed since the edit was made. `None`: no file.
    #[error("`{path}` has changed: expected {}, found {}", shown(expected), shown(found))]
    Changed { path: String, expected: Option<RawHash>, found: Option<RawHash> },
    /// A file or folder without write permission, or a read-only file system.
    #[error("`{path}` is read-only")]
    ReadOnly { path: String },
    /// An invalid transaction.
    #[error("{reason}")]
    BadTransaction { reason: String },
    /// An id that was used before.
    #[error("`{id}` has already been applied")]
    Applied { id: String },
    /// An id without a finished transaction.
    #[error("there is no applied edit `{id}` in the journal")]
    Unknown { id: String },
    /// A journal that cannot be trusted.
    #[error("the journal {} is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// Something in the state folder that asof did not create.
    #[error("{} {reason}", path.display())]
    NotOurs { path: PathBuf, reason: String },
    /// Another process is editing.
    #[error("another process{} is editing this workspace", by_pid(*pid))]
    Locked { pid: Option<u32>, waited: Duration },
    /// No space left, a quota, or a limit of file size.
    #[error("the disk is full: cannot {action} {}", path.display())]
    Full { action: &'static str, path: PathBuf, source: io::Error },
    /// A file that could not be read or written.
    #[error("cannot {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    /// The error of [`AfterWrite`](super::AfterWrite).
    #[error("{0}")]
    AfterWrite(Box<dyn Error + Send + Sync>),
    /// A check changed files that the transaction had written. It is rolled back.
    #[error("the check changed {}, which the edit had written", listed(files))]
    Meddled {
        files: Vec<String>,
        /// How the check failed, if it did.
        said: Option<Box<FilesError>>,
        /// Folder with its versions of the files.
        kept: Option<PathBuf>,
    },
    /// Rolled back, except for files that another process changed meanwhile: these stay as they
    /// are.
    #[error("{cause}; during the rollback, another process changed {}", listed(files))]
    Conflict {
        cause: Box<FilesError>,
        files: Vec<String>,
        /// Folder with the old and new texts.
        kept: PathBuf,
    },
    /// The edit of a process that died cannot be recovered: until it is, some files may be old and
    /// some new.
    #[error("an interrupted edit cannot be recovered: {problem}")]
    Unsettled { problem: Box<FilesError> },
    /// Not rolled back: until `recover` succeeds, some files may be old and some new.
    #[error("{cause}; the rollback failed too: {problem}")]
    Unfinished { cause: Box<FilesError>, problem: Box<FilesError> },
}

fn shown(hash: &Option<RawHash>) -> String {
    hash.map_or_else(|| "no file".to_owned(), |hash| hash.to_string())
}

fn by_pid(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" ({pid})")).unwrap_or_default()
}

fn listed(files: &[String]) -> String {
    files.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ")
}

impl From<StateError> for FilesError {
    fn from(error: StateError) -> Self {
        match error {
            StateError::NotOurs { path, reason } => Self::NotOurs { path, reason },
            StateError::Locked { pid, waited, .. } => Self::Locked { pid, waited },
            StateError::Io { action, path, source } => Self::io(action, &path, source),
        }
    }
}

impl FilesError {
    /// What the user can do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::Refused { .. } => "name a regular file inside the workspace; links, \
                 `.git` and `.asof` are never written"
                .into(),
            Self::Changed { .. } => "read the file again and repeat the edit".into(),
            Self::ReadOnly { path } => {
                format!("all files are as they were; see `ls -ld {path}` and how it is mounted")
                    .into()
            }
            Self::BadTransaction { .. } => "all files are as they were".into(),
            Self::Applied { .. } => "make a new proposal, or undo this one".into(),
            Self::Unknown { .. } => {
                "it was never applied, was undone, or is too old to be kept".into()
            }
            Self::Damaged { path, .. } => format!(
                "no source file was touched; compare them with version control, then delete {}",
                path.display()
            )
            .into(),
            Self::NotOurs { .. } => StateError::HINT.into(),
            Self::Locked { waited, .. } => format!(
                "nothing was done; waited {waited:.1?}; try again when the other process has \
                 finished"
            )
            .into(),
            Self::Full { .. } => "free some space; all files are as they were".into(),
            Self::Io { .. } => {
                "all files are as they were; check the path, its permissions and the free space"
                    .into()
            }
            Self::AfterWrite(_) => "all files are as they were".into(),
            Self::Meddled { kept, .. } => {
                Hint::CheckOnlyLooks(kept.as_ref().map(|kept| kept.display().to_string()))
            }
            Self::Conflict { kept, .. } => format!(
                "those changes were kept and all other files are as they were; the texts before \
                 and after are in {}",
                kept.display()
            )
            .into(),
            Self::Unsettled { .. } => {
                "until then, some of its files may be old and some new; fix the cause (free some \
                 space, if the disk is full), and the next command tries again"
                    .into()
            }
            Self::Unfinished { .. } => {
                "until then, some of its files may be old and some new; fix the cause (free some \
                 space, if the disk is full), and the next command rolls it back first"
                    .into()
            }
        }
    }

    /// Whether a name cannot be moved between the journal and the folder of a file.
    pub(super) fn is_of_another_file_system(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::CrossesDevices)
    }

    /// Wraps an error after the files were written.
    pub fn after_write(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::AfterWrite(error.into())
    }

    pub fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Self::Full { action, path, source },
            io::ErrorKind::ReadOnlyFilesystem => {
                Self::ReadOnly { path: path.display().to_string() }
            }
            _ => Self::Io { action, path, source },
        }
    }

    /// For a file of the workspace.
    pub(super) fn at(action: &'static str, path: &str, source: impl Into<io::Error>) -> Self {
        Self::io(action, Path::new(path), source.into())
    }

    pub(super) fn refused(path: &str, reason: impl Into<String>) -> Self {
        Self::Refused { path: path.to_owned(), reason: reason.into() }
    }

    pub(super) fn bad(reason: impl Into<String>) -> Self {
        Self::BadTransaction { reason: reason.into() }
    }
}
