//! The targets of one package: those that its manifest names, and those that Cargo finds by
//! their place (`toml_targets_and_inferred` in Cargo's `util/toml/targets.rs`).

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::manifest::strings;
use super::paths;
use super::tree::{Kind, SourceTree, file_at, resolve};
use asof_model::{Target, TargetKind};

/// The package whose targets are determined.
pub(super) struct PackageContext<'a> {
    pub(super) tree: &'a dyn SourceTree,
    pub(super) dir: &'a str,
    pub(super) manifest: &'a Table,
    pub(super) name: &'a str,
    pub(super) edition: &'a str,
}

/// A kind of target that may come in any number.
struct Group {
    kind: TargetKind,
    /// Key of its tables in the manifest, and the word for it in messages.
    key: &'static str,
    auto_key: &'static str,
    folder: &'static str,
}

const GROUPS: [Group; 4] = [
    Group { kind: TargetKind::Bin, key: "bin", auto_key: "autobins", folder: "src/bin" },
    Group {
        kind: TargetKind::Example,
        key: "example",
        auto_key: "autoexamples",
        folder: "examples",
    },
    Group { kind: TargetKind::Test, key: "test", auto_key: "autotests", folder: "tests" },
    Group { kind: TargetKind::Bench, key: "bench", auto_key: "autobenches", folder: "benches" },
];

/// Targets sorted by kind, then name, and what the manifest names but does not exist.
pub(super) fn targets(cx: &PackageContext<'_>) -> (Vec<Target>, Vec<String>) {
    let mut out = Vec::new();
    let mut problems = Vec::new();
    cx.lib(&mut out, &mut problems);
    for group in &GROUPS {
        cx.group(group, &mut out, &mut problems);
    }
    cx.build_scripts(&mut out, &mut problems);
    out.sort();
    out.dedup();
    (out, problems)
}

impl PackageContext<'_> {
    fn package_key(&self, key: &str) -> Option<&Value> {
        self.manifest.get("package")?.get(key)
    }

    /// The file `path` of the package, relative to the root, if it is there and inside.
    fn file(&self, path: &str) -> Option<String> {
        paths::join(self.dir, path).filter(|path| file_at(self.tree, path).is_some())
    }

    fn target(&self, kind: TargetKind, name: &str, root: String, table: Option<&Table>) -> Target {
        let edition = table.and_then(|table| table.get("edition")).and_then(Value::as_str);
        Target {
            kind,
            name: name.to_owned(),
            crate_name: name.replace('-', "_"),
            root,
            edition: edition.unwrap_or(self.edition).to_owned(),
        }
    }

    fn lib(&self, out: &mut Vec<Target>, problems: &mut Vec<String>) {
        let table = self.manifest.get("lib").and_then(Value::as_table);
        let auto = self.package_key("autolib").and_then(Value::as_bool) != Some(false);
        if table.is_none() && !auto {
            return;
        }
        let get = |key: &str| table.and_then(|table| table.get(key));
        let path = get("path").and_then(Value::as_str);
        let Some(root) = self.file(path.unwrap_or("src/lib.rs")) else {
            if table.is_some() {
                problems.push(format!("library: no file `{}`", path.unwrap_or("src/lib.rs")));
            }
            return;
        };
        let flag = get("proc-macro").or_else(|| get("proc_macro")).and_then(Value::as_bool);
        let types = get("crate-type").or_else(|| get("crate_type"));
        let kind = if flag == Some(true) || strings(types).any(|kind| kind == "proc-macro") {
            TargetKind::ProcMacro
        } else {
            TargetKind::Lib
        };
        let name = get("name").and_then(Value::as_str);
        let name = name.map_or_else(|| self.name.replace('-', "_"), str::to_owned);
        out.push(self.target(kind, &name, root, table));
    }

    fn build_scripts(&self, out: &mut Vec<Target>, problems: &mut Vec<String>) {
        let named: Vec<&str> = match self.package_key("build") {
            Some(Value::Boolean(false)) => return,
            Some(Value::String(path)) => vec![path],
            list @ Some(Value::Array(_)) => strings(list).collect(),
            _ => Vec::new(),
        };
        let auto = if named.is_empty() { self.file("build.rs") } else { None };
        let mut add = |root: String| {
            let name = format!("build-script-{}", paths::stem(&root));
            let crate_name = "build_script_build".to_owned();
            out.push(Target {
                crate_name,
                ..self.target(TargetKind::BuildScript, &name, root, None)
            });
        };
        auto.into_iter().for_each(&mut add);
        for path in named {
            match self.file(path) {
                Some(root) => add(root),
                None => problems.push(format!("build script: no file `{path}`")),
            }
        }
    }

    /// Targets of one kind. Those found by their place are left out if a table of the manifest
    /// has their name or file, if `auto… = false`, or, in edition 2015, if there is any table.
    fn group(&self, group: &Group, out: &mut Vec<Target>, problems: &mut Vec<String>) {
        let inferred = self.inferred(group);
        let tables = self.manifest.get(group.key).and_then(Value::as_array);
        let mut by_name = BTreeMap::new();
        for (name, root) in &inferred {
            by_name.entry(name.as_str()).or_insert(root);
        }
        let mut names = BTreeSet::new();
        let mut roots = BTreeSet::new();
        for table in tables.into_iter().flatten().filter_map(Value::as_table) {
            let path = table.get("path").and_then(Value::as_str);
            let Some(name) = table.get("name").and_then(Value::as_str) else {
                problems.push(format!("a `[[{}]]` has no name", group.key));
                continue;
            };
            names.insert(name);
            let root = match path {
                Some(path) => {
                    roots.extend(paths::join(self.dir, path));
                    self.file(path)
                }
                None => {
                    let found = by_name.get(name).map(|root| (*root).clone());
                    found.or_else(|| self.legacy(group, name))
                }
            };
            match root {
                Some(root) => out.push(self.target(group.kind, name, root, Some(table))),
                None => {
                    let place = path.unwrap_or(group.folder);
                    problems.push(format!("{} `{name}`: no file in `{place}`", group.key));
                }
            }
        }
        let by_default = tables.is_none() || self.edition != "2015";
        let auto = self.package_key(group.auto_key).and_then(Value::as_bool);
        if !auto.unwrap_or(by_default) {
            return;
        }
        for (name, root) in &inferred {
            if !names.contains(name.as_str()) && !roots.contains(root) {
                out.push(self.target(group.kind, name, root.clone(), None));
            }
        }
    }

    /// Name and file of what Cargo finds by its place, sorted.
    fn inferred(&self, group: &Group) -> Vec<(String, String)> {
        let mut out = Vec::new();
        if group.kind == TargetKind::Bin {
            out.extend(self.file("src/main.rs").map(|root| (self.name.to_owned(), root)));
        }
        let Some(folder) = paths::join(self.dir, group.folder) else { return out };
        let Ok((folder, Kind::Folder)) = resolve(self.tree, &folder) else { return out };
        let Ok(entries) = self.tree.list(&folder) else { return out };
        let start = out.len();
        for entry in entries {
            let name = entry.name;
            if name.starts_with('.') || !entry.is_utf8 {
                continue;
            }
            let path = format!("{}/{name}", group.folder);
            if let Some(stem) = name.strip_suffix(".rs") {
                out.extend(self.file(&path).map(|root| (stem.to_owned(), root)));
            } else {
                out.extend(self.file(&format!("{path}/main.rs")).map(|root| (name, root)));
            }
        }
        if let Some(found) = out.get_mut(start..) {
            found.sort_unstable();
        }
        out
    }

    /// Where Cargo looks in edition 2015 for a binary that has a name and no path, besides the
    /// usual places.
    fn legacy(&self, group: &Group, name: &str) -> Option<String> {
        if group.kind != TargetKind::Bin || self.edition != "2015" {
            return None;
        }
        let has_lib = self.file("src/lib.rs").is_some();
        let by_name = if has_lib { None } else { self.file(&format!("src/{name}.rs")) };
        by_name.or_else(|| self.file("src/main.rs")).or_else(|| self.file("src/bin/main.rs"))
    }
}
