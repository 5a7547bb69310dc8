//! What uses what at one moment: direct uses, calls, lineages, dependencies of modules, and what a
//! change reaches. Each answer says how complete it is.

mod calls;
mod certainty;
mod change_impact;
mod dependencies;
mod direct;
mod graph;
mod layers;
mod lineage;
mod module_graph;
mod reach;
mod unused;

pub use direct::CallerCounts;
pub use graph::Graph;
pub use layers::{Layout, Sizes};

use unused::find_package;

pub(super) use direct::{GUESS, first};
