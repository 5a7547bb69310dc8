//! Texts that are not written yet.

use std::collections::BTreeSet;

use super::replaced::Replaced;
use crate::index::memory::Memory;
use crate::model::{FileFacts, NodeId};

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

/// What would be written.
#[derive(Debug, Clone, Copy)]
pub struct Proposed<'a> {
    pub files: &'a [ProposedFile<'a>],
    /// Files that are deleted.
    pub gone: &'a [&'a str],
    /// Items that get another name.
    pub renamed: &'a BTreeSet<NodeId>,
    /// From an earlier run of this process.
    pub memory: Option<&'a Memory>,
}
