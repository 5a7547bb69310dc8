//! Which names some item has: what is not resolved is a use only if there is one.

use super::super::resolved_workspace::ResolvedWorkspace;
use asof_model::HashSet;

/// Names of the items of both states.
pub(super) struct ItemNames<'s>([HashSet<&'s str>; 2]);

impl<'s> ItemNames<'s> {
    pub fn new(before: &'s ResolvedWorkspace<'_>, after: &'s ResolvedWorkspace<'_>) -> Self {
        let names = |side: &'s ResolvedWorkspace<'_>| {
            let nodes = side.assembly.nodes.iter();
            let named = nodes.filter(|node| node.parent.is_some() && !node.kind.is_anonymous());
            named.map(|node| node.name.as_str()).collect()
        };
        ItemNames([before, after].map(names))
    }

    /// Whether only one of the states has an item of this name.
    pub fn comes_or_goes(&self, name: &str) -> bool {
        let [before, after] = &self.0;
        before.contains(name) != after.contains(name)
    }
}
