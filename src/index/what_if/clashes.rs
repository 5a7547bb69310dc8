//! Finds definitions and imports of one name in one scope.

use std::collections::{BTreeMap, BTreeSet};

use super::item_map::Mapping;
use crate::resolved_workspace::ResolvedWorkspace;
use asof_model::{Flags, NodeId, NodeKind};
use asof_resolve::{Dependencies, EdgeKind, Node};

/// Something that has the new name already.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clash {
    /// The definition, or the item that the import is in.
    pub with: String,
    pub kind: NodeKind,
    pub file_path: String,
}

/// Whether two kinds have names in one namespace; fields have one of their own.
fn share(a: NodeKind, b: NodeKind) -> bool {
    a.namespaces().chars().any(|space| space != '-' && b.namespaces().contains(space))
}

/// The bits of [`Dependencies::namespaces`].
fn bits(kind: NodeKind) -> u8 {
    let bit = |space| match space {
        't' => 1,
        'v' => 2,
        'm' => 4,
        _ => 0,
    };
    kind.namespaces().chars().map(bit).sum()
}

/// What has the name of a renamed item in its scope, in the new state.
pub(super) fn find(
    after: &ResolvedWorkspace<'_>,
    mapping: &Mapping<'_>,
    renamed: &BTreeSet<NodeId>,
    outside: &Dependencies,
) -> Vec<Clash> {
    let mine: BTreeSet<NodeId> = renamed.iter().filter_map(|id| mapping.id(*id, true)).collect();
    let nodes = &after.assembly.nodes;
    // The type of each impl without a trait: their items share a scope.
    let mut of_trait = BTreeSet::new();
    let mut types: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for edge in &after.assembly.edges {
        match edge.kind {
            EdgeKind::ImplOf => _ = of_trait.insert(edge.source),
            EdgeKind::ImplFor => _ = types.insert(edge.source, edge.target),
            _ => {}
        }
    }
    for one in after.assembly.edges.unresolved() {
        if one.kind == EdgeKind::ImplOf {
            of_trait.insert(one.source);
        }
    }
    let scope = |node: &Node| -> Option<NodeId> {
        let mut at = nodes.get(node.parent?)?;
        while matches!(at.kind, NodeKind::MacroCall | NodeKind::ForeignMod) {
            at = nodes.get(at.parent?)?;
        }
        match at.kind {
            NodeKind::Impl if of_trait.contains(&at.id) => Some(at.id),
            NodeKind::Impl => Some(types.get(&at.id).copied().unwrap_or(at.id)),
            _ => Some(at.id),
        }
    };
    let path_of = |node: &Node| after.path_of(node).unwrap_or_default().to_owned();
    let mut found = BTreeSet::new();
    for node in nodes.iter().filter(|node| mine.contains(&node.id)) {
        let Some(own) = scope(node) else { continue };
        for other in nodes.iter().filter(|other| other.name == node.name) {
            let same_text = (other.instance, other.item) == (node.instance, node.item);
            if mine.contains(&other.id)
                || same_text
                || !share(other.kind, node.kind)
                || scope(other) != Some(own)
            {
                continue;
            }
            let (a, b) = (after.assembly.condition(node), after.assembly.condition(other));
            if a.contradicts(b, Flags::All) {
                continue;
            }
            let with = if other.path.is_empty() { other.name.clone() } else { other.path.clone() };
            found.insert(Clash { with, kind: other.kind, file_path: path_of(other) });
        }
        let imports = after.assembly.edges_of(own).filter(|edge| {
            edge.name == node.name
                && matches!(edge.kind, EdgeKind::Imports | EdgeKind::Reexports)
                && (!mine.contains(&edge.target) || edge.target == node.id)
        });
        for edge in imports {
            let Some(target) = after.node(edge.target) else { continue };
            if share(target.kind, node.kind) {
                let import = after.node(edge.origin).unwrap_or(target);
                let (with, kind) = (target.path.clone(), NodeKind::Import);
                found.insert(Clash { with, kind, file_path: path_of(import) });
            }
        }
        let unresolved = after.assembly.unresolved_of(own).filter(|one| {
            one.name == node.name && matches!(one.kind, EdgeKind::Imports | EdgeKind::Reexports)
        });
        for one in unresolved {
            let known = if one.external { outside.namespaces(&one.text) } else { 0 };
            if known != 0 && known & bits(node.kind) == 0 {
                continue;
            }
            let file_path = after.node(one.origin).map(path_of).unwrap_or_default();
            found.insert(Clash { with: one.text.clone(), kind: NodeKind::Import, file_path });
        }
    }
    found.into_iter().collect()
}
