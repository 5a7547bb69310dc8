//! Outlines of items, public interfaces, and the relations that a query can read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use asof_model::{NodeId, NodeKind, TrackingHash};

/// An item of an outline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutlineEntry {
    /// Id of the item.
    pub id: NodeId,
    /// The item of the outline that it is listed below: for an impl, its type.
    pub parent_id: Option<NodeId>,
    /// Level in the outline; 0 for the requested item.
    pub depth: u32,
    /// Kind of the item.
    pub kind: NodeKind,
    /// Name of the item.
    pub name: String,
    /// Canonical path; null for items without one.
    pub path: Option<String>,
    /// Visibility as written; empty for private items.
    pub visibility: String,
    /// The item's head.
    pub signature: String,
    /// Predicate of the item's `cfg` attributes; empty without any.
    pub cfg: String,
    /// File of the item, relative to the root.
    pub file_path: String,
    /// Line of the name, from 1.
    pub line: u32,
    /// Last line of the item.
    pub end_line: u32,
    /// Number of its direct children, listed or not.
    pub children: u32,
    /// Hash of the item's tokens.
    pub tracking_hash: TrackingHash,
}

/// A name that users of a crate can write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApiItem {
    /// The shortest public path.
    pub path: String,
    /// Kind of the item; `external` if another crate defines it.
    pub kind: String,
    /// The item's head.
    pub signature: String,
    /// Id of the item; null if another crate defines it.
    pub id: Option<NodeId>,
    /// Canonical path; for an external item, its path in the crate that defines it.
    pub canonical_path: Option<String>,
    /// File of the definition; for an external item, the file that re-exports it.
    pub file_path: String,
    /// Line of the name, from 1.
    pub line: Option<u32>,
    /// Predicates of the definition and of the `use`, without those of the modules around them.
    pub cfg: String,
    /// Whether the item, its `use` or a module of the path has `#[doc(hidden)]`.
    pub hidden: bool,
    /// Whether the path goes through a `use`.
    pub reexported: bool,
    /// Other public paths of the item.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_paths: Vec<String>,
}

/// A relation or view that a query can read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DataSource {
    /// Name of the relation or view.
    pub name: String,
    /// `relation` or `view`.
    pub kind: String,
    /// Whether it has versions, and is read as of a moment.
    pub versioned: bool,
    /// What it contains.
    pub doc: String,
    /// The columns, keys first.
    pub items: Vec<SourceColumn>,
}

/// A column of a relation or view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceColumn {
    /// Name of the column.
    pub name: String,
    /// Type of its values: `Uuid`, `String?`, `[Any?]`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether it is part of the key. A query that binds the first key columns is a seek.
    pub key: bool,
    /// What the column means.
    pub doc: String,
}

/// Summary of a relation or view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceSummary {
    /// Name of the relation or view.
    pub name: String,
    /// `relation` or `view`.
    pub kind: String,
    /// Whether it has versions, and is read as of a moment.
    pub versioned: bool,
    /// What it contains.
    pub doc: String,
    /// Names of the columns.
    pub columns: Vec<String>,
}

impl From<&DataSource> for SourceSummary {
    fn from(source: &DataSource) -> Self {
        Self {
            name: source.name.clone(),
            kind: source.kind.clone(),
            versioned: source.versioned,
            doc: source.doc.clone(),
            columns: source.items.iter().map(|column| column.name.clone()).collect(),
        }
    }
}

/// Relations and views that a query can read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DataSources {
    /// Number of relations and views.
    pub total: usize,
    /// The relations, then the views, by name.
    pub items: Vec<SourceSummary>,
}
