//! Questions to the store: the programs of `queries/` and of `.asof/queries`, their headers,
//! the views that they share, their parameters, and their answers as Rust types.
//! It never writes, never names the engine, and never puts a value into the text of a program.

mod error;
mod header;
mod library;
mod moments;
mod params;
mod schema;
mod shipped;
mod typed;
mod typed_commits;
mod typed_edges;
mod typed_edit;
mod typed_export;
mod typed_history;
mod typed_structure;
mod views;

#[cfg(test)]
mod tests;

pub use error::QueryError;
pub use header::{Column, Cost, Param, ParamType, Program};
pub use library::{Library, ProgramSource, run};
pub use moments::{Moments, UnknownMoment};
pub use schema::{DataSource, SourceColumn, SourceKind, data_source, data_sources};
pub use typed::{
    BelowPath, Child, CrateRoot, Described, FileItem, FileModule, FileRow, KindCount, ModuleFile,
    NameHit, NodeAt, PathHit, Queries, RelationCount, Revision, StoredIssue, Suggestion, TextPart,
    TraitItem, UnresolvedRow, WalkHit,
};
pub use typed_commits::{CommitHit, CommitRow, NamedCommit};
pub use typed_edges::{
    ExternalSymbolRow, ExternalSymbolUse, OccurrenceRow, Occurrences, ReachedRow, StoredUse,
    TestContextRow, UseFilter, UseRow, UsesRow,
};
pub use typed_edit::{DeclaredAt, ProposalRow};
pub use typed_export::{Definition, ModuleDef};
pub use typed_history::{
    Changes, ItemVersion, LogFilter, PastItem, PastName, StateRow, StoredText,
};
pub use typed_structure::{
    LineItem, OutlineRow, PathGapRow, PathSearch, PublicName, SiteRow, UsePathRow,
};
pub use views::View;
