//! Edits of the workspace's files: plan, apply, list, deny, undo.
//! One file per job. Text transformations and file writes are in `crate::edit`.

mod apply;
mod busy;
mod carry;
mod check;
mod choose;
mod draft;
mod drafts;
mod expect;
mod note;
mod operations;
mod recover;
mod report;
mod resolved;
mod runs;
mod target;
mod undo;
mod unfixed;

pub use check::Check;
pub use recover::needs_attention;

/// Options of planning and applying.
#[derive(Debug, Clone, Default)]
pub struct EditOptions {
    /// Who edits; recorded with the proposal and the revision.
    pub actor: Option<String>,
    /// Why; recorded with the proposal and the revision.
    pub reason: Option<String>,
    /// Whether to format the changed items with rustfmt.
    pub rustfmt: bool,
    /// Whether to write results that do not parse.
    pub allow_broken: bool,
    /// Check that must succeed after the files are written; if it fails or changes one of them,
    /// they are restored.
    pub check: Option<Check>,
}
