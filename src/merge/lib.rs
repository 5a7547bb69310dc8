//! Three texts of one Rust file to one. Lines are merged as Git merges them; where they conflict, items
//! are merged, each with what it is on the other sides, imports as sets of names, and what both sides
//! add at one place is kept. What is left is a conflict in Git's markers (`docs/merge.md`).
//!
//! A pure function of the texts: it resolves no name, and reads no file or database.

mod container;
mod endings;
mod expressions;
mod file;
mod imports;
mod members;
mod order;
mod pieces;
mod use_tree;

#[cfg(test)]
mod tests;

pub use expressions::{Expressions, MatchText};
pub use file::{FileMerge, MergedBy, Twice, Unparsed, has_markers, merge_file, with_our_side};
