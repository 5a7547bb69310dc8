//! References: what the texts of a workspace use, resolved with light type inference.
//! A pure function of the text at hand, the item trees of the workspace and its packages. It never
//! reads another body, and never takes a name alone for evidence.

mod assoc;
mod blocks;
mod bounds;
mod builtin;
mod call_places;
mod calls;
mod cfg_duplicates;
mod choice_types;
mod choices;
mod condition_table;
mod dependencies;
mod exclusions;
mod expand_exprs;
mod expansions;
mod exprs;
mod fallback;
mod fields;
mod implicit;
mod impls;
mod import_conditions;
mod import_paths;
mod infer;
mod instantiated_modules;
mod item_index;
mod lexical;
mod library;
mod local_facts;
mod lower;
mod made_items;
mod members;
mod method_candidates;
mod observations;
mod operators;
mod outside_difference;
mod paths;
mod pats;
mod pin_projection;
mod reads;
mod receivers;
mod record;
mod references;
mod regions;
mod rules;
mod sig;
pub mod standard;
#[cfg(test)]
mod tests;
mod trace;
mod traits;
mod type_paths;
mod types;
mod unify;
mod unknown;
mod value_arguments;

pub use dependencies::{Declarations, Dependencies, Dependency};
pub use implicit::is_called_implicitly;
pub use item_index::ItemIndex;
pub use local_facts::{LocalFacts, MadeName, TypedName, UseInMade, VariableName};
pub use outside_difference::OutsideDifference;
pub use reads::{From, Reads, hash_name};
pub use receivers::has_wrapped_receiver;
pub use references::{References, Source};
pub use standard::{library_version, names_version, prepare};
