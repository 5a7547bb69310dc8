//! The types and traits of impls that differ between two states.

use super::super::resolved_workspace::ResolvedWorkspace;
use super::words::words;
use asof_model::{Header, NodeId, NodeKind, PRIMITIVES, PathRef};
use asof_resolve::{Dependencies, EdgeKind, Node, Unresolved};

/// A type or trait of the workspace: id and name.
pub(super) type OwnType = (NodeId, String);

/// An impl that came, went or differs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ChangedImpl {
    pub on: On,
    /// If that may be any type: the types of the workspace in the header. One of them is needed to use
    /// an impl of another crate's trait (Reference, "Orphan rules"). Empty if they are not known.
    pub mentioned: Vec<OwnType>,
    pub of_trait: OfTrait,
    /// Whether it has associated types.
    pub has_types: bool,
}

/// What a member is found on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum On {
    /// Types of the workspace.
    Types(Vec<OwnType>),
    /// Types of other crates, type parameters, references: their values may be anywhere.
    Any,
    /// A type that there is not.
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum OfTrait {
    None,
    /// Of the workspace.
    Own(Vec<OwnType>),
    /// Of another crate.
    Other,
    /// One that there is not.
    Nothing,
}

impl ChangedImpl {
    /// The impl that a node is.
    pub fn new(side: &ResolvedWorkspace<'_>, outside: &Dependencies, node: &Node) -> Self {
        let items = side.items(node.instance);
        let item = items.get(node.item as usize);
        let Some((item, Header::Impl { self_type, of_trait, .. })) =
            item.map(|item| (item, &item.header))
        else {
            let (on, mentioned, of_trait) = (On::Any, Vec::new(), OfTrait::Other);
            return ChangedImpl { on, mentioned, of_trait, has_types: true };
        };
        let has_types = items
            .iter()
            .any(|child| child.kind == NodeKind::AssocType && child.parent == node.item);
        let edges = side.assembly.edges_of(node.id);
        let targets = edges.filter_map(|edge| Some((edge.kind, side.node(edge.target)?)));
        let (of_types, of_traits): (Vec<_>, Vec<_>) =
            targets.partition(|(kind, _)| *kind == EdgeKind::ImplFor);
        let is_nothing = |kind: EdgeKind, end: &PathRef| {
            let own = end.path.first().is_some_and(|first| item.generics.contains(first));
            let mut all = side.assembly.unresolved_of(node.id);
            !own && all.any(|one| one.kind == kind && is_nothing(side, outside, node, one, end))
        };
        let on = match of_types.as_slice() {
            [] if is_nothing(EdgeKind::ImplFor, self_type) => On::Nothing,
            [] => On::Any,
            all => types(side, all).map_or(On::Any, On::Types),
        };
        let of_trait_end = of_trait.as_ref();
        let of_trait = match (of_trait, of_traits.as_slice()) {
            (None, _) => OfTrait::None,
            (Some(end), []) if is_nothing(EdgeKind::ImplOf, end) => OfTrait::Nothing,
            (Some(_), []) => OfTrait::Other,
            (Some(_), all) => OfTrait::Own(names(all)),
        };
        let header = Some(self_type).into_iter().chain(of_trait_end);
        let mentioned = match on {
            On::Any => mentioned(side, &item.generics, header).unwrap_or_default(),
            _ => Vec::new(),
        };
        ChangedImpl { on, mentioned, of_trait, has_types }
    }
}

/// Types of the workspace that the header of an impl names; none if one may have another name, or if
/// it may be a trait object that is of the workspace.
fn mentioned<'h>(
    side: &ResolvedWorkspace<'_>,
    generics: &[String],
    header: impl Iterator<Item = &'h PathRef>,
) -> Option<Vec<OwnType>> {
    let mut found = Vec::new();
    for end in header {
        let is_projection = |generic: &String| end.text.contains(&format!("{generic}::"));
        let is_other = [" as ", "dyn "].iter().any(|part| end.text.contains(part));
        if is_other || generics.iter().any(is_projection) {
            return None;
        }
        for word in words(&end.text).filter(|word| !generics.iter().any(|one| one == word)) {
            if let Some(types) = side.own_types().get(word) {
                found.extend(types.as_ref()?.iter().map(|id| (*id, word.to_owned())));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// The types that an impl is for, those behind aliases; none if one may be of another crate.
fn types(side: &ResolvedWorkspace<'_>, targets: &[(EdgeKind, &Node)]) -> Option<Vec<OwnType>> {
    let mut types = Vec::new();
    for (_, target) in targets {
        types.extend(side.types_behind(target)?);
    }
    types.sort_unstable();
    types.dedup();
    Some(types)
}

fn names(targets: &[(EdgeKind, &Node)]) -> Vec<OwnType> {
    let mut names: Vec<OwnType> =
        targets.iter().map(|(_, node)| (node.id, node.name.clone())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether a path leads nowhere: it begins with no primitive type, nothing of the prelude, and nothing
/// that a glob of another crate may bring.
fn is_nothing(
    side: &ResolvedWorkspace<'_>,
    outside: &Dependencies,
    node: &Node,
    one: &Unresolved,
    end: &PathRef,
) -> bool {
    let Some(first) = end.path.first().filter(|first| !first.is_empty()) else { return false };
    let in_prelude = || {
        let preludes = ["", "v1::", "rust_2024::"];
        preludes.iter().any(|of| outside.namespaces(&format!("std::prelude::{of}{first}")) != 0)
    };
    if one.external || first == "Self" || PRIMITIVES.contains(&first.as_str()) || in_prelude() {
        return false;
    }
    let mut at = Some(node);
    while let Some(scope) = at {
        if side.assembly.unresolved_of(scope.id).any(|one| one.kind.is_glob()) {
            return false;
        }
        let parent = scope.parent.and_then(|parent| side.assembly.nodes.get(parent));
        at = parent.filter(|_| scope.kind != NodeKind::Module);
    }
    // Names may come through modules that bring others: then only a plain name is sure.
    end.path.len() == 1 && !brings_globs(side, node)
}

/// Whether the module of a node brings all names of one that brings all names of another crate.
fn brings_globs(side: &ResolvedWorkspace<'_>, node: &Node) -> bool {
    let module = side.assembly.nodes.get(node.module);
    let mut open: Vec<_> = module.into_iter().map(|module| module.id).collect();
    let mut seen = std::collections::HashSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        if side.assembly.unresolved_of(id).any(|one| one.kind.is_glob()) {
            return true;
        }
        let globs = side.assembly.edges_of(id).filter(|edge| edge.kind.is_glob());
        open.extend(globs.map(|edge| edge.target));
    }
    false
}
