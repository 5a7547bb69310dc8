//! The façade and the library's API: one method a job, plain data in and out.
//! It opens and refreshes the database of a workspace, asks the programs of `queries/`, and says
//! with every answer what it rests on. It prints nothing and knows no command line.

mod answer;

mod api;
mod backup;
mod calls;
mod canonical;
mod certainty;
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
mod moment;
mod named;
mod outline;
mod query;
mod resolve;
mod search;
mod show;
mod sources;
mod status;
mod suggest;
mod symbol;
mod texts;
mod timeline;
mod uses;
mod verify;

pub use answer::{Answer, AnswerSource, Basis, Freshness};

pub use api::{ApiItem, Hidden, Members};
pub use backup::{inspect_backup, verify_backup};
pub use calls::{Call, CallsResult, PathGap, PathRequest, PathResult, PathStep, Site, UsePath};
pub use canonical::{CanonicalPath, PathError, SelfType};
pub use certainty::Certainty;
pub use database::{Database, STATE_DIR, Snapshot};
pub use edit::{
    Check, EditOptions, EditSummary, EditedFile, EditedItem, ProposalRow, needs_attention,
};
pub use error::{EngineError, ErrorKind};
pub use export::{DEFAULT_CERTAINTY, Definition, ExportKind};
pub use gc::{GcReport, Keep};
pub use graph::Graph;
pub use history::{
    Blame, Blamed, Detail, Diff, DiffItem, DiffRequest, Event, Guesses, History, HistoryRequest,
    Log, LogRequest, Matched, Operation, Patch, Spans, Version,
};
pub use import::HistoryReport;
pub use inspect::{
    FileMetadata, IssueRow, ItemAt, KindCount, ModuleFile, NodePresence, OutlineItem,
    RelationCount, UnresolvedRow,
};
pub use lineage::{
    DEFAULT_DEPTH, Direction, ImpactResult, ImpactSummary, LineageRequest, LineageResult, Reached,
    Step,
};
pub use moment::{When, age, time};
pub use outline::{DEFAULT_OUTLINE_DEPTH, Open, OutlineEntry};
pub use query::{QueryRequest, QueryResult, Script};
pub use resolve::{Item, Mode, Resolution, ResolveRequest};
pub use show::Shown;
pub use sources::SourceForm;
pub use status::Status;
pub use symbol::Symbol;
pub use texts::{Location, Snippet};
pub use uses::{ItemRef, Snippets, Tests, Use, UseRequest, WhereUsedResult};
pub use verify::{Finding, Verification};
