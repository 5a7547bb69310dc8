//! Which packages a difference between two trees concerns, by manifests, the lock file and other
//! files that decide how packages are built.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::cause::{Cause, Spread};
use super::effective::WORKSPACE_KEYS;
use super::files::{FileChanges, file_changes};
use super::graph::{GraphPackage, PackageGraph};
use super::lock::LockGraph;
use crate::changed_files::{WhichFiles, changed_files};
use crate::error::WorkspaceError;
use crate::manifest::{Dependency, strings};
use crate::tree::SourceTree;

/// What concerns the whole of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageChange {
    pub spread: Spread,
    pub causes: BTreeSet<Cause>,
}

/// What a difference between two trees concerns, before anything is known about items.
#[derive(Debug, Default)]
pub struct PackageChanges {
    /// The packages of the later tree.
    pub graph: PackageGraph,
    /// By folder.
    pub packages: BTreeMap<String, PackageChange>,
    /// Rust files of packages that differ: their items decide.
    pub rust_files: BTreeSet<String>,
    /// Folders of packages with code that has the name of a program in a string, by that name.
    pub program_users: BTreeMap<String, BTreeSet<String>>,
    /// Files that differ and are taken for documentation or settings of tools, which no package
    /// mentions.
    pub ignored_files: Vec<String>,
}

/// Compares the packages of two trees.
///
/// # Errors
/// A manifest of a package or the lock file does not parse, there is no manifest in the root, or an
/// object of a commit cannot be read.
pub fn package_changes(
    old: &dyn SourceTree,
    new: &dyn SourceTree,
) -> Result<PackageChanges, WorkspaceError> {
    let before = PackageGraph::read(old)?;
    let files = changed_files(old, new, WhichFiles::All);
    let mut found = PackageChanges { graph: PackageGraph::read(new)?, ..Default::default() };
    for gap in &files.gaps {
        found.concern_all(gap, "not every file could be compared");
    }
    found.compare_roots(&before);
    let features = found.compare_manifests(&before);
    found.compare_locks(&before, &features);
    let FileChanges { concerned, rust_files, ignored, program_users } =
        file_changes(&found.graph, new, &files)?;
    for (dir, spread, cause) in concerned {
        found.concern(&dir, spread, cause);
    }
    (found.rust_files, found.ignored_files) = (rust_files, ignored);
    found.program_users = program_users;
    new.check()?;
    Ok(found)
}

impl PackageChanges {
    fn concern(&mut self, dir: &str, spread: Spread, cause: Cause) {
        let known = self.packages.entry(dir.to_owned());
        let known = known.or_insert(PackageChange { spread, causes: BTreeSet::new() });
        known.spread = known.spread.max(spread);
        known.causes.insert(cause);
    }

    fn concern_all(&mut self, what: &str, reason: &str) {
        let all: Vec<String> = self.graph.packages.keys().cloned().collect();
        for dir in all {
            let cause = Cause { what: what.to_owned(), reason: reason.to_owned() };
            self.concern(&dir, Spread::Dependents, cause);
        }
    }

    /// What the root decides for all packages.
    fn compare_roots(&mut self, before: &PackageGraph) {
        /// Keys of `[workspace]` that name packages, or that a package inherits from.
        const ELSEWHERE: [&str; 7] = [
            "members", "exclude", "default-members", "package", "dependencies", "lints", "metadata",
        ];
        let after = self.graph.root.clone();
        for key in WORKSPACE_KEYS {
            let [old, new] = [&before.root, &after].map(|root| root.get(key));
            let differing = match (key, old, new) {
                ("workspace", old, new) => {
                    let [old, new] = [old, new].map(|value| {
                        let mut own = value.and_then(Value::as_table).cloned().unwrap_or_default();
                        own.retain(|key, _| !ELSEWHERE.contains(&key));
                        own
                    });
                    old != new
                }
                (_, old, new) => old != new,
            };
            if differing {
                let reason = format!("`[{key}]` differs, which concerns every package");
                self.concern_all("Cargo.toml", &reason);
            }
        }
    }

    /// Compares the manifests, and returns the crates of which other features may be built.
    fn compare_manifests(&mut self, before: &PackageGraph) -> BTreeSet<String> {
        let mut found: Vec<(String, Spread, String)> = Vec::new();
        let mut features = BTreeSet::new();
        for (dir, package) in &self.graph.packages {
            let old = before.packages.get(dir).filter(|old| old.name == package.name);
            let Some(old) = old else {
                found.push((dir.clone(), Spread::Dependents, "the package is new".to_owned()));
                features.extend(package.asked().map(|(crate_name, _)| crate_name));
                continue;
            };
            if let Some((spread, keys)) = differing_keys(&old.manifest, &package.manifest) {
                let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
                found.push((dir.clone(), spread, format!("{} differs", keys.join(", "))));
            }
            if old.is_member != package.is_member {
                let reason = "it became a member, or is no longer one".to_owned();
                found.push((dir.clone(), Spread::Dependents, reason));
            }
            features.extend(differing_features(old, package));
        }
        for (dir, gone) in &before.packages {
            if !self.graph.packages.contains_key(dir) {
                features.extend(gone.asked().map(|(crate_name, _)| crate_name));
            }
        }
        for (dir, spread, reason) in found {
            let what = crate::paths::manifest_of(&dir);
            self.concern(&dir, spread, Cause { what, reason });
        }
        features
    }

    /// Crates of other sources: which packages see versions or features that differ.
    fn compare_locks(&mut self, before: &PackageGraph, features: &BTreeSet<String>) {
        let mut found: Vec<(String, Spread, Cause)> = Vec::new();
        for (dir, package) in &self.graph.packages {
            if features.contains(&package.name) {
                let what = package.name.clone();
                let reason = "another package enables other features of it".to_owned();
                found.push((dir.clone(), Spread::Dependents, Cause { what, reason }));
            }
        }
        let mut unknown = None;
        match (&before.lock, &self.graph.lock) {
            (Some(old), Some(new)) => {
                for (dir, package) in &self.graph.packages {
                    let was =
                        before.packages.get(dir).and_then(|old_one| old.member(&old_one.name));
                    for (spread, cause) in package.locked(new, old, was.is_some(), features) {
                        found.push((dir.clone(), spread, cause));
                    }
                }
            }
            (None, None) => {
                let known =
                    |name: &String| self.graph.packages.values().any(|one| one.name == *name);
                unknown = features.iter().find(|name| !known(name)).map(|name| {
                    let reason = "other features of it are enabled, and no lock file says which \
                                  crates depend on it";
                    (name.clone(), reason)
                });
            }
            _ => {
                let reason = "the lock file is at one of the moments only";
                unknown = Some(("Cargo.lock".to_owned(), reason));
            }
        }
        for (dir, spread, cause) in found {
            self.concern(&dir, spread, cause);
        }
        if let Some((what, reason)) = unknown {
            self.concern_all(&what, reason);
        }
    }
}

impl GraphPackage {
    /// Its dependencies: the crate, and what is asked of it.
    fn asked(&self) -> impl Iterator<Item = (String, &Dependency)> {
        self.linked.iter().chain(&self.dev).map(|one| (one.package.clone(), one))
    }

    /// Locked crates that this package sees, and that differ or may have other features.
    fn locked(
        &self,
        lock: &LockGraph,
        old: &LockGraph,
        was_locked: bool,
        features: &BTreeSet<String>,
    ) -> Vec<(Spread, Cause)> {
        let cause = |what: String, reason: &str| Cause { what, reason: reason.to_owned() };
        let (differing, dropped) = (lock.differing(old), old.differing(lock));
        let Some(own) = lock.member(&self.name) else {
            let is_same = differing.is_empty() && dropped.is_empty() && !was_locked;
            let reason = "the lock file does not have this package";
            let all = (!is_same).then(|| (Spread::Dependents, cause("Cargo.lock".into(), reason)));
            return all.into_iter().collect();
        };
        let touched: BTreeSet<_> = features.iter().flat_map(|name| lock.below(name)).collect();
        let mut found = Vec::new();
        for dependency in &own.dependencies {
            let name = dependency.split(' ').next().unwrap_or_default();
            let is_dev = !self.linked.iter().any(|one| one.package == name);
            let spread = if is_dev { Spread::Package } else { Spread::Dependents };
            for krate in lock.below(dependency).into_iter().filter(|krate| krate.source.is_some()) {
                let what = format!("{} {}", krate.name, krate.version);
                if differing.contains(krate) {
                    let reason = "the lock file has another version or other dependencies of it";
                    found.push((spread, cause(what, reason)));
                } else if touched.contains(krate) {
                    let reason = "a package enables other features, which may concern it";
                    found.push((spread, cause(what, reason)));
                }
            }
        }
        let was = old.member(&self.name);
        if was.is_some_and(|was| was.dependencies != own.dependencies) {
            let reason = "the lock file has other dependencies of this package";
            found.push((Spread::Dependents, cause("Cargo.lock".to_owned(), reason)));
        }
        found
    }
}

/// Keys of the manifest of a package that differ, and who can notice it.
fn differing_keys(old: &Table, new: &Table) -> Option<(Spread, BTreeSet<String>)> {
    /// What only tests, examples and benchmarks are built with.
    const OF_TESTS: [&str; 6] =
        ["dev-dependencies", "dev_dependencies", "test", "bench", "example", "badges"];
    /// What no crate is built with.
    const OF_REGISTRY: [&str; 7] =
        ["metadata", "keywords", "categories", "publish", "exclude", "include", "documentation"];
    let mut found = BTreeSet::new();
    let mut spread = Spread::Package;
    let mut note = |key: String, is_quiet: bool| {
        if !is_quiet {
            spread = Spread::Dependents;
        }
        found.insert(key);
    };
    for key in differing(Some(old), Some(new)) {
        let inside = |table: &Table| table.get(&key).and_then(Value::as_table).cloned();
        let [was, is] = [inside(old), inside(new)];
        match key.as_str() {
            "package" => {
                for name in differing(was.as_ref(), is.as_ref()) {
                    let is_quiet = OF_REGISTRY.contains(&name.as_str());
                    note(format!("package.{name}"), is_quiet);
                }
            }
            "target" => {
                for cfg in differing(was.as_ref(), is.as_ref()) {
                    let of_cfg =
                        |table: &Option<Table>| table.as_ref()?.get(&cfg)?.as_table().cloned();
                    for name in differing(of_cfg(&was).as_ref(), of_cfg(&is).as_ref()) {
                        let is_quiet = OF_TESTS.contains(&name.as_str());
                        note(format!("target.{cfg}.{name}"), is_quiet);
                    }
                }
            }
            _ => note(key.clone(), OF_TESTS.contains(&key.as_str())),
        }
    }
    (!found.is_empty()).then_some((spread, found))
}

fn differing(old: Option<&Table>, new: Option<&Table>) -> BTreeSet<String> {
    let keys = [old, new].into_iter().flatten().flat_map(Table::keys);
    let value = |table: Option<&Table>, key: &str| table.and_then(|table| table.get(key)).cloned();
    keys.filter(|key| value(old, key) != value(new, key)).cloned().collect()
}

/// Crates of which a package enables other features than before. Features are unified: each of its
/// other users, and what it depends on, may be built in another way.
fn differing_features(old: &GraphPackage, new: &GraphPackage) -> BTreeSet<String> {
    let asked = |package: &GraphPackage| -> BTreeSet<_> {
        package.asked().map(|(name, one)| (name, one.enables.clone())).collect()
    };
    let (before, after) = (asked(old), asked(new));
    let mut found: BTreeSet<String> =
        before.symmetric_difference(&after).map(|(name, _)| name.clone()).collect();
    let enabled = |package: &GraphPackage| -> BTreeSet<String> {
        let table = package.manifest.get("features").and_then(Value::as_table);
        let lists = table.into_iter().flat_map(Table::iter);
        lists
            .flat_map(|(name, list)| {
                strings(Some(list)).map(move |one| format!("{name}\n{one}")).collect::<Vec<_>>()
            })
            .collect()
    };
    for entry in enabled(old).symmetric_difference(&enabled(new)) {
        let enables = entry.split_once('\n').map_or("", |(_, enables)| enables);
        let name = enables.strip_prefix("dep:").unwrap_or(enables);
        let key = name.split(['/', '?']).next().unwrap_or(name);
        let of_key = new.asked().filter(|(_, one)| one.enables.key == key);
        found.extend(of_key.map(|(name, _)| name));
    }
    found
}
