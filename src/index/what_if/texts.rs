//! Changed files that are not on disk: their texts and paths, and texts that move between them.

use std::collections::BTreeSet;

use super::byte_ranges::Replaced;
use crate::memory::Memory;
use asof_model::{FileFacts, NodeId};

/// A file with another text, or at another path.
#[derive(Debug, Clone, Copy)]
pub struct ProposedFile<'a> {
    pub path: &'a str,
    /// Its path afterwards.
    pub to: &'a str,
    pub before: &'a FileFacts,
    pub after: &'a FileFacts,
    /// In the order of the text.
    pub replaced: &'a [Replaced],
}

/// Text that goes to another place, whole.
#[derive(Debug, Clone)]
pub struct Carried<'a> {
    /// The file, as it is called before, and the bytes.
    pub from: (&'a str, u32, u32),
    /// The file, as it is called afterwards, and the bytes.
    pub to: (&'a str, u32, u32),
    /// What is replaced in it, in order: bytes of the one file and of the other.
    pub replaced: Vec<Replaced>,
}

/// What would be written.
#[derive(Debug, Clone, Copy)]
pub struct Proposed<'a> {
    /// A file that is new has no items before.
    pub files: &'a [ProposedFile<'a>],
    pub carried: &'a [Carried<'a>],
    /// Files that are deleted.
    pub gone: &'a [&'a str],
    /// Items that get another name.
    pub renamed: &'a BTreeSet<NodeId>,
    /// From an earlier run of this process.
    pub memory: Option<&'a Memory>,
}
