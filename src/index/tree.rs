//! The module tree: which file is the body of which module of which crate.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::rc::Rc;

use index_vec::IndexVec;
use serde::{Deserialize, Serialize};

use asof_model::{
    HashMap, Header, Issue, IssueKind, ItemTree, NodeKind, OrNever, StoredTree, Target, TargetKind,
    WorkspaceLayout,
};
use asof_resolve::{
    Crate, CrateId, FileId, FileImports, Instance, InstanceId, MadeModule, ModuleFolder, PackageId,
    included_file,
};
use asof_workspace::{ModDir, ModFile, existing, join_paths};

/// A file may be the body of several modules, but a tree with more modules than this per file is an
/// attack.
const MAX_INSTANCES_PER_FILE: usize = 8;

/// Names of files that are looked at for macro calls which declare modules, for each file.
const MAX_LISTED_PER_FILE: usize = 64;

/// Depth of files that declare one another as modules, beyond which the next is a crate of its own:
/// canonical paths are as long as modules are deep.
const MAX_DEPTH: u32 = 128;

/// Item trees by path; a file's number is its index in this order.
pub type ItemTreeMap<'a> = BTreeMap<&'a str, &'a StoredTree>;

/// Crates and module instances of a workspace.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Tree {
    pub crates: IndexVec<CrateId, Crate>,
    pub instances: IndexVec<InstanceId, Instance>,
    /// Declarations that repeat another one of the same module and file, under another `cfg`:
    /// instance and item, and the item of the other one.
    pub repeats: BTreeMap<(InstanceId, u32), u32>,
    pub issues: Vec<Issue>,
}

struct Builder<'a> {
    layout: &'a WorkspaceLayout,
    item_trees: &'a ItemTreeMap<'a>,
    links: &'a BTreeMap<String, String>,
    numbers: HashMap<&'a str, FileId>,
    tree: Tree,
    reached: BTreeSet<FileId>,
    /// Depth of each instance.
    depths: IndexVec<InstanceId, u32>,
    full: bool,
    /// Names of files that were looked at for macro calls.
    listed: usize,
}

/// Builds the tree: the targets first, then every file that none of them reaches.
/// `links` maps files that are links to their targets.
pub fn build(
    layout: &WorkspaceLayout,
    item_trees: &ItemTreeMap<'_>,
    links: &BTreeMap<String, String>,
) -> Tree {
    let mut builder = Builder {
        layout,
        item_trees,
        links,
        numbers: item_trees.keys().enumerate().map(|(n, path)| (*path, FileId::new(n))).collect(),
        tree: Tree::default(),
        reached: BTreeSet::new(),
        depths: IndexVec::new(),
        full: false,
        listed: 0,
    };
    for (number, package) in layout.packages.iter().enumerate() {
        for target in &package.targets {
            builder.grow(Crate { package: Some(PackageId::new(number)), target: target.clone() });
        }
    }
    let packages: HashMap<&str, PackageId> = layout
        .packages
        .iter()
        .enumerate()
        .rev()
        .map(|(number, package)| (folder_of(&package.manifest_path), PackageId::new(number)))
        .collect();
    for path in builder.detached() {
        if builder.numbers.get(path).is_some_and(|n| builder.reached.contains(n)) {
            continue;
        }
        builder.grow(detached_crate(layout, &packages, path));
    }
    builder.tree
}

impl<'a> Builder<'a> {
    /// Adds a crate and all modules below its root.
    fn grow(&mut self, krate: Crate) {
        let Some((path, file)) = self.file(&krate.target.root) else { return };
        let number = self.tree.crates.push(krate);
        let root = self.add(Instance {
            file,
            krate: number,
            declared_in: None,
            variant: None,
            cfg: String::new(),
            made: None,
        });
        let mut open = vec![(root, path, ModDir::root(path))];
        while let Some((instance, path, dir)) = open.pop() {
            // Reversed, so that the stack returns the children in the order of the text.
            let children = self.children(instance, path, &dir);
            open.extend(children.into_iter().rev());
        }
    }

    fn file(&self, path: &str) -> Option<(&'a str, FileId)> {
        let path = self.links.get(path).map_or(path, String::as_str);
        let (&path, &number) = self.numbers.get_key_value(path)?;
        Some((path, number))
    }

    fn add(&mut self, instance: Instance) -> InstanceId {
        self.reached.insert(instance.file);
        let above = instance.declared_in.map(|(by, _)| self.depth(by) + 1);
        self.depths.push(above.unwrap_or(0));
        self.tree.instances.push(instance)
    }

    fn depth(&self, instance: InstanceId) -> u32 {
        self.depths.get(instance).copied().or_never("an instance has a depth")
    }

    fn children(
        &mut self,
        instance: InstanceId,
        path: &'a str,
        dir: &ModDir,
    ) -> Vec<(InstanceId, &'a str, ModDir)> {
        let Some(item_tree) = self.item_trees.get(path) else { return Vec::new() };
        let mut found = Vec::new();
        let mut seen: BTreeMap<(u32, String, FileId), u32> = BTreeMap::new();
        let Some(krate) = self.tree.instances.get(instance).map(|of| of.krate) else {
            return Vec::new();
        };
        let package = self.package_of(krate);
        let names = self.names_in(krate);
        let modules = &mut |folder: &ModuleFolder| self.modules_of(&package, folder);
        let all = declarations(item_tree, dir, names, modules);
        for Declared { at, files, made } in all {
            let others = without(item_tree, at);
            let name = match &made {
                Some(made) => made.name.as_str(),
                None => item_tree.items.get(at).map_or("", |i| i.name.as_str()),
            };
            let files = existing(files, |path| self.file(path).is_some());
            if files.is_empty() && made.as_ref().is_none_or(|made| !made.is_included()) {
                self.issue(
                    path,
                    IssueKind::MissingModule,
                    format!("no file for `mod {name};` of {path}"),
                );
            }
            for (order, file) in files.into_iter().enumerate() {
                let Some((child_path, child)) = self.file(&file.path) else { continue };
                let key = (module_around(item_tree, at), name.to_owned(), child);
                if let Some(first) = seen.get(&key) {
                    if made.is_none() {
                        self.tree.repeats.insert((instance, at as u32), *first);
                    }
                    continue;
                }
                seen.insert(key, at as u32);
                if self.is_ancestor(instance, child) {
                    let message = format!("`mod {name};` of {path} refers back to {child_path}");
                    self.issue(path, IssueKind::ModuleCycle, message);
                    continue;
                }
                if self.depth(instance) >= MAX_DEPTH {
                    let message = format!("`mod {name};` of {path} is nested too deeply");
                    self.issue(path, IssueKind::TooDeep, message);
                    continue;
                }
                if self.tree.instances.len() >= MAX_INSTANCES_PER_FILE * self.item_trees.len() {
                    if !self.full {
                        let message =
                            "too many modules for the number of files: the rest is left out";
                        self.issue(path, IssueKind::ModuleCycle, message.to_owned());
                    }
                    self.full = true;
                    return found;
                }
                let cfg = if file.cfg.is_empty() { others.clone() } else { file.cfg.clone() };
                let variant = match (order, file.cfg.is_empty()) {
                    (0, _) => None,
                    (_, true) => Some("else".to_owned()),
                    (_, false) => Some(file.cfg),
                };
                let declared_in = Some((instance, at as u32));
                let made = made.clone();
                let of = Instance { file: child, krate, declared_in, variant, cfg, made };
                let number = self.add(of);
                found.push((number, child_path, file.dir));
            }
        }
        found
    }

    /// Folder of the package of a crate; empty for the root.
    fn package_of(&self, krate: CrateId) -> String {
        let package = self.tree.crates.get(krate).and_then(|krate| krate.package);
        let package = package.and_then(|package| self.layout.packages.get(package.index()));
        package.map_or(String::new(), |package| folder_of(&package.manifest_path).to_owned())
    }

    /// The dependencies of a crate's package, by their names in its code.
    fn names_in(&self, krate: CrateId) -> &'a [(String, String)] {
        let package = self.tree.crates.get(krate).and_then(|krate| krate.package);
        let package = package.and_then(|package| self.layout.packages.get(package.index()));
        package.map_or(&[], |package| &package.dependencies)
    }

    /// The modules that a macro call declares, each with its file where that is not of its name.
    fn modules_of(&mut self, package: &str, folder: &ModuleFolder) -> Vec<ModuleOfFile> {
        let Some(path) = join_paths(package, &folder.path) else { return Vec::new() };
        let below = if path.is_empty() { path } else { format!("{path}/") };
        let item_trees = self.item_trees;
        let from = (Bound::Included(below.as_str()), Bound::Unbounded);
        let files = item_trees.range::<str, _>(from).map(|(path, _)| *path);
        let mut found = Vec::new();
        for file in files.map_while(|path| path.strip_prefix(below.as_str())) {
            if self.listed >= MAX_LISTED_PER_FILE * item_trees.len() {
                break;
            }
            self.listed += 1;
            found.extend(folder.module(file));
        }
        found
    }

    fn issue(&mut self, file: &str, kind: IssueKind, message: String) {
        self.tree.issues.push(Issue { file_path: file.to_owned(), kind, message, span: None });
    }

    fn is_ancestor(&self, instance: InstanceId, file: FileId) -> bool {
        let mut at = Some(instance);
        while let Some(instance) = at.and_then(|n| self.tree.instances.get(n)) {
            if instance.file == file {
                return true;
            }
            at = instance.declared_in.map(|(parent, _)| parent);
        }
        false
    }

    /// Files that no target reaches; those not declared by another of them come first.
    fn detached(&self) -> Vec<&'a str> {
        let left: Vec<&'a str> = self
            .numbers
            .iter()
            .filter(|(_, n)| !self.reached.contains(n))
            .map(|(path, _)| *path)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let mut declared: BTreeSet<&str> = BTreeSet::new();
        for path in &left {
            let Some(item_tree) = self.item_trees.get(*path) else { continue };
            for dir in [ModDir::root(path), ModDir::of_file(path, asof_workspace::ViaPathAttr::No)]
            {
                for of in declarations(item_tree, &dir, &[], &mut |_| Vec::new()) {
                    for file in existing(of.files, |path| self.file(path).is_some()) {
                        if let Some((child, _)) = self.file(&file.path)
                            && child != *path
                        {
                            declared.insert(child);
                        }
                    }
                }
            }
        }
        let (later, first): (Vec<_>, Vec<_>) = left.into_iter().partition(|p| declared.contains(p));
        first.into_iter().chain(later).collect()
    }
}

/// The module, or other item with a scope, that an item is in.
fn module_around(item_tree: &ItemTree, at: usize) -> u32 {
    let mut parent = item_tree.items.get(at).map_or(0, |item| item.parent);
    while let Some(item) = item_tree.items.get(parent as usize) {
        if parent == 0 || item.kind != NodeKind::MacroCall {
            break;
        }
        parent = item.parent;
    }
    parent
}

/// Predicate under which a declaration means the file that no `cfg_attr` names; empty if it has none.
fn without(item_tree: &ItemTree, at: usize) -> String {
    match item_tree.items.get(at).map(|item| &item.header) {
        Some(Header::Module { cfg_path, .. }) if !cfg_path.is_empty() => {
            let all: Vec<&str> = cfg_path.iter().map(|(cfg, _)| cfg.as_str()).collect();
            format!("not(any({}))", all.join(", "))
        }
        _ => String::new(),
    }
}

/// A module that a macro call declares, and its file where that is not of its name.
type ModuleOfFile = (MadeModule, Option<String>);

/// The declaration of a module in a file of its own.
struct Declared {
    /// A `mod`, or a macro call.
    at: usize,
    /// The files that it may mean.
    files: Vec<ModFile>,
    /// What a macro call declares.
    made: Option<MadeModule>,
}

/// Declarations of modules in files of their own. `names`: dependencies by their names in code;
/// `modules`: those of a macro call.
fn declarations(
    item_tree: &ItemTree,
    top: &ModDir,
    names: &[(String, String)],
    modules: &mut dyn FnMut(&ModuleFolder) -> Vec<ModuleOfFile>,
) -> Vec<Declared> {
    let mut dirs: Vec<Option<Rc<ModDir>>> = Vec::with_capacity(item_tree.items.len());
    let mut found = Vec::new();
    let imports = LazyCell::new(|| FileImports::read(&item_tree.items));
    for (at, item) in item_tree.items.iter().enumerate() {
        if at == 0 {
            dirs.push(Some(Rc::new(top.clone())));
            continue;
        }
        let around = dirs.get(item.parent as usize).cloned().flatten();
        let own = match (&item.header, &around) {
            (Header::Module { inline: true, path, .. }, Some(dir)) => {
                dir.inline(&item.name, path.as_deref()).map(Rc::new)
            }
            (Header::Module { inline: false, path, cfg_path, .. }, Some(dir)) => {
                let files = dir.declared(&item.name, path.as_deref(), cfg_path);
                found.push(Declared { at, files, made: None });
                None
            }
            (Header::MacroCall { .. }, Some(dir)) => {
                if let Some(path) = included_file(item) {
                    // Relative to the file, whatever module it is in.
                    let files = top.declared("", Some(path), &[]);
                    found.push(Declared { at, files, made: Some(MadeModule::default()) });
                }
                let folder = ModuleFolder::parse(&imports, item, names);
                for (made, file) in folder.iter().flat_map(&mut *modules) {
                    let files = dir.declared(&made.name, file.as_deref(), &[]);
                    found.push(Declared { at, files, made: Some(made) });
                }
                around
            }
            _ => around,
        };
        dirs.push(own);
    }
    found
}

/// Folder of a manifest; empty for the root.
fn folder_of(manifest: &str) -> &str {
    manifest.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A file as a crate of its own, in the package around it. `packages`: by folder.
fn detached_crate(
    layout: &WorkspaceLayout,
    packages: &HashMap<&str, PackageId>,
    path: &str,
) -> Crate {
    let mut folder = folder_of(path);
    let package = loop {
        match packages.get(folder) {
            Some(package) => break Some(*package),
            None if folder.is_empty() => break None,
            None => folder = folder_of(folder),
        }
    };
    let edition =
        package.and_then(|p| layout.packages.get(p.index())).map_or("2021", |p| &p.edition);
    Crate {
        package,
        target: Target {
            kind: TargetKind::Detached,
            name: path.to_owned(),
            crate_name: crate_name(path),
            root: path.to_owned(),
            edition: edition.to_owned(),
        },
    }
}

/// Crate name of a detached file: its stem, that of the folder for `mod.rs`.
fn crate_name(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let stem = parts.next().unwrap_or("").trim_end_matches(".rs");
    let name = if stem == "mod" { parts.next().unwrap_or(stem) } else { stem };
    name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect()
}
