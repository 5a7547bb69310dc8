//! Names for which one scope has several paths of other crates.

use std::collections::BTreeSet;

use super::super::resolved_workspace::ResolvedWorkspace;
use super::super::sorted::only_in_first;
use asof_model::{HashMap, NodeId};
use asof_resolve::{EdgeKind, Unresolved};

/// Paths outside of the workspace that one scope imports under the same name, in one of two states
/// only: each may stand for the other, wherever it is used.
pub(super) fn differing(
    before: &ResolvedWorkspace<'_>,
    after: &ResolvedWorkspace<'_>,
    [old, new]: [&[&Unresolved]; 2],
) -> BTreeSet<String> {
    let differ = [only_in_first(old, new, |one| *one), only_in_first(new, old, |one| *one)];
    let scopes = differ.into_iter().flatten().map(|one| one.source).collect();
    let (old, new) = (homonyms(before, &scopes), homonyms(after, &scopes));
    let last = |text: &str| text.rsplit("::").next().unwrap_or_default().to_owned();
    old.symmetric_difference(&new).map(|(.., text)| last(text)).collect()
}

fn homonyms<'s>(
    side: &'s ResolvedWorkspace<'_>,
    scopes: &BTreeSet<NodeId>,
) -> BTreeSet<(NodeId, &'s str, &'s str)> {
    let all = scopes.iter().flat_map(|scope| side.assembly.unresolved_of(*scope));
    let imports = all.filter(|one| matches!(one.kind, EdgeKind::Imports | EdgeKind::Reexports));
    let mut by_name: HashMap<(NodeId, &str), Vec<&Unresolved>> = HashMap::default();
    for one in imports {
        by_name.entry((one.source, one.name.as_str())).or_default().push(one);
    }
    let several = by_name.into_iter().filter(|(_, all)| all.len() > 1);
    several
        .flat_map(|((scope, name), all)| {
            all.into_iter().map(move |one| (scope, name, one.text.as_str()))
        })
        .collect()
}
