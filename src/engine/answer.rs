//! What every answer says of itself (mission, section 0).

use serde::Serialize;

use crate::model::{Micros, RevisionId};

/// An answer with what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer<T> {
    pub basis: Basis,
    pub source: AnswerSource,
    /// Whether there is more than was asked for; told by asking for one more than the limit.
    pub truncated: bool,
    /// Items there are in all, as far as they were counted.
    pub total: usize,
    pub items: Vec<T>,
    /// Wall time of the answer, milliseconds.
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

/// The snapshot that an answer rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Basis {
    /// Newest revision at that time; none in a database without any.
    pub revision: Option<RevisionId>,
    /// Time of that revision, RFC 3339.
    pub at: Option<String>,
    pub freshness_state: Freshness,
    /// Files on disk that are not as they were indexed.
    pub stale_files: Vec<String>,
    /// Why the answer is not as new as was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Whether the files on disk are those of the basis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    Fresh,
    Stale,
    /// Nobody looked: an answer about the past, or a database without its files.
    Unknown,
}

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AnswerSource {
    /// The newest revision.
    #[serde(rename = "NOW")]
    Now,
    /// An earlier one.
    #[serde(rename = "AS_OF")]
    AsOf,
    /// The file on disk.
    #[serde(rename = "FILE")]
    File,
}

impl Basis {
    /// A basis at a revision of which nobody compared the files.
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
