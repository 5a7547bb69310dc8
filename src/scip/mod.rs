//! Indexes in the form of SCIP, which other tools of code intelligence read. Source: the protocol's
//! `scip.proto`.

mod document;
mod messages;
mod names;
mod read;
mod symbol;
mod text;

pub use document::{
    Definition, Document, External, Place, Reference, document, externals, metadata,
};
pub use names::{IndexedName, pack, unpack};
pub use read::{Index, IndexedFile, Occurrence, read};
pub(crate) use symbol::part;
pub use symbol::{Suffix, SymbolText, descriptors, last_segment, symbol};
pub use text::{Encoding, Named, Text, Unplaced};

/// An index that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScipError {
    #[error("this is no SCIP index: {reason}")]
    NoIndex { reason: String },
    #[error("the SCIP index has `{path}` twice")]
    Twice { path: String },
}
