//! Questions that users write themselves: programs in CozoScript, and Tree-sitter queries over
//! sources.

mod scripts;
mod syntax;
