//! References: what the texts of a workspace use, resolved with light type inference.
//! A pure function of the text at hand, the item trees of the workspace and its packages. It never
//! reads another body, and never takes a name alone for evidence.

mod applied;
mod assoc;
mod blocks;
mod body;
mod bounds;
mod builtin;
mod calls;
mod cfg_duplicates;
mod choices;
mod dependencies;
mod exclusions;
mod expanded;
mod exprs;
mod fields;
mod fitting;
mod flavours;
mod implicit;
mod impls;
mod imported;
mod joined;
mod library;
mod lower;
mod members;
mod noted;
mod one_of_several;
mod operators;
mod paths;
mod pats;
mod pinned;
mod references;
mod regions;
mod rules;
mod settle;
mod sig;
pub mod standard;
mod table;
mod taken_apart;
#[cfg(test)]
mod tests;
mod trace;
mod traits;
mod types;
mod under;
mod unknown;
mod world;

pub use calls::MAX_CANDIDATES;
pub use dependencies::{Declarations, Dependencies, Dependency};
pub use implicit::is_called_implicitly;
pub use references::Source;
pub use standard::{library_version, names_version, prepare};
pub use world::World;
