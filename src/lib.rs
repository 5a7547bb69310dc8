//! `asof`: a temporal code database for Rust.
//!
//! A [`Database`] holds the code facts of a workspace, at every revision. [`Database::refresh`]
//! brings it up to date with the files on disk, [`Database::snapshot`] fixes a moment, and the
//! methods of [`Snapshot`] answer questions about that moment. Edits are planned, compared with
//! the files and applied through the database, too. Requests and answers are the plain data of
//! [`wire`].
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use asof::wire::{CanonicalEdit, Part, ResolveRequest};
//! use asof::{Database, EditOptions, IndexOptions, Refresh, Silent, When};
//!
//! // A folder of Rust files, and the backup of a database of them.
//! let work = tempfile::tempdir()?;
//! for (from, to) in [("greet.rs", "greet.rs"), ("main.rs", "main.rs")] {
//!     std::fs::copy(format!("fixtures/plain/{from}"), work.path().join(to))?;
//! }
//! Database::restore("backups/plain.backup".as_ref(), work.path(), None)?;
//!
//! let database = Database::open(work.path())?;
//! let report = database.refresh(&IndexOptions::default(), &Silent)?;
//! assert_eq!(report.files, 2);
//!
//! let now = database.snapshot(&When::Now, Refresh::Skip)?;
//! let found = now.resolve(&ResolveRequest::new("crate::greet::hello"))?;
//! assert_eq!(found.unique()?.signature, "pub fn hello(name: &str) -> String");
//!
//! let code = "format!(\"Hello, {name}!\")";
//! let edit = CanonicalEdit::new("crate::greet::hello", Part::Body, code);
//! let plan = database.plan_edit(&edit.into(), &EditOptions::default())?;
//! assert!(!plan.applied && plan.files[0].diff.contains("+    format!(\"Hello, {name}!\")"));
//! # Ok(()) }
//! ```

pub use asof_engine::{
    Between, BundleCheck, CanonicalPath, Check, DEFAULT_CERTAINTY, DEFAULT_OUTLINE_DEPTH, Database,
    DeclaredItem, DriverCall, DriverFiles, DriverMerge, EditOptions, EmbedOptions, EngineError,
    ExportKind, FOLDER_OUTLINE_DEPTH, FilesAt, GcMode, Graph, Hidden, Keep, KeptBundles, Members,
    NamesUnknown, Open, Origin, PathError, Projects, Recreated, Refresh, STATE_DIR, SelfType,
    Snapshot, StartFrom, TablesRequest, UndefinedNames, Unsaved, UnsavedText, declared_item,
    inspect_backup, merge_driver, merge_projects, needs_attention, standard_item, verify_backup,
};
pub use asof_index::{Memory, Options as IndexOptions, Progress, Silent};
pub use asof_wire::When;
pub use asof_workspace::{
    DriverSetup, MarkerStyle, Markers, MergeLabels, Reach, Selection, StandardSources,
};
pub use {asof_model as model, asof_wire as wire};
