//! The packages of a workspace and their dependencies on each other.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::cause::Spread;
use super::effective::effective;
use super::lock::LockGraph;
use crate::error::WorkspaceError;
use crate::manifest::{
    DEV_TABLES, Dependency, LINKED_TABLES, Load, Manifests, dependencies_in, is_below,
};
use crate::paths;
use crate::targets::{PackageContext, targets};
use crate::tree::{Kind, SourceTree, read_from};
use asof_model::{Target, TargetKind};

/// Longest lock file that is read, in bytes.
const MAX_LOCK: u64 = 64 << 20;

/// The packages of a workspace, by folder.
#[derive(Debug, Default)]
pub struct PackageGraph {
    pub packages: BTreeMap<String, GraphPackage>,
    /// The manifest of the root.
    pub(super) root: Table,
    pub(super) lock: Option<LockGraph>,
}

/// A package of the workspace, or one that it depends on by path.
#[derive(Debug)]
pub struct GraphPackage {
    pub name: String,
    pub version: String,
    /// Whether `cargo test -p` accepts it.
    pub is_member: bool,
    pub targets: Vec<Target>,
    pub uses: BTreeSet<PackageUse>,
    /// The manifest, with what it inherits in its place.
    pub(super) manifest: Table,
    /// Its dependencies: those that its library, programs and build script see, and those that only
    /// its tests, examples and benchmarks do.
    pub(super) linked: BTreeSet<Dependency>,
    pub(super) dev: BTreeSet<Dependency>,
}

/// A use of another package of the graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackageUse {
    /// Folder of the other package.
    pub of: String,
    /// Whether the users of this package see the other too.
    pub spread: Spread,
    /// Whether the dependency is on a program, which no name of the code shows.
    pub is_artifact: bool,
}

impl PackageGraph {
    /// Reads the manifests and the lock file of a tree.
    ///
    /// # Errors
    /// One of them does not parse, or there is no manifest.
    pub fn read(tree: &dyn SourceTree) -> Result<Self, WorkspaceError> {
        let mut manifests = Manifests::new(tree);
        let root = match manifests.load("") {
            Load::Found(_, table) => (*table).clone(),
            Load::Missing => return Err(WorkspaceError::NoManifest { path: tree.place() }),
            Load::Broken => return Err(broken(&mut manifests, tree, "")),
        };
        let members = manifests.members_of(&root);
        let mut graph = Self { root, lock: lock(tree)?, ..Self::default() };
        for (dir, is_member) in members {
            match manifests.load(&dir) {
                Load::Found(dir, table) => {
                    if let Some(package) = package(&mut manifests, &dir, &table, is_member) {
                        graph.packages.insert(dir, package);
                    }
                }
                Load::Missing => {}
                Load::Broken => return Err(broken(&mut manifests, tree, &dir)),
            }
        }
        graph.link();
        tree.check()?;
        Ok(graph)
    }

    /// The package whose folder a path is in, with that folder: the innermost one.
    pub fn owner(&self, path: &str) -> Option<(&str, &GraphPackage)> {
        let mut dir = path;
        while !dir.is_empty() {
            dir = paths::parent(dir);
            if let Some((dir, package)) = self.packages.get_key_value(dir) {
                return Some((dir, package));
            }
        }
        None
    }

    /// How Cargo's `-p` names a package.
    pub fn spec(&self, package: &GraphPackage) -> String {
        match &self.lock {
            Some(lock) if lock.named(&package.name).count() > 1 => {
                format!("{}@{}", package.name, package.version)
            }
            _ => package.name.clone(),
        }
    }

    /// Finds the packages that are used, by path, by name, and through other crates.
    fn link(&mut self) {
        let by_name: BTreeMap<&str, &str> = self
            .packages
            .iter()
            .map(|(dir, package)| (package.name.as_str(), dir.as_str()))
            .collect();
        let patched = self.patched();
        let mut all: Vec<BTreeSet<PackageUse>> = Vec::new();
        for package in self.packages.values() {
            let mut uses = BTreeSet::new();
            for (spread, dependencies) in
                [(Spread::Dependents, &package.linked), (Spread::Package, &package.dev)]
            {
                for dependency in dependencies {
                    let by_path = dependency.dir.as_deref();
                    let by_path = by_path.filter(|dir| self.packages.contains_key(*dir));
                    // A patch may lead to a package of the workspace.
                    let known = by_path.or_else(|| by_name.get(&*dependency.package).copied());
                    let through = match (&self.lock, known) {
                        (_, Some(dir)) => vec![dir],
                        (Some(lock), None) => lock.members_below(&dependency.package, &by_name),
                        (None, None) => patched.iter().map(String::as_str).collect(),
                    };
                    uses.extend(through.into_iter().map(|dir| PackageUse {
                        of: dir.to_owned(),
                        spread,
                        is_artifact: package.is_artifact(&dependency.enables.key),
                    }));
                }
            }
            all.push(uses);
        }
        for ((dir, package), mut uses) in self.packages.iter_mut().zip(all) {
            uses.retain(|one| one.of != *dir);
            package.uses = uses;
        }
    }

    /// Packages of the graph that `[patch]` puts in the place of others.
    fn patched(&self) -> BTreeSet<String> {
        let sources = self.root.get("patch").and_then(Value::as_table);
        let entries = sources.into_iter().flat_map(Table::values).filter_map(Value::as_table);
        let paths = entries.flat_map(Table::values).filter_map(|entry| entry.get("path")?.as_str());
        let folders = paths.filter_map(|path| paths::join("", path));
        folders.filter(|dir| self.packages.contains_key(dir)).collect()
    }
}

impl GraphPackage {
    /// Whether it has a target that other packages name.
    pub fn has_library(&self) -> bool {
        self.targets.iter().any(|target| target.kind.is_library())
    }

    /// Whether `cargo test` runs the tests of a target, or its documentation tests. Examples are built
    /// with them.
    pub fn is_tested(&self, target: &Target, key: TestKey) -> bool {
        let table = self.table(target);
        let own = table.and_then(|table| table.get(key.as_str())).and_then(Value::as_bool);
        match target.kind {
            TargetKind::Example => true,
            kind => own.unwrap_or(kind != TargetKind::Bench),
        }
    }

    /// Whether Cargo refuses to run the target by name without certain features.
    pub fn needs_features(&self, target: &Target) -> bool {
        self.table(target).is_some_and(|table| table.contains_key("required-features"))
    }

    fn table(&self, target: &Target) -> Option<&Table> {
        let key = match target.kind {
            TargetKind::Lib | TargetKind::ProcMacro => {
                return self.manifest.get("lib")?.as_table();
            }
            kind => kind.as_str(),
        };
        let tables = self.manifest.get(key)?.as_array()?;
        let mut tables = tables.iter().filter_map(Value::as_table);
        tables.find(|table| table.get("name").and_then(Value::as_str) == Some(&target.name))
    }

    fn is_artifact(&self, key: &str) -> bool {
        let tables =
            std::iter::once(&self.manifest).chain(crate::manifest::target_tables(&self.manifest));
        let names = LINKED_TABLES.iter().chain(&DEV_TABLES);
        tables
            .flat_map(|table| names.clone().filter_map(|name| table.get(*name)?.get(key)))
            .any(|entry| entry.get("own").unwrap_or(entry).get("artifact").is_some())
    }
}

/// A key of a target that takes tests out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestKey {
    Test,
    Doctest,
}

impl TestKey {
    fn as_str(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Doctest => "doctest",
        }
    }
}

fn broken(manifests: &mut Manifests<'_>, tree: &dyn SourceTree, dir: &str) -> WorkspaceError {
    let path = paths::manifest_of(dir);
    let known = manifests.issues.iter().find(|issue| issue.file_path == path);
    let message = known.map(|issue| issue.message.clone()).unwrap_or_else(|| "it is broken".into());
    WorkspaceError::Manifest { path: tree.place().join(path), message }
}

fn package(
    manifests: &mut Manifests<'_>,
    dir: &str,
    own: &Table,
    is_member: bool,
) -> Option<GraphPackage> {
    let inherited = manifests.workspace_of(dir, own);
    let manifest = effective(own, inherited.as_ref());
    let head = manifest.get("package").or_else(|| manifest.get("project"))?.as_table()?;
    let text = |key: &str| head.get(key).and_then(Value::as_str);
    let name = text("name")?.to_owned();
    let edition = text("edition").unwrap_or("2015");
    let context =
        PackageContext { tree: manifests.tree(), dir, manifest: &manifest, name: &name, edition };
    let (targets, _) = targets(&context);
    let inherited = inherited.as_ref();
    Some(GraphPackage {
        version: text("version").unwrap_or("0.0.0").to_owned(),
        is_member,
        targets,
        uses: BTreeSet::new(),
        linked: dependencies_in(&LINKED_TABLES, dir, own, inherited),
        dev: dependencies_in(&DEV_TABLES, dir, own, inherited),
        name,
        manifest,
    })
}

fn lock(tree: &dyn SourceTree) -> Result<Option<LockGraph>, WorkspaceError> {
    let path = "Cargo.lock";
    if !matches!(tree.look(path), Some(Kind::File | Kind::Link)) {
        return Ok(None);
    }
    let place = || tree.place().join(path);
    let bad = |message: String| WorkspaceError::Manifest { path: place(), message };
    let bytes = read_from(tree, path, MAX_LOCK).map_err(|issue| bad(issue.message))?;
    let text = String::from_utf8(bytes).map_err(|_| bad("it is not UTF-8".to_owned()))?;
    LockGraph::parse(&text).map(Some).map_err(bad)
}

/// Whether a file is in a folder of a package that only its tests, examples and benchmarks are in.
pub fn is_of_tests(dir: &str, path: &str) -> bool {
    ["tests", "examples", "benches"]
        .iter()
        .any(|folder| is_below(path, &crate::tree::within(dir, folder)))
}
