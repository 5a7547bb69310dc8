//! User queries, and the list of named ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::envelope::{AnswerSource, Basis};

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Script {
    /// A script in CozoScript.
    Text(String),
    /// The name of a shipped query, or of one in `.asof/queries`.
    Name(String),
}

/// A query, with its limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryRequest {
    /// What to run.
    pub script: Script,
    /// Names and values of parameters. A named query parses texts as the declared type.
    #[serde(default)]
    pub params: Vec<(String, Json)>,
    /// Whether to answer with the plan of the query.
    #[serde(default)]
    pub explain: bool,
    /// Limit of time, in milliseconds.
    #[serde(default = "default_time")]
    pub time_ms: u64,
    /// Limit of memory, in bytes.
    #[serde(default = "default_memory")]
    pub memory_bytes: usize,
    /// Maximum number of rows.
    #[serde(default = "default_rows")]
    pub rows: usize,
}

fn default_time() -> u64 {
    10_000
}

fn default_memory() -> usize {
    512 << 20
}

fn default_rows() -> usize {
    1_000
}

impl QueryRequest {
    /// A script with the default limits: ten seconds, 512 MiB, 1,000 rows.
    pub fn new(script: Script) -> Self {
        Self {
            script,
            params: Vec::new(),
            explain: false,
            time_ms: default_time(),
            memory_bytes: default_memory(),
            rows: default_rows(),
        }
    }
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryResult {
    /// The snapshot that the answer is based on.
    pub basis: Basis,
    /// Where the answer comes from: `NOW` or `AS_OF`.
    pub source: AnswerSource,
    /// Whether there are more rows than `items` lists.
    pub truncated: bool,
    /// Number of rows in `items`.
    pub total: usize,
    /// Names of the columns.
    pub headers: Vec<String>,
    /// The rows.
    pub items: Vec<Vec<Json>>,
    /// Wall time of the answer, in milliseconds.
    pub ms: f64,
}

/// Queries that can be run by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryList {
    /// Number of queries.
    pub total: usize,
    /// The queries, by name.
    pub items: Vec<NamedQuery>,
    /// Problems of files in `.asof/queries`.
    pub problems: Vec<String>,
}

/// A query that can be run by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NamedQuery {
    /// Name of the query.
    pub name: String,
    /// What it answers.
    pub doc: String,
    /// How its cost grows: `seek` with the answer, `bounded` with one file, container or path,
    /// `scan` with the workspace.
    pub cost: String,
    /// Where it comes from: `shipped` or `user`.
    pub source: String,
    /// Its parameters.
    pub params: Vec<QueryParam>,
    /// Columns of its answer.
    pub columns: Vec<QueryColumn>,
    /// The parameters in one line.
    pub signature: String,
}

/// A parameter of a named query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryParam {
    /// Name of the parameter.
    pub name: String,
    /// Type of its value.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it means.
    pub doc: String,
}

/// A column of a named query's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryColumn {
    /// Name of the column.
    pub name: String,
    /// Type of its values.
    #[serde(rename = "type")]
    pub kind: String,
}
