//! Which names some item has: what is not resolved is a use only if there is one, and a method is looked
//! for on a value in a box only if one of its name is for such.

use super::super::resolved_workspace::ResolvedWorkspace;
use asof_model::HashSet;
use asof_resolve::has_wrapped_receiver;

/// Those of some names that methods with a wrapped receiver have in only one of two states.
pub(super) fn wrapped_names_that_come_or_go<'n>(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    names: &'n HashSet<String>,
) -> HashSet<&'n str> {
    let found = |side: &ResolvedWorkspace<'_>| -> HashSet<&'n str> {
        if names.is_empty() {
            return HashSet::default();
        }
        let items = side.files.iter().flat_map(|(_, tree)| &tree.items);
        let named = items.filter_map(|item| Some((item, names.get(item.name.as_str())?)));
        named.filter(|(item, _)| has_wrapped_receiver(item)).map(|(_, name)| &**name).collect()
    };
    let [before, after] = [before, after].map(found);
    before.symmetric_difference(&after).copied().collect()
}

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
