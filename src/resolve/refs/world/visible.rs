//! Which members of types a scope can see.

use super::super::types::Def;
use super::World;
use crate::model::NodeKind;

impl World<'_> {
    /// Whether a field, or an item of an impl without a trait, is visible at a scope.
    pub(in super::super) fn sees(&self, scope: Def, member: Def) -> bool {
        if self.is_library(scope) || self.is_library(member) {
            return true;
        }
        let (Some(node), Some(item)) = (self.node(member), self.item_tree(member)) else {
            return true;
        };
        let Some(owner) = self.owner(member) else { return true };
        // Fields of variants are visible where the variant is.
        if item.visibility == "pub" || self.kind(owner) == NodeKind::Variant {
            return true;
        }
        let (scopes, assembly) = (self.workspace.scopes, self.workspace.assembly);
        let within = scopes.seen_within(assembly, node.instance as usize, owner, &item.visibility);
        scopes.visible(assembly, within, scope)
    }
}
