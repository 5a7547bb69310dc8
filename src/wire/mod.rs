//! Wire types: requests, answers and errors, each once. The library takes and returns them, the
//! command line prints them, and servers send them. All have serde implementations and a JSON
//! Schema; the documentation of a field is its description there.
//!
//! Requests refuse fields that they do not know; the error lists those that exist. Answers may
//! gain fields. Plain data only: nothing here opens a file or a database.

mod edit;
mod envelope;
mod error;
mod export;
mod history;
mod inspect;
mod moment;
mod query;
mod resolve;
mod state;
mod uses;

pub use edit::{
    Edit, EditRequest, EditStatus, EditSummary, EditedFile, EditedItem, FileOp, Part, Position,
    ProposalDetails, ProposalList, ProposalRow, ProposalStatus, StaleTarget,
};
pub use envelope::{Answer, AnswerSource, Basis, Freshness};
pub use error::{Caveat, ErrorAnswer, ErrorKind, ErrorReport, Filter, Hint};
pub use export::Definition;
pub use history::{
    Blame, Blamed, Detail, Diff, DiffItem, DiffRequest, Event, History, HistoryRequest, Log,
    LogRequest, Matched, Operation, Patch, Spans, Version,
};
pub use inspect::{
    FileMetadata, IssueRow, KindCount, ModuleFile, NodePresence, OutlineItem, RelationCount,
    UnresolvedRow,
};
pub use moment::{UnreadableMoment, When, age, time};
pub use query::{
    NamedQuery, QueryColumn, QueryList, QueryParam, QueryRequest, QueryResult, Script,
};
pub use resolve::{
    Item, ItemRef, Location, Mode, Resolution, ResolveRequest, Shown, Snippet, Symbol,
};
pub use state::{
    BackupManifest, CommitProblem, FileDifference, FileState, Finding, GcReport, HistoryReport,
    IndexReport, Phase, Status, Verification,
};
pub use uses::{
    Certainty, DEFAULT_DEPTH, Direction, Guesses, ImpactResult, ImpactSummary, LineageRequest,
    LineageResult, Reached, Snippets, Step, Tests, UnknownDirection, Use, UseRequest,
    WhereUsedResult,
};
