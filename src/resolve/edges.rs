//! Computes the edges of declarations: imports, re-exports, impls.

use asof_model::{Header, NodeId, NodeKind, PathRef};

use super::bindings::PathTarget;
use super::crate_maps::{CrateMaps, Input};
use super::edge_table::{Edge, EdgeKind, FileEdges, Provenance, Unresolved};
use super::enclosing::scope_of;
use super::ids::InstanceId;
use super::impl_targets::{ImplSite, ImplTargets};
use super::import_leaves::{Leaf, followed_leaves};
use super::scope::Scopes;

/// The edges of a file, of which the impls have their paths.
pub(super) fn collect<'a>(
    input: &Input<'a>,
    assembly: &CrateMaps,
    scopes: &Scopes<'a>,
    targets: &mut ImplTargets<'_, 'a>,
    number: InstanceId,
) -> FileEdges {
    let mut out = Out::default();
    for leaf in followed_leaves(*input, assembly, scopes, number) {
        import(assembly, &leaf, &mut out);
    }
    extern_crates(input, assembly, scopes, number, &mut out);
    impls(input, assembly, targets, number, &mut out);
    out.edges.sort();
    out.edges.dedup();
    out.unresolved.sort();
    out.unresolved.dedup();
    let headers = input.item_tree(number).iter().filter_map(|item| match &item.header {
        Header::Impl { self_type, of_trait, .. } => Some([Some(self_type), of_trait.as_ref()]),
        _ => None,
    });
    let mentions = headers.flatten().flatten().flat_map(|end| &end.path).collect();
    FileEdges { edges: out.edges, unresolved: out.unresolved, mentions }
}

#[derive(Default)]
struct Out {
    edges: Vec<Edge>,
    unresolved: Vec<Unresolved>,
}

/// What a declaration says about its source.
struct Says<'a> {
    source: NodeId,
    kind: EdgeKind,
    name: &'a str,
    origin: NodeId,
    provenance: Provenance,
}

impl Out {
    /// Adds an edge to each definition that was found; otherwise the path as written, as
    /// unresolved.
    fn add(
        &mut self,
        assembly: &CrateMaps,
        says: &Says<'_>,
        found: &PathTarget,
        written: impl FnOnce() -> String,
    ) {
        let (text, external) = match found {
            PathTarget::Nodes(found) => {
                let targets = found.iter().filter_map(|(node, _)| assembly.node(*node));
                self.edges.extend(targets.map(|target| Edge {
                    source: says.source,
                    kind: says.kind,
                    name: says.name.to_owned(),
                    target: target.id,
                    origin: says.origin,
                    provenance: says.provenance,
                }));
                return;
            }
            PathTarget::External(path) => (path.join("::"), true),
            PathTarget::Nothing => (written(), false),
        };
        self.unresolved.push(Unresolved {
            source: says.source,
            kind: says.kind,
            text,
            name: says.name.to_owned(),
            origin: says.origin,
            external,
        });
    }
}

fn import(assembly: &CrateMaps, leaf: &Leaf<'_>, out: &mut Out) {
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
    let name = leaf.leaf.name.as_str();
    let says =
        Says { source: source.id, kind, name, origin: origin.id, provenance: Provenance::Use };
    out.add(assembly, &says, &leaf.target, || leaf.leaf.path.join("::"));
}

/// `extern crate a as b;` brings in `b` as a `use` does.
fn extern_crates(
    input: &Input<'_>,
    assembly: &CrateMaps,
    scopes: &Scopes<'_>,
    number: InstanceId,
    out: &mut Out,
) {
    let items = input.item_tree(number);
    let index = assembly.nodes.item_nodes(number);
    for (at, item) in items.iter().enumerate() {
        let Header::ExternCrate { of, .. } = &item.header else { continue };
        let source = assembly.node(scope_of(assembly, items, index, at));
        let origin = index.get(at).and_then(|n| assembly.node(*n));
        let (Some(source), Some(origin)) = (source, origin) else { continue };
        let kind = if item.visibility.is_empty() { EdgeKind::Imports } else { EdgeKind::Reexports };
        let krate = of.as_deref().unwrap_or(&item.name);
        let found = match krate {
            "self" => PathTarget::node(scopes.root_of(number), 0),
            krate => scopes.crate_named(number, krate),
        };
        let (name, provenance) = (item.name.as_str(), Provenance::ExternCrate);
        let says = Says { source: source.id, kind, name, origin: origin.id, provenance };
        out.add(assembly, &says, &found, || krate.to_owned());
    }
}

fn impls<'a>(
    input: &Input<'a>,
    assembly: &CrateMaps,
    targets: &mut ImplTargets<'_, 'a>,
    number: InstanceId,
    out: &mut Out,
) {
    let items = input.item_tree(number);
    let index = assembly.nodes.item_nodes(number);
    for (at, item) in items.iter().enumerate() {
        let (NodeKind::Impl, Header::Impl { self_type, of_trait, .. }) = (item.kind, &item.header)
        else {
            continue;
        };
        let Some(&node) = index.get(at) else { continue };
        let Some(source) = assembly.node(node) else { continue };
        let scope = scope_of(assembly, items, index, at);
        let site = ImplSite { instance: number, scope, node, item };
        let (source, origin) = (source.id, source.id);
        let says = |kind| Says { source, kind, name: "", origin, provenance: Provenance::Impl };
        let found = targets.self_type(assembly, site, self_type);
        out.add(assembly, &says(EdgeKind::ImplFor), found, || as_written(self_type));
        if let Some(of_trait) = of_trait {
            let found = targets.resolve(assembly, site, of_trait);
            out.add(assembly, &says(EdgeKind::ImplOf), &found, || as_written(of_trait));
        }
    }
}

fn as_written(end: &PathRef) -> String {
    if end.path.is_empty() { end.text.clone() } else { end.path.join("::") }
}
