//! Errors of search.

/// Why a question cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// Nothing but blanks.
    #[error("the query is empty")]
    Empty,
    /// Longer than any question.
    #[error("the query has {len} bytes; the limit is {limit}")]
    TooLong {
        /// Bytes of the query.
        len: usize,
        /// Bytes that are allowed.
        limit: usize,
    },
    /// No letter or digit in it.
    #[error("`{0}` contains no word to search for")]
    NoWords(String),
    /// Stored terms that this program cannot read.
    #[error("stored terms of {path} cannot be read: {reason}")]
    Damaged {
        /// The file, relative to the root.
        path: String,
        /// What is wrong.
        reason: &'static str,
    },
}
