//! The database: opens it, declares its relations, runs programs, writes batches, makes backups.
//! The only folder that names the engine or SQLite. It never decides what to store, never queries
//! code on its own, and never lets a panic of the engine through.

mod aside;
pub mod backup;
mod batch;
mod boundary;
mod database;
mod dump;
mod error;
mod excerpt;
mod file;
mod guard;
mod lock;
mod merge;
mod newest;
mod panic_error;
mod place;
mod prune;
mod rows;
mod scan;
mod schema;
mod side_file;
mod stored_rows;
mod value;
mod verify;

pub use batch::{Batch, Written};
pub use database::{Limits, Store, Streamed, WriteLock};
pub use error::{GuardKind, StoreError};
pub use merge::{Changed, HistorySeam, Newest};
pub use rows::{Cell, FromCell, FromRow, ListElement, Row, Rows};
pub use scan::{Scanner, Token};
pub use schema::{Column, Relation, RowsOf, SCHEMA_VERSION};
pub use side_file::SideFile;
pub use value::{Params, Value};
pub use verify::{VERSION_HOLDS, VERSION_TIME};
