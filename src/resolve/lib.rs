//! Names of a workspace: from the item trees of its files to identities, canonical paths and edges.
//! A pure function: same item trees, same answer. It never reads a file, a clock or a database, and
//! never guesses silently: what it cannot find is external or unresolved.

mod assembly;
mod bindings;
mod conditional;
mod conditions;
mod crates;
mod edges;
mod expand;
mod expansion;
mod fragment;
mod grow;
mod identity;
mod imports;
mod imports_under;
mod known_macros;
mod other_meanings;
mod passes;
mod paths;
mod refs;
pub mod saved;
mod scope;
mod seen;
#[cfg(test)]
mod tests;
mod wrappers;

pub use assembly::{
    Assembly, Crate, Edge, EdgeKind, Input, Instance, Node, Provenance, Unresolved,
};
pub use conditions::Conditions;
pub use expand::expand_call;
pub use grow::{OutsideMacro, OutsideMacros, grow};
pub use known_macros::{MadeModule, ModuleFolder, included_file};
pub use passes::{assemble, assemble_with_scopes};
pub use refs::{
    Declarations, Dependencies, Dependency, MAX_CANDIDATES, Source, World, is_called_implicitly,
    library_version, names_version, prepare, standard,
};
pub use scope::Scopes;
pub use seen::{Seen, Standpoint};
