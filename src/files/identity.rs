//! The identity of a file or folder, whatever path leads to it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::SystemTime;

/// Device, inode and creation time: the inode of a removed file may be reused for the next one, its
/// creation time is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity {
    number: (u64, u64),
    born: Option<SystemTime>,
}

impl FileIdentity {
    pub fn new(meta: &Metadata) -> Self {
        Self { number: (meta.dev(), meta.ino()), born: meta.created().ok() }
    }

    /// What a path leads to; none if there is nothing.
    pub fn at(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().as_ref().map(Self::new)
    }
}
