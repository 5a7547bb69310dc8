//! The walk that every command begins with: which Rust files and manifests are there, and how
//! old. It opens no file but ignore files and cache tags, and runs on one thread: the parallel
//! walk of `ignore` needs 1–4 ms more for 28 files and saves nothing for 800, because its threads
//! sleep for a millisecond whenever they have no work.
//!
//! What lies below the root decides alone: `.gitignore`, `.ignore` and `.git/info/exclude` there
//! are honoured whether or not the root is a repository, while ignore files above the root and
//! the user's global one are not, so that a copy of the tree gives the same answer anywhere.
//! Hidden files and folders are skipped, and folders with a `CACHEDIR.TAG` (such as Cargo's
//! `target`, whatever its name). Links to folders are not followed. A link to a file that the
//! walk meets anyway is left out and kept in [`Walk::links`]; a link to another file inside the
//! root counts as a file; one that leads out or nowhere is an issue.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use ignore::{DirEntry, WalkBuilder};

use super::error::WorkspaceError;
use super::paths;
use super::read::issue;
use crate::model::{Issue, IssueKind, SourceFile};

/// What a [`walk`] found. Every list is sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// Rust files.
    pub files: Vec<SourceFile>,
    /// Files named `Cargo.toml`: when one changes, targets may.
    pub manifests: Vec<SourceFile>,
    /// Links to Rust files of `files`, with the file that each leads to. A module whose file is
    /// such a link has that file's text.
    pub links: BTreeMap<String, String>,
    /// What could not be read, or has a name that is not UTF-8.
    pub issues: Vec<Issue>,
}

/// Walks `root`.
///
/// # Errors
/// If `root` is missing, no folder, or unreadable. Whatever below it cannot be read is an issue.
pub fn walk(root: &Path) -> Result<Walk, WorkspaceError> {
    let root = checked_root(root)?;
    let entries = WalkBuilder::new(&root)
        .hidden(true)
        .parents(false)
        .require_git(false)
        .git_global(false)
        .follow_links(false)
        .filter_entry(|entry| !is_cache(entry))
        .build();
    let mut found = Found::default();
    for entry in entries {
        found.visit(&root, entry);
    }
    Ok(found.into_walk(&root))
}

impl Walk {
    /// Adds files that the walk left out because they are ignored or hidden, such as those that a
    /// target of a manifest names. `paths` are relative to `root`; known, missing and escaping
    /// ones change nothing.
    pub fn include<'a>(&mut self, root: &Path, paths: impl IntoIterator<Item = &'a str>) {
        for path in paths {
            let list = match paths::name(path) {
                "Cargo.toml" => &mut self.manifests,
                name if name.ends_with(".rs") => &mut self.files,
                _ => continue,
            };
            let Err(at) = list.binary_search_by(|file| file.path.as_str().cmp(path)) else {
                continue;
            };
            if self.links.contains_key(path) || paths::join("", path).as_deref() != Some(path) {
                continue;
            }
            if let Ok(meta) = fs::metadata(root.join(path))
                && meta.is_file()
                && stays_inside(root, path)
            {
                list.insert(at, source_file(path.to_owned(), &meta));
            }
        }
    }

    /// Whether `path` is a Rust file of the walk.
    pub fn has_file(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
    }
}

/// The root without links.
pub(super) fn checked_root(root: &Path) -> Result<PathBuf, WorkspaceError> {
    let path = root.to_owned();
    let root = match fs::canonicalize(root) {
        Ok(root) => root,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(WorkspaceError::NotFound { path });
        }
        Err(source) => return Err(WorkspaceError::Unreadable { path, source }),
    };
    if !root.is_dir() {
        return Err(WorkspaceError::NotAFolder { path });
    }
    match fs::read_dir(&root) {
        Ok(_) => Ok(root),
        Err(source) => Err(WorkspaceError::Unreadable { path, source }),
    }
}

#[derive(Default)]
struct Found {
    files: Vec<SourceFile>,
    manifests: Vec<SourceFile>,
    links: Vec<String>,
    issues: Vec<Issue>,
}

impl Found {
    fn visit(&mut self, root: &Path, entry: Result<DirEntry, ignore::Error>) {
        match entry {
            Ok(entry) => self.entry(root, &entry),
            Err(error) => {
                let path = error_path(&error).map(|path| path.strip_prefix(root).unwrap_or(path));
                let path = path.unwrap_or(Path::new("")).to_string_lossy();
                self.issues.push(issue(&path, IssueKind::Unreadable, cause(&error)));
            }
        }
    }

    fn entry(&mut self, root: &Path, entry: &DirEntry) {
        let name = entry.file_name().as_encoded_bytes();
        let manifest = name == b"Cargo.toml";
        if !manifest && !name.ends_with(b".rs") {
            return;
        }
        let Some(kind) = entry.file_type().filter(|kind| kind.is_file() || kind.is_symlink())
        else {
            return;
        };
        let Some(path) = paths::relative(root, entry.path()) else {
            let path = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_string_lossy();
            let message = "the file's name is not UTF-8";
            return self.issues.push(issue(&path, IssueKind::Unreadable, message));
        };
        if kind.is_symlink() {
            return self.links.push(path);
        }
        match entry.metadata() {
            Ok(meta) => {
                let list = if manifest { &mut self.manifests } else { &mut self.files };
                list.push(source_file(path, &meta));
            }
            Err(error) => self.issues.push(issue(&path, IssueKind::Unreadable, cause(&error))),
        }
    }

    fn into_walk(mut self, root: &Path) -> Walk {
        self.files.sort_unstable();
        self.manifests.sort_unstable();
        self.links.sort_unstable();
        let mut walk = Walk {
            files: self.files,
            manifests: self.manifests,
            links: BTreeMap::new(),
            issues: self.issues,
        };
        let mut more = Vec::new();
        for path in self.links {
            match link_target(root, &path) {
                Ok(None) => {}
                Ok(Some(target)) if walk.has_file(&target) => {
                    walk.links.insert(path, target);
                }
                Ok(Some(_)) => more.push(path),
                Err(issue) => walk.issues.push(issue),
            }
        }
        walk.include(root, more.iter().map(String::as_str));
        walk.issues.sort();
        walk
    }
}

/// The file that the link `path` leads to, relative to the root; `None` if that is a folder.
fn link_target(root: &Path, path: &str) -> Result<Option<String>, Issue> {
    let unreadable = |message: String| issue(path, IssueKind::Unreadable, message);
    let target = fs::canonicalize(root.join(path))
        .map_err(|error| unreadable(format!("the symbolic link leads nowhere: {error}")))?;
    if target.is_dir() {
        return Ok(None);
    }
    match paths::relative(root, &target) {
        Some(target) => Ok(Some(target)),
        None => Err(unreadable("the symbolic link leads out of the workspace".to_owned())),
    }
}

fn stays_inside(root: &Path, path: &str) -> bool {
    match (fs::canonicalize(root), fs::canonicalize(root.join(path))) {
        (Ok(root), Ok(full)) => full.starts_with(root),
        _ => false,
    }
}

fn source_file(path: String, meta: &Metadata) -> SourceFile {
    let modified_ns = meta.modified().map_or(0, |time| match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => {
            i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |before| -before)
        }
    });
    let (changed_ns, inode) = identity(meta);
    SourceFile { changed_ns, inode, ..SourceFile::new(path, meta.len(), modified_ns) }
}

/// When the file or its entry changed last, and its number.
#[cfg(unix)]
fn identity(meta: &Metadata) -> (i64, u64) {
    use std::os::unix::fs::MetadataExt;
    let changed_ns = meta.ctime().saturating_mul(1_000_000_000).saturating_add(meta.ctime_nsec());
    (changed_ns, meta.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (i64, u64) {
    (0, 0)
}

/// Whether a folder below the root is marked as a cache.
fn is_cache(entry: &DirEntry) -> bool {
    const SIGNATURE: &[u8; 43] = b"Signature: 8a477f597d28d172789f06886806bc55";
    if entry.depth() == 0 || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
        return false;
    }
    let tag = entry.path().join("CACHEDIR.TAG");
    // Most folders have none, and a look is cheaper than an attempt to open; a named pipe or
    // device of that name is no tag.
    if !fs::symlink_metadata(&tag).is_ok_and(|meta| meta.is_file()) {
        return false;
    }
    let mut start = [0; SIGNATURE.len()];
    File::open(&tag).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *SIGNATURE
}

fn error_path(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithLineNumber { err, .. } | ignore::Error::WithDepth { err, .. } => {
            error_path(err)
        }
        _ => None,
    }
}

/// The message without the path, which is absolute and stands in the issue anyway.
fn cause(error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { err, .. }
        | ignore::Error::WithLineNumber { err, .. }
        | ignore::Error::WithDepth { err, .. } => cause(err),
        ignore::Error::Io(error) => format!("cannot be read: {error}"),
        error => error.to_string(),
    }
}
