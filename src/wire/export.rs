//! Lines of an export. Their field names are short, as read by programs that compare code indexes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use asof_model::NodeId;

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Definition {
    /// Canonical path.
    pub path: String,
    /// Kind of the item.
    pub kind: String,
    /// The name as written in code: with `r#` if it is a keyword.
    pub name: String,
    /// File, relative to the root.
    pub file: String,
    /// Line of the name, from 1.
    pub line: u32,
    /// First line, documentation and attributes included.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// First byte.
    pub start_byte: u32,
    /// One past the last byte.
    pub end_byte: u32,
    /// Id of the item.
    pub id: NodeId,
    /// Visibility as written.
    pub visibility: String,
    /// The item's head.
    pub signature: String,
    /// Predicate of the item's `cfg` attributes.
    pub cfg: String,
    /// Hash of the item's tokens.
    pub tracking_hash: String,
}
