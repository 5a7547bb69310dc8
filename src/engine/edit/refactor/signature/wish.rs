//! What is wanted of a function.

use asof_edit::EditError;
use asof_refactor::{Head, Wanted};

/// A function with the signature that is wanted.
pub(super) struct Wish<'a> {
    pub path: &'a str,
    pub named: &'a Head,
    pub wanted: &'a Wanted,
}

impl Wish<'_> {
    pub(super) fn refuse(&self, reason: impl Into<String>, places: Vec<String>) -> EditError {
        EditError::CannotChange { path: self.path.to_owned(), reason: reason.into(), places }
    }
}
