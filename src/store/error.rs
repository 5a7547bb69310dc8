//! Errors of the store, with hints.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::excerpt::{excerpt, place, query_name};
use asof_files::state::StateError;
use asof_model::Hint;

/// Why an ad-hoc script was refused before it reached the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardKind {
    /// More bytes than the limit.
    TooLong,
    /// Brackets nested deeper than the limit.
    TooDeep,
    /// More operators in one statement than the limit.
    TooManyOperators,
    /// A string or comment that does not end, or brackets that do not match.
    Unbalanced,
    /// A system operation (`::…`).
    SystemOperation,
    /// A statement that writes (`:put`, `:create`, …).
    Mutation,
}

/// An error of the store. [`StoreError::hint`] says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing exists at this path.
    #[error("there is no database at {}", path.display())]
    Missing { path: PathBuf },
    /// Something exists at the path of a new database.
    #[error("{} already exists", path.display())]
    Exists { path: PathBuf },
    /// A file that is not an asof database.
    #[error("{} is not an asof database: {reason}", path.display())]
    NotADatabase { path: PathBuf, reason: String },
    /// A damaged database.
    #[error("the database {} is damaged: {reason}", path.display())]
    Corrupt { path: PathBuf, reason: String },
    /// A database with another schema version.
    #[error("the database has schema version {found}; this program expects {expected}")]
    SchemaVersion { found: String, expected: String },
    /// Another process is writing.
    #[error("the database {} is being written{}", path.display(), by_pid(*pid))]
    Locked { path: PathBuf, pid: Option<u32>, waited: Duration },
    /// Another file has replaced the opened database: a backup was restored.
    #[error("the database {} was replaced", path.display())]
    Replaced { path: PathBuf },
    /// The file of the opened database was removed.
    #[error("the database {} was removed", path.display())]
    Removed { path: PathBuf },
    /// No space left, or a limit of file size.
    #[error("the disk is full: {reason}")]
    Full { reason: String },
    /// A script that the engine refused or could not run.
    #[error("{query}: {message}{}", if excerpt.is_empty() { String::new() } else { format!("\n{excerpt}") })]
    Query {
        /// Name from the script's header, or `query`.
        query: String,
        message: String,
        /// Byte offset and length in the script, if the engine gave them.
        span: Option<(usize, usize)>,
        /// The line with a marker below it; empty without a span.
        excerpt: String,
        help: Option<Hint>,
    },
    /// A query that ran longer than its limit.
    #[error("{query} ran longer than {limit:?}")]
    Timeout { query: String, limit: Duration },
    /// A query that needed more memory than its limit.
    #[error("{query} needed more memory than its limit of {limit} bytes")]
    MemoryLimit { query: String, limit: usize },
    /// A script that was refused before it reached the engine.
    #[error("{message} (line {line}, column {column})")]
    Guard {
        kind: GuardKind,
        message: String,
        /// Byte offset in the script.
        offset: usize,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// A write through a store that was opened read-only.
    #[error("the database was opened read-only")]
    ReadOnly,
    /// A write to a database in a read-only folder.
    #[error("the database {} cannot be written: {reason}", path.display())]
    Unwritable { path: PathBuf, reason: String },
    /// Something at the path of one of asof's files that asof did not create.
    #[error("{} {reason}", path.display())]
    NotOurs { path: PathBuf, reason: String },
    /// A result without the requested column.
    #[error("{query}: no column `{column}` in the result; it has: {}", have.join(", "))]
    NoColumn { query: String, column: String, have: Vec<String> },
    /// A cell that does not have the requested type.
    #[error("{query}: column `{column}` should be {expected}, found {found}")]
    Cell { query: String, column: String, expected: String, found: String },
    /// A row that does not fit its relation.
    #[error("row for `{relation}`: {reason}")]
    Row { relation: String, reason: String },
    /// A file that could not be read or written.
    #[error("cannot {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    /// A backup that could not be created, read or restored.
    #[error("backup {}: {reason}", path.display())]
    Backup { path: PathBuf, reason: String },
    /// The engine panicked; the transaction, if any, was rolled back.
    #[error("the database engine failed: {reason}")]
    Engine { reason: String },
}

fn by_pid(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" by process {pid}")).unwrap_or_default()
}

impl From<StateError> for StoreError {
    fn from(error: StateError) -> Self {
        match error {
            StateError::NotOurs { path, reason } => Self::NotOurs { path, reason },
            StateError::Locked { path, pid, waited } => Self::Locked { path, pid, waited },
            StateError::Io { action, path, source } => Self::io(action, &path, source),
        }
    }
}

impl StoreError {
    /// What the user can do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::Missing { .. } => Hint::Index,
            Self::Exists { .. } => "open it, or choose another path".into(),
            Self::NotADatabase { .. } | Self::Corrupt { .. } => Hint::RestoreOrRebuild,
            Self::SchemaVersion { .. } => Hint::OtherVersion,
            Self::Locked { waited, .. } => {
                format!("waited {waited:.1?}; try again when the other process has finished").into()
            }
            Self::Replaced { .. } => "open it again".into(),
            Self::Removed { .. } => Hint::IndexOrRestore,
            Self::Full { .. } => "free some space; the database is unchanged".into(),
            Self::Query { help, .. } => help.clone().unwrap_or(Hint::ListQueries),
            Self::Timeout { .. } => Hint::CheaperQuery,
            Self::MemoryLimit { .. } => {
                "ask for fewer rows, aggregate earlier, or raise the memory limit".into()
            }
            Self::Guard { kind, .. } => match kind {
                GuardKind::TooLong | GuardKind::TooDeep | GuardKind::TooManyOperators => {
                    "split it into several rules, or pass long lists as a parameter".into()
                }
                GuardKind::Unbalanced => "close every bracket, string and comment".into(),
                GuardKind::SystemOperation | GuardKind::Mutation => Hint::QueriesOnlyRead,
            },
            Self::ReadOnly => "open the database for writing".into(),
            Self::Unwritable { .. } => {
                "the database can still be queried; to write, fix the permissions, or copy the \
                 workspace to a writable folder"
                    .into()
            }
            Self::NotOurs { .. } => StateError::HINT.into(),
            Self::NoColumn { .. } | Self::Cell { .. } | Self::Row { .. } => {
                "this is a bug in asof; please report it".into()
            }
            Self::Io { .. } => "check the path, its permissions and the free space".into(),
            Self::Backup { .. } => Hint::VerifyBackup,
            Self::Engine { .. } => Hint::RetryOrRebuild,
        }
    }

    /// An error at a position in a script, like the engine's errors.
    pub fn at_place(
        script: &str,
        offset: usize,
        len: usize,
        message: String,
        help: Option<Hint>,
    ) -> Self {
        Self::Query {
            query: query_name(script),
            message,
            span: Some((offset, len)),
            excerpt: excerpt(script, offset, len),
            help,
        }
    }

    /// Moves the error of a generated script to its position in the original. `origin` maps offsets
    /// in the script that ran to offsets in the original.
    pub fn in_original(self, original: &str, origin: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Query { query, message, span: Some((start, len)), help, .. } => {
                let within = |at| origin(at).min(original.len());
                let (from, to) = (within(start), within(start + len));
                let len = to.saturating_sub(from);
                let excerpt = excerpt(original, from, len);
                Self::Query { query, message, span: Some((from, len)), excerpt, help }
            }
            Self::Guard { kind, message, offset, .. } => {
                let (offset, line, column) = place(original, origin(offset));
                Self::Guard { kind, message, offset, line, column }
            }
            other => other,
        }
    }

    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => {
                Self::Full { reason: format!("cannot {action} {}: {source}", path.display()) }
            }
            io::ErrorKind::NotFound => Self::Missing { path: path.to_owned() },
            _ => Self::Io { action, path: path.to_owned(), source },
        }
    }
}
