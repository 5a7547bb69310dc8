//! Edges that declarations make: imports, re-exports, impls.

use crate::model::{Header, NodeKind, PathRef};

use super::assembly::{Assembly, Edge, EdgeKind, Input, Unresolved};
use super::imports::{self, Leaf};
use super::paths::impl_target;
use super::scope::{Found, Scopes, scope_of};

/// Puts the edges into the assembly, sorted.
pub(super) fn collect(input: &Input<'_>, assembly: &mut Assembly, scopes: &Scopes<'_>) {
    let mut edges = Vec::new();
    let mut unresolved = Vec::new();
    for leaf in imports::leaves(scopes.input, assembly, scopes) {
        import(assembly, scopes, &leaf, &mut edges, &mut unresolved);
    }
    for number in 0..input.instances.len() {
        extern_crates(input, assembly, scopes, number, &mut edges, &mut unresolved);
        impls(input, assembly, scopes, number, &mut edges, &mut unresolved);
    }
    edges.sort();
    edges.dedup();
    unresolved.sort();
    unresolved.dedup();
    assembly.edges = edges;
    assembly.unresolved = unresolved;
}

fn import(
    assembly: &Assembly,
    scopes: &Scopes<'_>,
    leaf: &Leaf<'_>,
    edges: &mut Vec<Edge>,
    unresolved: &mut Vec<Unresolved>,
) {
    let (Some(source), Some(origin)) = (assembly.node(leaf.scope), assembly.node(leaf.origin))
    else {
        return;
    };
    let kind = match (leaf.leaf.glob, leaf.exported) {
        (false, false) => EdgeKind::Imports,
        (false, true) => EdgeKind::Reexports,
        (true, false) => EdgeKind::GlobImports,
        (true, true) => EdgeKind::GlobReexports,
    };
    let name = leaf.leaf.name.clone();
    let (text, external) = match imports::target(assembly, scopes, leaf) {
        Found::Nodes(found) => {
            for (target, _) in found {
                let Some(target) = assembly.node(target) else { continue };
                edges.push(Edge {
                    source: source.id,
                    kind,
                    name: name.clone(),
                    target: target.id,
                    origin: origin.id,
                    provenance: "use",
                });
            }
            return;
        }
        Found::External(path) => (path.join("::"), true),
        Found::Nothing => (leaf.leaf.path.join("::"), false),
    };
    unresolved.push(Unresolved {
        source: source.id,
        kind,
        text,
        name,
        origin: origin.id,
        external,
    });
}

/// `extern crate a as b;` brings in `b` as a `use` does.
fn extern_crates(
    input: &Input<'_>,
    assembly: &Assembly,
    scopes: &Scopes<'_>,
    number: usize,
    edges: &mut Vec<Edge>,
    unresolved: &mut Vec<Unresolved>,
) {
    let items = input.face(number);
    let Some(index) = assembly.index.get(number) else { return };
    for (at, item) in items.iter().enumerate() {
        let Header::ExternCrate { of, .. } = &item.header else { continue };
        let source = assembly.node(scope_of(items, index, at));
        let origin = index.get(at).and_then(|n| assembly.node(*n));
        let (Some(source), Some(origin)) = (source, origin) else { continue };
        let kind = match item.visibility.is_empty() {
            true => EdgeKind::Imports,
            false => EdgeKind::Reexports,
        };
        let krate = of.as_deref().unwrap_or(&item.name);
        let found = match krate {
            "self" => Found::Nodes(vec![(scopes.root_of(number), 0)]),
            krate => scopes.crate_named(number, krate),
        };
        match found {
            Found::Nodes(found) => {
                edges.extend(found.iter().filter_map(|(n, _)| assembly.node(*n)).map(|target| {
                    Edge {
                        source: source.id,
                        kind,
                        name: item.name.clone(),
                        target: target.id,
                        origin: origin.id,
                        provenance: "extern crate",
                    }
                }));
            }
            found => unresolved.push(Unresolved {
                source: source.id,
                kind,
                text: krate.to_owned(),
                name: item.name.clone(),
                origin: origin.id,
                external: matches!(found, Found::External(_)),
            }),
        }
    }
}

fn impls(
    input: &Input<'_>,
    assembly: &Assembly,
    scopes: &Scopes<'_>,
    number: usize,
    edges: &mut Vec<Edge>,
    unresolved: &mut Vec<Unresolved>,
) {
    let items = input.face(number);
    let Some(index) = assembly.index.get(number) else { return };
    for (at, item) in items.iter().enumerate() {
        let (NodeKind::Impl, Header::Impl { self_type, of_trait, .. }) = (item.kind, &item.header)
        else {
            continue;
        };
        let Some(source) = index.get(at).and_then(|n| assembly.node(*n)) else { continue };
        let scope = scope_of(items, index, at);
        let ends = [(EdgeKind::ImplFor, Some(self_type)), (EdgeKind::ImplOf, of_trait.as_ref())];
        for (kind, end) in ends {
            let Some(end) = end else { continue };
            let (text, external) = match impl_target(assembly, scopes, number, scope, item, end) {
                Found::Nodes(found) => {
                    for (target, _) in found {
                        let Some(target) = assembly.node(target) else { continue };
                        edges.push(Edge {
                            source: source.id,
                            kind,
                            name: String::new(),
                            target: target.id,
                            origin: source.id,
                            provenance: "impl",
                        });
                    }
                    continue;
                }
                Found::External(path) => (path.join("::"), true),
                Found::Nothing => (as_written(end), false),
            };
            unresolved.push(Unresolved {
                source: source.id,
                kind,
                text,
                name: String::new(),
                origin: source.id,
                external,
            });
        }
    }
}

fn as_written(end: &PathRef) -> String {
    if end.path.is_empty() { end.text.clone() } else { end.path.join("::") }
}
