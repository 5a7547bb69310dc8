//! Edit requests. Unknown fields are refused: a mistyped guard must not be a guard that is never
//! checked.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::error::EditError;
use crate::model::{NodeKind, RawHash, TrackingHash};

/// Edits that are applied all or nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    pub edits: Vec<Edit>,
}

/// One edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Replaces an item, or a part of it.
    Canonical {
        /// Relative to the root, or absolute.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        canon: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node_type: Option<NodeKind>,
        #[serde(default, skip_serializing_if = "Part::is_whole")]
        part: Part,
        /// If the path means several items: text that only the right one contains.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        has: Option<String>,
        /// Text of the item, or of the part, that `code` replaces; it must occur once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        find: Option<String>,
        code: String,
        /// Refused if the item has another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected_tracking_hash: Option<TrackingHash>,
    },
    /// Replaces bytes of a file.
    Splice {
        file_path: String,
        expected_file_hash: RawHash,
        start_byte: u32,
        end_byte: u32,
        replacement: String,
        /// Id of the project; the edit is refused if the database belongs to another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        namespace: Option<String>,
    },
    /// Adds items beside or inside another.
    Insert {
        anchor: String,
        position: Position,
        code: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node_type: Option<NodeKind>,
        /// If the path means several items: text that only the right one contains.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        has: Option<String>,
    },
    /// Removes an item with its documentation and attributes.
    Delete {
        canon: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node_type: Option<NodeKind>,
        /// If the path means several items: text that only the right one contains.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        has: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected_tracking_hash: Option<TrackingHash>,
    },
    /// Adds a file that does not exist yet.
    CreateFile { file_path: String, code: String },
    /// Moves a file, named by its path or as that of a module.
    RenameFile {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file_path: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        canon: Option<String>,
        to: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected_file_hash: Option<RawHash>,
    },
    /// Removes a file.
    DeleteFile {
        file_path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected_file_hash: Option<RawHash>,
    },
}

/// Which part of an item is replaced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// All of it, documentation and attributes included.
    #[default]
    Whole,
    /// From the visibility to before the body; of a module in a file of its own, its
    /// declaration without attributes.
    Signature,
    /// The braces with what is in them; the value of a const.
    Body,
    /// The documentation comments.
    Docs,
    /// The attributes, documentation excluded; of a file, those at its start.
    Attributes,
    /// `mod name;` with its attributes, where a module has a file of its own.
    Declaration,
}

impl Part {
    fn is_whole(&self) -> bool {
        *self == Self::Whole
    }

    /// The form of the request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Signature => "signature",
            Self::Body => "body",
            Self::Docs => "docs",
            Self::Attributes => "attributes",
            Self::Declaration => "declaration",
        }
    }
}

/// Where new items go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    Before,
    After,
    FirstChild,
    LastChild,
}

impl Request {
    /// Reads a request from JSON. The error says where it is wrong, and what is expected.
    pub fn parse(text: &str) -> Result<Self, EditError> {
        let request: Self = serde_json::from_str(text)
            .map_err(|error| EditError::Malformed { reason: located(text, &error) })?;
        if request.edits.is_empty() {
            return Err(EditError::Malformed { reason: "`edits` is empty".to_owned() });
        }
        Ok(request)
    }
}

/// The error of a request with the field that it is about: `edits[2].position: …`. Places in the
/// text are those of JSON that does not read.
fn located(text: &str, error: &serde_json::Error) -> String {
    let Ok(json) = serde_json::from_str::<Json>(text) else { return error.to_string() };
    let Some(edits) = json.get("edits").and_then(Json::as_array) else { return error.to_string() };
    let wrong = edits.iter().enumerate().find_map(|(at, edit)| {
        let error = Edit::deserialize(edit).err()?;
        Some((at, edit, error.to_string()))
    });
    let Some((at, edit, reason)) = wrong else { return error.to_string() };
    let Some(fields) = edit.as_object() else { return format!("edits[{at}]: {reason}") };
    let mode = fields.get("mode").and_then(Json::as_str);
    if mode.is_none_or(|mode| !Edit::MODES.contains(&mode)) {
        return format!("edits[{at}].mode: {reason}");
    }
    // Of a wrong value the error does not name the field: without that field it is another error.
    let is_wrong = |name: &&String| {
        let mut rest = fields.clone();
        rest.remove(*name);
        Edit::deserialize(&Json::Object(rest)).err().is_none_or(|error| error.to_string() != reason)
    };
    let names_field = reason.starts_with("missing field") || reason.starts_with("unknown field");
    let field = fields.keys().filter(|name| *name != "mode").find(is_wrong);
    match field.filter(|_| !names_field) {
        Some(field) => format!("edits[{at}].{field}: {reason}"),
        None => format!("edits[{at}]: {reason}"),
    }
}

impl Edit {
    /// Every mode.
    pub const MODES: [&'static str; 7] =
        ["canonical", "splice", "insert", "delete", "create_file", "rename_file", "delete_file"];

    /// Subject of the edit, as a word or path.
    pub fn subject(&self) -> &str {
        match self {
            Self::Canonical { canon, .. } | Self::Delete { canon, .. } => canon,
            Self::Insert { anchor, .. } => anchor,
            Self::Splice { file_path, .. }
            | Self::CreateFile { file_path, .. }
            | Self::DeleteFile { file_path, .. } => file_path,
            Self::RenameFile { file_path, canon, to, .. } => {
                file_path.as_deref().or(canon.as_deref()).unwrap_or(to)
            }
        }
    }

    /// The form of the request.
    pub const fn mode(&self) -> &'static str {
        match self {
            Self::Canonical { .. } => "canonical",
            Self::Splice { .. } => "splice",
            Self::Insert { .. } => "insert",
            Self::Delete { .. } => "delete",
            Self::CreateFile { .. } => "create_file",
            Self::RenameFile { .. } => "rename_file",
            Self::DeleteFile { .. } => "delete_file",
        }
    }
}
