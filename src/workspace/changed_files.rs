//! Files that differ between two trees, first of all those other than Rust's: what tests may read, and
//! what decides how they are built.

use std::collections::{BTreeMap, BTreeSet};

use super::ignore_files::{IgnoreFiles, Rules, Verdict};
use super::tree::{Kind, SourceTree, within};
use super::walk::is_cache;

/// Bytes of a file that is compared. A larger one counts as changed.
const MAX_BYTES: u64 = 256 << 20;
/// Folders of ours and of Git.
const OWN: [&str; 2] = [".git", ".asof"];

/// Files of two trees that differ, by path. Ignored files count only if the
/// other tree has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedFiles {
    pub paths: BTreeSet<String>,
    /// Why there may be more.
    pub gaps: Vec<String>,
}

/// Which files are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichFiles {
    All,
    /// All but Rust files.
    Others,
}

/// Compares two trees. What cannot be read is a gap.
pub fn changed_files(
    old: &dyn SourceTree,
    new: &dyn SourceTree,
    which: WhichFiles,
) -> ChangedFiles {
    let mut found = ChangedFiles::default();
    let [before, after] = [old, new].map(|tree| files(tree, which, &mut found.gaps));
    let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for path in all {
        if path.as_str() == ".gitmodules" {
            found.gaps.push("submodules are not compared".to_owned());
        }
        // A file that one side ignores is looked up there by its path.
        let kind = |files: &BTreeMap<String, Kind>, tree: &dyn SourceTree| {
            files.get(path.as_str()).copied().or_else(|| tree.look(path))
        };
        let same = match (kind(&before, old), kind(&after, new)) {
            (Some(Kind::File), Some(Kind::File)) => same_file(old, new, path),
            (Some(Kind::Link), Some(Kind::Link)) => old.target(path) == new.target(path),
            (was, is) => was == is,
        };
        if !same {
            found.paths.insert(path.clone());
        }
    }
    found
}

fn same_file(old: &dyn SourceTree, new: &dyn SourceTree, path: &str) -> bool {
    if let (Some(old), Some(new)) = (old.content_id(path), new.content_id(path)) {
        return old == new;
    }
    matches!((old.bytes(path, MAX_BYTES), new.bytes(path, MAX_BYTES)), (Ok(old), Ok(new)) if old == new)
}

/// The files and links of a tree, other than those of caches such as Cargo's `target`.
fn files(
    tree: &dyn SourceTree,
    which: WhichFiles,
    gaps: &mut Vec<String>,
) -> BTreeMap<String, Kind> {
    let mut found = BTreeMap::new();
    let mut ignore_files = IgnoreFiles::new(tree);
    let mut waiting = vec![(String::new(), Rules::default())];
    let mut left = tree.budget().entries;
    while let Some((folder, around)) = waiting.pop() {
        let entries = match tree.list(&folder) {
            Ok(entries) => entries,
            Err(reason) => {
                gaps.push(format!("{folder}: {reason}"));
                continue;
            }
        };
        if !folder.is_empty() && is_cache(tree, &folder, &entries) {
            continue;
        }
        let rules = ignore_files.rules(&around, &folder, &entries);
        for entry in &entries {
            let Some(rest) = left.checked_sub(1) else {
                gaps.push("there are too many files to compare".to_owned());
                return found;
            };
            left = rest;
            let path = within(&folder, &entry.name);
            let is_folder = entry.kind == Kind::Folder;
            if OWN.contains(&entry.name.as_str())
                || rules.verdict(&path, is_folder) == Verdict::Ignored
            {
                continue;
            }
            match entry.kind {
                Kind::Folder => waiting.push((path, rules.clone())),
                Kind::File | Kind::Link if which == WhichFiles::All || !path.ends_with(".rs") => {
                    found.insert(path, entry.kind);
                }
                Kind::File | Kind::Link => {}
                Kind::Other(what) => gaps.push(format!("{path} is {what}")),
                Kind::Refused(reason) => gaps.push(format!("{path}: {reason}")),
            }
        }
    }
    gaps.extend(
        ignore_files.issues.iter().map(|issue| format!("{}: {}", issue.file_path, issue.message)),
    );
    found
}
