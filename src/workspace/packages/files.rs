//! Files that differ: which packages each concerns.

use std::collections::{BTreeMap, BTreeSet};

use super::cause::{Cause, Spread};
use super::graph::{PackageGraph, is_of_tests};
use crate::changed_files::ChangedFiles;
use crate::error::WorkspaceError;
use crate::manifest::is_below;
use crate::paths;
use crate::tree::{SourceTree, read_from};
use crate::walk::walk_tree;
use asof_model::{TargetKind, is_document};

/// Longest Rust file that is searched for names of files, in bytes.
const CAP: u64 = 16 << 20;

/// Files that Git, hosts and people read.
const FOR_PEOPLE: [&str; 6] =
    [".gitignore", ".gitattributes", ".mailmap", "LICENSE", "COPYING", "UNLICENSE"];

/// Settings of tools that neither build nor test.
const FOR_TOOLS: [&str; 9] = [
    "rustfmt.toml",
    ".rustfmt.toml",
    "clippy.toml",
    ".clippy.toml",
    "deny.toml",
    "typos.toml",
    ".editorconfig",
    ".git-blame-ignore-revs",
    ".pre-commit-config.yaml",
];

/// Names of files that are in most packages: that one is mentioned says nothing.
const COMMON: [&str; 6] = ["lib.rs", "main.rs", "mod.rs", "build.rs", "Cargo.toml", "Cargo.lock"];

/// Whether a file is one that Git, hosts and people read.
pub fn is_for_people(path: &str) -> bool {
    let name = paths::name(path);
    is_document(name)
        || FOR_PEOPLE.iter().any(|known| name.starts_with(known))
        || path.starts_with(".github/")
}

/// What files that differ concern.
#[derive(Default)]
pub(super) struct FileChanges {
    /// Folders of packages.
    pub concerned: Vec<(String, Spread, Cause)>,
    pub rust_files: BTreeSet<String>,
    pub ignored: Vec<String>,
    /// Folders of packages with code that has the name of a program in a string, by that name.
    pub program_users: BTreeMap<String, BTreeSet<String>>,
}

/// What files that differ concern. Manifests of packages and the lock file are compared elsewhere.
pub(super) fn file_changes(
    graph: &PackageGraph,
    tree: &dyn SourceTree,
    files: &ChangedFiles,
) -> Result<FileChanges, WorkspaceError> {
    let mut found = FileChanges::default();
    // Files that a mention concerns: by name, with the paths.
    let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let texts = Texts::read(graph, tree, !files.paths.is_empty())?;
    let all = || graph.packages.keys();
    for path in &files.paths {
        let (folder, name) = (paths::parent(path), paths::name(path));
        let is_manifest = name == "Cargo.toml";
        if path == "Cargo.lock"
            || is_manifest && (folder.is_empty() || graph.packages.contains_key(folder))
        {
            continue;
        }
        let settings = match name {
            "rust-toolchain" | "rust-toolchain.toml" => Some(folder),
            _ => cargo_folder(path),
        };
        if let Some(folder) = settings {
            let inside = all().filter(|dir| is_below(dir, folder));
            found.concern(inside, Spread::Dependents, path, "it decides how everything is built");
            continue;
        }
        if !COMMON.contains(&name) {
            named.entry(name).or_default().push(path);
        }
        if is_for_people(path) || FOR_TOOLS.contains(&name) {
            continue;
        }
        let Some((dir, package)) = graph.owner(path) else {
            found.concern(
                all(),
                Spread::Dependents,
                path,
                "it is in no package, and any may read it",
            );
            continue;
        };
        let own = || std::iter::once(dir);
        let is_rust = name.ends_with(".rs");
        let mut scripts = package.targets.iter().filter(|one| one.kind == TargetKind::BuildScript);
        if scripts.any(|script| script.root == *path || texts.script_reads(dir, path)) {
            let reason = "the build script may read it, and decides how the package is built";
            found.concern(own(), Spread::Dependents, path, reason);
        } else if is_rust && !texts.is_foreign(dir, path) {
            found.rust_files.insert(path.clone());
        } else if is_of_tests(dir, path) {
            let reason = "tests, examples or benchmarks of the package may read it";
            found.concern(own(), Spread::Package, path, reason);
        } else {
            let reason = "the package may include it, and its tests may read it";
            found.concern(own(), Spread::Dependents, path, reason);
        }
    }
    found.program_users = texts.program_users(graph);
    let mentioned = texts.mentions(graph, &named);
    for (path, dir, spread) in &mentioned {
        let reason = "its code mentions a file of this name";
        found.concern(std::iter::once(dir), *spread, path, reason);
    }
    let concerned: BTreeSet<&str> =
        found.concerned.iter().map(|(_, _, cause)| &*cause.what).collect();
    let is_ignored = |path: &&String| {
        let known = is_for_people(path) || FOR_TOOLS.contains(&paths::name(path));
        known && !concerned.contains(path.as_str())
    };
    found.ignored = files.paths.iter().filter(is_ignored).cloned().collect();
    Ok(found)
}

impl FileChanges {
    fn concern<'d>(
        &mut self,
        dirs: impl Iterator<Item = impl AsRef<str> + 'd>,
        spread: Spread,
        path: &str,
        reason: &str,
    ) {
        for dir in dirs {
            let cause = Cause { what: path.to_owned(), reason: reason.to_owned() };
            self.concerned.push((dir.as_ref().to_owned(), spread, cause));
        }
    }
}

/// The folder of the `.cargo` in which a file is.
fn cargo_folder(path: &str) -> Option<&str> {
    match path.strip_prefix(".cargo/") {
        Some(_) => Some(""),
        None => path.find("/.cargo/").and_then(|at| path.get(..at)),
    }
}

/// The Rust files of a tree, to find names of files in them.
#[derive(Default)]
struct Texts {
    /// Folders with a manifest.
    manifests: BTreeSet<String>,
    files: Vec<(String, String)>,
    /// By folder, the text of build scripts.
    scripts: BTreeMap<String, String>,
}

impl Texts {
    fn read(
        graph: &PackageGraph,
        tree: &dyn SourceTree,
        is_needed: bool,
    ) -> Result<Self, WorkspaceError> {
        let mut found = Self::default();
        if !is_needed {
            return Ok(found);
        }
        let walk = walk_tree(tree)?;
        found.manifests =
            walk.manifests.iter().map(|file| paths::parent(&file.path).to_owned()).collect();
        for file in &walk.files {
            // One that is too long to be searched is no source of names.
            let Ok(bytes) = read_from(tree, &file.path, CAP) else { continue };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            found.files.push((file.path.clone(), text));
        }
        for (dir, package) in &graph.packages {
            for script in package.targets.iter().filter(|one| one.kind == TargetKind::BuildScript) {
                let bytes = read_from(tree, &script.root, CAP).unwrap_or_default();
                let text = found.scripts.entry(dir.clone()).or_default();
                text.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
        Ok(found)
    }

    /// Whether the build script of a package may read a file. Sources it reads if it mentions some;
    /// what is no source, always.
    fn script_reads(&self, dir: &str, path: &str) -> bool {
        let Some(text) = self.scripts.get(dir) else { return false };
        let text = text.replace("build.rs", "");
        let reads_sources = text.contains("src") || text.contains(".rs");
        !path.ends_with(".rs") || reads_sources
    }

    /// Whether a file below the folder of a package belongs to another one, such as a fixture.
    fn is_foreign(&self, dir: &str, path: &str) -> bool {
        let mut folder = paths::parent(path);
        while folder != dir && !folder.is_empty() {
            if self.manifests.contains(folder) {
                return true;
            }
            folder = paths::parent(folder);
        }
        false
    }

    /// Packages with code that has the name of a program in a string.
    fn program_users(&self, graph: &PackageGraph) -> BTreeMap<String, BTreeSet<String>> {
        let targets = graph.packages.values().flat_map(|package| &package.targets);
        let programs = targets.filter(|target| target.kind == TargetKind::Bin);
        let quoted: BTreeMap<&str, String> =
            programs.map(|one| (one.name.as_str(), format!("\"{}\"", one.name))).collect();
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (file, text) in &self.files {
            let Some((dir, _)) = graph.owner(file) else { continue };
            for (name, _) in quoted.iter().filter(|(_, quoted)| text.contains(*quoted)) {
                found.entry((*name).to_owned()).or_default().insert(dir.to_owned());
            }
        }
        found
    }

    /// Packages with code that has the name of one of these files: path, folder of the package, and
    /// who can notice it.
    fn mentions(
        &self,
        graph: &PackageGraph,
        named: &BTreeMap<&str, Vec<&str>>,
    ) -> BTreeSet<(String, String, Spread)> {
        let mut found = BTreeSet::new();
        if named.is_empty() {
            return found;
        }
        // Names of other characters than these are searched for one by one.
        let is_plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let odd: Vec<&str> =
            named.keys().filter(|name| !name.chars().all(is_plain)).copied().collect();
        for (file, text) in &self.files {
            let Some((dir, _)) = graph.owner(file) else { continue };
            let words = text.split(|c: char| !is_plain(c)).map(|word| word.trim_end_matches('.'));
            let words = words.filter(|word| named.contains_key(word));
            let all: BTreeSet<&str> =
                words.chain(odd.iter().copied().filter(|name| text.contains(name))).collect();
            for path in all.into_iter().filter_map(|name| named.get(name)).flatten() {
                if *path == file {
                    continue;
                }
                let spread =
                    if is_of_tests(dir, file) { Spread::Package } else { Spread::Dependents };
                found.insert(((*path).to_owned(), dir.to_owned(), spread));
            }
        }
        found
    }
}
