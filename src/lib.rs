//! `asof`: a temporal code database for Rust.

pub mod edit;
pub mod engine;
pub mod index;
pub mod item_tracking;
pub mod model;
pub mod plain;
pub mod query;
pub mod resolve;
pub mod search;
pub mod state;
pub mod store;
pub mod syntax;
pub mod wire;
pub mod workspace;
