//! Merges: three files for Git's driver, and what the merge of two states of a workspace would be.
//!
//! A prediction merges the files as Git does (`asof_workspace`), those in conflict by items
//! (`asof_merge`), resolves both sides and the result, and compares what each name means
//! (`names.rs`). What one side renames is renamed in the new uses of the other one. `structure.rs` and
//! `matches.rs` look for what does not fit together although every name means what it did.

mod alignment;
mod arguments;
mod calls;
mod driver;
mod finish;
mod matches;
mod merged_file;
mod names;
mod operation;
mod predict;
mod sides;
mod states;
mod structure;
mod whole;
mod worktree;

pub use driver::{DriverCall, DriverFiles, DriverMerge, NamesUnknown, merge_driver};
