//! Name resolution of a workspace: from the item trees of its files to identities, canonical paths
//! and edges. A pure function: same item trees, same answer. It never reads a file, a clock or a
//! database, and never guesses silently: what it cannot find is external or unresolved.

mod bindings;
mod block_scopes;
mod bound_names;
mod cached;
mod conditional;
mod conditional_imports;
mod conditions;
mod correspondence;
mod crate_maps;
mod crate_names;
mod crates;
mod earlier_state;
mod edge_table;
mod edges;
mod enclosing;
mod expand_items;
mod expansion;
mod expansion_budget;
mod file_scopes;
mod fragment;
mod glob_names;
mod identity;
mod ids;
mod impl_targets;
mod import_conditions;
mod import_leaves;
mod imports;
mod item_ids;
mod known_conditions;
mod known_imports;
mod known_macros;
mod macro_rules;
mod mentioned_names;
mod namespaces;
mod node_table;
mod nowhere;
mod numbers;
mod origins;
mod other_meanings;
mod outside_macros;
mod pages;
mod passes;
mod paths;
mod refs;
mod renumber;
mod scope;
mod scope_definitions;
pub mod serialize;
mod shared_files;
#[cfg(test)]
mod tests;
mod textual_macros;
mod visible_names;
mod wrappers;

pub use conditional_imports::{ConditionalImports, ImportTarget};
pub use conditions::Conditions;
pub use crate_maps::{Crate, CrateMaps, Input, Instance};
pub use earlier_state::EarlierState;
pub use edge_table::{Edge, EdgeKind, EdgeTable, OwnEdges, Provenance, Unresolved};
pub use expand_items::{Grown, Parented, Read, grow};
pub use expansion::read_expansion;
pub use ids::{ConditionId, CrateId, Def, FileId, InstanceId, LibraryId, PackageId};
pub use known_macros::{FileImports, MadeModule, ModuleFolder, included_file};
pub use macro_rules::expand_call;
pub use node_table::{Node, NodeTable};
pub use outside_macros::{OutsideMacro, OutsideMacros};
pub use passes::{assemble, assemble_with_scopes};
pub use refs::{
    Declarations, Dependencies, Dependency, From, GUESSES, ItemIndex, Libraries, LocalFacts,
    MadeName, OutsideDifference, Reads, References, Source, TypedName, UseInMade, VariableName,
    has_wrapped_receiver, hash_name, is_called_implicitly, library_version, names_version, prepare,
    rename_alike, standard,
};
pub use scope::Scopes;
pub use visible_names::{Seen, Standpoint};
