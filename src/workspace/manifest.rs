//! Reads manifests: what they inherit, and what they depend on.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use toml::{Table, Value};

use super::error::issue;
use super::members::Members;
use super::paths;
use super::tree::{Kind, Lost, SourceTree, file_at, read_from, resolve};
use asof_model::{Issue, IssueKind, RawHash};

/// Longest manifest that is read, in bytes.
const CAP: u64 = 4 << 20;

/// Those that only tests, examples and benchmarks of the package itself see.
pub(super) const DEV_TABLES: [&str; 2] = ["dev-dependencies", "dev_dependencies"];
/// Those that its library, programs or build script see.
pub(super) const LINKED_TABLES: [&str; 3] =
    ["dependencies", "build-dependencies", "build_dependencies"];

/// Tables of dependencies, in each spelling that Cargo accepts.
const DEPENDENCY_TABLES: [&str; 5] = [
    "dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies",
    "build_dependencies",
];

/// The manifest of a folder.
pub(super) enum Load {
    /// Its folder; differs from the one asked for if links were followed.
    Found(String, Rc<Table>),
    Missing,
    /// Broken; an issue says why.
    Broken,
}

/// Every manifest that was read, with its issues.
pub(super) struct Manifests<'a> {
    tree: &'a dyn SourceTree,
    pub(super) hashes: BTreeMap<String, RawHash>,
    pub(super) issues: Vec<Issue>,
    /// By folder; `None` for a broken one.
    tables: BTreeMap<String, Option<Rc<Table>>>,
    members: Members<'a>,
    /// The `[workspace]` above the root, once looked up.
    above: Option<Option<Rc<Table>>>,
}

/// A dependency as one entry of a manifest declares it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Dependency {
    /// The key, `-` turned to `_`.
    pub(super) name: String,
    pub(super) package: String,
    /// Whether the key is a name of its own, given with `package = …`.
    pub(super) renamed: bool,
    /// Folder inside the root, for a path dependency.
    pub(super) dir: Option<String>,
    pub(super) enables: Enables,
}

/// What a dependency asks of its package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Enables {
    /// The key as written, by which features name the dependency.
    pub(super) key: String,
    pub(super) optional: bool,
    pub(super) default_features: bool,
    pub(super) features: Vec<String>,
}

impl<'a> Manifests<'a> {
    pub(super) fn new(tree: &'a dyn SourceTree) -> Self {
        Self {
            tree,
            members: Members::new(tree),
            hashes: BTreeMap::new(),
            issues: Vec::new(),
            tables: BTreeMap::new(),
            above: None,
        }
    }

    pub(super) fn tree(&self) -> &'a dyn SourceTree {
        self.tree
    }

    pub(super) fn complain(&mut self, dir: &str, message: impl Into<String>) {
        self.issues.push(issue(&paths::manifest_of(dir), IssueKind::Manifest, message));
    }

    /// Reads the manifest of the folder `dir`, once.
    pub(super) fn load(&mut self, dir: &str) -> Load {
        let path = match resolve(self.tree, &paths::manifest_of(dir)) {
            // If it is not a file, reading it reports that.
            Ok((_, Kind::Folder)) | Err(Lost::Nowhere) => return Load::Missing,
            Ok((path, _)) => path,
            Err(lost) => {
                if self.tables.insert(dir.to_owned(), None).is_none() {
                    self.complain(dir, format!("a symbolic link to the manifest {lost}"));
                }
                return Load::Broken;
            }
        };
        let dir = paths::parent(&path).to_owned();
        if !self.tables.contains_key(&dir) {
            let table = match self.parse(&path) {
                Ok(table) => Some(Rc::new(table)),
                Err(issue) => {
                    self.issues.push(issue);
                    None
                }
            };
            self.tables.insert(dir.clone(), table);
        }
        match self.tables.get(&dir) {
            Some(Some(table)) => Load::Found(dir, Rc::clone(table)),
            _ => Load::Broken,
        }
    }

    fn parse(&mut self, path: &str) -> Result<Table, Issue> {
        let broken = |message: String| issue(path, IssueKind::Manifest, message);
        let bytes = read_from(self.tree, path, CAP).map_err(|i| broken(i.message))?;
        self.hashes.insert(path.to_owned(), RawHash::hash(&bytes));
        let text = String::from_utf8(bytes).map_err(|_| broken("is not UTF-8".to_owned()))?;
        text.parse::<Table>().map_err(|error| broken(parse_message(&text, &error)))
    }

    /// Folders of further packages that the manifest of `dir` names: members of its workspace and
    /// path dependencies. Missing ones are issues.
    pub(super) fn named(&mut self, dir: &str, table: &Table) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        if let Some(workspace) = table.get("workspace").and_then(Value::as_table) {
            let members = strings(workspace.get("members"));
            let problems = self.members.expand(dir, members, &mut out);
            problems.into_iter().for_each(|problem| self.complain(dir, problem));
        }
        for (name, value) in dependency_entries(table) {
            let Some(path) = value.get("path").and_then(Value::as_str) else { continue };
            // Outside the root: not part of the workspace.
            let Some(found) = paths::join(dir, path) else { continue };
            if file_at(self.tree, &paths::manifest_of(&found)).is_some() {
                out.insert(found);
            } else {
                self.complain(dir, format!("dependency `{name}`: no manifest in `{path}`"));
            }
        }
        out
    }

    /// Folders of the members of the workspace in the root, and of the packages on which these
    /// depend by path, each with whether it is a member: as Cargo finds them.
    pub(super) fn members_of(&mut self, table: &Table) -> BTreeMap<String, bool> {
        let workspace = table.get("workspace").and_then(Value::as_table);
        let of_workspace = |key: &str| strings(workspace.and_then(|table| table.get(key)));
        let folders = |key| -> Vec<String> {
            of_workspace(key).filter_map(|path| paths::join("", path)).collect()
        };
        let (named, excluded) = (folders("members"), folders("exclude"));
        let below = |path: &str, all: &[String]| all.iter().any(|top| is_below(path, top));
        let is_excluded = |path: &str| below(path, &excluded) && !below(path, &named);
        let mut waiting = BTreeSet::new();
        // A missing one is an issue of the layout.
        self.members.expand("", of_workspace("members"), &mut waiting);
        waiting.retain(|member| !is_excluded(member));
        waiting.insert(String::new());
        let mut found = BTreeMap::new();
        while let Some(dir) = waiting.pop_first() {
            if found.contains_key(&dir) {
                continue;
            }
            if let Load::Found(real, own) = self.load(&dir) {
                let inherited = self.workspace_of(&real, &own);
                let all = dependencies(&real, &own, inherited.as_ref());
                waiting.extend(all.into_iter().filter_map(|dependency| dependency.dir));
            }
            let is_member = dir.is_empty() || (workspace.is_some() && !is_excluded(&dir));
            found.insert(dir, is_member);
        }
        found
    }

    /// The `[workspace]` table that the package in `dir` inherits from, and its folder (`None` if
    /// that is above the root). It is the package's own, that which `package.workspace` names,
    /// or that of the nearest manifest above that has one.
    pub(super) fn workspace_of(&mut self, dir: &str, table: &Table) -> Option<Inherited> {
        if table.contains_key("workspace") {
            return Inherited::parse(Some(dir), table);
        }
        let pointer = table.get("package").and_then(|package| package.get("workspace"));
        if let Some(path) = pointer.and_then(Value::as_str)
            && let Some(dir) = paths::join(dir, path)
            && let Load::Found(dir, table) = self.load(&dir)
        {
            return Inherited::parse(Some(&dir), &table);
        }
        let mut dir = dir;
        while !dir.is_empty() {
            dir = paths::parent(dir);
            if let Load::Found(dir, table) = self.load(dir)
                && table.contains_key("workspace")
            {
                return Inherited::parse(Some(&dir), &table);
            }
        }
        let tree = self.tree;
        let above = self.above.get_or_insert_with(|| workspace_above(tree));
        above.as_ref().and_then(|table| Inherited::parse(None, table))
    }
}

/// Whether a path is a folder or in it.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What a package can inherit.
pub(super) struct Inherited {
    dir: Option<String>,
    workspace: Table,
}

impl Inherited {
    fn parse(dir: Option<&str>, manifest: &Table) -> Option<Self> {
        let workspace = manifest.get("workspace")?.as_table()?.clone();
        Some(Self { dir: dir.map(str::to_owned), workspace })
    }

    /// The value of `[workspace.package]`.
    pub(super) fn package(&self, key: &str) -> Option<&Value> {
        self.workspace.get("package")?.get(key)
    }

    /// The value of `[workspace.lints]`.
    pub(super) fn lints(&self) -> Option<&Value> {
        self.workspace.get("lints")
    }

    pub(super) fn dependency(&self, key: &str) -> Option<&Value> {
        self.workspace.get("dependencies")?.get(key)
    }
}

/// Reads above the root only what a member given as root inherits.
fn workspace_above(tree: &dyn SourceTree) -> Option<Rc<Table>> {
    tree.manifests_above(CAP).into_iter().find_map(|bytes| {
        let table = String::from_utf8(bytes).ok()?.parse::<Table>().ok()?;
        table.contains_key("workspace").then(|| Rc::new(table))
    })
}

/// Line and reason, without the parser's excerpt of several lines.
fn parse_message(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    match before.map(|before| before.matches('\n').count() + 1) {
        Some(line) => format!("line {line}: {}", error.message()),
        None => error.message().to_owned(),
    }
}

/// The dependencies of the manifest of `dir`, from all its tables.
pub(super) fn dependencies(
    dir: &str,
    table: &Table,
    inherited: Option<&Inherited>,
) -> BTreeSet<Dependency> {
    dependencies_in(&DEPENDENCY_TABLES, dir, table, inherited)
}

/// The dependencies of the manifest of `dir`, from tables of these names.
pub(super) fn dependencies_in(
    names: &[&str],
    dir: &str,
    table: &Table,
    inherited: Option<&Inherited>,
) -> BTreeSet<Dependency> {
    let own_tables = std::iter::once(table).chain(target_tables(table));
    let tables = own_tables.flat_map(|table| dependency_tables(names, table));
    tables
        .flat_map(|table| dependencies_of_table(dir, table, inherited))
        .map(|(dependency, ..)| dependency)
        .collect()
}

/// The dependencies of one table, each with its entry and the one that this inherits, or itself.
pub(super) fn dependencies_of_table<'t>(
    dir: &'t str,
    table: &'t Table,
    inherited: Option<&'t Inherited>,
) -> impl Iterator<Item = (Dependency, &'t Value, &'t Value)> {
    table.iter().map(move |(key, own)| {
        let inherits = own.get("workspace").and_then(Value::as_bool) == Some(true);
        let (value, base) = match inherited.filter(|_| inherits) {
            Some(inherited) => match inherited.dependency(key) {
                Some(theirs) => (theirs, inherited.dir.as_deref()),
                None => (own, Some(dir)),
            },
            None => (own, Some(dir)),
        };
        let package = value.get("package").and_then(Value::as_str);
        let path = value.get("path").and_then(Value::as_str);
        let dependency = Dependency {
            name: key.replace('-', "_"),
            package: package.unwrap_or(key).to_owned(),
            renamed: package.is_some_and(|package| package != key),
            dir: base.zip(path).and_then(|(base, path)| paths::join(base, path)),
            enables: Enables::parse(key, own, value),
        };
        (dependency, own, value)
    })
}

impl Enables {
    /// `theirs`: what the entry inherits, or the entry itself. Features add up.
    fn parse(key: &str, own: &Value, theirs: &Value) -> Self {
        let default_features = |of: &Value| {
            let value = of.get("default-features").or_else(|| of.get("default_features"));
            value.and_then(Value::as_bool)
        };
        let asked = [own, theirs].into_iter().flat_map(|of| strings(of.get("features")));
        let features: BTreeSet<&str> = asked.collect();
        Self {
            key: key.to_owned(),
            optional: own.get("optional").and_then(Value::as_bool) == Some(true),
            default_features: default_features(theirs).unwrap_or(true)
                || default_features(own) == Some(true),
            features: features.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// The features of a package: those of its table, and those that optional dependencies make, which
/// no feature names as `dep:`. Without the dependencies on other packages.
pub(super) fn features(
    table: &Table,
    dependencies: &BTreeSet<Dependency>,
) -> BTreeMap<String, Vec<String>> {
    let declared = table.get("features").and_then(Value::as_table).into_iter().flatten();
    let mut features: BTreeMap<String, Vec<String>> = declared
        .map(|(name, enables)| (name.clone(), strings(Some(enables)).map(str::to_owned).collect()))
        .collect();
    let named: BTreeSet<String> = features
        .values()
        .flatten()
        .filter_map(|enabled| enabled.strip_prefix("dep:").map(str::to_owned))
        .collect();
    let optional = dependencies.iter().map(|dependency| &dependency.enables);
    for Enables { key, .. } in optional.filter(|enables| enables.optional) {
        if !named.contains(key) {
            features.entry(key.clone()).or_insert_with(|| vec![format!("dep:{key}")]);
        }
    }
    features
}

/// Entries of every table of dependencies, those of the workspace included.
fn dependency_entries(table: &Table) -> impl Iterator<Item = (&String, &Value)> {
    let workspace = table.get("workspace").and_then(Value::as_table);
    std::iter::once(table).chain(workspace).chain(target_tables(table)).flat_map(entries_of)
}

pub(super) fn target_tables(table: &Table) -> impl Iterator<Item = &Table> {
    let targets = table.get("target").and_then(Value::as_table);
    targets.into_iter().flat_map(Table::values).filter_map(Value::as_table)
}

fn entries_of(table: &Table) -> impl Iterator<Item = (&String, &Value)> {
    dependency_tables(&DEPENDENCY_TABLES, table).flat_map(Table::iter)
}

fn dependency_tables<'t>(
    names: &[&str],
    table: &'t Table,
) -> impl Iterator<Item = &'t Table> + use<'t> {
    let named = names.iter().filter_map(|name| table.get(*name).and_then(Value::as_table));
    named.collect::<Vec<_>>().into_iter()
}

/// The texts of an array.
pub(super) fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
