//! Updates NOW from the files: walk, parse what changed, resolve, compare with the stored rows,
//! write one transaction. Its queries are in `queries/`, and it never writes to the workspace.

mod bundle;
mod call_context;
mod changed_contents;
mod changed_definitions;
mod changed_uses;
mod clock;
mod compare;
mod content;
mod current;
mod dependencies;
mod dependents;
mod distance;
mod documents;
mod error;
mod expansions;
mod fingerprints;
mod history;
mod item_uses;
mod load_state;
mod lookahead;
mod memory;
mod mentions;
mod name_cache;
mod names;
mod narrow;
mod near_state;
mod noticing;
mod options;
mod outcome;
mod outside;
mod parse;
mod reads;
mod refresh;
mod resolved_state;
mod resolved_workspace;
mod revision;
mod sorted;
mod stale;
mod state;
mod stats;
mod stream;
mod texts;
mod threads;
mod tree;
mod unsaved;
mod uses;
mod verify;
mod viewpoint;
mod what_if;
mod wide;
mod write;

pub use asof_resolve::names_version;
pub use asof_resolve::{LocalFacts, MadeName, TypedName, UseInMade, VariableName};
pub use bundle::{
    CheckedRows, PROJECT, RowCheck, begin_from_bundle, bundle_namespace, check_rows, has_files_of,
    has_namespace, write_bundle,
};
pub use compare::{ComparedTree, ComparedTrees, compare_trees};
pub use dependencies::cache::{
    CacheContents, LIMIT as CACHE_LIMIT, cache_contents, cache_folder, clear_cache,
};
pub use dependencies::{DependencySources, dependencies_of};
pub use distance::{TooFar, too_far};
pub use error::IndexError;
pub use history::{
    Imported, clear_now_mirrors, import_commit, index_from, keep_refs, keep_root, keep_selected,
    name_like, name_project, seam, selected,
};
pub use lookahead::Lookahead;
pub use memory::{Memory, NextState};
pub use near_state::NearState;
pub use options::{Cause, FactSet, Options, Progress, Reread, Silent};
pub use outside::{is_in_standard_library, path_outside, same_outside};
pub use refresh::{refresh, refresh_from, refresh_under};
pub use revision::{RevisionMeta, begin_from_copy, floor, record, record_restore, set_floor};
pub use stale::stale_files;
pub use state::base_commit;
pub use texts::{make_whole, unpack_texts};
pub use tree::{Tree, build as module_tree};
pub use unsaved::{TextItem, TextNames, TextTarget, TextUse, UnsavedTexts};
pub use verify::verify_files;
pub use viewpoint::{PathMeaning, Place, Viewpoint};
pub use what_if::{
    Carried, Clash, Consequences, Difference, Meaning, NewUse, NewUseFault, Proposed, ProposedFile,
    Replaced, ReplacedKind, old_place, what_if,
};
