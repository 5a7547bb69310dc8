//! Errors as answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::StaleTarget;
use asof_model::ErrorKind;

/// The answer to a request that failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorAnswer {
    /// The error.
    pub error: ErrorReport,
}

/// An error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorReport {
    /// Class of the error.
    pub kind: ErrorKind,
    /// What went wrong.
    pub message: String,
    /// What to do next, in the words of the interface; empty if there is nothing to do.
    pub hint: String,
    /// Errors that caused this one, nearest first.
    pub causes: Vec<String>,
    /// The present state of the edit's target, if it is stale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<StaleTarget>,
}

/// Why a list of uses may be incomplete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Caveat {
    /// Uses of the bare name are unresolved.
    UnresolvedUses,
    /// The request filters uses out.
    Filtered,
    /// So many uses that are less than half certain are left out.
    Guesses(usize),
    /// Only calls are listed, and so many uses are not calls. A function that is passed as a value
    /// may be called indirectly.
    OtherUses(usize),
    /// The name is not defined in the workspace: any item with that name may be meant.
    UnknownName(String),
    /// The item implements an item of a trait, and calls through the trait use that one.
    TraitItem,
    /// So many uses of items that implement the item are not listed.
    ImplementationUses(usize),
    /// This file does not parse, so its uses are not all known.
    Unparsed(String),
    /// The code of examples in documentation may use it, at these places: `src/a.rs:4`.
    Examples(Vec<String>),
}
