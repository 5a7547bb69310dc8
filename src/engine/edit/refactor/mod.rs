//! Edits of every use of an item: which items are meant, where their names are written, and the proof
//! that each name means what it meant. Texts are changed by `crate::refactor`.

mod delete;
mod deleted_imports;
mod editions;
mod empty_modules;
mod group;
mod leftover_imports;
mod local;
mod mention;
mod modules;
mod moved_text;
mod obligations;
mod other_files;
mod overlaps;
mod pattern_capture;
mod proof;
mod relocate;
mod rename;
mod signature;
mod uses;
mod warnings;

pub(super) use delete::delete;
pub(super) use deleted_imports::prune_imports;
pub(super) use empty_modules::with_empty_modules;
pub(super) use overlaps::join_edits;
pub(super) use proof::prove;
pub(super) use relocate::relocate;
pub(super) use rename::rename;
pub use rename::unnamed_reason;
pub(super) use signature::change_signature;
