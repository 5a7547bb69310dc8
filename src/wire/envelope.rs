//! What every answer says about itself: its basis, its source, and how much it lists.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use asof_model::{Micros, RevisionId};

/// An answer, with the snapshot that it is based on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer<T> {
    /// The snapshot that the answer is based on.
    pub basis: Basis,
    /// Where the answer comes from: `NOW`, `AS_OF` or `FILE`.
    pub source: AnswerSource,
    /// Whether there are more items than `items` lists.
    pub truncated: bool,
    /// Number of items without the limit.
    pub total: usize,
    /// The items, up to the limit.
    pub items: Vec<T>,
    /// Wall time of the answer, in milliseconds.
    pub ms: f64,
}

impl<T> Answer<T> {
    /// Keeps the first items; `total` still counts all.
    pub fn cut(&mut self, limit: Option<usize>) {
        let limit = limit.unwrap_or(usize::MAX);
        self.truncated |= self.items.len() > limit;
        self.items.truncate(limit);
    }
}

/// The snapshot that an answer is based on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Basis {
    /// The newest revision at that time; null in an empty database.
    pub revision: Option<RevisionId>,
    /// Time of that revision, RFC 3339.
    pub at: Option<String>,
    /// Whether the files on disk are those of the revision.
    pub freshness_state: Freshness,
    /// Files on disk that differ from the revision.
    pub stale_files: Vec<String>,
    /// Why the answer is older than requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Whether the files on disk are those that an answer is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    /// They are the same.
    Fresh,
    /// Some differ; see `stale_files`.
    Stale,
    /// They were not compared: the answer is about the past, or the database has no files.
    Unknown,
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum AnswerSource {
    /// The newest revision.
    #[serde(rename = "NOW")]
    Now,
    /// An earlier revision.
    #[serde(rename = "AS_OF")]
    AsOf,
    /// The file on disk.
    #[serde(rename = "FILE")]
    File,
}

impl Basis {
    /// A basis whose files were not compared.
    pub fn unknown(revision: Option<RevisionId>, at: Option<Micros>) -> Self {
        Self {
            revision,
            at: at.map(|at| at.to_string()),
            freshness_state: Freshness::Unknown,
            stale_files: Vec::new(),
            note: None,
        }
    }
}
