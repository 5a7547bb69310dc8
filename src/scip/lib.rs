//! Indexes in the form of SCIP, which other tools of code intelligence read. Source: the protocol's
//! `scip.proto`.

mod document;
mod error;
mod messages;
mod names;
mod read;
mod symbol;
mod text;

pub use document::{
    Definition, Document, External, Place, Reference, document, externals, metadata,
};
pub use error::ScipError;
pub use names::{IndexedName, pack, unpack};
pub use read::{Index, IndexedFile, Occurrence, read};
pub use symbol::part;
pub use symbol::{Label, Suffix, SymbolText, descriptors, last_segment, segment_count, symbol};
pub use text::{Encoding, Named, Text, Unplaced};
