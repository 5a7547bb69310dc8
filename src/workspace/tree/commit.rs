//! The tree of a commit, read from Git objects. Listings of trees and sizes of blobs are kept
//! from one commit to the next, so that the next commit costs only what changed. An object that is
//! missing or damaged cannot be reported as an issue of the commit, because its contents are
//! unknown: [`SourceTree::check`] fails instead.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gix::ObjectId;
use gix::objs::Kind as ObjectKind;

use super::object::{HashKind, Listing, TreeEntry, parse_tree};
use super::reader::Reader;
use super::{Budget, Entry, Kind, NoBytes, Refusal, SourceTree, within};
use crate::error::WorkspaceError;
use crate::git::{Git, MAX_COMMIT, bad_commit, tree_of};
use asof_model::SourceFile;

/// Depth of folders, and bytes of a path: no file system allows longer paths.
const MAX_DEPTH: usize = 256;
const MAX_PATH: usize = 4000;
/// Bytes of a tree object: a million entries.
const MAX_TREE: u64 = 64 << 20;
/// Bytes of a link, as on disk.
const MAX_LINK: u64 = 4096;
/// Entries of trees that are kept.
const MAX_KEPT: usize = 1 << 20;
/// A tree of a few kilobytes can refer to itself so often that no disk could hold its checkout.
const BUDGET: Budget = Budget { entries: 1_000_000, files: 200_000, bytes: 1 << 30 };

/// The commits of a repository, as trees of files.
pub struct Commits {
    reader: Reader,
    /// From the top of a commit's tree to the root of the workspace.
    prefix: String,
    name: Option<String>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    trees: HashMap<ObjectId, Arc<Listing>>,
    entries: usize,
    sizes: HashMap<ObjectId, u64>,
}

impl std::fmt::Debug for Commits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Commits").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl Commits {
    /// `root`: the folder of the workspace, which gives the name of a project without manifests.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn new(git: &Git, root: &Path) -> Result<Self, WorkspaceError> {
        let name = root.file_name().map(|name| name.to_string_lossy().into_owned());
        let prefix = git.prefix.clone();
        Ok(Self { reader: Reader::start(&git.top)?, prefix, name, kept: Mutex::default() })
    }

    /// The tree of a commit, below the root of the workspace.
    ///
    /// # Errors
    /// If the commit, or a tree on the way to the root, is missing or damaged.
    pub fn tree(&self, commit: &str) -> Result<CommitTree<'_>, WorkspaceError> {
        self.below(format!("commit {commit}"), self.top(commit)?)
    }

    /// The folder of the workspace below a tree. `name`: that of the tree in messages.
    pub(super) fn below(
        &self,
        name: String,
        top: ObjectId,
    ) -> Result<CommitTree<'_>, WorkspaceError> {
        let tree = CommitTree {
            commits: self,
            name,
            root: None,
            above: Vec::new(),
            damage: Mutex::default(),
        };
        let mut above = Vec::new();
        let mut root = Some(top);
        for part in self.prefix.split('/').filter(|part| !part.is_empty()) {
            let Some(id) = root else { break };
            above.push(id);
            let listing = tree.listing(id, part);
            let inside = listing.get(part).filter(|e| e.kind == Kind::Folder && !e.is_submodule);
            root = inside.map(|entry| entry.id);
        }
        tree.check()?;
        above.reverse();
        Ok(CommitTree { root, above, ..tree })
    }

    /// Makes a listing known under an id, as if a tree had been read.
    pub(super) fn keep(&self, id: ObjectId, listing: Listing) {
        let mut kept = self.kept();
        kept.entries += listing.len();
        kept.trees.insert(id, Arc::new(listing));
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tree of a commit.
    fn top(&self, commit: &str) -> Result<ObjectId, WorkspaceError> {
        let bad =
            |reason: String| WorkspaceError::Git { what: format!("the commit {commit}"), reason };
        let id = ObjectId::from_hex(commit.as_bytes()).map_err(|error| bad(error.to_string()))?;
        let read = self.reader.read(id, ObjectKind::Commit, MAX_COMMIT).map_err(bad)?;
        tree_of(id, &read.map_err(|len| bad_commit(id, format!("it has {len} bytes")))?)
    }
}

/// The files of one commit, or the staged ones.
pub struct CommitTree<'c> {
    commits: &'c Commits,
    /// For messages: `commit 1a2b…`.
    name: String,
    /// `None` if the commit does not have this folder.
    root: Option<ObjectId>,
    /// Trees of the folders above the root, the nearest first.
    above: Vec<ObjectId>,
    /// The first object that could not be read.
    damage: Mutex<Option<WorkspaceError>>,
}

impl std::fmt::Debug for CommitTree<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommitTree").field("name", &self.name).finish_non_exhaustive()
    }
}

impl CommitTree<'_> {
    /// Git's hash of the folder; none if the commit does not have it.
    pub fn hash(&self) -> Option<String> {
        self.root.map(|id| id.to_string())
    }

    /// Records for [`SourceTree::check`] what could not be read, and gives the reason.
    fn damaged(&self, kind: ObjectKind, id: ObjectId, path: &str, reason: &str) -> String {
        let what = format!("the {kind} {id} (`{path}` of {})", self.name);
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        let error = WorkspaceError::Git { what, reason: reason.to_owned() };
        damage.get_or_insert(error);
        format!("cannot be read: {reason}")
    }

    /// The entries of a tree; none if it is damaged.
    fn listing(&self, id: ObjectId, path: &str) -> Arc<Listing> {
        if let Some(known) = self.commits.kept().trees.get(&id) {
            return Arc::clone(known);
        }
        let hash = match id.as_bytes().len() {
            20 => HashKind::Sha1,
            _ => HashKind::Sha256,
        };
        let read = self.commits.reader.read(id, ObjectKind::Tree, MAX_TREE);
        let bytes = read.and_then(|bytes| {
            bytes.map_err(|len| format!("{len} bytes; at most {MAX_TREE} bytes are read"))
        });
        let listing = match bytes.and_then(|bytes| parse_tree(&bytes, hash)) {
            Ok(listing) => Arc::new(listing),
            Err(reason) => {
                self.damaged(ObjectKind::Tree, id, path, &reason);
                return Arc::default();
            }
        };
        let mut kept = self.commits.kept();
        if kept.entries > MAX_KEPT {
            *kept = Kept::default();
        }
        kept.entries += listing.len();
        kept.trees.insert(id, Arc::clone(&listing));
        listing
    }

    /// The entry at a path, if it may be followed.
    fn entry(&self, path: &str) -> Option<TreeEntry> {
        let mut tree = self.root?;
        if path.len() > MAX_PATH || path.matches('/').count() >= MAX_DEPTH {
            return None;
        }
        let mut from = 0;
        loop {
            let rest = path.get(from..)?;
            let (name, end) = match rest.split_once('/') {
                Some((name, _)) => (name, from + name.len()),
                None => (rest, path.len()),
            };
            let listing = self.listing(tree, path.get(..from.saturating_sub(1))?);
            let entry = listing.get(name)?;
            if end == path.len() {
                return Some(entry.clone());
            }
            if entry.kind != Kind::Folder || entry.is_submodule {
                return None;
            }
            tree = entry.id;
            from = end + 1;
        }
    }

    /// The bytes of a blob. The outer error is the reason why the commit cannot be read.
    fn blob(&self, entry: &TreeEntry, path: &str, cap: u64) -> Result<Vec<u8>, NoBytes> {
        match self.commits.reader.read(entry.id, ObjectKind::Blob, cap) {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(len)) => Err(NoBytes::TooLarge(len)),
            Err(reason) => {
                Err(NoBytes::Unreadable(self.damaged(ObjectKind::Blob, entry.id, path, &reason)))
            }
        }
    }

    fn size(&self, id: ObjectId, path: &str) -> Result<u64, String> {
        if let Some(size) = self.commits.kept().sizes.get(&id) {
            return Ok(*size);
        }
        // No more than its length.
        let read = self.commits.reader.read(id, ObjectKind::Blob, 0);
        let read = read.map_err(|reason| self.damaged(ObjectKind::Blob, id, path, &reason))?;
        let size = read.map_or_else(|len| len, |bytes| bytes.len() as u64);
        self.commits.kept().sizes.insert(id, size);
        Ok(size)
    }
}

impl SourceTree for CommitTree<'_> {
    fn place(&self) -> PathBuf {
        PathBuf::from(&self.name)
    }

    fn name(&self) -> Option<String> {
        self.commits.name.clone()
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, String> {
        let id = match (folder, self.root) {
            ("", root) => root,
            _ => match self.entry(folder) {
                Some(entry) if entry.is_submodule => None,
                Some(entry) if entry.kind == Kind::Folder => Some(entry.id),
                _ => return Err("it is not a folder".to_owned()),
            },
        };
        let Some(id) = id else { return Ok(Vec::new()) };
        let listing = self.listing(id, folder);
        let depth = folder.matches('/').count() + usize::from(!folder.is_empty());
        let within_limits = |entry: &TreeEntry| match entry.kind {
            Kind::Refused(_) => entry.kind,
            _ if depth >= MAX_DEPTH => Kind::Refused(Refusal::TooDeep),
            _ if folder.len() + 1 + entry.name.len() > MAX_PATH => Kind::Refused(Refusal::TooLong),
            kind => kind,
        };
        let entries = listing.entries.iter().map(|entry| Entry {
            name: entry.name.clone(),
            is_utf8: entry.is_utf8,
            kind: within_limits(entry),
        });
        Ok(entries.collect())
    }

    fn look(&self, path: &str) -> Option<Kind> {
        if path.is_empty() { Some(Kind::Folder) } else { self.entry(path).map(|entry| entry.kind) }
    }

    fn target(&self, link: &str) -> Result<String, String> {
        let entry = self.entry(link).ok_or("there is no such link")?;
        match self.blob(&entry, link, MAX_LINK) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned()),
            Err(NoBytes::TooLarge(len)) => Err(format!("it has {len} bytes")),
            Err(NoBytes::Unreadable(reason)) => Err(reason),
        }
    }

    /// The blob's id takes the place of a time: as long as it is the same, so is the file.
    fn stat(&self, file: &str) -> Result<SourceFile, String> {
        let entry = self.entry(file).ok_or("there is no such file")?;
        let size = self.size(entry.id, file)?;
        Ok(SourceFile::new(file, size, time_of(entry.id)))
    }

    fn id(&self) -> Option<Vec<u8>> {
        self.root.map(|id| id.as_bytes().to_vec())
    }

    fn content_id(&self, file: &str) -> Option<Vec<u8>> {
        self.entry(file).map(|entry| entry.id.as_bytes().to_vec())
    }

    fn bytes(&self, file: &str, cap: u64) -> Result<Vec<u8>, NoBytes> {
        match self.entry(file) {
            Some(entry) => self.blob(&entry, file, cap),
            None => Err(NoBytes::Unreadable("cannot be read: there is no such file".to_owned())),
        }
    }

    fn manifests_above(&self, cap: u64) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        for (up, tree) in self.above.iter().enumerate() {
            let path = within(&vec![".."; up + 1].join("/"), "Cargo.toml");
            let listing = self.listing(*tree, &path);
            if let Some(entry) = listing.get("Cargo.toml").filter(|e| e.kind == Kind::File) {
                found.extend(self.blob(entry, &path, cap));
            }
        }
        found
    }

    fn budget(&self) -> Budget {
        BUDGET
    }

    fn check(&self) -> Result<(), WorkspaceError> {
        match self.damage.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            Some(WorkspaceError::Git { what, reason }) => {
                Err(WorkspaceError::Git { what: what.clone(), reason: reason.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// A time that only blobs have: before 1970, and long before the blob is read.
fn time_of(id: ObjectId) -> i64 {
    let start = id.as_bytes().first_chunk::<8>().copied().unwrap_or_default();
    -1 - (u64::from_be_bytes(start) >> 1).cast_signed()
}
