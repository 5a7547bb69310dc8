//! The modes of an edit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dependencies::DependencyTable;
use super::refactor::SignatureChange;
use asof_model::{NodeKind, RawHash, TrackingHash};

/// Replaces an item, or a part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CanonicalEdit {
    /// File of the item: relative to the root, or absolute.
    #[serde(default, alias = "file", skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// Path of the item.
    #[serde(alias = "canon")]
    pub path: String,
    /// Kind of the item.
    #[serde(default, alias = "node_type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<NodeKind>,
    /// The part that `code` replaces.
    #[serde(default, skip_serializing_if = "Part::is_whole")]
    pub part: Part,
    /// If the path means several items: a text that only the right one contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has: Option<String>,
    /// Text of the item or part that `code` replaces; it must occur exactly once, unless `all`
    /// is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub find: Option<String>,
    /// Replaces every occurrence of `find` in the item or part.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// The new code.
    pub code: String,
    /// Tracking hash that the item must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_tracking_hash: Option<TrackingHash>,
}

impl CanonicalEdit {
    /// Replaces a part of an item; other fields as needed, by `..CanonicalEdit::new(…)`.
    pub fn new(path: impl Into<String>, part: Part, code: impl Into<String>) -> Self {
        Self {
            file_path: None,
            path: path.into(),
            kind: None,
            part,
            has: None,
            find: None,
            all: false,
            code: code.into(),
            expected_tracking_hash: None,
        }
    }
}

/// Replaces bytes of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpliceEdit {
    /// The file: relative to the root, or absolute.
    pub file_path: String,
    /// Raw hash that the file must have.
    pub expected_file_hash: RawHash,
    /// First byte to replace.
    pub start_byte: u32,
    /// One past the last byte to replace.
    pub end_byte: u32,
    /// The new text.
    pub replacement: String,
    /// Namespace that the project must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}

/// Adds items beside or inside another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InsertEdit {
    /// Path of the other item.
    pub anchor: String,
    /// Where the new items go.
    pub position: Position,
    /// The new items.
    pub code: String,
    /// File of the other item: relative to the root, or absolute.
    #[serde(default, alias = "file", skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// Kind of the other item.
    #[serde(default, alias = "node_type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<NodeKind>,
    /// If the path means several items: a text that only the right one contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has: Option<String>,
}

impl InsertEdit {
    /// Adds code beside or inside an item.
    pub fn new(anchor: impl Into<String>, position: Position, code: impl Into<String>) -> Self {
        Self {
            anchor: anchor.into(),
            position,
            code: code.into(),
            file_path: None,
            kind: None,
            has: None,
        }
    }
}

/// Removes an item with its documentation and attributes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteEdit {
    /// Path of the item.
    #[serde(alias = "canon")]
    pub path: String,
    /// File of the item: relative to the root, or absolute.
    #[serde(default, alias = "file", skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// Kind of the item.
    #[serde(default, alias = "node_type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<NodeKind>,
    /// If the path means several items: a text that only the right one contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has: Option<String>,
    /// What becomes of its uses; if null, they are left, with a warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses: Option<DeletedUses>,
    /// Deletes it although some places may mean it, of which nothing certain is known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_guesses: bool,
    /// If only private imports are left in its module, the module is deleted, with its file and
    /// declaration. Only with `uses`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub empty_modules: bool,
    /// Tracking hash that the item must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_tracking_hash: Option<TrackingHash>,
}

impl DeleteEdit {
    /// Deletes an item; what uses it is left, with a warning.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            file_path: None,
            kind: None,
            has: None,
            uses: None,
            with_guesses: false,
            empty_modules: false,
            expected_tracking_hash: None,
        }
    }
}

/// Gives an item another name, with every use of it. Refused if a name of the workspace would
/// mean something else then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameEdit {
    /// Path of the item.
    #[serde(alias = "canon")]
    pub path: String,
    /// The new name.
    pub to: String,
    /// File of the item: relative to the root, or absolute.
    #[serde(default, alias = "file", skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// Kind of the item.
    #[serde(default, alias = "node_type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<NodeKind>,
    /// If the path means several items: a text that only the right one contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has: Option<String>,
    /// Renames this parameter, variable or label of the function at `path`, or this type or
    /// lifetime parameter of the item, instead of the item. Where several have the name,
    /// `name:line` says which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local: Option<String>,
    /// Public re-exports keep the old name: `pub use new as old`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_old: bool,
    /// Also rewrites uses with at least this confidence, from 0 to 1; 0.9 if null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_guesses: Option<f64>,
}

impl RenameEdit {
    /// Renames an item with every use of it.
    pub fn new(path: impl Into<String>, to: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            to: to.into(),
            file_path: None,
            kind: None,
            has: None,
            local: None,
            keep_old: false,
            include_guesses: None,
        }
    }
}

/// Moves an item to another module of its crate, with its documentation, attributes and impls;
/// its uses and imports are rewritten. Refused if a name of the workspace would mean something
/// else then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveEdit {
    /// Path of the item.
    #[serde(alias = "canon")]
    pub path: String,
    /// Path of the module, or its file. It is made if its parent exists.
    pub to: String,
    /// File of the item: relative to the root, or absolute.
    #[serde(default, alias = "file", skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// Kind of the item.
    #[serde(default, alias = "node_type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<NodeKind>,
    /// If the path means several items: a text that only the right one contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has: Option<String>,
    /// Leaves a re-export in the module that the item was in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_old: bool,
    /// Also rewrites uses with at least this confidence, from 0 to 1; 0.9 if null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_guesses: Option<f64>,
}

impl MoveEdit {
    /// Moves an item to a module.
    pub fn new(path: impl Into<String>, to: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            to: to.into(),
            file_path: None,
            kind: None,
            has: None,
            keep_old: false,
            include_guesses: None,
        }
    }
}

/// Gives a function another signature, with every declaration of it and every call. Refused if a
/// name of the workspace would mean something else then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeSignatureEdit {
    /// Path of the function.
    #[serde(alias = "canon")]
    pub path: String,
    /// What changes, in this order.
    pub changes: Vec<SignatureChange>,
    /// File of the function: relative to the root, or absolute.
    #[serde(default, alias = "file", skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// Kind of the item.
    #[serde(default, alias = "node_type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<NodeKind>,
    /// If the path means several items: a text that only the right one contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub has: Option<String>,
    /// Also rewrites calls with at least this confidence, from 0 to 1; 0.9 if null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_guesses: Option<f64>,
}

impl ChangeSignatureEdit {
    /// Changes the signature of a function, with every call.
    pub fn new(path: impl Into<String>, changes: Vec<SignatureChange>) -> Self {
        Self {
            path: path.into(),
            changes,
            file_path: None,
            kind: None,
            has: None,
            include_guesses: None,
        }
    }
}

/// Adds a file that does not exist yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateFileEdit {
    /// The new file: relative to the root, or absolute.
    pub file_path: String,
    /// Its contents.
    pub code: String,
}

/// Moves a file, given by its path or as the file of a module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenameFileEdit {
    /// The file: relative to the root, or absolute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    /// Path of the module.
    #[serde(default, alias = "canon", skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The new path of the file.
    pub to: String,
    /// Raw hash that the file must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_file_hash: Option<RawHash>,
}

/// Removes a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteFileEdit {
    /// The file: relative to the root, or absolute.
    pub file_path: String,
    /// Raw hash that the file must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_file_hash: Option<RawHash>,
}

/// Removes dependencies from a manifest, or moves them to other tables of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ManifestEdit {
    /// The manifest: relative to the root, or absolute.
    pub file_path: String,
    /// The entries.
    pub entries: Vec<ManifestEntry>,
    /// Raw hash that the file must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_file_hash: Option<RawHash>,
}

/// A dependency in a table of a manifest, and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ManifestEntry {
    /// Its table.
    pub table: DependencyTable,
    /// The platform of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// Its key.
    pub key: String,
    /// The table that it moves to; it is removed if null, or if that table has the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<DependencyTable>,
}

asof_model::named! {
    /// The part of an item to replace. The code must parse alone as that part: a body that closes its
    /// item and opens another one is refused.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Part {
        /// All of it, documentation and attributes included.
        #[default]
        Whole => "whole",
        /// From the visibility to before the body; of a module in a file of its own, its
        /// declaration without attributes.
        Signature => "signature",
        /// The braces with what is in them; the value of a const.
        Body => "body",
        /// The documentation comments.
        Docs => "docs",
        /// The attributes, documentation excluded; of a file, those at its start.
        Attributes => "attributes",
        /// `mod name;` with its attributes, where a module has a file of its own.
        Declaration => "declaration",
    }
}

impl Part {
    pub(super) fn is_whole(&self) -> bool {
        *self == Self::Whole
    }
}

/// What becomes of the uses of an item that is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeletedUses {
    /// It must have none.
    IfUnused,
    /// Imports and re-exports are deleted with it; it must have no others.
    WithUses,
}

/// Where new items go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// Before the other item.
    Before,
    /// After the other item.
    After,
    /// Inside the other item, before its items.
    FirstChild,
    /// Inside the other item, after its items.
    LastChild,
}
