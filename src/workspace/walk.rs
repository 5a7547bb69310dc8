//! The walk that every command begins with: which Rust files, manifests and documents exist, and how
//! old they are. It opens no file but ignore files and cache tags, and runs on one thread: threads need 1–4
//! ms more for 28 files and save nothing for 800.
//!
//! Only what is below the root decides: `.gitignore`, `.ignore` and `.git/info/exclude` there
//! are honoured whether or not the root is a repository, while ignore files above the root, the
//! user's global one and those of the repository that a `.git` file names are not, so that a copy
//! of the tree gives the same answer everywhere. Hidden files and folders are skipped, and folders
//! with a `CACHEDIR.TAG` (such as Cargo's `target`, whatever its name). Links to folders are not
//! followed. A link to a file that the walk finds anyway is left out and kept in [`Walk::links`].
//! A link to another file inside the root counts as a file; one that is dangling or leaves the root
//! is an issue, and so is a Rust file or manifest that is not a plain file. A document is read where it
//! is: a link to one is left out.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::WorkspaceError;
use super::error::issue;
use super::ignore_files::{IgnoreFiles, Rules, Verdict};
use super::paths;
use super::tree::{Disk, Entry, Kind, Lost, SourceTree, not_plain, resolve, within};
use asof_model::{Issue, IssueKind, SourceFile, is_document};

/// Bytes of a cache tag.
const MAX_TAG: u64 = 64 << 10;

/// What a [`walk`] found. Every list is sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// Rust files.
    pub files: Vec<SourceFile>,
    /// Files named `Cargo.toml`: when one changes, targets may.
    pub manifests: Vec<SourceFile>,
    /// Markdown files.
    pub documents: Vec<SourceFile>,
    /// Links to Rust files of `files`, with the file that each leads to. A module whose file is
    /// such a link has that file's text.
    pub links: BTreeMap<String, String>,
    /// What could not be read, or has a name that is not UTF-8.
    pub issues: Vec<Issue>,
}

/// Walks the folder `root`.
///
/// # Errors
/// If `root` is missing, not a folder, or unreadable. Whatever below it cannot be read is an issue.
pub fn walk(root: &Path) -> Result<Walk, WorkspaceError> {
    walk_tree(&Disk::open(root)?)
}

/// Walks a tree.
///
/// # Errors
/// See [`SourceTree::check`]. Whatever else cannot be read is an issue.
pub fn walk_tree(tree: &dyn SourceTree) -> Result<Walk, WorkspaceError> {
    let mut found = WalkEntry::new(tree);
    let mut waiting = vec![(String::new(), Rules::default())];
    while let Some((folder, around)) = waiting.pop() {
        let inside = found.folder(&folder, &around);
        // The first on top.
        waiting.extend(inside.into_iter().rev());
    }
    let walk = found.into_walk();
    tree.check()?;
    Ok(walk)
}

impl Walk {
    /// Adds files that the walk left out because they are ignored or hidden, such as those that a
    /// target of a manifest names. `paths` are relative to the root of `tree`; known, missing and
    /// escaping ones change nothing.
    pub fn include<'a>(&mut self, tree: &dyn SourceTree, paths: impl IntoIterator<Item = &'a str>) {
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
            if let Ok((real, Kind::File)) = resolve(tree, path)
                && let Ok(file) = tree.stat(&real)
            {
                list.insert(at, SourceFile { path: path.to_owned(), ..file });
            }
        }
    }

    /// Whether `path` is a Rust file of the walk.
    pub fn has_file(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
    }
}

struct WalkEntry<'t> {
    tree: &'t dyn SourceTree,
    ignore_files: IgnoreFiles<'t>,
    files: Vec<SourceFile>,
    manifests: Vec<SourceFile>,
    documents: Vec<SourceFile>,
    links: Vec<String>,
    issues: Vec<Issue>,
    /// Of entries, of files, and of their bytes.
    seen: (usize, usize, u64),
    is_full: bool,
}

impl<'t> WalkEntry<'t> {
    fn new(tree: &'t dyn SourceTree) -> Self {
        Self {
            tree,
            ignore_files: IgnoreFiles::new(tree),
            files: Vec::new(),
            manifests: Vec::new(),
            documents: Vec::new(),
            links: Vec::new(),
            issues: Vec::new(),
            seen: (0, 0, 0),
            is_full: false,
        }
    }

    fn unreadable(&mut self, path: &str, message: impl Into<String>) {
        self.issues.push(issue(path, IssueKind::Unreadable, message));
    }

    /// Takes the contents of a folder; returns the folders to look into next, in order.
    fn folder(&mut self, folder: &str, around: &Rules) -> Vec<(String, Rules)> {
        if self.is_full {
            return Vec::new();
        }
        let entries = match self.tree.list(folder) {
            Ok(entries) => entries,
            Err(reason) => {
                self.unreadable(folder, format!("cannot be read: {reason}"));
                return Vec::new();
            }
        };
        if !folder.is_empty() && is_cache(self.tree, folder, &entries) {
            return Vec::new();
        }
        let rules = self.ignore_files.rules(around, folder, &entries);
        let mut inside = Vec::new();
        for entry in &entries {
            self.seen.0 += 1;
            if self.over_budget(folder) {
                return Vec::new();
            }
            if let Some(path) = self.entry(folder, entry, &rules) {
                inside.push((path, rules.clone()));
            }
        }
        inside
    }

    /// Whether the tree is larger than a walk may look at, which is reported once.
    fn over_budget(&mut self, folder: &str) -> bool {
        let budget = self.tree.budget();
        let (entries, files, bytes) = self.seen;
        let over = if entries > budget.entries {
            format!("{} entries", budget.entries)
        } else if files > budget.files {
            format!("{} Rust files, manifests and documents", budget.files)
        } else if bytes > budget.bytes {
            format!("{} bytes of Rust files, manifests and documents", budget.bytes)
        } else {
            return false;
        };
        self.is_full = true;
        self.unreadable(folder, format!("stopped reading here: there are more than {over}"));
        true
    }

    /// Takes an entry, or returns the path of a folder to look into.
    fn entry(&mut self, folder: &str, entry: &Entry, rules: &Rules) -> Option<String> {
        let path = within(folder, &entry.name);
        if let Kind::Refused(reason) = entry.kind {
            let place = if paths::join("", &path).as_ref() == Some(&path) { &path } else { folder };
            let name = entry.name.escape_debug();
            self.unreadable(place, format!("the entry `{name}` is not read: {reason}"));
            return None;
        }
        let is_manifest = entry.name == "Cargo.toml";
        let is_document = is_document(&entry.name);
        let is_folder = entry.kind == Kind::Folder;
        // Git's own files are not part of the tree, whatever an ignore file says.
        let is_wanted = is_folder && entry.name != ".git";
        if !is_wanted && !is_manifest && !is_document && !entry.name.ends_with(".rs") {
            return None;
        }
        match rules.verdict(&path, is_folder) {
            Verdict::Ignored => return None,
            Verdict::Open if entry.name.starts_with('.') => return None,
            _ => {}
        }
        if !entry.is_utf8 {
            let what = if is_folder { "folder" } else { "file" };
            self.unreadable(&path, format!("the {what}'s name is not UTF-8"));
            return None;
        }
        match entry.kind {
            Kind::Folder => return Some(path).filter(|_| is_wanted),
            Kind::Link if is_document => {}
            Kind::Link => self.links.push(path),
            Kind::Other(what) => self.unreadable(&path, not_plain(what)),
            Kind::Refused(_) => {}
            Kind::File => match self.tree.stat(&path) {
                Ok(file) => {
                    self.seen.1 += 1;
                    self.seen.2 = self.seen.2.saturating_add(file.size);
                    let list = match (is_manifest, is_document) {
                        (true, _) => &mut self.manifests,
                        (_, true) => &mut self.documents,
                        _ => &mut self.files,
                    };
                    list.push(file);
                }
                Err(reason) => self.unreadable(&path, format!("cannot be read: {reason}")),
            },
        }
        None
    }

    fn into_walk(mut self) -> Walk {
        self.files.sort_unstable();
        self.manifests.sort_unstable();
        self.documents.sort_unstable();
        self.links.sort_unstable();
        self.issues.append(&mut self.ignore_files.issues);
        let mut walk = Walk {
            files: self.files,
            manifests: self.manifests,
            documents: self.documents,
            links: BTreeMap::new(),
            issues: self.issues,
        };
        let mut more = Vec::new();
        for path in self.links {
            let message = match resolve(self.tree, &path) {
                Ok((_, Kind::Folder)) => continue,
                Ok((target, Kind::File)) if walk.has_file(&target) => {
                    walk.links.insert(path, target);
                    continue;
                }
                Ok((_, Kind::File)) => {
                    more.push(path);
                    continue;
                }
                Ok((_, Kind::Other(what))) => not_plain(what),
                Ok(_) => format!("the symbolic link {}", Lost::Nowhere),
                Err(lost) => format!("the symbolic link {lost}"),
            };
            walk.issues.push(issue(&path, IssueKind::Unreadable, message));
        }
        walk.include(self.tree, more.iter().map(String::as_str));
        walk.issues.sort();
        walk
    }
}

/// Whether a folder is marked as a cache.
pub(super) fn is_cache(tree: &dyn SourceTree, folder: &str, entries: &[Entry]) -> bool {
    const NAME: &str = "CACHEDIR.TAG";
    const SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";
    let found = entries.binary_search_by(|entry| entry.name.as_str().cmp(NAME)).ok();
    let is_file = found.and_then(|at| entries.get(at)).is_some_and(|e| e.kind == Kind::File);
    is_file
        && tree
            .bytes(&within(folder, NAME), MAX_TAG)
            .is_ok_and(|bytes| bytes.starts_with(SIGNATURE))
}
