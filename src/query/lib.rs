//! Queries to the store: the programs of `queries/` and `.asof/queries`, their headers, shared
//! views, parameters, and typed results. It never writes, never names the engine, and never splices
//! a value into the text of a program.

mod answers;
mod calls;
mod error;
mod header;
mod library;
mod moments;
mod params;
mod path_query;
mod patterns;
mod queries;
mod rows;
mod schema;
mod stored_place;
mod stored_use;
mod views;

#[cfg(test)]
mod tests;

pub use error::QueryError;
pub use header::{Column, Cost, Param, ParamType, Program};
pub use library::{Library, ProgramSource, run};
pub use moments::{Moments, UnknownMoment};
pub use path_query::{InImpl, PathMatch, PathQuery, Prefixes};
pub use patterns::SYNTAX_PATTERNS;
pub use queries::{LogFilter, PathSearch, Queries, UseCount, UseFilter};
pub use rows::*;
pub use schema::{data_source, data_sources};
pub use stored_place::StoredPlace;
pub use stored_use::{Occurrences, StoredUse, StoredUser};
pub use views::View;
