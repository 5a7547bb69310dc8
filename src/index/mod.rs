//! Brings NOW up to date with the files: walk, parse what changed, resolve, compare with what is
//! stored, one transaction. It never asks a question of its own making (those are in `queries/`)
//! and never writes anything into the workspace.

mod content;
mod error;
mod marks;
mod names;
mod narrow;
mod options;
mod parse;
mod refresh;
mod revise;
mod state;
mod stats;
mod tree;
mod wide;
mod write;

pub use error::IndexError;
pub use options::{Options, Phase, Progress, Report, Silent};
pub use refresh::{refresh, stale_files};
pub use revise::record_restore;
pub use tree::{Tree, build as module_tree};
