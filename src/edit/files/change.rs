//! Requested changes, their results, and what was recovered.

use std::path::PathBuf;

use crate::patch::Patch;
use asof_model::RawHash;

/// One file's change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileChange {
    /// Relative to the root, with `/` between its parts.
    pub path: String,
    /// Hash of the bytes that the file must have; `None`: the file must not exist.
    pub before: Option<RawHash>,
    /// The new bytes; `None` deletes the file.
    pub after: Option<Vec<u8>>,
    /// For a moved file: permissions and owner are copied from the file at this path.
    pub mode_from: Option<String>,
    /// Which bytes are replaced, if known: the journal keeps it for undoing an earlier edit of
    /// the file.
    pub patch: Option<Patch>,
}

/// Changes that are made together or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transaction {
    /// Name of the journal: 1 to 64 ASCII letters, digits, `-` and `_`, used once.
    pub id: String,
    /// At most one for each path. One that changes nothing is checked and not written.
    pub changes: Vec<FileChange>,
}

/// A transaction that is committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    pub id: String,
    /// In the order of the changes.
    pub files: Vec<DoneFile>,
    /// Transactions that had to be recovered first.
    pub recovered: Vec<Recovered>,
}

/// One file of a committed transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoneFile {
    /// Relative to the root, normalised.
    pub path: String,
    pub before: Option<RawHash>,
    pub after: Option<RawHash>,
    /// Other names of the old file, which keep its old text; usually 0.
    pub hard_links: u64,
}

/// A finished transaction, as its journal keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub id: String,
    /// When it was prepared, in microseconds since 1970.
    pub at: i64,
    /// In the order of the changes.
    pub files: Vec<SavedFile>,
    /// Folders that it made, the outermost first.
    pub folders: Vec<String>,
}

/// One file before and after a finished transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedFile {
    /// Relative to the root.
    pub path: String,
    pub before: Option<RawHash>,
    pub after: Option<RawHash>,
    /// The bytes before; `None`: there was no file.
    pub bytes: Option<Vec<u8>>,
    /// Permission bits before.
    pub mode: Option<u32>,
}

/// A file that has changed since the transaction to undo, with its new contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// Relative to the root.
    pub path: String,
    /// Hash of the bytes that it has now.
    pub found: RawHash,
    /// The present bytes without the transaction.
    pub bytes: Vec<u8>,
    /// Which of its present bytes are replaced.
    pub patch: Patch,
}

/// A file before and after a finished transaction; `None`: there was no file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
    /// Which bytes were replaced, if known.
    pub patch: Option<Patch>,
}

/// The effect of a finished transaction on one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOutcome {
    /// Id of the transaction.
    pub id: String,
    pub before: Option<RawHash>,
    pub after: Option<RawHash>,
    /// Which bytes it replaced, if known.
    pub patch: Option<Patch>,
}

/// A transaction that was recovered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    pub id: String,
    pub outcome: Outcome,
    /// Files of a transaction that was rolled back, in its order; otherwise empty.
    pub files: Vec<RecoveredFile>,
}

/// How a recovery ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It had changed no file.
    Discarded,
    /// All files are as they were before it.
    RolledBack,
    /// It was committed: all files are as it wrote them.
    Completed,
    /// Rolled back, except for files that other processes changed meanwhile, which stay as they
    /// are.
    Conflict {
        /// Folder with the old and new texts of these.
        kept: PathBuf,
    },
    /// Its journal cannot be read. No file was changed by the recovery; some may be old and some
    /// new.
    Damaged {
        /// Where the journal was set aside.
        kept: PathBuf,
        reason: String,
    },
}

/// One file of a recovered transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveredFile {
    /// Relative to the root.
    pub path: String,
    pub fate: FileFate,
}

/// State of a file after a recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFate {
    /// As it was before the transaction.
    Old,
    /// Changed by others before the transaction came to it; left alone.
    Theirs,
    /// Changed by others after the transaction had written it; left alone.
    Conflict,
}
