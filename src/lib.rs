//! `asof`: a temporal code database for Rust.

pub mod model;
pub mod wire;

// Not part of the API: the binary, tests, benches, fuzz targets and examples reach into the
// layers below.
#[doc(hidden)]
pub mod edit;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod index;
#[doc(hidden)]
pub mod item_tracking;
#[doc(hidden)]
pub mod plain;
#[doc(hidden)]
pub mod query;
#[doc(hidden)]
pub mod resolve;
#[doc(hidden)]
pub mod state;
#[doc(hidden)]
pub mod store;
#[doc(hidden)]
pub mod syntax;
#[doc(hidden)]
pub mod workspace;
