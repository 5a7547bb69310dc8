//! The façade and the library's API: one method a job, plain data in and out.
//! It opens and refreshes the database of a workspace, asks the programs of `queries/`, and says
//! with every answer what it rests on. It prints nothing and knows no command line.

mod answer;

mod backup;
mod canonical;
mod database;
mod edit;
mod error;
mod export;
mod history;
mod inspect;
mod query;
mod resolve;
mod show;
mod status;
mod suggest;

pub use answer::{Answer, Basis, Freshness, Origin};

pub use backup::{inspect_backup, verify_backup};
pub use canonical::{CanonicalPath, PathError, SelfType};
pub use database::{Database, STATE_DIR, Snapshot, When};
pub use edit::{EditOptions, EditSummary, EditedFile, EditedItem, ProposalRow, needs_attention};
pub use error::{EngineError, ErrorKind};
pub use export::{Definition, ExportKind};
pub use history::{
    Blame, Blamed, Detail, Diff, DiffItem, DiffRequest, Event, History, HistoryRequest, Log,
    LogRequest, Operation, Patch, Spans, Version,
};
pub use inspect::{
    FileMetadata, IssueRow, ItemAt, KindCount, ModuleFile, NodePresence, OutlineItem,
    RelationCount, UnresolvedRow,
};
pub use query::{QueryRequest, QueryResult, Script};
pub use resolve::{Item, Mode, Resolution, ResolveRequest};
pub use show::Shown;
pub use status::Status;
