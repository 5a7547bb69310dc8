//! Edits of the workspace's files: plan, apply, list, deny, undo.
//! One file a job; what is done to text is in `crate::edit`, and so is what writes files.

mod apply;
mod check;
mod choose;
mod draft;
mod expect;
mod operations;
mod recover;
mod report;
mod resolved;
mod target;
mod undo;
mod unfixed;

pub use check::Check;
pub use recover::needs_attention;

/// How to plan and apply.
#[derive(Debug, Clone, Default)]
pub struct EditOptions {
    /// Who edits; recorded with the proposal and the revision.
    pub actor: Option<String>,
    /// Why; recorded with the proposal and the revision.
    pub reason: Option<String>,
    /// Whether rustfmt formats the items that change.
    pub rustfmt: bool,
    /// Whether a result that does not parse is written all the same.
    pub allow_broken: bool,
    /// What must succeed once the files are written; if it fails, or changes one of them, they are
    /// as they were.
    pub check: Option<Check>,
}
