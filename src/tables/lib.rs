//! The facts of a database as interval tables that other engines read: Parquet files, with a Delta
//! log if it is wanted. Which tables there are is said in `schema`; `facts` reads the versions of a
//! database into their rows, `files` writes them, `export` decides which files an export needs.
//!
//! It never asks a question about code (`queries/sql/` does), never changes a file that it has
//! written, and never writes to the database.

mod cell;
mod common;
mod delta;
mod error;
mod export;
mod facts;
mod files;
mod intervals;
mod layouts;
mod listing;
mod lock;
mod rows;
mod schema;
mod symbol;
mod uses;
mod versions;

pub use cell::{Cell, Row};
pub use common::Reading;
pub use error::TablesError;
pub use export::{Exported, Request, TableFiles, export};
pub use facts::{Facts, OPEN};
pub use lock::{LockAt, Locked, locked};
pub use schema::{Column, EXPORT, Kind, TABLES, Table};
pub use symbol::Symbol;
