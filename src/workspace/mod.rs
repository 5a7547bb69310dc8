//! What is there: packages and targets as Cargo sees them, Rust files on disk, and where the
//! files of modules lie. It reads manifests and folders, and never runs Cargo, never follows a
//! link out of the root, never parses Rust beyond `mod` declarations, and knows no database.

mod ancestry;
mod checkout;
mod discover;
mod error;
mod folder;
mod git;
mod manifest;
mod module_tree;
mod paths;
mod read;
mod scan;
mod targets;
mod walk;

#[cfg(test)]
mod tests;

pub use ancestry::Ancestry;
pub use checkout::Checkout;
pub use discover::{discover, layout};
pub use error::WorkspaceError;
pub use git::{Commit, Git, GitRef, RefKind, Selection};
pub use module_tree::{ModDir, ModFile, ViaPathAttr, existing};
pub use read::read_file;
pub use walk::{Walk, walk};
