//! Small texts and what they use.
#![allow(clippy::string_slice)]

mod dependencies;
mod dispatch;
mod earlier_states;
mod fixtures;
mod glob_names;
mod inference;
mod library;
mod mentions;
mod modules;
mod names;
mod outside_differences;
mod reads;
mod rules;
mod whole;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::{Crate, Input, Instance, assemble_with_scopes, grow, read_expansion};
use super::{Declarations, Dependencies, Dependency, ItemIndex, Libraries, Source};
use crate::ids::{CrateId, FileId, InstanceId, PackageId};
use asof_model::{
    FileFacts, Header, ItemTree, NodeId, Package, RefKind, RefTarget, Reference, StoredTree,
    Target, TargetKind,
};
use asof_syntax::parse_file;
use index_vec::{IndexSlice, IndexVec};

/// A workspace of libraries, one a folder: `//- a/lib.rs` begins a file; a text without such a
/// line is `a/lib.rs`. Folders whose names end with `2015` are of that edition, others of 2021.
/// Every library depends on every other, and on `outside`, of which nothing is known, where a text
/// names it. Folders that begin with `dep`, `strum`
/// or `pin_project` are dependencies, `dep_as_x` the package `x` under another name: they are not of
/// the workspace, which does not name those that end with `_core`.
struct Workspace {
    facts: BTreeMap<String, FileFacts>,
}

impl Workspace {
    fn parse(text: &str) -> Self {
        let mut texts: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            match line.trim().strip_prefix("//- ") {
                Some(path) => texts.push((path.trim().to_owned(), String::new())),
                None if texts.is_empty() => texts.push(("a/lib.rs".to_owned(), String::new())),
                None => {}
            }
            if let Some((_, text)) = texts.last_mut()
                && !line.trim().starts_with("//- ")
            {
                text.push_str(line);
                text.push('\n');
            }
        }
        let parsed = texts.iter().map(|(path, text)| {
            let facts = parse_file(path, text.as_bytes());
            assert_eq!(facts.issues, [], "{path}");
            (path.clone(), facts)
        });
        Workspace { facts: parsed.collect() }
    }

    /// Runs `with` on the resolved workspace; also gives the name of each id.
    fn resolved<T>(
        &self,
        with: impl FnOnce(&ItemIndex<'_>, &[Source<'_>], &BTreeMap<NodeId, String>) -> T,
    ) -> T {
        self.resolved_with(&self.libraries(), with)
    }

    fn item_trees(&self) -> BTreeMap<&str, StoredTree> {
        let trees = self.facts.iter();
        trees.map(|(path, facts)| (path.as_str(), tree_of(path, facts).into())).collect()
    }

    /// Names of the crates outside of the workspace, and of its own.
    fn crates(&self) -> (Vec<&str>, Vec<&str>) {
        let roots = self.facts.keys().filter_map(|path| path.strip_suffix("/lib.rs"));
        roots.partition(|name| is_outside(name))
    }

    /// Names of the crates outside that the workspace names.
    fn direct(&self) -> Vec<&str> {
        let known = self.crates().0.into_iter().filter(is_direct);
        known.chain(self.unknown()).collect()
    }

    fn libraries(&self) -> Libraries {
        let item_trees = self.item_trees();
        let files: Vec<(&str, &StoredTree)> =
            item_trees.iter().map(|(path, item_tree)| (*path, item_tree)).collect();
        let (outside, own) = self.crates();
        let of = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let crates = outside.iter().map(|name| {
            let files: Vec<_> =
                files.iter().copied().filter(|(path, _)| of(path) == *name).collect();
            let others = outside.iter().copied().filter(|other| other != name);
            let bytes = with_input(&files, &[name], others.clone().collect(), |input| {
                let grown = Declarations::grown(input);
                let tree = |(at, (path, tree))| (path, grown.get(&at).unwrap_or(tree));
                let files = input.files.iter_enumerated().map(|(at, file)| tree((at, *file)));
                let files: IndexVec<FileId, (&str, &StoredTree)> = files.collect();
                Declarations::compile(Input { files: &files, ..input })
            });
            let number = |other: &str| outside.iter().position(|name| *name == other);
            let names = others.map(|other| (other.to_owned(), number(other))).collect();
            Dependency::new(Arc::new(Declarations::read(&bytes).unwrap()), names)
        });
        let names = outside.iter().enumerate().filter(|(_, name)| is_direct(name));
        let names = names.map(|(at, name)| ((*name).to_owned(), at));
        let dependencies = Dependencies::new(crates.collect(), names.collect());
        Libraries::new(dependencies, &packages(&own, &self.direct()))
    }

    /// [`Workspace::resolved`] with these crates outside of it.
    fn resolved_with<T>(
        &self,
        libraries: &Libraries,
        with: impl FnOnce(&ItemIndex<'_>, &[Source<'_>], &BTreeMap<NodeId, String>) -> T,
    ) -> T {
        let item_trees = self.item_trees();
        let files: Vec<(&str, &StoredTree)> =
            item_trees.iter().map(|(path, tree)| (*path, tree)).collect();
        let files: Vec<_> = files.into_iter().filter(|(path, _)| !is_outside(path)).collect();
        let (own, others) = (self.crates().1, self.direct());
        let grown = with_input(&files, &own, others.clone(), |input| {
            grow(input, Some(libraries.dependencies()), &read_expansion)
        });
        let trees = files.iter().enumerate().map(|(at, (path, tree))| {
            let made = grown
                .items
                .get(&FileId::new(at))
                .into_iter()
                .flatten()
                .map(|made| made.item.clone());
            let items = tree.items.iter().cloned().chain(made).collect();
            (*path, ItemTree { items }.into())
        });
        let trees: Vec<(&str, StoredTree)> = trees.collect();
        let files: Vec<(&str, &StoredTree)> =
            trees.iter().map(|(path, tree)| (*path, tree)).collect();
        with_input(&files, &own, others, |input| {
            let (assembly, scopes) = assemble_with_scopes(input, None);
            let world = ItemIndex::new(input, &assembly, &scopes, libraries);
            let called = assembly.nodes.iter().map(|node| {
                let name = if node.path.is_empty() { &node.name } else { &node.path };
                (node.id, name.clone())
            });
            let called = called.collect();
            let uses = |path: &str| &self.facts[path].uses;
            let source = |(file, (path, _)): (usize, &(&str, _))| Source {
                file: FileId::new(file),
                uses: uses(path),
                only: None,
            };
            let sources: Vec<Source<'_>> = files.iter().enumerate().map(source).collect();
            with(&world, &sources, &called)
        })
    }

    /// The dependency of which nothing is known, if some text names it.
    fn unknown(&self) -> Option<&'static str> {
        let names = self.facts.values().flat_map(|facts| &facts.uses.names);
        names.map(|name| &**name).any(|name| name == "outside").then_some("outside")
    }

    /// `source kind target [rule]` for each reference but keywords, which `keywords` has.
    fn lines(&self) -> Vec<String> {
        self.lines_of(|kind| kind != RefKind::Keyword)
    }

    /// What `self`, `super` and `crate` mean.
    fn keywords(&self) -> Vec<String> {
        self.lines_of(|kind| kind == RefKind::Keyword)
    }

    fn lines_of(&self, wanted: impl Fn(RefKind) -> bool) -> Vec<String> {
        self.resolved(|world, sources, called| {
            let all = world.references(sources);
            all.iter().filter(|one| wanted(one.kind)).map(|one| tell(one, called)).collect()
        })
    }
}

fn tree_of(path: &str, facts: &FileFacts) -> ItemTree {
    let tree = ItemTree::from_facts(facts);
    let of = path.split('/').next().unwrap_or_default();
    let exports_macros = of.ends_with("macros") || of == "strum" || of == "pin_project";
    if is_outside(path) { Declarations::prune(tree, exports_macros) } else { tree }
}

/// Whether the workspace names a crate outside of it.
fn is_direct(name: &&str) -> bool {
    !name.ends_with("_core")
}

fn is_outside(path: &str) -> bool {
    path.starts_with("dep") || path.starts_with("strum") || path.starts_with("pin_project")
}

/// Packages in these folders, each of which depends on the others and on those outside.
fn packages(folders: &[&str], outside: &[&str]) -> Vec<Package> {
    let package = |name: &str| Package {
        manifest_path: format!("{name}/Cargo.toml"),
        name: name.to_owned(),
        version: String::new(),
        edition: edition(name).to_owned(),
        dependencies: folders
            .iter()
            .filter(|other| **other != name)
            .chain(outside)
            .map(|other| ((*other).to_owned(), other.trim_start_matches("dep_as_").to_owned()))
            .collect(),
        targets: Vec::new(),
        features: Default::default(),
    };
    folders.iter().map(|name| package(name)).collect()
}

fn edition(package: &str) -> &'static str {
    if package.ends_with("2015") { "2015" } else { "2021" }
}

/// The input of resolution for the libraries in these folders, each of which depends on the others
/// and on those outside.
fn with_input<T>(
    files: &[(&str, &StoredTree)],
    folders: &[&str],
    outside: Vec<&str>,
    with: impl FnOnce(Input<'_>) -> T,
) -> T {
    let packages = packages(folders, &outside);
    let mut crates = IndexVec::<CrateId, Crate>::new();
    let mut instances = IndexVec::<InstanceId, Instance>::new();
    for (at, name) in folders.iter().enumerate() {
        crates.push(Crate {
            package: Some(PackageId::new(at)),
            target: Target {
                kind: TargetKind::Lib,
                name: (*name).to_owned(),
                crate_name: (*name).to_owned(),
                root: format!("{name}/lib.rs"),
                edition: edition(name).to_owned(),
            },
        });
        let mut open = vec![(format!("{name}/lib.rs"), None)];
        while let Some((path, declared_in)) = open.pop() {
            let file = files.iter().position(|(p, _)| *p == path).unwrap();
            let own = instances.next_idx();
            instances.push(Instance {
                file: FileId::new(file),
                krate: CrateId::new(at),
                declared_in,
                variant: None,
                cfg: String::new(),
                made: None,
            });
            for (item, item_tree) in files[file].1.items.iter().enumerate().skip(1) {
                if let Header::Module { inline: false, .. } = &item_tree.header {
                    let path = format!("{name}/{}.rs", item_tree.name);
                    open.push((path, Some((own, item as u32))));
                }
            }
        }
    }
    with(Input {
        packages: IndexSlice::new(&packages),
        crates: &crates,
        files: IndexSlice::new(files),
        instances: &instances,
        repeats: &BTreeMap::new(),
    })
}

fn tell(one: &Reference, called: &BTreeMap<NodeId, String>) -> String {
    let target = match &one.target {
        RefTarget::Node(id) => called[id].clone(),
        RefTarget::External(path) => format!("extern {path}"),
        RefTarget::Unknown(text) => format!("? {text}"),
    };
    let under = one.condition.as_ref().map_or(String::new(), |under| format!(" if {under}"));
    format!("{} {} {target}{under} [{}]", called[&one.source], one.kind.as_str(), one.provenance)
}

/// These lines are the references of the text, and there are no others: `source kind target`,
/// with the rule in brackets if it matters.
#[track_caller]
fn check(text: &str, expected: &str) {
    compare(Workspace::parse(text).lines(), expected);
}

/// As [`check`], of one source alone.
#[track_caller]
fn check_source(source: &str, text: &str, expected: &str) {
    let mut lines = Workspace::parse(text).lines();
    lines.retain(|line| line.starts_with(&format!("{source} ")));
    compare(lines, expected);
}

#[track_caller]
fn compare(found: Vec<String>, expected: &str) {
    let mut left = found.clone();
    let mut missing = Vec::new();
    for line in expected.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let plain = |one: &&String| *one == line || one.split(" [").next() == Some(line);
        match left.iter().position(|one| plain(&one)) {
            Some(at) => drop(left.remove(at)),
            None => missing.push(line),
        }
    }
    let (missing, left) = (missing.join("\n"), left.join("\n"));
    let found = found.join("\n");
    assert!(
        missing.is_empty() && left.is_empty(),
        "missing:\n{missing}\nnot expected:\n{left}\namong:\n{found}\n"
    );
}
