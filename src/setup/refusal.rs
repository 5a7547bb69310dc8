//! Reasons why a client's file is not edited.

/// Why a text cannot be edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("it does not parse: {0}")]
    Syntax(String),
    #[error("{0}")]
    Shape(String),
    #[error("the entry cannot be separated from the rest of the file")]
    Entangled,
}
