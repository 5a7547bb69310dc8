//! Errors of indexing.

use asof_model::Hint;
use asof_model::Micros;
use asof_store::StoreError;
use asof_workspace::WorkspaceError;

/// An error of indexing. Nothing was written, and the previous state stays readable.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Stopped by the user.
    #[error("stopped before anything was written")]
    Interrupted,
    /// An import of history was stopped; commits imported so far are kept.
    #[error("stopped after {done} of {total} commits")]
    Stopped { done: usize, total: usize },
    /// Files change faster than they can be read.
    #[error("files kept changing while they were read: {}", paths.join(", "))]
    Unstable { paths: Vec<String> },
    /// The parser threads could not be started.
    #[error("cannot start the parser threads: {reason}")]
    Threads { reason: String },
    /// The newest revision has the latest possible time.
    #[error("the newest revision has the time {at}, and no later time is possible")]
    NoTimeLeft { at: Micros },
    /// Sources went away while they were in use.
    #[error("the sources of {name} {version} are no longer there")]
    Dependency { name: String, version: String },
    /// A stored row that this program cannot read.
    #[error("stored {what} cannot be read: {reason}")]
    State { what: &'static str, reason: String },
}

impl IndexError {
    /// What the user can do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::Workspace(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::Interrupted => "run the command again".into(),
            Self::Stopped { .. } => {
                "imported commits are kept; run the command again to continue".into()
            }
            Self::Unstable { .. } => {
                "wait until the program that writes these files has finished, then run it again"
                    .into()
            }
            Self::Dependency { .. } => "run the command again: it goes on without them".into(),
            Self::Threads { .. } => Hint::FewerThreads,
            Self::NoTimeLeft { .. } => Hint::StartOver,
            Self::State { .. } => Hint::Rebuild,
        }
    }
}
