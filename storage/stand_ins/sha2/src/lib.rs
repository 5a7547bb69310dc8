//! SHA-2 for the engine, which asks for an older release of the crate that others bring anyway.

pub use current::*;
