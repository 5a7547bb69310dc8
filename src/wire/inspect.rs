//! Files, modules, nodes, issues and unresolved names.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use asof_model::{Namespace, NodeId, NodeKind, RawHash, Span, TrackingHash};

/// A file, on disk and in the database.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileMetadata {
    /// Whether the file could be read.
    pub ok: bool,
    /// The file, relative to the root.
    pub file_path: String,
    /// Whether the file exists on disk.
    pub exists: bool,
    /// Length in bytes.
    pub byte_len: Option<u64>,
    /// Time of the last change, in milliseconds since 1970.
    pub modified_ms: Option<i64>,
    /// Hash of the bytes on disk.
    pub file_hash: Option<RawHash>,
    /// Hash of the tokens as indexed.
    pub tracking_hash: Option<TrackingHash>,
    /// Whether the database has the file.
    pub indexed: bool,
    /// Whether the bytes on disk are those that were indexed.
    pub in_sync: bool,
    /// Whether the file did not parse, so that only some of its items are known.
    pub partial: bool,
}

/// A module with its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleFile {
    /// Id of the module.
    pub id: NodeId,
    /// Path of the module, as a list that begins with `crate`.
    pub module_path: Vec<String>,
    /// `root`, `file`, `inline` or `missing`.
    pub module_kind: String,
    /// File of the module; of an inline module, that of its nearest ancestor with a file.
    pub file_path: String,
    /// Namespace of the project.
    pub namespace: Namespace,
    /// Hash of the module's tokens.
    pub tracking_hash: TrackingHash,
}

/// Whether a node exists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NodePresence {
    /// Id of the node.
    pub id: NodeId,
    /// Whether it exists at the time of the snapshot.
    pub present: bool,
    /// Kind of the node.
    pub kind: Option<NodeKind>,
    /// Hash of its tokens.
    pub tracking_hash: Option<TrackingHash>,
    /// Its file.
    pub file_path: Option<String>,
    /// Its bytes and lines.
    pub span: Option<Span>,
}

/// Number of rows of a relation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelationCount {
    /// Name of the relation.
    pub relation: String,
    /// Number of rows.
    pub rows: u64,
}

/// Number of definitions of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KindCount {
    /// The kind.
    pub kind: NodeKind,
    /// Number of definitions.
    pub definitions: u64,
}

/// A condition under which items exist.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Condition {
    /// The predicate in normal form.
    pub condition: String,
    /// Number of definitions whose own attributes say so; what they contain does not count.
    pub definitions: u64,
    /// Number of definitions that exist under it: by their own attributes and those of everything
    /// that they are in.
    pub effective: u64,
    /// Number of files with definitions of either kind.
    pub files: u64,
}

/// A request for a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct ListRequest {
    /// Maximum number of items; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
}

/// Something that could not be read or understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IssueRow {
    /// The file.
    pub file_path: String,
    /// Kind of the issue.
    pub kind: String,
    /// Description.
    pub message: String,
    /// Its place.
    pub span: Option<Span>,
}

/// A name that the workspace does not define.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnresolvedRow {
    /// The name as written.
    pub text: String,
    /// How it is used.
    pub kind: String,
    /// Last segment of the name.
    pub name: String,
    /// Path of the module or impl that uses it.
    pub source_path: Option<String>,
    /// The file.
    pub file_path: String,
    /// Whether a dependency or a standard crate defines it.
    pub external: bool,
}

/// An item of a container or file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutlineItem {
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
    /// The item's head.
    pub signature: String,
    /// Predicate of the item's `cfg` attributes; empty without any.
    pub cfg: String,
    /// Hash of the item's tokens.
    pub tracking_hash: TrackingHash,
    /// Bytes and lines of the item.
    pub span: Option<Span>,
}
