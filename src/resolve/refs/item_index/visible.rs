//! Visibility of the members of types.

use super::super::types::Def;
use super::ItemIndex;

impl ItemIndex<'_> {
    /// Whether a field, or an item of an impl without a trait, is visible at a scope.
    pub(in super::super) fn sees(&self, scope: Def, member: Def) -> bool {
        if self.is_library(scope) || self.is_library(member) {
            return true;
        }
        let Some(node) = self.node(member) else { return true };
        let (scopes, assembly) = (self.workspace.scopes, self.workspace.assembly);
        scopes.visible(assembly, scopes.visible_within(assembly, node), scope)
    }
}
