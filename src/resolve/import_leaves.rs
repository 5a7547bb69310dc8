//! The names of all `use` declarations, each with the scope that it is in.

use asof_model::{Header, NodeKind, UseLeaf};

use super::bindings::PathTarget;
use super::crate_maps::{CrateMaps, Input};
use super::enclosing::scope_of;
use super::ids::{ConditionId, Def, InstanceId};
use super::scope::Scopes;

/// One name of a `use`, with its position.
pub(super) struct Leaf<'a> {
    pub instance: InstanceId,
    /// The `use` declaration.
    pub origin: Def,
    /// The scope it is in.
    pub scope: Def,
    pub leaf: &'a UseLeaf,
    /// Whether others than the module itself and its children can see it.
    pub exported: bool,
    pub within: Option<Def>,
    /// What it brings in, once all imports were followed.
    pub target: PathTarget,
    /// Whether the target is that of an earlier state, so that it need not be followed.
    pub is_known: bool,
}

impl Leaf<'_> {
    /// Whether it binds a name in its scope.
    pub(super) fn binds(&self) -> bool {
        !self.leaf.glob && self.leaf.name != "_"
    }

    pub(super) fn set_known(&mut self, target: Option<PathTarget>) {
        if let Some(target) = target {
            self.target = target;
            self.is_known = true;
        }
    }
}

/// Every `use` of an instance.
pub(super) fn leaves<'a>(
    input: Input<'a>,
    assembly: &CrateMaps,
    scopes: &Scopes<'a>,
    instance: InstanceId,
) -> Vec<Leaf<'a>> {
    let mut leaves = Vec::new();
    let items = input.item_tree(instance);
    let index = assembly.nodes.item_nodes(instance);
    for (at, item) in items.iter().enumerate() {
        let (NodeKind::Import, Header::Import { leaves: list }) = (item.kind, &item.header) else {
            continue;
        };
        let Some(&origin) = index.get(at) else { continue };
        let scope = scope_of(assembly, items, index, at);
        let within = scopes.within(assembly, instance, scope, item);
        for leaf in list {
            leaves.push(Leaf {
                instance,
                origin,
                scope,
                leaf,
                exported: !item.visibility.is_empty() && item.visibility != "pub(self)",
                within,
                target: PathTarget::Nothing,
                is_known: false,
            });
        }
    }
    leaves
}

/// Every `use` of an instance whose imports were followed, with what they lead to.
pub(super) fn followed_leaves<'a>(
    input: Input<'a>,
    assembly: &CrateMaps,
    scopes: &Scopes<'a>,
    instance: InstanceId,
) -> Vec<Leaf<'a>> {
    let mut leaves = leaves(input, assembly, scopes, instance);
    let targets = scopes.file_of(instance).map(|file| &file.targets);
    for (leaf, target) in leaves.iter_mut().zip(targets.into_iter().flatten()) {
        leaf.set_known(Some(target.clone()));
    }
    leaves
}

/// Imports by the name that they bind in a scope.
pub(super) type Imports<'i, 'l, 'a> = Vec<&'i [Import<'l, 'a>]>;

/// A name of a `use`, with the condition that the scope around it does not have.
pub(super) struct Import<'l, 'a> {
    pub leaf: &'l Leaf<'a>,
    pub own: ConditionId,
}

impl<'a> Import<'_, 'a> {
    /// The name, and the scope in which it is bound.
    pub(super) fn key(&self) -> (Def, &'a str) {
        (self.leaf.scope, &self.leaf.leaf.name)
    }
}
