//! Queries over syntax trees.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Answer;

/// A tree-sitter query over sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct AstRequest {
    /// The query in S-expressions, or the name of a shipped one: functions, structs, enums, impls,
    /// errors
    pub query: String,
    /// Only these files: paths, ends of paths, folders, or glob patterns
    #[arg(long = "file", value_name = "FILE")]
    pub files: Vec<String>,
    /// Only this item
    #[arg(long, value_name = "PATH", conflicts_with = "files")]
    pub path: Option<String>,
    /// Maximum number of matches; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
}

/// A match of a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AstMatch {
    /// File of the match, relative to the root.
    pub file_path: String,
    /// First line, from 1.
    pub line: u32,
    /// Which pattern of the query matches, from 0.
    pub pattern: u32,
    /// The captures, in the order of the text.
    pub captures: Vec<AstCapture>,
}

/// A captured node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AstCapture {
    /// Name of the capture.
    pub name: String,
    /// Kind of the node in the grammar.
    pub node: String,
    /// Its text.
    pub text: String,
    /// Offset in the file, in bytes.
    pub start_byte: u32,
    /// Offset of its end, in bytes.
    pub end_byte: u32,
    /// First line, from 1.
    pub start_line: u32,
    /// Column of its start, from 1, in bytes.
    pub start_column: u32,
    /// Last line.
    pub end_line: u32,
}

/// Matches of a query, by file and place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AstMatches {
    #[serde(flatten)]
    pub answer: Answer<AstMatch>,
    /// Number of files that were searched.
    pub files: usize,
    /// Files in which the query or the parser gave up: their matches may be incomplete.
    pub incomplete_files: Vec<String>,
}
