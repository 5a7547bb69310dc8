//! Errors as the user sees them: kind and exit code, causes, a hint.

use std::io;
use std::ops::{Deref, DerefMut};
use std::process::ExitCode;

use asof::EngineError;
use asof_edit::EditError;
pub use asof_model::ErrorKind as Kind;
use asof_wire::{ErrorAnswer, ErrorReport, UnreadableMoment};
use serde::{Deserialize, Serialize};

use super::globals::Format;
use super::hint;
use asof_surface::problem::Problem;

/// Exit code of usage errors, including those of clap.
pub const USAGE: u8 = 2;

/// As `asof --help` documents it.
pub const fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::NoMatch => 1,
        Kind::BadRequest => USAGE,
        Kind::Ambiguous => 3,
        Kind::Locked => 4,
        Kind::Failure => 5,
        Kind::Limit => 6,
        Kind::Stale => 7,
        Kind::Check => 8,
        Kind::Interrupted => 130,
    }
}

/// An error to print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{}", .0.message)]
#[serde(transparent)]
pub struct Failure(ErrorReport);

impl Deref for Failure {
    type Target = ErrorReport;

    fn deref(&self) -> &ErrorReport {
        &self.0
    }
}

impl DerefMut for Failure {
    fn deref_mut(&mut self) -> &mut ErrorReport {
        &mut self.0
    }
}

impl Failure {
    pub fn new(kind: Kind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self(ErrorReport {
            kind,
            message: message.into(),
            hint: hint.into(),
            causes: Vec::new(),
            details: None,
        })
    }

    /// As a part of an answer.
    pub fn into_report(self) -> ErrorReport {
        self.0
    }

    /// An invalid request.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Kind::BadRequest, message, hint)
    }

    /// A user's file that could not be read or written.
    pub fn io(action: &str, path: &std::path::Path, source: &io::Error) -> Self {
        let message = format!("cannot {action} {}", path.display());
        let mut failure =
            Self::new(Kind::Failure, message, "check the path, its permissions and the free space");
        failure.causes.push(source.to_string());
        failure
    }

    /// Prints it to standard error and returns the exit code.
    pub fn report(&self, format: Format) -> ExitCode {
        let code = ExitCode::from(exit_code(self.kind));
        if format == Format::Json
            && let Ok(json) = serde_json::to_string(&ErrorAnswer { error: self.0.clone() })
        {
            anstream::eprintln!("{json}");
            return code;
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
        code
    }
}

impl From<ErrorReport> for Failure {
    fn from(report: ErrorReport) -> Self {
        Self(report)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        let message = error.to_string();
        let mut causes = Vec::new();
        let mut last = message.clone();
        for cause in error.chain().skip(1).map(ToString::to_string) {
            // Some errors contain the text of their cause.
            if !last.contains(&cause) {
                causes.push(cause.clone());
            }
            last = cause;
        }
        let error = match error.downcast::<Self>() {
            Ok(failure) => return failure,
            Err(error) => error,
        };
        let error = match error.downcast::<Problem>() {
            Ok(problem) => return Self(problem.report(hint::words)),
            Err(error) => error,
        };
        let error = match error.downcast::<UnreadableMoment>() {
            Ok(error) => EngineError::from(error).into(),
            Err(error) => error,
        };
        let Some(error) = error.downcast_ref::<EngineError>() else {
            let mut failure = Self::new(Kind::Failure, message, "");
            failure.causes = causes;
            return failure;
        };
        let details = match error {
            EngineError::Edit(error) => match error.cause() {
                EditError::Stale(target) => Some((**target).clone()),
                _ => None,
            },
            _ => None,
        };
        let hint = hint::words(&error.hint());
        Self(ErrorReport { kind: error.kind(), message, hint, causes, details })
    }
}

/// Whether the reader of our output has closed the pipe, which is not an error.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
