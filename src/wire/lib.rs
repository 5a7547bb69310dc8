//! Wire types: requests, answers and errors, each once. The library takes and returns them, the
//! command line prints them, and servers send them. All have serde implementations and a JSON
//! Schema; the documentation of a field is its description there.
//!
//! Requests refuse unknown fields; the error lists the known ones. Answers may gain fields, and a
//! nullable field may be missing. Plain data only: nothing here opens a file or a database.

use schemars::{JsonSchema, Schema, SchemaGenerator};

mod affected;
mod api_diff;
mod ast;
mod calls;
mod change_impact;
mod configuration;
mod context;
mod dependencies;
mod doc_link;
mod documents;
mod edit;
mod edit_modes;
mod edit_request;
mod edit_status;
mod envelope;
mod error;
mod export;
mod flags;
mod history;
mod hotspots;
mod implementations;
mod inspect;
mod match_error;
mod merge;
mod moment;
mod oracle;
mod outline;
mod projects;
mod quality;
mod query;
mod reach;
mod refactor;
mod resolve;
mod review;
mod sarif;
mod scip;
mod search;
mod source;
mod state;
mod tables;
mod trace;
mod unused;
mod uses;

pub use affected::{
    AffectedPackage, AffectedPackages, AffectedRequest, AffectedTarget, SelectionReason,
};
pub use api_diff::{ApiChange, ApiDiff, PackageApi, SemverLevel};
pub use ast::{AstCapture, AstMatch, AstMatches, AstRequest};
pub use calls::{Call, CallsResult, PathGap, PathRequest, PathResult, PathStep, Site, UsePath};
pub use change_impact::{
    AffectedBy, AffectedItem, AffectedTest, AffectedTests, ChangeImpact, Unknowable,
};
pub use configuration::{ConfigurationRequest, UnreadableConfiguration};
pub use context::{
    CodeContext, CodeContextRequest, CodeForm, CodeItem, CodeLeftOut, ContextAggregate,
    ContextAnswer, ContextFile, ContextItem, ContextMetadata, ContextRanking, ContextRequest,
    ContextScore, ContextSnippet, Example, ExampleItem, ExampleRole, Highlight, TokenCount,
};
pub use dependencies::{
    DependenciesRequest, DependencyDoubt, DependencyFinding, DependencyMention, DependencyTable,
    DependencyUse, PackageDependencies, PackageDependency,
};
pub use doc_link::{DocLink, DocLinkReason};
pub use documents::{DocsHit, SearchDocs, SectionHit};
pub use edit::{
    Edit, EditRequest, EditSummary, EditedFile, EditedItem, FileOp, ProposalDetails, ProposalList,
    ProposalRow, StaleTarget,
};
pub use edit_modes::{
    CanonicalEdit, ChangeSignatureEdit, CreateFileEdit, DeleteEdit, DeleteFileEdit, DeletedUses,
    InsertEdit, ManifestEdit, ManifestEntry, MoveEdit, Part, Position, RenameEdit, RenameFileEdit,
    SpliceEdit,
};
pub use edit_request::MalformedEdit;
pub use edit_status::{EditStatus, ProposalStatus};
pub use envelope::{Answer, AnswerSource, Basis, Freshness};
pub use error::{Caveat, ErrorAnswer, ErrorReport};
pub use export::Definition;
pub use history::{
    Blame, Blamed, BranchCommit, Detail, Diff, DiffItem, DiffRequest, Event, Expansion, FileTexts,
    History, HistoryRequest, Log, LogRequest, Matched, Merges, Operation, Patch, Spans, Version,
};
pub use hotspots::{Coupled, Coupling, Hotspot, HotspotRequest, Owner};
pub use implementations::{ImplKind, Implementation, ImplementationsResult};
pub use inspect::{
    Condition, FileMetadata, IssueRow, KindCount, ListRequest, ModuleFile, NodePresence,
    OutlineItem, RelationCount, UnresolvedRow,
};
pub use match_error::MatchError;
pub use merge::{
    AdaptedUse, MergeConflictKind, MergeFrom, MergeOutcome, MergePrediction, MergeRequest,
    MergeSummary, MergedFile, SemanticConflict,
};
pub use moment::{UnreadableMoment, When, age, time};
pub use oracle::{CheckedClaim, ClaimClass, ClaimRequest, ClaimStatistics, MalformedLine, Verdict};
pub use outline::{ApiItem, DataSource, DataSources, OutlineEntry, SourceColumn, SourceSummary};
pub use projects::{Project, ProjectAnswer, ProjectHit, ProjectList, SearchProjects};
pub use quality::{
    DebtMarker, GradeCount, QualityChange, QualityChanges, QualityComponent, QualityFigures,
    QualityItem, QualityLimits, QualityReport, QualityRequest, QualitySummary,
};
pub use query::{
    NamedQuery, QueryColumn, QueryList, QueryParam, QueryRequest, QueryResult, Script,
};
pub use reach::{ReachPath, ReachRequest, ReachResult, ReachSince, ReachStep};
pub use refactor::{Discharge, Doubt, Obligation, PlaceToLookAt, Proof, SignatureChange};
pub use resolve::{
    DependencyRef, FailedPath, Item, ItemRef, Location, Mode, Resolution, ResolveRequest, Shown,
    Snippet, SourceForm, Sources, Symbol,
};
pub use review::{
    ItemToRead, ProvenItem, ReadReason, ReasonToRead, Review, ReviewCounts, ReviewRequest,
    ReviewSummary, ReviewedItem, SameCode,
};
pub use sarif::{
    SARIF_SCHEMA, SarifArtifact, SarifDriver, SarifFinding, SarifLevel, SarifLocation, SarifLog,
    SarifLogicalLocation, SarifPhysicalLocation, SarifRegion, SarifResult, SarifRule, SarifRun,
    SarifText, SarifTool,
};
pub use scip::{
    EdgeClass, EdgeCount, EdgeDiff, EdgeDiffRequest, EdgeDifference, EdgeReason, ImportReport,
    ImportedFile, ImportedUse, ImportedUses, OurEdge, SkipReason, SkippedFile, TheirEdge,
};
pub use search::{
    Alike, EmbedReport, FileHit, Grades, Hit, LineMatch, RankBy, Ranked, SearchAnswer, SearchBy,
    SearchFiles, SearchMode, SearchRequest, SearchSummary, Summarized, Unsummarized,
};
pub use source::{
    CrateSummary, FileSource, FileSummary, GraphModule, LinkTarget, ModuleEdge, ModuleGraph,
    SourceItem, SourceLink, Timeline, TimelineEntry,
};
pub use state::{
    BackupManifest, Bundle, BundleReport, BundleStart, CacheReport, CommitProblem, FileDifference,
    FileState, Finding, GcReport, HistoryImport, HistoryReport, IndexReport, JSON_VERSION, Phase,
    Status, Verification,
};
pub use tables::{TableReport, TablesReport};
pub use trace::{ContextTrace, MAX_EVENTS, TraceEvent, TraceIteration, TraceKind, TraceSummary};
pub use unused::{UnusedItem, UnusedItems, UnusedReason, UnusedRequest};
pub use uses::{
    Certainty, DEFAULT_DEPTH, Direction, Guesses, ImpactResult, ImpactSummary, Implementations,
    LineageRequest, LineageResult, Reached, Snippets, Step, Tests, UnknownDirection, Use,
    UseRequest, UseSummary, UsesOfFile, WhereUsedResult, share,
};

/// JSON Schema of every request and answer, by name.
pub fn schemas() -> Vec<(String, Schema)> {
    fn schema<T: JsonSchema>() -> (String, Schema) {
        (T::schema_name().into_owned(), SchemaGenerator::default().into_root_schema_for::<T>())
    }
    vec![
        schema::<AffectedPackages>(),
        schema::<AstRequest>(),
        schema::<ClaimRequest>(),
        schema::<CodeContextRequest>(),
        schema::<ContextRequest>(),
        schema::<DiffRequest>(),
        schema::<EdgeDiffRequest>(),
        schema::<EditRequest>(),
        schema::<HistoryRequest>(),
        schema::<LineageRequest>(),
        schema::<ListRequest>(),
        schema::<LogRequest>(),
        schema::<PathRequest>(),
        schema::<QualityRequest>(),
        schema::<QueryRequest>(),
        schema::<ResolveRequest>(),
        schema::<MergeRequest>(),
        schema::<ReviewRequest>(),
        schema::<SearchRequest>(),
        schema::<UseRequest>(),
        schema::<Answer<ApiItem>>(),
        schema::<Answer<FileMetadata>>(),
        schema::<Answer<IssueRow>>(),
        schema::<Answer<Condition>>(),
        schema::<Answer<KindCount>>(),
        schema::<Answer<ModuleFile>>(),
        schema::<Answer<NodePresence>>(),
        schema::<Answer<OutlineEntry>>(),
        schema::<Answer<OutlineItem>>(),
        schema::<Answer<RelationCount>>(),
        schema::<Answer<Shown>>(),
        schema::<Answer<UnresolvedRow>>(),
        schema::<AstMatches>(),
        schema::<BackupManifest>(),
        schema::<BundleReport>(),
        schema::<Blame>(),
        schema::<CallsResult>(),
        schema::<CheckedClaim>(),
        schema::<ClaimStatistics>(),
        schema::<CodeContext>(),
        schema::<ContextAnswer>(),
        schema::<ContextTrace>(),
        schema::<DataSource>(),
        schema::<CacheReport>(),
        schema::<DataSources>(),
        schema::<Definition>(),
        schema::<Answer<ImportedFile>>(),
        schema::<Diff>(),
        schema::<EdgeDiff>(),
        schema::<EditSummary>(),
        schema::<EmbedReport>(),
        schema::<ErrorAnswer>(),
        schema::<FileDifference>(),
        schema::<FileSource>(),
        schema::<FileSummary>(),
        schema::<CrateSummary>(),
        schema::<GcReport>(),
        schema::<History>(),
        schema::<HistoryReport>(),
        schema::<ImpactResult>(),
        schema::<ImportReport>(),
        schema::<ImportedUses>(),
        schema::<IndexReport>(),
        schema::<LineageResult>(),
        schema::<Log>(),
        schema::<ModuleGraph>(),
        schema::<PathResult>(),
        schema::<Project>(),
        schema::<ProjectList>(),
        schema::<ProposalDetails>(),
        schema::<ProposalList>(),
        schema::<QualityReport>(),
        schema::<QueryList>(),
        schema::<QueryResult>(),
        schema::<Resolution>(),
        schema::<MergePrediction>(),
        schema::<Review>(),
        schema::<SarifLog>(),
        schema::<SearchAnswer>(),
        schema::<SearchDocs>(),
        schema::<SearchFiles>(),
        schema::<SearchProjects>(),
        schema::<Status>(),
        schema::<Timeline>(),
        schema::<TraceSummary>(),
        schema::<Verification>(),
        schema::<ImplementationsResult>(),
        schema::<PackageDependencies>(),
        schema::<DependenciesRequest>(),
        schema::<ReachResult>(),
        schema::<ReachRequest>(),
        schema::<UnusedItems>(),
        schema::<UnusedRequest>(),
        schema::<UseSummary>(),
        schema::<WhereUsedResult>(),
    ]
}
