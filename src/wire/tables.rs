//! Reports of exports to tables.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Basis;

/// An export of a project to tables that other engines read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TablesReport {
    /// What the export includes.
    pub basis: Basis,
    /// Value of the partition.
    pub project: String,
    /// Number of the export of this project, from 1.
    pub sequence: u64,
    /// Whether an earlier export has the same rows; then nothing was written.
    pub unchanged: bool,
    /// Whether there was an earlier export of which no file could be kept, because the past is
    /// another one: versions were dropped, history was imported, or the source has another name.
    pub from_scratch: bool,
    /// Whether Delta logs were written.
    pub delta: bool,
    /// Rows of all tables.
    pub rows: u64,
    /// Size of all files, in bytes.
    pub bytes: u64,
    /// Size of the files that were written.
    pub new_bytes: u64,
    /// By table.
    pub tables: Vec<TableReport>,
    /// Milliseconds.
    pub ms: f64,
}

/// A table of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableReport {
    /// Name of the table.
    pub table: String,
    /// Rows of the project.
    pub rows: u64,
    /// Files of the project.
    pub files: u64,
    /// Their size, in bytes.
    pub bytes: u64,
    /// Files that this export wrote.
    pub new_files: u64,
    /// Their size, in bytes.
    pub new_bytes: u64,
}
