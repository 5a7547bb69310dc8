//! Which names some item has: what is not resolved is a use only if there is one.

use super::super::resolved_workspace::ResolvedWorkspace;
use asof_model::HashSet;

/// Those of some names that only one of two states has an item of.
pub(super) fn names_that_come_or_go<'n>(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    names: impl Iterator<Item = &'n str>,
) -> HashSet<&'n str> {
    let asked: HashSet<&str> = names.collect();
    // Most names of a workspace have another length than those few, which is faster to see.
    let mut lengths = [false; 256];
    let length = |name: &str| name.len().min(255);
    for name in &asked {
        if let Some(has) = lengths.get_mut(length(name)) {
            *has = true;
        }
    }
    let found = |side: &ResolvedWorkspace<'_>| -> HashSet<&'n str> {
        if asked.is_empty() {
            return HashSet::default();
        }
        let nodes = side.assembly.nodes.iter();
        let named = nodes.filter(|node| node.parent.is_some() && !node.kind.is_anonymous());
        let alike = named.filter(|node| lengths.get(length(&node.name)) == Some(&true));
        alike.filter_map(|node| asked.get(node.name.as_str()).copied()).collect()
    };
    let [before, after] = [before, after].map(found);
    before.symmetric_difference(&after).copied().collect()
}
