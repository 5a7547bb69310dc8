//! Methods and traits that become candidates of calls which were there before (Reference,
//! "Method-call expressions").

use std::collections::BTreeSet;

use super::super::group::Group;
use super::places::place;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use asof_index::{PathMeaning, Viewpoint};
use asof_model::{NodeId, NodeKind, RefKind};
use asof_query::Queries;
use asof_syntax::Scan;
use asof_wire::{Doubt, Obligation};

/// Methods of the traits in the prelude, which nearly every type may have: by impls that are blanket,
/// derived, or built into the compiler.
const PRELUDE_METHODS: [&str; 32] = [
    "as_mut", "as_ref", "borrow", "borrow_mut", "by_ref", "clamp", "clone", "clone_from", "cmp",
    "eq", "extend", "fmt", "ge", "gt", "hash", "into", "into_iter", "iter", "le", "len", "lt",
    "max", "min", "ne", "next", "next_back", "partial_cmp", "poll", "to_owned", "to_string",
    "try_into", "type_id",
];

/// Associated types and constants of the standard library's traits.
const LIBRARY_MEMBERS: [&str; 12] = [
    "BITS", "Err", "Error", "IntoFuture", "IntoIter", "Item", "MAX", "MIN", "Output", "Owned",
    "Residual", "Target",
];

/// Checks the uses of methods, associated types and constants that get a name which types have from
/// other traits: calls, by those of the standard library, and paths, by any. With two traits as bounds,
/// `X::Name` is ambiguous (Reference, "Paths in types").
pub(in super::super) fn check_new_member_name(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
    new: &str,
    out: &mut Refactored,
) -> Result<(), Halt> {
    let has_kind = |is_kind: fn(NodeKind) -> bool| group.items.iter().any(|one| is_kind(one.kind));
    let (has_method, has_named) = (has_kind(|kind| kind == NodeKind::Method), has_kind(is_named));
    if !has_method && !has_named {
        return Ok(());
    }
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let others = queries.by_name(new).map_err(EngineError::from)?;
    let has_other = LIBRARY_MEMBERS.contains(&new) || others.iter().any(|one| is_named(one.kind));
    let (mut found, mut checked) = (Vec::new(), 0);
    for (path, splices) in &out.elsewhere {
        let loaded = files.loaded(snapshot, path)?;
        let scan = Scan::new(&loaded.text);
        for splice in splices {
            let is_ambiguous = match scan.token_before(splice.start) {
                Some((_, b'.')) if has_method => PRELUDE_METHODS.contains(&new),
                Some((colon, b':')) if has_named => has_other && !is_of_trait(&scan, colon.start),
                _ => continue,
            };
            checked += 1;
            if is_ambiguous {
                found.push(place(path, &loaded.text, splice.start, Doubt::SecondCandidate));
            }
        }
    }
    out.look_at.append(&mut found);
    out.check(Obligation::Candidates, checked);
    Ok(())
}

/// Whether items of a kind are named by paths through a type, and are no methods.
fn is_named(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::AssocType | NodeKind::AssocConst)
}

/// Whether the path that a `::` is in begins with `<X as T>`, which says which trait is meant.
fn is_of_trait(scan: &Scan<'_>, colon: u32) -> bool {
    let mut before = scan.token_before(colon);
    while let Some((colon, b':')) = before {
        before = scan.token_before(colon.start);
    }
    matches!(before, Some((_, b'>')))
}

/// A module that a text moves from or to.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Scope<'a> {
    pub module: NodeId,
    /// Traits of the workspace that are imported or declared there.
    pub traits: &'a BTreeSet<NodeId>,
}

/// Checks calls of methods that traits have which are new around them: those in the text that moves,
/// and those in the module that it goes to. `imported`: the traits that this module gets.
pub(in super::super) fn check_traits(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    view: &Viewpoint,
    old: Scope<'_>,
    new: Scope<'_>,
    imported: &BTreeSet<NodeId>,
    out: &mut Refactored,
) -> Result<(), Halt> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let methods =
        |traits: &mut dyn Iterator<Item = NodeId>| -> Result<BTreeSet<String>, EngineError> {
            let traits: Vec<NodeId> = traits.collect();
            let children = queries.children(&traits)?;
            let ids: Vec<NodeId> = children.iter().map(|child| child.id).collect();
            let methods = queries.describe(&ids)?.into_iter();
            Ok(methods.filter(|one| one.kind == NodeKind::Method).map(|one| one.name).collect())
        };
    let arrived = methods(&mut imported.difference(new.traits).copied())?;
    let there = methods(&mut new.traits.difference(old.traits).copied())?;
    let carried: Vec<NodeId> = out.ids.iter().copied().collect();
    let around = view.within(new.module).into_iter();
    let stay: Vec<NodeId> = around.filter(|id| !out.ids.contains(id)).collect();
    let mut checked = 0;
    for (sources, names, traits) in [(stay, &arrived, imported), (carried, &there, new.traits)] {
        if names.is_empty() {
            continue;
        }
        let described = queries.describe(&sources).map_err(EngineError::from)?;
        for uses in queries.uses_of(&sources).map_err(EngineError::from)? {
            let Some(source) = described.iter().find(|one| one.id == uses.source) else { continue };
            for used in uses.refs.iter().filter(|used| used.kind == RefKind::MethodCall) {
                let is_of_trait = view.trait_of(used.target).is_some_and(|of| traits.contains(&of));
                let is_own = view.kind(used.target).is_some()
                    && view.trait_of(used.target).is_none()
                    && view.impl_trait(used.target) == PathMeaning::Nothing;
                for [offset, ..] in &used.occurrences.0 {
                    let at = source.start_byte + offset;
                    let loaded = files.loaded(snapshot, &source.file_path)?;
                    let scan = Scan::new(&loaded.text);
                    if !names.contains(scan.name_at(at)) {
                        continue;
                    }
                    checked += 1;
                    // An inherent method comes before those of traits.
                    if !(is_of_trait || is_own && used.confidence >= 1.0) {
                        let path = source.file_path.as_str();
                        out.look_at.push(place(path, &loaded.text, at, Doubt::SecondCandidate));
                    }
                }
            }
        }
    }
    out.check(Obligation::Candidates, checked);
    Ok(())
}
