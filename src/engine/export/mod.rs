//! A whole database for other programs: lines of JSON, and tables. Indexes in the form of SCIP are
//! in `scip/`.

mod lines;
mod tables;
mod uses;

pub use lines::{DEFAULT_CERTAINTY, ExportKind};
pub use tables::TablesRequest;
