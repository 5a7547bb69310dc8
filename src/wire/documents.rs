//! Search in code and documentation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::resolve::ItemRef;
use super::search::{Hit, Ranked};

/// A section of documentation that answers a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SectionHit {
    /// File, relative to the root: a Markdown file, or a Rust file with documentation of a module.
    pub file_path: String,
    /// The headings above the section and its own, outermost first. Empty before the first heading.
    /// In the documentation of a module, the module's name comes first.
    pub heading: Vec<String>,
    /// Level of the heading, from 1 to 6; 0 before the first one.
    pub level: u8,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// `markdown`, or `rust` for the documentation of a module.
    pub language: String,
    /// The beginning of its text.
    pub excerpt: String,
    /// From 0 to 1, among the sections of this search.
    pub relevance_score: f64,
    /// The items that it mentions, as far as the names have one meaning.
    pub mentions: Vec<ItemRef>,
    /// Its Markdown, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Features and their values, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<serde_json::Value>,
}

/// An item or a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "tag", rename_all = "snake_case")]
pub enum DocsHit {
    /// An item, of whatever kind.
    Fn(Box<Hit>),
    /// A section of documentation.
    Doc(Box<SectionHit>),
}

/// The items and the sections of documentation that answer a search, in one list.
pub type SearchDocs = Ranked<DocsHit>;
