//! What manifests declare as dependencies, entry by entry, with the places of the entries.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::manifest::{Load, Manifests, dependencies_of_table, strings};
use super::paths;
use super::tree::{SourceTree, read_from};
use asof_model::Issue;

/// Longest manifest that is read, in bytes.
const CAP: u64 = 4 << 20;

/// What a manifest declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeclaredPackage {
    /// Relative to the root.
    pub manifest_path: String,
    /// None for a workspace without a package of its own.
    pub name: Option<String>,
    pub entries: Vec<DeclaredDependency>,
    /// Features as declared, with what they enable.
    pub features: BTreeMap<String, Vec<String>>,
    /// Whether it links a native library.
    pub links: bool,
    /// Dependencies that `package.metadata` tells cargo-machete or cargo-udeps to ignore.
    pub ignored: BTreeSet<String>,
}

/// A table of dependencies of a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeclaredTable {
    Normal,
    Dev,
    Build,
    Workspace,
}

/// One dependency in one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredDependency {
    /// The key as written.
    pub key: String,
    /// The package depended on.
    pub package: String,
    /// Whether the key is a name of its own, given with `package = …`.
    pub renamed: bool,
    pub table: DeclaredTable,
    /// `cfg(…)` or a triple.
    pub platform: Option<String>,
    /// Whether it inherits from `[workspace.dependencies]`.
    pub inherited: bool,
    /// The version, path or repository.
    pub requirement: Option<String>,
    /// Folder inside the root, for a path dependency.
    pub dir: Option<String>,
    pub optional: bool,
    pub default_features: bool,
    pub features: Vec<String>,
    /// Line of the entry, from 1.
    pub line: u32,
}

/// What the manifests at some paths declare, and the issues of those that cannot be read or do not
/// parse.
pub fn declared_dependencies(
    tree: &dyn SourceTree,
    manifest_paths: &BTreeSet<String>,
) -> (Vec<DeclaredPackage>, Vec<Issue>) {
    let mut manifests = Manifests::new(tree);
    let mut found = Vec::new();
    for path in manifest_paths {
        let dir = paths::parent(path);
        let Load::Found(dir, table) = manifests.load(dir) else { continue };
        let text = read_from(tree, path, CAP).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let inherited = manifests.workspace_of(&dir, &table);
        let own = table.get("package").or_else(|| table.get("project")).and_then(Value::as_table);
        let mut package = DeclaredPackage {
            manifest_path: path.clone(),
            name: own.and_then(|own| own.get("name")?.as_str()).map(str::to_owned),
            features: declared_features(&table),
            links: own.is_some_and(|own| own.contains_key("links")),
            ignored: own.map(ignored).unwrap_or_default(),
            ..DeclaredPackage::default()
        };
        for (place, entries) in tables(&table) {
            let declared = dependencies_of_table(&dir, entries, inherited.as_ref());
            package.entries.extend(declared.map(|(dependency, own, theirs)| DeclaredDependency {
                line: line_of(&text, &place, &dependency.enables.key),
                key: dependency.enables.key,
                package: dependency.package,
                renamed: dependency.renamed,
                table: place.table,
                platform: place.platform.clone(),
                inherited: own.get("workspace").and_then(Value::as_bool) == Some(true),
                requirement: requirement(theirs),
                dir: dependency.dir,
                optional: dependency.enables.optional,
                default_features: dependency.enables.default_features,
                features: dependency.enables.features,
            }));
        }
        package
            .entries
            .sort_by(|a, b| (a.table, &a.platform, &a.key).cmp(&(b.table, &b.platform, &b.key)));
        found.push(package);
    }
    (found, manifests.issues)
}

/// Where a table of dependencies is in a manifest.
#[derive(Debug, Clone)]
struct Place {
    table: DeclaredTable,
    platform: Option<String>,
    /// The key as written.
    key: String,
}

/// The tables of dependencies of a manifest.
fn tables(manifest: &Table) -> Vec<(Place, &Table)> {
    let kinds = [
        (DeclaredTable::Normal, "dependencies"),
        (DeclaredTable::Dev, "dev-dependencies"),
        (DeclaredTable::Dev, "dev_dependencies"),
        (DeclaredTable::Build, "build-dependencies"),
        (DeclaredTable::Build, "build_dependencies"),
    ];
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    let targets = targets.filter_map(|(name, value)| Some((Some(name.clone()), value.as_table()?)));
    let mut found = Vec::new();
    for (platform, outer) in std::iter::once((None, manifest)).chain(targets) {
        for (table, key) in kinds {
            if let Some(entries) = outer.get(key).and_then(Value::as_table) {
                let place = Place { table, platform: platform.clone(), key: key.to_owned() };
                found.push((place, entries));
            }
        }
    }
    let workspace = manifest.get("workspace").and_then(|own| own.get("dependencies"));
    if let Some(entries) = workspace.and_then(Value::as_table) {
        let key = "dependencies".to_owned();
        found.push((Place { table: DeclaredTable::Workspace, platform: None, key }, entries));
    }
    found
}

fn declared_features(manifest: &Table) -> BTreeMap<String, Vec<String>> {
    let declared = manifest.get("features").and_then(Value::as_table).into_iter().flatten();
    let enables = |value: &Value| strings(Some(value)).map(str::to_owned).collect();
    declared.map(|(name, value)| (name.clone(), enables(value))).collect()
}

/// What `[package.metadata]` tells other tools to ignore.
fn ignored(package: &Table) -> BTreeSet<String> {
    let metadata = package.get("metadata");
    let get = |path: &[&str]| path.iter().try_fold(metadata?, |value, key| value.get(key));
    let machete = get(&["cargo-machete", "ignored"]);
    let udeps =
        ["normal", "development", "build"].map(|kind| get(&["cargo-udeps", "ignore", kind]));
    let lists = std::iter::once(machete).chain(udeps);
    lists.flat_map(strings).map(str::to_owned).collect()
}

/// What an entry asks for: its version, else its path or repository.
fn requirement(value: &Value) -> Option<String> {
    let part = |key: &str| value.get(key).and_then(Value::as_str);
    let text = value.as_str().or_else(|| part("version"));
    text.or_else(|| part("path")).or_else(|| part("git")).map(str::to_owned)
}

/// The line of an entry; 1 if it is written in a way that has none of its own.
fn line_of(text: &str, place: &Place, key: &str) -> u32 {
    let found = || {
        let document = toml_edit::Document::parse(text).ok()?;
        let mut at: &toml_edit::Item = document.as_item();
        if let Some(platform) = &place.platform {
            at = at.get("target")?.get(platform)?;
        }
        if place.table == DeclaredTable::Workspace {
            at = at.get("workspace")?;
        }
        let table = at.get(&place.key)?.as_table_like()?;
        let (name, item) = table.get_key_value(key)?;
        name.span().or_else(|| item.span())
    };
    let before = found().and_then(|span| text.get(..span.start));
    let lines = before.map_or(0, |before| before.matches('\n').count());
    u32::try_from(lines).unwrap_or(u32::MAX).saturating_add(1)
}
