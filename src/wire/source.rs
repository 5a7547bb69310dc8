//! Source with what its names mean, sizes of files, and how modules depend on each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::history::Event;
use asof_model::{NodeId, NodeKind, RefKind, Span};

/// Text of a file with its definitions and references.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileSource {
    /// The file, relative to the root.
    pub file_path: String,
    /// Its text; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Whether it did not parse, so that only some of its items are known.
    pub partial: bool,
    /// Its definitions, in the order of the text.
    pub items: Vec<SourceItem>,
    /// Its references, in the order of the text; of those at one name, the most certain first.
    pub links: Vec<SourceLink>,
    /// What the references mean.
    pub targets: Vec<LinkTarget>,
}

/// A definition in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceItem {
    /// Id of the item.
    pub id: NodeId,
    /// Id of the item around it.
    pub parent_id: NodeId,
    /// Kind of the item.
    pub kind: NodeKind,
    /// Name of the item.
    pub name: String,
    /// Canonical path; null for items without one.
    pub path: Option<String>,
    /// Bytes and lines of the item.
    pub span: Span,
    /// First byte of its name.
    pub name_start: u32,
    /// Line of its name, from 1.
    pub line: u32,
}

/// A reference in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceLink {
    /// First byte of the name.
    pub start: u32,
    /// How the target is used.
    pub use_kind: RefKind,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
    /// Index into `targets`.
    pub target: usize,
}

/// What references mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkTarget {
    /// Id of the item or name.
    pub id: NodeId,
    /// Kind of the item; `external` or `unknown` for names that the workspace does not define.
    pub kind: String,
    /// Canonical path, or the name of an item without one.
    pub path: String,
    /// File of the definition; null for names that the workspace does not define.
    pub file_path: Option<String>,
}

/// A file with its size and quality.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileSummary {
    /// The file, relative to the root.
    pub file_path: String,
    /// Number of lines.
    pub lines: u32,
    /// Whether it did not parse, so that only some of its items are known.
    pub partial: bool,
    /// Number of functions with a score.
    pub functions: u32,
    /// Lines with code of these functions.
    pub code_lines: u32,
    /// Mean of their scores, weighted by lines; null without functions.
    pub score: Option<f64>,
    /// Sum of their cyclomatic complexities.
    pub complexity: u32,
}

/// A crate of the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CrateSummary {
    /// Name of the package; null for files that belong to none.
    pub package: Option<String>,
    /// Name of the crate in code.
    pub crate_name: String,
    /// `lib`, `proc_macro`, `bin`, `example`, `test`, `bench`, `build_script` or `detached`.
    pub kind: String,
    /// Its root file.
    pub root_file: String,
}

/// Revisions around a moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timeline {
    /// Number of all revisions.
    pub total: usize,
    /// Number of revisions before the first of `entries`.
    pub first: usize,
    /// Oldest first.
    pub entries: Vec<TimelineEntry>,
}

/// A revision with the size of its change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEntry {
    #[serde(flatten)]
    pub event: Event,
    /// Number of files added, changed or removed.
    pub files: u32,
    /// Number of definitions added; 0 for the first revision.
    pub added: usize,
    /// Number of definitions removed.
    pub removed: usize,
    /// Number of definitions changed.
    pub changed: usize,
}

/// How modules depend on each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleGraph {
    /// Modules that use another or are used by one, by path.
    pub modules: Vec<GraphModule>,
    /// Who uses whom.
    pub edges: Vec<ModuleEdge>,
}

/// A module of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GraphModule {
    /// Id of the module.
    pub id: NodeId,
    /// Canonical path.
    pub path: String,
    /// Number of the cycle that it is part of; null if it is in none.
    pub cycle: Option<usize>,
}

/// A dependency between modules; both are indices into `modules`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleEdge {
    /// The module that uses the other.
    pub from: usize,
    /// The module that is used.
    pub to: usize,
    /// Number of pairs of items in which one uses the other.
    pub uses: u32,
}
