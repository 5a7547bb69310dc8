//! What the surfaces share: how items are named, errors with typed hints, answers as text, the
//! query process, the database of a server and its updates.
//! A surface adds its own words for hints. Nothing here prints.

pub mod gather;
pub mod hint;
pub mod json;
pub mod listing;
pub mod package_filter;
pub mod phase;
pub mod problem;
pub mod queries;
pub mod questions;
pub mod sarif;
pub mod target;
pub mod test_filter;
pub mod text;
pub mod trace;
pub mod watch;
pub mod words;
pub mod worker;
pub mod workspace;
