//! Links from items to the documentation about them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a section belongs to an item.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DocLinkReason {
    /// It mentions the item: in backticks, or by a qualified name.
    Mentions,
    /// It is the first section of a document in the same folder, or of the documentation of the
    /// item's own file.
    Beside,
}

/// A section that belongs to an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocLink {
    /// File, relative to the root.
    pub file_path: String,
    /// The headings above the section and its own, outermost first.
    pub heading: Vec<String>,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Why it belongs to the item.
    pub reason: DocLinkReason,
}
