//! Edits of source files: from a request to spans and new bytes, checked before and after, and
//! written all or nothing. It never resolves a path (the engine does), and never overwrites a byte
//! that it has not compared first.

pub mod files;

mod alone;
mod change;
mod changed_bytes;
mod diff;
mod error;
mod fit;
mod insert;
mod outer_text;
mod patch;
mod proposal;
mod proposals;
mod rustfmt;
mod splice;
mod splice_ranges;
mod verify;
mod view;

#[cfg(test)]
mod tests;

pub use change::{Change, Inner, ItemEdit, Reach, changes, delete, excision};
pub use changed_bytes::Changed;
pub use diff::{between, unified};
pub use error::EditError;
pub use fit::{fit, indent_at};
pub use insert::insertion;
pub use patch::{Conflict, Hunk, Overlap, Patch, Step, Swapped, carry};
pub use proposal::{Expected, Plan, PlannedEdit, PlannedFile, Proposal};
pub use proposals::{all, find, save};
pub use rustfmt::format_items;
pub use splice::{Manner, Splice, compose, settle};
pub use splice_ranges::{Touched, touched};
pub use verify::{compare, does_not_parse};
pub use view::{FileView, line_of};

pub use asof_wire::{
    CanonicalEdit, ChangeSignatureEdit, CreateFileEdit, DeleteEdit, DeleteFileEdit, Edit,
    EditRequest, FileOp, InsertEdit, ManifestEdit, MoveEdit, Part, Position, ProposalStatus,
    RenameEdit, RenameFileEdit, SpliceEdit, StaleTarget,
};
