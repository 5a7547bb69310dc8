//! Errors as the user sees them: a kind with its exit code, the cause chain, what to do next.

use std::io;
use std::process::ExitCode;

use asof::edit::EditError;
use asof::engine::{EngineError, ErrorKind};
use asof::index::IndexError;
use asof::query::QueryError;
use asof::store::StoreError;
use serde::{Deserialize, Serialize};

use super::args::Format;

/// Exit code of usage errors, clap's own included.
pub const USAGE: u8 = 2;

/// Class of an error on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    NoMatch,
    BadRequest,
    Ambiguous,
    Locked,
    Failure,
    Limit,
    Interrupted,
    Stale,
    Check,
}

impl Kind {
    /// As `asof --help` documents it.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::NoMatch => 1,
            Self::BadRequest => USAGE,
            Self::Ambiguous => 3,
            Self::Locked => 4,
            Self::Failure => 5,
            Self::Limit => 6,
            Self::Stale => 7,
            Self::Check => 8,
            Self::Interrupted => 130,
        }
    }
}

/// An error, ready to be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub kind: Kind,
    pub message: String,
    pub hint: String,
    pub causes: Vec<String>,
    /// Of a stale target: where it is now, its hashes, the diff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<serde_json::Value>,
}

impl Failure {
    pub fn new(kind: Kind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: hint.into(), causes: Vec::new(), details: None }
    }

    /// An error of the request itself.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Kind::BadRequest, message, hint)
    }

    /// A file of the user's that could not be read or written.
    pub fn io(action: &str, path: &std::path::Path, source: &io::Error) -> Self {
        let message = format!("cannot {action} {}", path.display());
        let mut failure =
            Self::new(Kind::Failure, message, "check the path, its permissions and the free space");
        failure.causes.push(source.to_string());
        failure
    }

    /// Tells it on standard error; gives the exit code.
    pub fn report(&self, format: Format) -> ExitCode {
        if format == Format::Json {
            let json = serde_json::json!({ "error": self });
            anstream::eprintln!("{json}");
            return ExitCode::from(self.kind.exit_code());
        }
        let (red, cyan) = (anstyle::AnsiColor::Red.on_default().bold(), anstyle::AnsiColor::Cyan);
        let cyan = cyan.on_default();
        anstream::eprintln!("{red}error{red:#}: {}", self.message);
        for cause in &self.causes {
            anstream::eprintln!("  caused by: {cause}");
        }
        if !self.hint.is_empty() {
            anstream::eprintln!("{cyan}hint{cyan:#}: {}", self.hint);
        }
        ExitCode::from(self.kind.exit_code())
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        let message = error.to_string();
        let mut causes = Vec::new();
        let mut last = message.clone();
        for cause in error.chain().skip(1).map(ToString::to_string) {
            // Some errors tell their cause within their own text.
            if !last.contains(&cause) {
                causes.push(cause.clone());
            }
            last = cause;
        }
        let error = match error.downcast::<Self>() {
            Ok(failure) => return failure,
            Err(error) => error,
        };
        let (kind, hint) = match error.downcast_ref::<EngineError>() {
            Some(error) => (kind_of(error), error.hint()),
            None => (Kind::Failure, String::new()),
        };
        let details = match error.downcast_ref::<EngineError>() {
            Some(EngineError::Edit(EditError::Stale(target))) => serde_json::to_value(target).ok(),
            _ => None,
        };
        Self { kind, message, hint, causes, details }
    }
}

fn kind_of(error: &EngineError) -> Kind {
    let locked = matches!(
        error,
        EngineError::Store(StoreError::Locked { .. })
            | EngineError::Index(IndexError::Store(StoreError::Locked { .. }))
            | EngineError::Query(QueryError::Store(StoreError::Locked { .. }))
    );
    match error.kind() {
        _ if locked => Kind::Locked,
        ErrorKind::NoMatch => Kind::NoMatch,
        ErrorKind::Ambiguous => Kind::Ambiguous,
        ErrorKind::BadRequest => Kind::BadRequest,
        ErrorKind::Failure => Kind::Failure,
        ErrorKind::Limit => Kind::Limit,
        ErrorKind::Interrupted => Kind::Interrupted,
        ErrorKind::Stale => Kind::Stale,
        ErrorKind::Check => Kind::Check,
    }
}

/// Whether the reader of our output went away: not an error of ours.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
