//! The library's API: one method for each job, plain data in and out. It opens and refreshes the
//! database of a workspace, runs the queries of `queries/`, and gives every answer its basis. It
//! prints nothing and knows no command line.
//!
//! Each folder answers one kind of question, and takes names only from folders before it:
//! `cache`, `past`, `database`, `items`, `history`, `uses`, `review`, `merge`, `quality`, `search`, `context`, `oracle`,
//! `query`, `edit`, `scip`, `export`. Below all of them are `canonical` (paths as users write them)
//! and `error`. Questions are methods of [`Snapshot`], or of [`Database`] where they are about
//! several moments or write.

mod cache;
mod canonical;
mod context;
mod database;
mod edit;
mod error;
mod export;
mod history;
mod items;
mod merge;
mod oracle;
mod past;
mod quality;
mod query;
mod review;
mod scip;
mod search;
mod uses;

pub use canonical::{CanonicalPath, PathError, SelfType};
pub use database::{
    BundleCheck, Database, GcMode, Keep, KeptBundles, Origin, Projects, Recreated, Refresh,
    STATE_DIR, Snapshot, StartFrom, inspect_backup, needs_attention, verify_backup,
};
pub use edit::{Check, EditOptions, unnamed_reason};
pub use error::EngineError;
pub use export::{DEFAULT_CERTAINTY, ExportKind, TablesRequest};
pub use history::{Between, FilesAt};
pub use items::{
    Around, DEFAULT_OUTLINE_DEPTH, DeclaredItem, FOLDER_OUTLINE_DEPTH, Hidden, Members, Open,
    PathScope, UndefinedNames, Unsaved, UnsavedText, declared_item, standard_item,
};
pub use merge::{DriverCall, DriverFiles, DriverMerge, NamesUnknown, merge_driver};
pub use search::{EmbedOptions, merge_projects};
pub use uses::{CallerCounts, Graph, Layout, Sizes};
