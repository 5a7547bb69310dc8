//! The tree of one commit after another as files, as far as a walk looks at them: Rust files,
//! manifests, ignore files, cache tags, links. Only what differs from the commit before is
//! written, so that going on costs what changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gix::ObjectId;
use gix::objs::tree::EntryKind;

use super::error::WorkspaceError;
use super::git::Git;

/// Trees below trees deeper than this are refused.
const MAX_DEPTH: usize = 256;
/// Files with more bytes than this are cut: no parser takes them.
const MAX_BYTES: usize = 64 << 20;

/// A folder that holds the relevant files of a commit.
pub struct Checkout<'a> {
    git: &'a Git,
    folder: PathBuf,
    tree: Option<ObjectId>,
    /// Seconds since 1970 of the last file time given: each file written gets one of its own, of
    /// long ago, so that times vouch for contents.
    clock: u64,
    /// Files written or removed by the last step.
    changed: usize,
}

impl std::fmt::Debug for Checkout<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkout").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// An entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    name: String,
    kind: EntryKind,
    id: ObjectId,
}

impl<'a> Checkout<'a> {
    /// Begins with an empty folder, which must be there.
    pub fn new(git: &'a Git, folder: &Path) -> Self {
        Self { git, folder: folder.to_owned(), tree: None, clock: 1_000_000_000, changed: 0 }
    }

    /// Makes the folder hold the tree of a commit; how many files were written or removed.
    ///
    /// # Errors
    /// If an object is missing or damaged, or a file cannot be written.
    pub fn move_to(&mut self, commit: &str) -> Result<usize, WorkspaceError> {
        let tree = self.tree_of(commit)?;
        self.changed = 0;
        let old = self.tree.take();
        if old != tree {
            self.step(old, tree, &self.folder.clone(), 0)?;
        }
        self.tree = tree;
        Ok(self.changed)
    }

    /// The tree at the root of the workspace; none before there was one.
    fn tree_of(&self, commit: &str) -> Result<Option<ObjectId>, WorkspaceError> {
        let bad = |e: &dyn std::fmt::Display| self.git.bad(commit, e);
        let id = ObjectId::from_hex(commit.as_bytes()).map_err(|e| bad(&e))?;
        let found = self.git.repository.find_commit(id).map_err(|e| bad(&e))?;
        let tree = found.tree().map_err(|e| bad(&e))?;
        if self.git.prefix.is_empty() {
            return Ok(Some(tree.id().detach()));
        }
        let entry = tree.lookup_entry_by_path(&self.git.prefix).map_err(|e| bad(&e))?;
        Ok(entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id()))
    }

    fn entries(&self, tree: Option<ObjectId>) -> Result<Vec<Entry>, WorkspaceError> {
        let Some(id) = tree else { return Ok(Vec::new()) };
        let bad = |e: &dyn std::fmt::Display| self.git.bad(&id.to_string(), e);
        let tree = self.git.repository.find_tree(id).map_err(|e| bad(&e))?;
        let mut entries = Vec::new();
        for entry in tree.iter() {
            let entry = entry.map_err(|e| bad(&e))?;
            // A name that is not UTF-8 has no path in the database either.
            let Ok(name) = std::str::from_utf8(entry.filename()) else { continue };
            let hostile = name.is_empty() || name == "." || name == ".." || name.contains('/');
            if hostile || name.eq_ignore_ascii_case(".git") {
                continue;
            }
            let (name, id) = (name.to_owned(), entry.object_id());
            entries.push(Entry { name, kind: entry.mode().kind(), id });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Turns one folder from the old tree into the new.
    fn step(
        &mut self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
        folder: &Path,
        depth: usize,
    ) -> Result<(), WorkspaceError> {
        if depth > MAX_DEPTH {
            return Err(self.git.bad("tree", &"nested too deep"));
        }
        let (old, new) = (self.entries(old)?, self.entries(new)?);
        let kept = |entry: &&Entry| new.binary_search_by(|e| e.name.cmp(&entry.name)).is_ok();
        for gone in old.iter().filter(|entry| !kept(entry)) {
            self.remove(gone, folder, depth)?;
        }
        for entry in &new {
            let before = old.binary_search_by(|e| e.name.cmp(&entry.name)).ok();
            let before = before.and_then(|at| old.get(at));
            if before == Some(entry) {
                continue;
            }
            let same_kind = before.filter(|b| is_tree(b) == is_tree(entry));
            if let Some(before) = before.filter(|b| is_tree(b) != is_tree(entry)) {
                self.remove(before, folder, depth)?;
            }
            let path = folder.join(&entry.name);
            if is_tree(entry) {
                self.step(same_kind.map(|b| b.id), Some(entry.id), &path, depth + 1)?;
            } else {
                if same_kind.is_some_and(is_relevant) {
                    self.unlink(&path)?;
                }
                if is_relevant(entry) {
                    self.write(entry, &path)?;
                }
            }
        }
        Ok(())
    }

    fn remove(&mut self, entry: &Entry, folder: &Path, depth: usize) -> Result<(), WorkspaceError> {
        let path = folder.join(&entry.name);
        if is_tree(entry) {
            self.step(Some(entry.id), None, &path, depth + 1)?;
            // Gone already where it held nothing of interest.
            let _ = fs::remove_dir(&path);
            return Ok(());
        }
        if is_relevant(entry) { self.unlink(&path) } else { Ok(()) }
    }

    fn unlink(&mut self, path: &Path) -> Result<(), WorkspaceError> {
        self.changed += 1;
        match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(path, error)),
            _ => Ok(()),
        }
    }

    fn write(&mut self, entry: &Entry, path: &Path) -> Result<(), WorkspaceError> {
        self.changed += 1;
        let bad = |e: &dyn std::fmt::Display| self.git.bad(&entry.id.to_string(), e);
        let blob = self.git.repository.find_blob(entry.id).map_err(|e| bad(&e))?;
        let data = blob.data.get(..MAX_BYTES).unwrap_or(&blob.data);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
        }
        if entry.kind == EntryKind::Link {
            return link(data, path);
        }
        fs::write(path, data).map_err(|e| failed(path, e))?;
        self.clock += 1;
        let time: SystemTime = UNIX_EPOCH + Duration::from_secs(self.clock);
        let file = fs::File::options().write(true).open(path).map_err(|e| failed(path, e))?;
        file.set_modified(time).map_err(|e| failed(path, e))
    }
}

#[cfg(unix)]
fn link(target: &[u8], path: &Path) -> Result<(), WorkspaceError> {
    use std::os::unix::ffi::OsStrExt;
    let target = std::ffi::OsStr::from_bytes(target);
    std::os::unix::fs::symlink(target, path).map_err(|e| failed(path, e))
}

/// Where there are no links git writes their text into a file.
#[cfg(not(unix))]
fn link(target: &[u8], path: &Path) -> Result<(), WorkspaceError> {
    fs::write(path, target).map_err(|e| failed(path, e))
}

fn is_tree(entry: &Entry) -> bool {
    entry.kind == EntryKind::Tree
}

/// Whether a walk looks at such a file.
fn is_relevant(entry: &Entry) -> bool {
    match entry.kind {
        EntryKind::Link => true,
        EntryKind::Blob | EntryKind::BlobExecutable => {
            entry.name.ends_with(".rs")
                || ["Cargo.toml", ".gitignore", ".ignore", "CACHEDIR.TAG"]
                    .contains(&entry.name.as_str())
        }
        EntryKind::Tree | EntryKind::Commit => false,
    }
}

fn failed(path: &Path, source: std::io::Error) -> WorkspaceError {
    WorkspaceError::Unwritable { path: path.to_owned(), source }
}
