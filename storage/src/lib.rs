//! The engine over its storages: in memory, or in one SQLite file.
//!
//! The engine is generic over its storage, so a crate that names a storage compiles the whole
//! engine for it. This crate does that once and has no generic interface, so the crate above it
//! builds in seconds. It knows nothing about code, schemas or queries, and passes errors and panics
//! of the engine on as they are; `asof`'s `src/store`, its only user, turns them into errors of its
//! own.

mod chain;
mod connection;
mod delta;
mod engine;
mod key;
mod large;
pub mod pages;
pub mod parts;
mod past;
mod report;
mod row;
mod sqlite_file;
mod versions;

pub use engine::{Engine, RowsOf};
pub use past::{Difference, Hidden};
pub use row::{ColumnWriter, RowWriter, StoredRow, ValueWriter};
pub use sqlite_file::{Hold, values};

/// How SQLite opens a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// For writing; created if nothing is there.
    Create,
    Write,
    /// For reading, while others may write.
    Read,
    /// For reading, where nobody can write: without the files beside it.
    Still,
}

/// SQLite's message for a damaged database, which this crate uses too.
pub const DAMAGED: &str = "database disk image is malformed";
