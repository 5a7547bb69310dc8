//! Errors of the library: a kind, a cause, a hint.

use asof_edit::EditError;
use asof_edit::files::FilesError;
use asof_index::{IndexError, TooFar};
use asof_model::Micros;
use asof_model::{ErrorKind, Hint};
use asof_query::QueryError;
use asof_scip::ScipError;
use asof_search::dense::DenseError;
use asof_store::StoreError;
use asof_tables::TablesError;
use asof_wire::{
    ConfigurationRequest, MalformedEdit, MatchError, UnreadableConfiguration, UnreadableMoment,
};
use asof_workspace::WorkspaceError;

/// An error of the library.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    Edit(#[from] asof_edit::EditError),
    /// A model or vectors that a search needs.
    #[error(transparent)]
    Dense(#[from] DenseError),
    /// Tables that could not be written.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// An index in the form of SCIP that could not be written or read.
    #[error(transparent)]
    Scip(#[from] ScipError),
    /// A text that is not a path.
    #[error("{0}")]
    Path(#[from] super::canonical::PathError),
    /// A text that is not a moment.
    #[error(transparent)]
    Moment(#[from] UnreadableMoment),
    /// Something that does not exist.
    #[error("{what}")]
    NotFound { what: String, hint: Hint },
    /// Several matches where one is needed.
    #[error("{what}:\n  {}", candidates.join("\n  "))]
    Ambiguous { what: String, hint: Hint, candidates: Vec<String> },
    /// An invalid request.
    #[error("{what}")]
    BadRequest { what: String, hint: Hint },
    /// A time or revision that the database does not have.
    #[error("no revision for `{text}`: {reason}")]
    NoRevision { text: String, reason: String, hint: Hint },
    /// A file or folder that could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io { action: &'static str, path: std::path::PathBuf, source: std::io::Error },
    /// A registry of projects that is not one.
    #[error("{} is no registry of projects: {reason}", path.display())]
    BadRegistry { path: std::path::PathBuf, reason: String },
    /// No bundle can be used.
    #[error("no bundle of {} fits: {}", from.display(), reasons.join("; "))]
    NoBundle { from: std::path::PathBuf, reasons: Vec<String> },
    /// A bundle that fits, though it takes no longer to index every file.
    #[error("the bundle {} saves nothing: {}", path.display(), explain_far(*reason))]
    FarBundle { path: std::path::PathBuf, reason: TooFar },
    /// A bundle whose rows are not those of its files.
    #[error(
        "the bundle {} is wrong: of {files} files that were parsed again, not all have its rows",
        path.display()
    )]
    WrongBundle { path: std::path::PathBuf, files: usize },
    /// A stored row that this program cannot read.
    #[error("stored {what} cannot be read: {reason}")]
    State { what: &'static str, reason: String },
}

impl From<MatchError> for EngineError {
    fn from(error: MatchError) -> Self {
        match error {
            MatchError::NotFound { what, hint } => Self::NotFound { what, hint },
            MatchError::Ambiguous { what, hint, candidates } => {
                Self::Ambiguous { what, hint, candidates }
            }
        }
    }
}

impl From<MalformedEdit> for EngineError {
    fn from(error: MalformedEdit) -> Self {
        Self::Edit(error.into())
    }
}

impl From<UnreadableConfiguration> for EngineError {
    fn from(error: UnreadableConfiguration) -> Self {
        let hint = ConfigurationRequest::HINT.into();
        Self::BadRequest { what: error.to_string(), hint }
    }
}

impl EngineError {
    /// A moment that `asof gc` has dropped.
    pub(super) fn dropped(at: Micros, floor: Micros) -> Self {
        Self::NoRevision {
            text: at.to_string(),
            reason: format!("versions before {floor} were dropped"),
            hint: Hint::ListRevisions,
        }
    }

    /// Class of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound { .. }
            | Self::NoRevision { .. }
            | Self::NoBundle { .. }
            | Self::FarBundle { .. } => ErrorKind::NoMatch,
            Self::Edit(error) => edit_kind(error),
            Self::Ambiguous { .. } => ErrorKind::Ambiguous,
            Self::BadRequest { .. } | Self::Path(_) | Self::Moment(_) => ErrorKind::BadRequest,
            Self::Index(IndexError::Interrupted | IndexError::Stopped { .. }) => {
                ErrorKind::Interrupted
            }
            Self::Index(IndexError::Store(StoreError::Locked { .. })) => ErrorKind::Locked,
            Self::Store(error) | Self::Query(QueryError::Store(error)) => store_kind(error),
            Self::Query(_) => ErrorKind::BadRequest,
            Self::Tables(TablesError::Conflict { .. }) => ErrorKind::Stale,
            Self::Tables(TablesError::Store(error)) => store_kind(error),
            Self::Tables(_) | Self::Scip(_) => ErrorKind::Failure,
            Self::Dense(DenseError::NotBuilt) => ErrorKind::BadRequest,
            Self::Dense(_) => ErrorKind::Failure,
            Self::Workspace(
                WorkspaceError::NotAPath { .. } | WorkspaceError::NoManifest { .. },
            ) => ErrorKind::BadRequest,
            Self::Workspace(WorkspaceError::NoMergeBase { .. }) => ErrorKind::NoMatch,
            Self::Workspace(_)
            | Self::Index(_)
            | Self::Io { .. }
            | Self::BadRegistry { .. }
            | Self::WrongBundle { .. }
            | Self::State { .. } => ErrorKind::Failure,
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::Store(error) => error.hint(),
            Self::Index(error) => error.hint(),
            Self::Query(error) => error.hint(),
            Self::Workspace(error) => error.hint(),
            Self::Path(error) => error.hint(),
            Self::Moment(_) => UnreadableMoment::HINT.into(),
            Self::Edit(error) => error.hint(),
            Self::NotFound { hint, .. }
            | Self::Ambiguous { hint, .. }
            | Self::BadRequest { hint, .. }
            | Self::NoRevision { hint, .. } => hint.clone(),
            Self::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
                "free some space".into()
            }
            Self::Io { .. } => "check the path and its permissions".into(),
            Self::Dense(error) => dense_hint(error),
            Self::Tables(error) => tables_hint(error),
            Self::Scip(_) => "make the index again, and give the file that the tool wrote".into(),
            Self::BadRegistry { .. } => "correct the file, or remove it".into(),
            Self::NoBundle { .. } | Self::FarBundle { .. } => Hint::NoBundle,
            Self::WrongBundle { .. } => "remove it, and make it again".into(),
            Self::State { .. } => Hint::Rebuild,
        }
    }
}

fn explain_far(reason: TooFar) -> String {
    match reason {
        TooFar::Dependencies => "its names were resolved with other dependencies".to_owned(),
        TooFar::Files { differing, all } => format!("{differing} of {all} files differ"),
    }
}

fn tables_hint(error: &TablesError) -> Hint {
    match error {
        TablesError::Store(error) => error.hint(),
        TablesError::Query(error) => error.hint(),
        TablesError::Conflict { .. } => "export again: only what is new is written".into(),
        TablesError::Foreign { .. } => "export to another folder".into(),
        TablesError::Collision { .. } => "export with another name of the source".into(),
        TablesError::Fact { .. } => Hint::Rebuild,
        TablesError::Io { .. } | TablesError::Parquet { .. } => {
            "check the path, its permissions and the free space".into()
        }
    }
}

fn dense_hint(error: &DenseError) -> Hint {
    match error {
        DenseError::NotBuilt => {
            "build it with the feature `dense`; searching by words needs no model".into()
        }
        DenseError::Runtime { .. } => "install ONNX Runtime 1.24 or newer, and name its library \
             in ORT_DYLIB_PATH, or put it beside the model"
            .into(),
        DenseError::NoModel { .. }
        | DenseError::Download { .. }
        | DenseError::File { .. }
        | DenseError::Corrupt { .. }
        | DenseError::OtherModel { .. } => Hint::ChooseModel,
        _ => Hint::Embed,
    }
}

/// Only what the engine rejects is an error in the query.
fn store_kind(error: &StoreError) -> ErrorKind {
    match error {
        StoreError::Locked { .. } => ErrorKind::Locked,
        StoreError::Timeout { .. } | StoreError::MemoryLimit { .. } => ErrorKind::Limit,
        StoreError::Guard { .. } | StoreError::Query { .. } => ErrorKind::BadRequest,
        _ => ErrorKind::Failure,
    }
}

fn edit_kind(error: &EditError) -> ErrorKind {
    match error.cause() {
        error if error.is_stale() => ErrorKind::Stale,
        EditError::CheckFailed { .. } | EditError::CheckChanged { .. } => ErrorKind::Check,
        EditError::CheckStopped { .. } => ErrorKind::Interrupted,
        EditError::NoProposal { .. } | EditError::NoFile { .. } | EditError::NotIndexed { .. } => {
            ErrorKind::NoMatch
        }
        EditError::ManyProposals { .. } => ErrorKind::Ambiguous,
        EditError::CannotUndo { .. }
        | EditError::AlreadyUndone { .. }
        | EditError::NotKept { .. }
        | EditError::BeforeRestore { .. } => ErrorKind::Stale,
        EditError::Rustfmt { .. }
        | EditError::Unsettled { .. }
        | EditError::Query(_)
        | EditError::Store(_)
        | EditError::Internal { .. }
        | EditError::Damaged { .. } => ErrorKind::Failure,
        EditError::Files(FilesError::Refused { .. } | FilesError::BadTransaction { .. }) => {
            ErrorKind::BadRequest
        }
        EditError::Files(_) => ErrorKind::Failure,
        _ => ErrorKind::BadRequest,
    }
}
