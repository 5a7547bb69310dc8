//! Opening files that are not trusted, and files of our own.
//! It knows neither what they contain nor what a workspace is.

mod identity;
pub mod plain;
pub mod state;

pub use identity::FileIdentity;
