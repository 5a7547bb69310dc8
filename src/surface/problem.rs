//! Errors with what to do next, before a surface puts it into words.

use std::error::Error;
use std::io;

use asof_edit::EditError;
use asof_engine::EngineError;
use asof_model::{ErrorKind, Hint};
use asof_wire::{ErrorReport, MatchError, StaleTarget};
use serde::{Deserialize, Serialize};

/// An error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    pub kind: ErrorKind,
    /// What went wrong.
    pub message: String,
    /// What to do next.
    pub hint: Hint,
    /// Errors that led to this one, the nearest first.
    pub causes: Vec<String>,
    /// The edit's target as it is now, if it is stale.
    pub details: Option<Box<StaleTarget>>,
}

impl Problem {
    pub fn new(kind: ErrorKind, message: impl Into<String>, hint: impl Into<Hint>) -> Self {
        let (message, hint) = (message.into(), hint.into());
        Self { kind, message, hint, causes: Vec::new(), details: None }
    }

    /// An invalid request.
    pub fn bad_request(message: impl Into<String>, hint: impl Into<Hint>) -> Self {
        Self::new(ErrorKind::BadRequest, message, hint)
    }

    /// A file or process that could not be used.
    pub fn io(action: &str, path: &std::path::Path, source: &io::Error) -> Self {
        let message = format!("cannot {action} {}", path.display());
        let hint = "check the path, its permissions and the free space";
        Self { causes: vec![source.to_string()], ..Self::new(ErrorKind::Failure, message, hint) }
    }

    /// An answer that cannot be written as JSON, or the like: a defect.
    pub fn internal(error: impl std::fmt::Display) -> Self {
        Self::new(ErrorKind::Failure, error.to_string(), "please report it")
    }

    /// The error with another message. What the details have is not told twice.
    #[must_use]
    pub fn with_message(self, message: String) -> Self {
        let message = match &self.details {
            Some(target) => message.replace(&more(target), ""),
            None => message,
        };
        Self { message, ..self }
    }

    /// The error with its hint in the words of a surface.
    pub fn report(self, words: impl Fn(&Hint) -> String) -> ErrorReport {
        ErrorReport {
            kind: self.kind,
            message: self.message,
            hint: words(&self.hint),
            causes: self.causes,
            details: self.details.map(|target| *target),
        }
    }
}

impl From<ErrorReport> for Problem {
    fn from(report: ErrorReport) -> Self {
        let ErrorReport { kind, message, hint, causes, details } = report;
        Self { kind, message, hint: hint.into(), causes, details: details.map(Box::new) }
    }
}

impl From<MatchError> for Problem {
    fn from(error: MatchError) -> Self {
        EngineError::from(error).into()
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        let details = match &error {
            EngineError::Edit(error) => match error.cause() {
                EditError::Stale(target) => Some(target.clone()),
                _ => None,
            },
            _ => None,
        };
        let message = error.to_string();
        let causes = causes(&error, &message);
        let (kind, hint) = (error.kind(), error.hint());
        Self { kind, message: String::new(), hint, causes, details }.with_message(message)
    }
}

/// What the message of a stale target says after its first line: where the target is now, and how it
/// differs.
pub fn more(target: &StaleTarget) -> String {
    let message = target.message();
    message.find('\n').and_then(|at| message.get(at..)).unwrap_or_default().to_owned()
}

/// Errors that led to this one, without those whose text it contains.
pub fn causes(error: &dyn Error, message: &str) -> Vec<String> {
    let mut causes = Vec::new();
    let mut last = message.to_owned();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !last.contains(&text) {
            causes.push(text.clone());
        }
        last = text;
        next = cause.source();
    }
    causes
}
