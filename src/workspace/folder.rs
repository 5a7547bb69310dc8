//! A folder without a manifest, treated as a package.
//!
//! Nothing in it is named after the folder, so that ids stay the same when it is renamed or
//! restored elsewhere: the package is named [`NAME`], and crates after their root file, as
//! `rustc` does without Cargo. `src/lib.rs`, `src/main.rs` and what is in `src/bin` are the
//! library and binaries that Cargo would see; every other file that is not a module of another is
//! a detached crate of its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::module_tree::{ModDir, existing};
use super::paths;
use super::scan::declared_files;
use super::tree::{SourceTree, read_from};
use super::walk::Walk;
use asof_model::{Features, Package, Target, TargetKind};

/// Name of the package.
const NAME: &str = "folder";

/// Edition of files that no manifest gives one.
const EDITION: &str = "2021";

/// Larger files are not scanned for `mod` declarations.
const CAP: u64 = 4 << 20;

/// The package of those files that are in none of `packages`; `None` if there are none.
pub(super) fn package(tree: &dyn SourceTree, walk: &Walk, packages: &[Package]) -> Option<Package> {
    let dirs: BTreeSet<&str> =
        packages.iter().map(|package| paths::parent(&package.manifest_path)).collect();
    let owned = |path: &str| {
        let mut dir = paths::parent(path);
        loop {
            if dirs.contains(dir) {
                return true;
            }
            if dir.is_empty() {
                return false;
            }
            dir = paths::parent(dir);
        }
    };
    let files: BTreeSet<&str> =
        walk.files.iter().map(|file| file.path.as_str()).filter(|path| !owned(path)).collect();
    if files.is_empty() {
        return None;
    }
    // On a thread of its own: tokens leave their text in a table of the thread.
    let roots = std::thread::scope(|scope| {
        let (files, links) = (&files, &walk.links);
        scope.spawn(move || Folder { tree, files, links, modules: HashMap::new() }.roots()).join()
    });
    // If the scan panics, every file is a crate of its own.
    let roots = roots.unwrap_or_else(|_| files.iter().map(|path| (*path).to_owned()).collect());
    let mut targets: Vec<Target> = roots.iter().map(|path| target(path)).collect();
    targets.sort();
    Some(Package {
        manifest_path: String::new(),
        name: NAME.to_owned(),
        version: "0.0.0".to_owned(),
        edition: EDITION.to_owned(),
        dependencies: Vec::new(),
        features: Features::default(),
        targets,
    })
}

fn target(root: &str) -> Target {
    let kind = cargo_kind(root).unwrap_or(TargetKind::Detached);
    let stem = match paths::stem(root) {
        // Not a name that a path could begin with.
        "mod" if root.contains('/') => paths::name(paths::parent(root)),
        "main" if root.starts_with("src/bin/") => paths::name(paths::parent(root)),
        stem => stem,
    };
    // Two detached files may have the same stem: the path tells them apart.
    let name = match kind {
        TargetKind::Detached => root.strip_suffix(".rs").unwrap_or(root).to_owned(),
        _ => stem.to_owned(),
    };
    Target {
        kind,
        name,
        crate_name: paths::crate_name(stem),
        root: root.to_owned(),
        edition: EDITION.to_owned(),
    }
}

/// The kind of target that Cargo would see in a file by its place.
fn cargo_kind(path: &str) -> Option<TargetKind> {
    match path {
        "src/lib.rs" => Some(TargetKind::Lib),
        "src/main.rs" => Some(TargetKind::Bin),
        _ => {
            let rest = path.strip_prefix("src/bin/")?;
            let is_root = match rest.split_once('/') {
                None => true,
                Some((_, rest)) => rest == "main.rs",
            };
            is_root.then_some(TargetKind::Bin)
        }
    }
}

struct Folder<'a> {
    tree: &'a dyn SourceTree,
    files: &'a BTreeSet<&'a str>,
    links: &'a BTreeMap<String, String>,
    /// Modules of each file by where its children are looked for: a file is read as the root of a
    /// crate, and as a module if one declares it.
    modules: HashMap<(String, ModDir), Vec<(String, ModDir)>>,
}

impl Folder<'_> {
    /// Root files: those that have the place of a target, those that no other file declares, and
    /// the first of files that declare each other in a circle.
    ///
    /// What a file declares depends on whether it is a root, and that is not known at first. So
    /// each is read as one. Whenever a root is certain, its modules are not roots, and what they
    /// seemed to declare as roots does not count.
    fn roots(&mut self) -> BTreeSet<String> {
        let reached: BTreeMap<&str, BTreeSet<String>> =
            self.files.iter().map(|path| (*path, self.reach(path))).collect();
        let mut claims: BTreeMap<&str, usize> = self.files.iter().map(|path| (*path, 0)).collect();
        let claim = |claims: &mut BTreeMap<&str, usize>, children: &BTreeSet<String>, by: isize| {
            for child in children {
                if let Some(count) = claims.get_mut(child.as_str()) {
                    *count = count.saturating_add_signed(by);
                }
            }
        };
        reached.values().for_each(|children| claim(&mut claims, children, 1));
        let mut open = self.files.clone();
        let mut roots = BTreeSet::new();
        let mut sure: Vec<&str> =
            open.iter().copied().filter(|p| cargo_kind(p).is_some()).collect();
        loop {
            sure.extend(open.iter().filter(|path| claims.get(**path) == Some(&0)));
            if sure.is_empty() {
                sure.extend(open.first());
            }
            if sure.is_empty() {
                return roots;
            }
            for root in sure.drain(..) {
                open.remove(root);
                roots.insert(root.to_owned());
                for child in reached.get(root).into_iter().flatten() {
                    if cargo_kind(child).is_none() && open.remove(child.as_str()) {
                        let children = reached.get(child.as_str());
                        children.into_iter().for_each(|children| claim(&mut claims, children, -1));
                    }
                }
            }
        }
    }

    /// All modules of the crate whose root is `path`, without the root itself.
    fn reach(&mut self, path: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut waiting = self.modules(path, ModDir::root(path));
        while let Some((child, dir)) = waiting.pop() {
            if reached.insert(child.clone()) {
                waiting.extend(self.modules(&child, dir));
            }
        }
        reached.remove(path);
        reached
    }

    /// The files of the modules that `path` declares.
    fn modules(&mut self, path: &str, dir: ModDir) -> Vec<(String, ModDir)> {
        let key = (path.to_owned(), dir);
        if let Some(known) = self.modules.get(&key) {
            return known.clone();
        }
        let bytes = read_from(self.tree, path, CAP).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let is_there = |path: &str| self.files.contains(path) || self.links.contains_key(path);
        let found: Vec<(String, ModDir)> = declared_files(&text, &key.1)
            .into_iter()
            .flat_map(|candidates| existing(candidates, is_there))
            .map(|file| (self.links.get(&file.path).cloned().unwrap_or(file.path), file.dir))
            .collect();
        self.modules.insert(key, found.clone());
        found
    }
}
