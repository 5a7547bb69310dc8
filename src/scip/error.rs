//! What is wrong with an index.

/// An index that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ScipError {
    #[error("this is no SCIP index: {reason}")]
    NoIndex { reason: String },
    #[error("the SCIP index has `{path}` twice")]
    Twice { path: String },
}
