//! Edits: plan, check, apply, undo.

pub mod files;
