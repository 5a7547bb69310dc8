//! What items use: types, expressions and patterns, read from the same tokens as everything
//! else, in one pass. It takes any tokens, valid or broken, up to a limited depth.
//! It knows nothing about scopes and never says what a name means.

mod exprs;
mod items;
mod macros;
mod mentions;
mod names;
mod pats;
mod primary;
mod reader;
mod regions;
mod signature;
mod templates;
mod types;

pub(super) use items::{ItemSyntax, extract};
pub(super) use regions::regions;
pub use templates::{ExpandedCode, read_expansion};
