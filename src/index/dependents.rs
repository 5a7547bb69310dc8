//! Names that changed their meaning. A file that mentions none of them is unchanged.
//!
//! Names are compared without their modules, so the set may be too large, never too small:
//! 1. Items that were added, removed or differ (id, path, signature, header, visibility, condition),
//!    imports and impls with another target, and everything that an added or removed glob brings in.
//! 2. Then everything that is declared with such names: an item whose signature mentions one, an
//!    import of one, the owner of a field without a name, the type of an impl whose associated type
//!    differs (it is used by operators, loops and dereferencing, without being named).

use std::collections::{BTreeMap, BTreeSet};

use super::mentions::Names;
use super::resolved_workspace::ResolvedWorkspace;
use crate::model::{
    HashMap, HashSet, Header, NodeId, NodeKind, Package, PathRef, TreeItem, UseLeaf,
};
use crate::resolve::{Dependencies, EdgeKind, Node};

/// The files to resolve again.
#[derive(Debug)]
pub(super) enum Changed {
    /// Every file.
    All,
    /// Files that mention one of these.
    Names(Names),
}

/// An item of an instance: instance and index.
type At = (u32, u32);

/// The names by which two states differ for items other than the changed ones.
pub(super) fn changed<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    outside: &Dependencies,
) -> Changed {
    let mut found = NameDefinitions::default();
    if !differing_packages(&before.layout.packages, &after.layout.packages, &mut found) {
        return Changed::All;
    }
    differing_items(before, after, &mut found);
    if differing_edges(before, after, outside, &mut found) && !found.unknown {
        let names = closed(after, found.names);
        return Changed::Names(names.iter().map(String::as_str).collect());
    }
    Changed::All
}

/// Names of dependencies that were added, removed or mean another package; and whether the packages
/// differ only in these, versions aside, which do not matter to names.
fn differing_packages(before: &[Package], after: &[Package], found: &mut NameDefinitions) -> bool {
    let alike = |(old, new): (&Package, &Package)| old.has_crates_of(new);
    if before.len() != after.len() || !before.iter().zip(after).all(alike) {
        return false;
    }
    for (old, new) in before.iter().zip(after) {
        let old: BTreeSet<_> = old.dependencies.iter().collect();
        let new: BTreeSet<_> = new.dependencies.iter().collect();
        for (name, package) in old.symmetric_difference(&new) {
            found.add(name);
            found.add(&package.replace('-', "_"));
        }
    }
    true
}

#[derive(Default)]
struct NameDefinitions {
    names: HashSet<String>,
    /// Items by parent, for each visited instance of the current state.
    children: HashMap<u32, HashMap<u32, Vec<usize>>>,
    /// Scopes and instances of the current state whose names were all added.
    opened: HashSet<NodeId>,
    listed: HashSet<u32>,
    /// Whether names that nothing here tells changed.
    unknown: bool,
}

impl NameDefinitions {
    fn add(&mut self, name: &str) {
        if !name.is_empty() {
            self.names.insert(name.to_owned());
        }
    }

    /// Switches to the other state, and clears what was cached of the last one.
    fn turn(&mut self) {
        self.children.clear();
        self.opened.clear();
        self.listed.clear();
    }

    /// Adds an item that differs, with everything that is reached through it.
    fn item(&mut self, side: &ResolvedWorkspace<'_>, at: At, item: &TreeItem) {
        if !item.kind.is_anonymous() {
            self.add(&item.name);
        }
        match &item.header {
            Header::Import { leaves } => {
                for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
                    self.add(&leaf.name);
                }
            }
            // It brings in macros by their own names.
            Header::Module { macro_use: true, .. }
            | Header::ExternCrate { macro_use: true, .. } => {
                self.unknown = true;
            }
            Header::Impl { self_type, of_trait, .. } => {
                for end in [Some(self_type), of_trait.as_ref()].into_iter().flatten() {
                    words(&end.text).for_each(|word| self.add(word));
                }
                self.children(side, at);
            }
            _ => {}
        }
        match item.kind {
            NodeKind::Macro | NodeKind::MacroCall => {
                words(&item.sig).chain(words(&item.name)).for_each(|word| self.add(word));
            }
            NodeKind::Field if unnamed(item) => self.owner(side, at, item),
            NodeKind::AssocType => self.owner(side, at, item),
            // The path of a variant or a trait's item begins with the name of its owner.
            NodeKind::Enum | NodeKind::Trait => self.children(side, at),
            _ => {}
        }
    }

    /// Names of an item's direct children.
    fn children(&mut self, side: &ResolvedWorkspace<'_>, (instance, number): At) {
        if number == 0 {
            return;
        }
        let items = side.items(instance);
        let children = self.children.entry(instance).or_insert_with(|| {
            let mut children: HashMap<u32, Vec<usize>> = HashMap::default();
            for (at, item) in items.iter().enumerate() {
                children.entry(item.parent).or_default().push(at);
            }
            children
        });
        let names = children.get(&number).into_iter().flatten();
        let names: Vec<&str> =
            names.filter_map(|at| items.get(*at)).map(|item| item.name.as_str()).collect();
        names.into_iter().for_each(|name| self.add(name));
    }

    /// The name by which an item is reached that is used without being named.
    fn owner(&mut self, side: &ResolvedWorkspace<'_>, (instance, _): At, item: &TreeItem) {
        if let Some(owner) = side.items(instance).get(item.parent as usize) {
            for name in reached_by(owner) {
                self.add(name);
            }
        }
    }
}

/// Names under which the owner of a field or associated type is known: its own, or those in the
/// type of an impl; for a blanket impl, the trait's.
fn reached_by(owner: &TreeItem) -> Vec<&str> {
    let Header::Impl { self_type, of_trait, .. } = &owner.header else {
        return vec![owner.name.as_str()];
    };
    let named: Vec<&str> =
        words(&self_type.text).filter(|w| !owner.generics.iter().any(|g| g == w)).collect();
    match of_trait {
        Some(of_trait) if named.is_empty() => words(&of_trait.text).collect(),
        _ => named,
    }
}

/// Items that only one of the two states has.
fn differing_items<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    found: &mut NameDefinitions,
) {
    let moved = |path: &str| {
        before.shape(path) != after.shape(path) || before.item_tree(path) != after.item_tree(path)
    };
    let paths: BTreeSet<&str> =
        before.files.iter().chain(&after.files).map(|(path, _)| *path).collect();
    let moved: HashSet<&str> = paths.into_iter().filter(|path| moved(path)).collect();
    let (old, new) = (told(before, &moved), told(after, &moved));
    for (side, items, others) in [(before, &old, &new), (after, &new, &old)] {
        found.turn();
        for (key, at) in items {
            if !others.contains_key(key)
                && let Some(item) = side.items(at.0).get(at.1 as usize)
            {
                found.item(side, *at, item);
                // A macro call may declare the module of a file.
                let module = side.assembly.node_of(at.0 as usize, 0).filter(|_| at.1 == 0);
                found.add(module.map_or("", |module| &module.name));
            }
        }
    }
}

/// What is compared of an item: id, path, condition, and its item tree without the index of its parent and
/// without whether it is test code.
fn told(side: &ResolvedWorkspace<'_>, files: &HashSet<&str>) -> HashMap<[u8; 32], At> {
    let mut told = HashMap::default();
    for (number, instance) in side.tree.instances.iter().enumerate() {
        let Some((path, item_tree)) = side.files.get(instance.file) else { continue };
        if !files.contains(path) {
            continue;
        }
        for (at, item) in item_tree.items.iter().enumerate() {
            let Some(node) = side.assembly.node_of(number, at as u32) else { continue };
            let mut hasher = blake3::Hasher::new();
            hasher.update(node.id.0.as_bytes());
            hasher.update(node.path.as_bytes());
            hasher.update(&[0]);
            let condition = side.assembly.condition(node);
            if !condition.is_always() {
                hasher.update(condition.to_string().as_bytes());
            }
            hasher.update(&[0]);
            let plain = TreeItem { parent: 0, marks_test: false, ..item.clone() };
            hasher.update(&serde_json::to_vec(&plain).unwrap_or_default());
            told.insert(*hasher.finalize().as_bytes(), (number as u32, at as u32));
        }
    }
    told
}

/// Adds imports and impls with another target; returns whether names can say what changed.
fn differing_edges<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    outside: &Dependencies,
    found: &mut NameDefinitions,
) -> bool {
    let old: BTreeSet<_> = before.assembly.edges.iter().collect();
    let new: BTreeSet<_> = after.assembly.edges.iter().collect();
    for (side, edges) in [(before, old.difference(&new)), (after, new.difference(&old))] {
        found.turn();
        for edge in edges {
            found.add(&edge.name);
            let (source, target) = (side.node(edge.source), side.node(edge.target));
            match edge.kind {
                EdgeKind::GlobImports | EdgeKind::GlobReexports => {
                    if let Some(target) = target {
                        everything_in(side, target, found);
                    }
                }
                EdgeKind::Imports | EdgeKind::Reexports => {
                    // A trait brings its methods into scope, whatever its name.
                    if let Some(node) = target.filter(|node| node.kind == NodeKind::Trait) {
                        found.children(side, (node.instance, node.item));
                    }
                }
                EdgeKind::ImplFor | EdgeKind::ImplOf => {
                    if let Some(node) = source
                        && let Some(item) = side.items(node.instance).get(node.item as usize)
                    {
                        found.item(side, (node.instance, node.item), item);
                    }
                }
            }
        }
    }
    let old: BTreeSet<_> = before.assembly.unresolved.iter().collect();
    let new: BTreeSet<_> = after.assembly.unresolved.iter().collect();
    for one in old.symmetric_difference(&new) {
        if matches!(one.kind, EdgeKind::GlobImports | EdgeKind::GlobReexports) {
            // Names of other crates are unknown: the glob may bring in any.
            return false;
        }
        found.add(&one.name);
        // As above: a trait brings its methods into scope.
        outside.items_of_trait(&one.text).into_iter().for_each(|name| found.add(name));
    }
    true
}

/// Names that a glob of a module, enum or trait brings in, through further globs too.
fn everything_in(side: &ResolvedWorkspace<'_>, target: &Node, found: &mut NameDefinitions) {
    let mut open = vec![target.id];
    while let Some(id) = open.pop() {
        if !found.opened.insert(id) {
            continue;
        }
        let Some(node) = side.node(id) else { continue };
        if found.listed.insert(node.instance) {
            for (number, item) in side.items(node.instance).iter().enumerate() {
                // Macro calls and extern blocks are transparent; including what is deeper does no
                // harm.
                if number != 0 && !item.kind.is_anonymous() {
                    found.add(&item.name);
                }
            }
        }
        let edges = &side.assembly.edges;
        let from = edges.partition_point(|edge| edge.source < id);
        for edge in edges.iter().skip(from).take_while(|edge| edge.source == id) {
            found.add(&edge.name);
            if matches!(edge.kind, EdgeKind::GlobImports | EdgeKind::GlobReexports) {
                open.push(edge.target);
            }
        }
        let unresolved = &side.assembly.unresolved;
        let from = unresolved.partition_point(|one| one.source < id);
        for one in unresolved.iter().skip(from).take_while(|one| one.source == id) {
            found.add(&one.name);
        }
    }
}

/// Adds the names of everything that is declared with changed ones.
fn closed(side: &ResolvedWorkspace<'_>, mut names: HashSet<String>) -> HashSet<String> {
    let mut mentioned_by: HashMap<&str, Vec<(usize, usize)>> = HashMap::default();
    let mut imported_by: HashMap<&str, Vec<&UseLeaf>> = HashMap::default();
    for (file, (_, item_tree)) in side.files.iter().enumerate() {
        for (number, item) in item_tree.items.iter().enumerate() {
            if let Header::Import { leaves } = &item.header {
                for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
                    for segment in &leaf.path {
                        imported_by.entry(segment).or_default().push(leaf);
                    }
                }
                continue;
            }
            for word in declared_by(item, &item_tree.items) {
                mentioned_by.entry(word).or_default().push((file, number));
            }
        }
    }
    let mut open: Vec<String> = names.iter().cloned().collect();
    let mut seen: HashSet<(usize, usize)> = HashSet::default();
    while let Some(name) = open.pop() {
        let mut news: Vec<&str> = Vec::new();
        // Each name of a `use` has a path of its own.
        let imported = imported_by.get(name.as_str()).into_iter().flatten();
        news.extend(imported.map(|leaf| leaf.name.as_str()));
        for at in mentioned_by.get(name.as_str()).into_iter().flatten() {
            let Some((_, item_tree)) = side.files.get(at.0) else { continue };
            let Some(item) = item_tree.items.get(at.1) else { continue };
            if !seen.insert(*at) || matches!(item.header, Header::Impl { .. }) {
                continue;
            }
            if !item.kind.is_anonymous() {
                news.push(item.name.as_str());
            }
            if expands(item) {
                news.extend(words(&item.sig));
            }
            if (unnamed(item) || item.kind == NodeKind::AssocType)
                && let Some(owner) = item_tree.items.get(item.parent as usize)
            {
                news.extend(reached_by(owner));
            }
        }
        for new in news {
            if !new.is_empty() && names.insert(new.to_owned()) {
                open.push(new.to_owned());
            }
        }
    }
    names
}

/// Words that determine what an item means to others.
fn declared_by<'f>(item: &'f TreeItem, items: &'f [TreeItem]) -> BTreeSet<&'f str> {
    let mut found: BTreeSet<&str> = words(&item.sig).collect();
    if expands(item) {
        found.extend(words(&item.name));
    }
    match &item.header {
        Header::ExternCrate { of: Some(of), .. } => {
            found.insert(of);
        }
        Header::Impl { self_type, of_trait, .. } => {
            let ends: [Option<&PathRef>; 2] = [Some(self_type), of_trait.as_ref()];
            found.extend(ends.into_iter().flatten().flat_map(|end| words(&end.text)));
        }
        _ => {}
    }
    if item.kind == NodeKind::Variant
        && let Some(owner) = items.get(item.parent as usize)
    {
        found.insert(&owner.name);
    }
    found
}

/// A macro or a call of one: what the call makes may have any name that is in either.
fn expands(item: &TreeItem) -> bool {
    matches!(item.kind, NodeKind::Macro | NodeKind::MacroCall)
}

/// A field of a tuple.
fn unnamed(item: &TreeItem) -> bool {
    item.kind == NodeKind::Field && item.name.starts_with(|c: char| c.is_ascii_digit())
}

/// Identifiers in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Files, by path, that mention a changed name.
pub(super) fn dependents(
    changed: &Changed,
    mentions: &BTreeMap<String, Vec<u8>>,
) -> BTreeSet<String> {
    let concerned = |stored: &Vec<u8>| match changed {
        Changed::All => true,
        Changed::Names(names) => names.meet(stored),
    };
    mentions.iter().filter(|(_, stored)| concerned(stored)).map(|(path, _)| path.clone()).collect()
}
