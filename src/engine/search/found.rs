//! An item found by a search, with its scores.

use crate::error::EngineError;
use asof_model::Hint;
use asof_search::SearchError;
use asof_wire::LineMatch;

/// An item that was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    /// Index of the file in the corpus.
    pub file: usize,
    /// Index of the item among those of the file's terms.
    pub item: usize,
    pub score: f64,
    /// Features, if asked for.
    pub features: Option<serde_json::Value>,
    /// Why it is listed.
    pub why: Vec<String>,
    pub matches: Vec<LineMatch>,
    pub rank_value: Option<f64>,
}

pub(super) fn bad_query(error: SearchError) -> EngineError {
    let hint = match &error {
        SearchError::Empty => "give words, a name or a path",
        SearchError::TooLong { .. } => "search for a few words of it",
        _ => "a word has a letter or digit; other text can be found letter by letter",
    };
    EngineError::BadRequest { what: error.to_string(), hint: Hint::advice(hint) }
}
