//! What differs between two states: items (id, path, signature, header, visibility, condition),
//! imports, impls and globs.

use std::collections::BTreeSet;

use super::super::resolved_workspace::ResolvedWorkspace;
use super::super::sorted::only_in_first;
use super::compared_items::{Compared, compared_items};
use super::differing::{Differing, everything_in, place_of_import};
use super::effects::Effect;
use super::homonyms;
use super::item_names::wrapped_names_that_come_or_go;
use super::packages;
use super::scopes::Place;
use asof_model::{HashSet, NodeId, NodeKind, TreeItem};
use asof_resolve::{Dependencies, Edge, EdgeKind, OutsideDifference, Unresolved};

/// What differs; none if names cannot tell.
pub(super) fn between<'o>(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    outside: &'o Dependencies,
    other_crates: &OutsideDifference,
) -> Option<Differing<'o>> {
    let mut found = Differing::new(outside);
    if !packages::differing(before, after, &other_crates.crates, &mut found) {
        return None;
    }
    differing_items(before, after, &mut found);
    let wrapped = std::mem::take(&mut found.wrapped);
    for name in wrapped_names_that_come_or_go(before, after, &wrapped) {
        found.everywhere(name, Effect::NAMED);
    }
    differing_edges(before, after, &mut found);
    imports_of_other_crates(before, after, other_crates, &mut found);
    differing_conditions(before, after, &mut found);
    (!found.unknown).then_some(found)
}

/// Items that only one of the two states has.
fn differing_items<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    found: &mut Differing<'_>,
) {
    let moved = |path: &str| {
        !before.has_same_shape(after, path) || before.stored_tree(path) != after.stored_tree(path)
    };
    let paths: BTreeSet<&str> =
        before.files.iter().chain(&after.files).map(|(path, _)| *path).collect();
    let moved: HashSet<&str> = paths.into_iter().filter(|path| moved(path)).collect();
    let (old, new) = (compared_items(before, &moved), compared_items(after, &moved));
    let sides = [(0, before, after, &old, &new), (1, after, before, &new, &old)];
    for (number, side, other, items, others) in sides {
        found.turn(number);
        let places: HashSet<&[u8; 32]> = others.values().map(|other| &other.place).collect();
        for (key, Compared { at, place, leaf }) in items {
            if !others.contains_key(key)
                && let Some(item) = side.items(at.0).get(at.1 as usize)
            {
                found.items.extend(side.assembly.node_of(at.0, at.1).map(|node| node.id));
                // A macro call may declare the module of a file.
                let module = side.assembly.node_of(at.0, 0).filter(|_| at.1 == 0);
                match (module, leaf) {
                    (Some(module), _) => {
                        found.named.entry(module.name.clone()).or_default();
                        found.in_own_scope(module, &module.name, Effect::TYPE);
                    }
                    (None, Some(leaf)) => found.import(side, *at, item, leaf),
                    (None, None) if is_found_by_place(item) && places.contains(place) => {
                        found.signature(side, *at, item);
                    }
                    (None, None) => found.item(side, other, *at, item),
                }
            }
        }
    }
}

/// Whether what names find an item by is all but its signature.
fn is_found_by_place(item: &TreeItem) -> bool {
    match item.kind {
        NodeKind::Function => !item.sig.contains('@'),
        NodeKind::Const | NodeKind::Static | NodeKind::Macro => true,
        NodeKind::Method | NodeKind::AssocConst | NodeKind::AssocType | NodeKind::Field => true,
        NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::Trait => true,
        _ => false,
    }
}

/// Adds imports and impls with another target.
fn differing_edges<'a>(
    before: &ResolvedWorkspace<'a>,
    after: &ResolvedWorkspace<'a>,
    found: &mut Differing<'_>,
) {
    let [old, new] = before.assembly.edges.differences(&after.assembly.edges);
    let sides = [(0, before, &old, &new), (1, after, &new, &old)];
    for (number, side, own, others) in sides {
        found.turn(number);
        let only = only_in_first(&own.edges, &others.edges, |edge| meaning_of_edge(edge));
        for edge in only.into_iter().copied() {
            let (scope, kind, target) = (edge.source, &edge.kind, side.node(edge.target));
            match kind {
                EdgeKind::GlobImports | EdgeKind::GlobReexports => {
                    if let Some(target) = target {
                        everything_in(side, target, edge, Effect::MEANING, found);
                    }
                }
                EdgeKind::Imports | EdgeKind::Reexports => {
                    found.imported(side, scope, *kind, &edge.name, Effect::MEANING);
                    // A trait brings its methods into scope, whatever its name.
                    if let Some(node) = target.filter(|node| node.kind == NodeKind::Trait) {
                        for child in found.children(side, (node.instance, node.item)) {
                            found.imported(side, scope, *kind, &child, Effect::METHOD);
                        }
                    }
                }
                EdgeKind::ImplFor | EdgeKind::ImplOf => found.of_source(side, side.node(scope)),
            }
        }
    }
    for name in homonyms::differing(before, after, [&old.unresolved, &new.unresolved]) {
        found.everywhere(&name, Effect::TYPE);
    }
    for (number, side, own, others) in sides {
        found.turn(number);
        for one in differing_unresolved(&own.unresolved, &others.unresolved) {
            match one.kind {
                // Names of other crates are unknown: the glob may bring in any.
                EdgeKind::GlobImports | EdgeKind::GlobReexports => {
                    found.opened.insert((number, place_of_import(side, one.source, one.kind)));
                }
                EdgeKind::Imports | EdgeKind::Reexports => {
                    found.imported(side, one.source, one.kind, &one.name, Effect::MEANING);
                    // As above: a trait brings its methods into scope.
                    for name in found.outside.items_of_trait(&one.text) {
                        found.imported(side, one.source, one.kind, name, Effect::METHOD);
                    }
                }
                EdgeKind::ImplFor | EdgeKind::ImplOf => {
                    found.of_source(side, side.node(one.source));
                }
            }
        }
    }
}

/// Adds what imports bring from crates that are known in one state only, beside what they name: the items of
/// traits, and of globs all.
fn imports_of_other_crates(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    other_crates: &OutsideDifference,
    found: &mut Differing<'_>,
) {
    let OutsideDifference { crates, trait_items, .. } = other_crates;
    if crates.is_empty() {
        return;
    }
    for (number, side) in [(0, before), (1, after)] {
        found.turn(number);
        let goes_there = |one: &&Unresolved| one.text.split("::").any(|name| crates.contains(name));
        for one in side.assembly.edges.unresolved().filter(goes_there) {
            if one.kind.is_glob() {
                found.opened.insert((number, place_of_import(side, one.source, one.kind)));
            } else if matches!(one.kind, EdgeKind::Imports | EdgeKind::Reexports) {
                for name in trait_items {
                    found.imported(side, one.source, one.kind, name, Effect::METHOD);
                }
            }
        }
    }
}

/// Adds names that imports bring under other conditions, which the conditions of all imports on the way
/// are among.
fn differing_conditions(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    found: &mut Differing<'_>,
) {
    let [old, new] = [before, after].map(|side| side.scopes().conditional_imports(&side.assembly));
    for (number, own, other) in [(0, &old, &new), (1, &new, &old)] {
        found.turn(number);
        let differs = |(key, targets): &(&(NodeId, &str), _)| other.get(*key) != Some(*targets);
        for ((scope, name), _) in own.iter().filter(differs) {
            found.at(Place::In(*scope), name, Effect::MEANING);
        }
    }
    let sides = [before, after];
    let [old, new] = sides.map(|side| side.scopes().conditional_globs(&side.assembly));
    for (number, side, own, other) in [(0, before, &old, &new), (1, after, &new, &old)] {
        found.turn(number);
        let differs = |(key, under): &(&(NodeId, NodeId), _)| other.get(*key) != Some(*under);
        for (&(scope, target), _) in own.iter().filter(differs) {
            let is_this = |edge: &&Edge| edge.kind.is_glob() && edge.target == target;
            let globs = side.assembly.edges_of(scope).filter(is_this);
            for (glob, node) in globs.filter_map(|glob| Some((glob, side.node(target)?))) {
                everything_in(side, node, glob, Effect::MEANING, found);
            }
        }
    }
}

/// What an edge says, whichever item says so. The edges are sorted by it.
fn meaning_of_edge(edge: &Edge) -> (NodeId, EdgeKind, &str, NodeId) {
    (edge.source, edge.kind, &edge.name, edge.target)
}

/// Unresolved names that only the first of two sorted lists has, whichever item has them.
fn differing_unresolved<'u>(
    own: &[&'u Unresolved],
    others: &[&'u Unresolved],
) -> Vec<&'u Unresolved> {
    let has_others = |one: &Unresolved| {
        let name = unresolved_name(one);
        let from = others.partition_point(|other| unresolved_name(other) < name);
        let mut alike = others.iter().skip(from).take_while(|other| unresolved_name(other) == name);
        alike.any(|other| other.external == one.external)
    };
    let found = only_in_first(own, others, |one| *one);
    found.into_iter().copied().filter(|one| !has_others(one)).collect()
}

/// In the order of the list.
fn unresolved_name(one: &Unresolved) -> (NodeId, EdgeKind, &str, &str) {
    (one.source, one.kind, &one.text, &one.name)
}
