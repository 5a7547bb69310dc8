//! Indexes in the form of SCIP, which other tools of code intelligence read. Source: the protocol's
//! `scip.proto`, through the crate `scip`.

mod document;
mod symbol;

pub use document::{
    Definition, Document, External, Place, Reference, document, externals, metadata,
};
pub(crate) use symbol::part;
pub use symbol::{Suffix, descriptors, last_segment, symbol};

/// A message that cannot be encoded.
#[derive(Debug, thiserror::Error)]
#[error("the SCIP index could not be encoded: {reason}")]
pub struct ScipError {
    pub reason: String,
}
