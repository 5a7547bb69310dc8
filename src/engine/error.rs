//! Errors of the façade: a kind, a cause, what to do next.

use crate::edit::EditError;
use crate::edit::files::FilesError;
use crate::index::IndexError;
use crate::model::Micros;
use crate::query::QueryError;
use crate::store::StoreError;

/// Class of an error, for exit codes and protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The question was well put and nothing answers it.
    NoMatch,
    /// Several things answer where one was asked for.
    Ambiguous,
    /// The question itself is at fault.
    BadRequest,
    /// Something outside failed: a file, a lock, the database.
    Failure,
    /// A limit of time, memory or rows was reached.
    Limit,
    /// Stopped by the user.
    Interrupted,
    /// The code is no longer what the edit was made for.
    Stale,
    /// A gate that the user set did not open.
    Check,
}

/// An error of the library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Workspace(#[from] crate::workspace::WorkspaceError),
    #[error(transparent)]
    Edit(#[from] crate::edit::EditError),
    /// A text that is no canonical path.
    #[error("{0}")]
    Path(#[from] super::canonical::PathError),
    /// Something that is not there.
    #[error("{what}")]
    NotFound { what: String, hint: String },
    /// Several things where one was asked for.
    #[error("{what}:\n  {}", candidates.join("\n  "))]
    Ambiguous { what: String, hint: String, candidates: Vec<String> },
    /// A request that makes no sense.
    #[error("{what}")]
    BadRequest { what: String, hint: String },
    /// A time or revision that the database does not have.
    #[error("no revision for `{text}`: {reason}")]
    NoRevision { text: String, reason: String },
    /// A file or folder that could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io { action: &'static str, path: std::path::PathBuf, source: std::io::Error },
    /// A stored row that this program cannot read.
    #[error("stored {what} cannot be read: {reason}")]
    State { what: &'static str, reason: String },
}

impl EngineError {
    /// A moment of which `asof gc` left nothing.
    pub(super) fn dropped(at: Micros, floor: Micros) -> Self {
        Self::NoRevision {
            text: at.to_string(),
            reason: format!("versions before {floor} were dropped by `asof gc`"),
        }
    }

    /// Class of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound { .. } | Self::NoRevision { .. } => ErrorKind::NoMatch,
            Self::Edit(error) => edit_kind(error),
            Self::Ambiguous { .. } => ErrorKind::Ambiguous,
            Self::BadRequest { .. } | Self::Path(_) => ErrorKind::BadRequest,
            Self::Index(IndexError::Interrupted | IndexError::Stopped { .. }) => {
                ErrorKind::Interrupted
            }
            Self::Store(error) | Self::Query(QueryError::Store(error)) => store_kind(error),
            Self::Query(_) => ErrorKind::BadRequest,
            Self::Workspace(_) | Self::Index(_) | Self::Io { .. } | Self::State { .. } => {
                ErrorKind::Failure
            }
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Store(error) => error.hint(),
            Self::Index(error) => error.hint(),
            Self::Query(error) => error.hint(),
            Self::Workspace(error) => error.hint(),
            Self::Path(error) => error.hint(),
            Self::Edit(error) => error.hint(),
            Self::NotFound { hint, .. }
            | Self::Ambiguous { hint, .. }
            | Self::BadRequest { hint, .. } => hint.clone(),
            Self::NoRevision { .. } => {
                "`asof log` lists what there is; git commits, branches and tags are known after \
                 `asof index --history`"
                    .into()
            }
            Self::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
                "free some space".into()
            }
            Self::Io { .. } => "check the path and its permissions".into(),
            Self::State { .. } => "index anew: `asof index --rebuild`".into(),
        }
    }
}

/// A query can be at fault for what the engine says of it, and for nothing else.
fn store_kind(error: &StoreError) -> ErrorKind {
    match error {
        StoreError::Timeout { .. } | StoreError::MemoryLimit { .. } => ErrorKind::Limit,
        StoreError::Guard { .. } | StoreError::Query { .. } => ErrorKind::BadRequest,
        _ => ErrorKind::Failure,
    }
}

fn edit_kind(error: &EditError) -> ErrorKind {
    match error {
        error if error.is_stale() => ErrorKind::Stale,
        EditError::CheckFailed { .. } | EditError::CheckChanged { .. } => ErrorKind::Check,
        EditError::CheckStopped { .. } => ErrorKind::Interrupted,
        EditError::NoProposal { .. } | EditError::NoFile { .. } | EditError::NotIndexed { .. } => {
            ErrorKind::NoMatch
        }
        EditError::ManyProposals { .. } => ErrorKind::Ambiguous,
        EditError::CannotUndo { .. }
        | EditError::NotKept { .. }
        | EditError::BeforeRestore { .. } => ErrorKind::Stale,
        EditError::Rustfmt { .. }
        | EditError::Unsettled { .. }
        | EditError::Query(_)
        | EditError::Store(_)
        | EditError::Damaged { .. } => ErrorKind::Failure,
        EditError::Files(FilesError::Refused { .. } | FilesError::BadTransaction { .. }) => {
            ErrorKind::BadRequest
        }
        EditError::Files(_) => ErrorKind::Failure,
        _ => ErrorKind::BadRequest,
    }
}
