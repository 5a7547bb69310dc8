//! Edits of the workspace's files: plan, apply, list, deny, undo.
//! One file per job. Text transformations and file writes are in `crate::edit`.

mod apply;
mod busy;
mod carry;
mod check;
mod choose;
mod draft;
mod drafts;
mod edit_target;
mod executed_files;
mod expect;
mod operations;
mod options;
mod refactor;
mod report;
mod target;
mod undo;
mod use_warnings;

pub use check::Check;
pub use options::EditOptions;
pub use refactor::unnamed_reason;
