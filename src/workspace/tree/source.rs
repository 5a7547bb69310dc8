//! The trait of a tree of files: lists and reads its entries.

use std::fmt;
use std::path::PathBuf;

use crate::error::WorkspaceError;
use asof_model::SourceFile;

/// Kind of an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A named pipe, device or socket.
    Other(&'static str),
    /// An entry that no checkout may have, with the reason.
    Refused(Refusal),
}

/// Why an entry of a Git tree is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Duplicate,
    DotGit,
    /// Empty, `.`, `..`, or with a separator.
    NoName,
    Mode,
    TooDeep,
    TooLong,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Duplicate => "several entries of the tree have this name",
            Self::DotGit => "Git reserves the name",
            Self::NoName => "it is not a file name",
            Self::Mode => "it has an unknown mode",
            Self::TooDeep => "it is nested too deeply",
            Self::TooLong => "its path is too long",
        })
    }
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Without the folder. Lossy if it is not UTF-8.
    pub name: String,
    pub is_utf8: bool,
    pub kind: Kind,
}

/// How much of a tree a walk looks at. What exceeds it is an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub entries: usize,
    /// Rust files, manifests and documents.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Budget {
    /// The files on a disk have no limit.
    pub const UNLIMITED: Self = Self { entries: usize::MAX, files: usize::MAX, bytes: u64::MAX };
}

/// Why the bytes of a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoBytes {
    TooLarge(u64),
    /// With the reason.
    Unreadable(String),
}

/// The files of a workspace. Paths are relative to its root with `/` between their parts; the
/// root itself is empty. No operation follows a link or leaves the root.
pub trait SourceTree: Sync {
    /// Name of the tree in error messages.
    fn place(&self) -> PathBuf;
    /// Name of the root folder.
    fn name(&self) -> Option<String>;
    /// Something that two trees have in common only if all their files are the same; `None` if that
    /// is unknown without a walk.
    fn id(&self) -> Option<Vec<u8>> {
        None
    }
    /// The entries of a folder, sorted by name; the reason if they cannot be read.
    fn list(&self, folder: &str) -> Result<Vec<Entry>, String>;
    /// What is at a path; `None` for nothing, and for what a listing refuses.
    fn look(&self, path: &str) -> Option<Kind>;
    /// Target of a link, as written.
    fn target(&self, link: &str) -> Result<String, String>;
    /// Size and identity of a file.
    fn stat(&self, file: &str) -> Result<SourceFile, String>;
    /// Something that two files have in common only if their bytes are the same; `None` if that is
    /// unknown without reading them.
    fn content_id(&self, _file: &str) -> Option<Vec<u8>> {
        None
    }
    /// The bytes of a file of at most `cap` bytes.
    fn bytes(&self, file: &str, cap: u64) -> Result<Vec<u8>, NoBytes>;
    /// Manifests of the folders above the root, the nearest first, of at most `cap` bytes each.
    fn manifests_above(&self, cap: u64) -> Vec<Vec<u8>>;
    /// Limits of a walk.
    fn budget(&self) -> Budget;
    /// Fails if something could not be read that cannot be reported as an issue: a damaged object
    /// of a repository. To be called before what was read is stored.
    ///
    /// # Errors
    /// The first thing that could not be read.
    fn check(&self) -> Result<(), WorkspaceError> {
        Ok(())
    }
}

/// Path of an entry.
pub(crate) fn within(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
