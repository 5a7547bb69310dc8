//! Resolving a path to items.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Answer;
use super::error::ErrorReport;
use asof_model::Filter;
use asof_model::{Namespace, NodeId, NodeKind, RawHash, ShapeHash, Span, TrackingHash};

/// A path to resolve, with optional filters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields)]
pub struct ResolveRequest {
    /// Path of the item: crate::a::f, package::Type::method, <Type as Trait>::method, a public path,
    /// or a place: src/a.rs:42
    pub path: String,
    /// Only items of this kind: function, struct, method, …
    #[serde(default)]
    #[arg(long)]
    pub kind: Option<NodeKind>,
    /// Only items in this file: relative to the root, absolute, or the end of a path
    #[serde(default)]
    #[arg(long = "file", value_name = "FILE")]
    pub file_path: Option<String>,
    /// Only items of this package
    #[serde(default)]
    #[arg(long)]
    pub package: Option<String>,
}

impl ResolveRequest {
    /// A path without filters.
    pub fn new(path: &str) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
    }

    /// File and lines, from 1, if the path is a place: `src/a.rs:42`, `src/a.rs:42:7` or
    /// `src/a.rs:42-50`.
    pub fn place(&self) -> Option<(&str, (u32, u32))> {
        let (file, rest) = self.path.trim().split_once(".rs:")?;
        let lines = rest.split(':').next()?;
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        Some((self.path.trim().get(..file.len() + 3)?, (first, last)))
    }

    /// Whether the path is a place of several lines, which may mean several items.
    pub fn is_range(&self) -> bool {
        self.place().is_some_and(|(_, (first, last))| first != last)
    }
}

/// How a path was matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// By the canonical path of the item, and exactly the given file.
    Strict,
    /// By a public path, a path suffix, or a suffix of the file's path.
    Relaxed,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// Id of the item; versions at the same path share it.
    pub id: NodeId,
    /// Kind of the item.
    pub kind: NodeKind,
    /// Name of the item; empty for items without one.
    pub name: String,
    /// Canonical path; null for items without one, such as a `use` declaration.
    pub path: Option<String>,
    /// File of the item, relative to the root.
    pub file_path: String,
    /// Hash of the file's bytes.
    pub file_hash: RawHash,
    /// Hash of the item's tokens, documentation included; changes when the item changes.
    pub tracking_hash: TrackingHash,
    /// Hash of the item's tokens without its name; stays the same when the item is moved or
    /// renamed.
    pub shape_hash: ShapeHash,
    /// Bytes and lines of the item, documentation and attributes included.
    pub span: Span,
    /// Line of the name, from 1.
    pub line: u32,
    /// Namespace of the project.
    pub namespace: Namespace,
    /// Path of the module that the item is defined in, as a list that begins with `crate`.
    pub module_path: Vec<String>,
    /// Visibility as written; empty for private items.
    pub visibility: String,
    /// The item's head: everything before its body, without documentation and attributes.
    pub signature: String,
    /// Predicate of the item's `cfg` attributes; empty without any.
    pub cfg: String,
    /// Presence condition, of one of several definitions that a question means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Documentation.
    pub docs: String,
    /// Whether a macro call makes the item: its file, span and line are those of the call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub made: bool,
    /// The crate that defines the item, if it is not of the workspace; its files are relative to
    /// that crate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependency: Option<DependencyRef>,
    /// First byte of its name; of the keyword where there is none.
    #[serde(skip)]
    pub name_start: u32,
    #[serde(skip)]
    pub parent_id: Option<NodeId>,
    /// Root module of its crate.
    #[serde(skip)]
    pub root_id: Option<NodeId>,
}

impl Item {
    /// Id of the item around it; none of a crate's root.
    pub fn parent_id(&self) -> Option<NodeId> {
        self.parent_id
    }
}

/// A version of a crate that the workspace depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DependencyRef {
    /// Name of the package.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Registry or repository, as in the lock file.
    pub source: String,
}

/// The answer to a [`ResolveRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resolution {
    /// The path as it was parsed.
    pub query: String,
    /// How the path was matched.
    pub mode: Mode,
    #[serde(flatten)]
    pub answer: Answer<Item>,
    /// Without a match: the first segment that was not found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_segment: Option<String>,
    /// Without a match: the most similar paths, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// With several matches: a filter that leaves one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disambiguator: Option<Filter>,
}

impl Resolution {
    /// The items found.
    pub fn items(&self) -> &[Item] {
        &self.answer.items
    }

    /// With several matches: a filter for each, of the kind of `disambiguator`.
    pub fn filters(&self) -> Vec<Filter> {
        let Some(kind) = &self.disambiguator else { return Vec::new() };
        let filter = |item: &Item| match kind {
            Filter::Kind(_) => Some(Filter::Kind(item.kind)),
            Filter::FilePath(_) => Some(Filter::FilePath(item.file_path.clone())),
            // The path of a crate is a name alone, which means the others, too.
            Filter::Path(_) if item.path.as_ref() == Some(&self.query) => {
                let kinds = self.items().iter().filter(|other| other.kind == item.kind);
                let is_only = kinds.count() == 1;
                Some(if is_only { Filter::Kind(item.kind) } else { Filter::Id(item.id) })
            }
            Filter::Path(_) => item.path.clone().map(Filter::Path),
            Filter::Id(_) => Some(Filter::Id(item.id)),
        };
        let mut filters: Vec<Filter> = Vec::new();
        for filter in self.items().iter().filter_map(filter) {
            if !filters.contains(&filter) {
                filters.push(filter);
            }
        }
        filters
    }
}

/// An item with its source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    #[serde(flatten)]
    pub item: Item,
    /// Text of the item's span.
    pub text: String,
}

/// How much of an item's source is shown: all of it, all but documentation comments (those of nested
/// items, too), or its signature in one line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceForm {
    #[default]
    Source,
    WithoutDocs,
    Signature,
}

/// Sources of the items at several paths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sources {
    #[serde(flatten)]
    pub answer: Answer<Shown>,
    /// Paths whose items are not among the answer, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedPath>,
}

/// A path that could not be answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailedPath {
    /// The path as it was given.
    pub path: String,
    /// Why.
    pub error: ErrorReport,
}

/// Summary of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemRef {
    /// Id of the item.
    pub id: NodeId,
    /// Kind of the item; `external` or `unknown` for names that the workspace does not define.
    pub kind: String,
    /// Name of the item.
    pub name: String,
    /// Canonical path; the name for items without a path.
    pub path: String,
}

/// The target of a reference: an item of the workspace, or a name that it does not define.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Symbol {
    /// Id of the item or name.
    pub id: NodeId,
    /// Kind of the item; `external` or `unknown` for names that the workspace does not define.
    pub kind: String,
    /// Name of the item.
    pub name: String,
    /// Canonical path; the full path of an external name; the text of an unknown one.
    pub path: String,
    /// File of the definition; null for names that the workspace does not define.
    pub file_path: Option<String>,
    /// Line of the definition's name, from 1.
    pub line: Option<u32>,
    /// Whether the workspace does not define it.
    pub external: bool,
}

/// A few lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Snippet {
    /// The lines.
    pub text: String,
    /// Their place.
    pub location: Location,
}

/// A range of lines in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Location {
    /// File, relative to the root.
    pub file_path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

impl Symbol {
    /// An external symbol. `known`: whether it is a path of a dependency or standard crate.
    pub fn external(id: NodeId, text: String, known: bool) -> Self {
        let name = text.rsplit("::").next().unwrap_or(&text).trim_start_matches('.').to_owned();
        let kind = if known { "external" } else { "unknown" };
        let kind = kind.to_owned();
        Self { id, kind, name, path: text, file_path: None, line: None, external: true }
    }
}

impl From<&Item> for Symbol {
    fn from(item: &Item) -> Self {
        Self {
            id: item.id,
            kind: item.kind.as_str().to_owned(),
            name: item.name.clone(),
            path: item.path.clone().unwrap_or_else(|| item.name.clone()),
            file_path: Some(item.file_path.clone()),
            line: Some(item.line),
            external: false,
        }
    }
}
