//! Finds the packages and targets of a folder from its manifests.
//!
//! The root is taken as given: one with a manifest that has `[workspace]` is a workspace,
//! one with a manifest of a package is a single crate (a member given as root is indexed alone,
//! inheriting from the workspace above it), and one without a manifest is a plain folder. In each
//! case every package below the root counts: members, path dependencies, excluded packages such
//! as fuzz targets, and those that no manifest names. `default-members` plays no part.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toml::{Table, Value};

use super::error::WorkspaceError;
use super::manifest::{self, Dependency, Enables, Inherited, Load, Manifests};
use super::targets::{PackageContext, targets};
use super::tree::{Disk, SourceTree};
use super::walk::{Walk, walk_tree};
use super::{folder, paths};
use asof_model::{
    Features, Issue, MemberDependency, OrNever, Package, TargetKind, WorkspaceKind, WorkspaceLayout,
};

/// Edition of a manifest that names none.
const OLDEST_EDITION: &str = "2015";

/// Packages and targets below `root`, and all issues of the walk and of manifests, sorted.
///
/// # Errors
/// See [`layout_of`].
pub fn discover(root: &Path) -> Result<(WorkspaceLayout, Vec<Issue>), WorkspaceError> {
    let tree = Disk::open(root)?;
    let walk = walk_tree(&tree)?;
    let (layout, mut issues) = layout_of(&tree, &walk)?;
    issues.extend(walk.issues);
    issues.sort();
    Ok((layout, issues))
}

/// [`layout_of`] the folder `root`.
///
/// # Errors
/// See [`layout_of`]; or if the root is missing or unreadable.
pub fn layout(root: &Path, walk: &Walk) -> Result<(WorkspaceLayout, Vec<Issue>), WorkspaceError> {
    layout_of(&Disk::open(root)?, walk)
}

/// Packages and targets of a tree that was walked, and the issues of its manifests, sorted.
/// Root files and manifests that the walk does not have (they are ignored or hidden) can be added
/// to it with [`Walk::include`]. Where a root file is a link of the walk, the target's root is the
/// file that it leads to.
///
/// Targets in the places where Cargo looks for them need no manifest: a layout is out of date when
/// the set of files changed, or a manifest did.
///
/// # Errors
/// If the manifest of the root does not parse or has neither `[package]` nor `[workspace]`, no
/// Rust file is in the tree, or an object of a commit cannot be read.
pub fn layout_of(
    tree: &dyn SourceTree,
    walk: &Walk,
) -> Result<(WorkspaceLayout, Vec<Issue>), WorkspaceError> {
    let found = layout_unchecked(tree, walk);
    // Damage must not look like absence.
    tree.check()?;
    found
}

fn layout_unchecked(
    tree: &dyn SourceTree,
    walk: &Walk,
) -> Result<(WorkspaceLayout, Vec<Issue>), WorkspaceError> {
    let mut manifests = Manifests::new(tree);
    let kind = kind_of(&mut manifests, &tree.place())?;
    let tables = load_all(&mut manifests, walk);

    let mut found: Vec<UnlinkedPackage> =
        tables.iter().filter_map(|(dir, table)| package(&mut manifests, dir, table)).collect();
    link_features(&mut found);
    use_lib_names(&mut found);
    let mut packages: Vec<Package> = found.into_iter().map(|found| found.package).collect();
    if kind == WorkspaceKind::Folder {
        packages.extend(folder::package(tree, walk, &packages));
    }
    packages.sort();
    for target in packages.iter_mut().flat_map(|package| &mut package.targets) {
        if let Some(real) = walk.links.get(&target.root) {
            target.root.clone_from(real);
        }
    }

    if walk.files.is_empty() && packages.iter().all(|package| package.targets.is_empty()) {
        return Err(WorkspaceError::Empty { path: tree.place() });
    }
    let root_package = packages.iter().find(|package| package.manifest_path == "Cargo.toml");
    let name = root_package.map(|package| package.name.clone()).or_else(|| tree.name());
    let Manifests { hashes, mut issues, .. } = manifests;
    issues.sort();
    issues.dedup();
    let name = name.unwrap_or_else(|| "root".to_owned());
    Ok((WorkspaceLayout { kind, name, packages, manifests: hashes }, issues))
}

fn kind_of(manifests: &mut Manifests<'_>, root: &Path) -> Result<WorkspaceKind, WorkspaceError> {
    let path = root.join("Cargo.toml");
    match manifests.load("") {
        Load::Missing => Ok(WorkspaceKind::Folder),
        Load::Found(_, table) if table.contains_key("workspace") => Ok(WorkspaceKind::Workspace),
        Load::Found(_, table) if has_package(&table) => Ok(WorkspaceKind::Crate),
        Load::Found(..) => {
            let message = "it has neither `[package]` nor `[workspace]`".to_owned();
            Err(WorkspaceError::RootManifest { path, message })
        }
        Load::Broken => {
            let issue = manifests.issues.pop().map(|issue| issue.message);
            let message = issue.or_never("a broken manifest has an issue");
            Err(WorkspaceError::RootManifest { path, message })
        }
    }
}

fn has_package(table: &Table) -> bool {
    table.contains_key("package") || table.contains_key("project")
}

type Tables = BTreeMap<String, std::rc::Rc<Table>>;

/// Every manifest of the walk, and every one that those name, by folder.
fn load_all(manifests: &mut Manifests<'_>, walk: &Walk) -> Tables {
    let mut waiting: BTreeSet<String> =
        walk.manifests.iter().map(|file| paths::parent(&file.path).to_owned()).collect();
    waiting.insert(String::new());
    let mut seen = BTreeSet::new();
    let mut tables = Tables::new();
    while let Some(dir) = waiting.pop_first() {
        if !seen.insert(dir.clone()) {
            continue;
        }
        let Load::Found(dir, table) = manifests.load(&dir) else { continue };
        seen.insert(dir.clone());
        if tables.contains_key(&dir) {
            continue;
        }
        waiting.extend(manifests.named(&dir, &table));
        tables.insert(dir, table);
    }
    tables
}

/// A package whose dependencies do not yet have the names of their libraries.
struct UnlinkedPackage {
    package: Package,
    dir: String,
    dependencies: BTreeSet<Dependency>,
}

fn package(manifests: &mut Manifests<'_>, dir: &str, manifest: &Table) -> Option<UnlinkedPackage> {
    let own = manifest.get("package").or_else(|| manifest.get("project"));
    let Some(own) = own.and_then(Value::as_table) else {
        if !manifest.contains_key("workspace") {
            manifests.complain(dir, "it has neither `[package]` nor `[workspace]`");
        }
        return None;
    };
    let Some(name) = own.get("name").and_then(Value::as_str) else {
        manifests.complain(dir, "the package has no name");
        return None;
    };
    let inherited = manifests.workspace_of(dir, manifest);
    let edition = value_of(own, inherited.as_ref(), "edition").unwrap_or(OLDEST_EDITION).to_owned();
    let version = value_of(own, inherited.as_ref(), "version").unwrap_or("0.0.0").to_owned();
    let (targets, problems) =
        targets(&PackageContext { tree: manifests.tree(), dir, manifest, name, edition: &edition });
    for problem in problems {
        manifests.complain(dir, problem);
    }
    let dependencies = manifest::dependencies(dir, manifest, inherited.as_ref());
    let package = Package {
        manifest_path: paths::manifest_of(dir),
        name: name.to_owned(),
        version,
        edition,
        dependencies: Vec::new(),
        targets,
        features: Features {
            declared: manifest::features(manifest, &dependencies),
            members: Vec::new(),
        },
    };
    Some(UnlinkedPackage { package, dir: dir.to_owned(), dependencies })
}

/// A text of `[package]`, inherited if it says `workspace = true`.
fn value_of<'t>(own: &'t Table, inherited: Option<&'t Inherited>, key: &str) -> Option<&'t str> {
    match own.get(key)? {
        Value::String(text) => Some(text),
        Value::Table(table) if table.get("workspace").and_then(Value::as_bool) == Some(true) => {
            inherited?.package(key)?.as_str()
        }
        _ => None,
    }
}

/// Which dependencies are packages below the root.
fn link_features(found: &mut [UnlinkedPackage]) {
    let dirs: BTreeSet<String> = found.iter().map(|found| found.dir.clone()).collect();
    for UnlinkedPackage { package, dependencies, .. } in found {
        let members = dependencies.iter().filter_map(|dependency| {
            let dir = dependency.dir.as_ref().filter(|dir| dirs.contains(*dir))?;
            let Enables { key, optional, default_features, features } = dependency.enables.clone();
            let manifest_path = paths::manifest_of(dir);
            Some(MemberDependency { key, manifest_path, optional, default_features, features })
        });
        package.features.members = members.collect();
    }
}

/// In code, a dependency that is not renamed has the name of its library, which is known if the
/// library is below the root.
fn use_lib_names(found: &mut [UnlinkedPackage]) {
    let is_lib = |kind| matches!(kind, TargetKind::Lib | TargetKind::ProcMacro);
    let libs: BTreeMap<String, String> = found
        .iter()
        .filter_map(|found| {
            let lib = found.package.targets.iter().find(|target| is_lib(target.kind))?;
            Some((found.dir.clone(), lib.crate_name.clone()))
        })
        .collect();
    for found in found {
        let names = found.dependencies.iter().map(|dependency| {
            let lib = dependency.dir.as_ref().and_then(|dir| libs.get(dir));
            let name = lib.filter(|_| !dependency.renamed).unwrap_or(&dependency.name);
            (name.clone(), dependency.package.clone())
        });
        found.package.dependencies = names.collect::<BTreeSet<_>>().into_iter().collect();
    }
}
