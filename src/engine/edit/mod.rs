//! Edits of the workspace's files: plan, apply, list, deny, undo (mission, section 3).
//! One file a job; what is done to text is in `crate::edit`, and so is what writes files.

mod apply;
mod draft;
mod expect;
mod operations;
mod recover;
mod report;
mod target;

use serde::Serialize;

pub use recover::needs_attention;
pub use report::{EditSummary, EditedFile, EditedItem, ProposalRow};

/// How to plan and apply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EditOptions {
    /// Who edits; recorded with the proposal and the revision.
    pub actor: Option<String>,
    /// Why; recorded with the proposal and the revision.
    pub reason: Option<String>,
    /// Whether rustfmt formats the items that change.
    pub rustfmt: bool,
    /// Whether a result that does not parse is written all the same.
    pub allow_broken: bool,
    /// A command of the shell that must succeed in the root once the files are written; if it
    /// fails, they are as they were.
    pub check: Option<String>,
}
