//! The library's API: one method per job, plain data in and out.
//! It opens and refreshes the database of a workspace, runs the queries of `queries/`, and gives
//! every answer its basis. It prints nothing and knows no command line.

mod api;
mod ast_query;
mod backup;
mod calls;
mod canonical;
mod certainty;
mod context;
mod database;
mod edit;
mod error;
mod export;
mod export_uses;
mod gc;
mod graph;
mod history;
mod import;
mod inspect;
mod lineage;
mod named;
mod oracle;
mod outline;
mod packages;
mod projects;
mod quality;
mod query;
mod resolve;
mod search;
mod show;
mod source_cache;
mod sources;
mod status;
mod suggest;
mod symbol;
mod texts;
mod timeline;
mod unimported;
mod uses;
mod verify;
mod worktree;

pub use api::{Hidden, Members};
pub use backup::{inspect_backup, verify_backup};
pub use canonical::{CanonicalPath, PathError, SelfType};
pub use database::{Database, Refresh, STATE_DIR, Snapshot};
pub use edit::{Check, EditOptions, needs_attention};
pub use error::EngineError;
pub use export::{DEFAULT_CERTAINTY, ExportKind};
pub use gc::{GcMode, Keep};
pub use graph::Graph;
pub use inspect::UndefinedNames;
pub use outline::{DEFAULT_OUTLINE_DEPTH, Open};
pub use projects::Projects;
pub use search::{EmbedOptions, merge_projects};
pub use unimported::FilesAt;
pub use worktree::{Origin, StartFrom};
