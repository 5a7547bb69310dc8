//! Imports of three sides as one set of names.

use std::collections::BTreeSet;

use asof_model::NodeKind;

use super::pieces::{Container, Member};
use super::use_tree::{GroupNames, Import, Leaf, read_import, write_group};

/// An import of the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MergedImport {
    /// The number of the member of the leading side that it is or was; of the one behind which it is if
    /// it is of the other side.
    pub at: Option<usize>,
    pub is_leading: bool,
    /// With what is before it and the end of its line; empty if it goes.
    pub text: String,
}

/// An import with its member.
struct Read<'m, 't> {
    at: usize,
    member: &'m Member<'t>,
    import: Import,
}

fn read<'m, 't>(container: &'m Container<'t>) -> Option<Vec<Read<'m, 't>>> {
    let all = container.members.iter().enumerate();
    let imports = all.filter(|(_, member)| member.kind == NodeKind::Import);
    imports
        .map(|(at, member)| Some(Read { at, member, import: read_import(member.text)? }))
        .collect()
}

fn leaves(imports: &[Read<'_, '_>]) -> BTreeSet<Leaf> {
    imports.iter().flat_map(|one| one.import.leaves.iter().cloned()).collect()
}

/// The name that a leaf gives.
fn given(leaf: &Leaf) -> Option<(&str, &str)> {
    let name = leaf.alias.as_deref().or_else(|| match leaf.path.as_slice() {
        [.., above, last] if last == "self" => Some(above.as_str()),
        [.., last] => Some(last.as_str()),
        [] => None,
    })?;
    (name != "*" && name != "_").then_some((leaf.before.as_str(), name))
}

/// The side whose order and groups the merged imports have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leading {
    Ours,
    Theirs,
}

/// The imports of a container, merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MergedImports {
    pub leading: Leading,
    pub all: Vec<MergedImport>,
}

/// Merges the imports of a container. If their side groups or orders names that all have in another way,
/// and ours does not, theirs leads. None if they cannot be a set: one cannot be read, has a comment
/// inside and would have to be written anew, a comment before one differs, or two of one name would come
/// from both sides.
pub(super) fn merge_imports(
    base: &Container<'_>,
    ours: &Container<'_>,
    theirs: &Container<'_>,
) -> Option<MergedImports> {
    let (base, our, their) = (read(base)?, read(ours)?, read(theirs)?);
    let (before, mine, others) = (leaves(&base), leaves(&our), leaves(&their));
    let common: BTreeSet<Leaf> = before
        .iter()
        .filter(|leaf| mine.contains(leaf) && others.contains(leaf))
        .cloned()
        .collect();
    let is_as_before = |side: &[Read<'_, '_>]| layout(side, &common) == layout(&base, &common);
    let leading =
        if is_as_before(&our) && !is_as_before(&their) { Leading::Theirs } else { Leading::Ours };
    let all = match leading {
        Leading::Ours => merge(&base, &our, &their),
        Leading::Theirs => merge(&base, &their, &our),
    };
    Some(MergedImports { leading, all: all? })
}

/// The groups of those names that are common, in their order.
fn layout<'r>(imports: &'r [Read<'_, '_>], common: &BTreeSet<Leaf>) -> Vec<Vec<&'r Leaf>> {
    let names = |one: &'r Read<'_, '_>| -> Vec<&'r Leaf> {
        one.import.leaves.iter().filter(|leaf| common.contains(leaf)).collect()
    };
    imports.iter().map(names).filter(|names| !names.is_empty()).collect()
}

/// Comments before imports.
fn comments<'r>(imports: &'r [Read<'_, '_>]) -> BTreeSet<&'r str> {
    imports.iter().map(|one| one.member.gap.trim()).filter(|gap| !gap.is_empty()).collect()
}

/// Merges what another side has into the imports of the leading one, `our`.
fn merge(
    base: &[Read<'_, '_>],
    our: &[Read<'_, '_>],
    their: &[Read<'_, '_>],
) -> Option<Vec<MergedImport>> {
    let (before, mine, others) = (leaves(base), leaves(our), leaves(their));
    let known: BTreeSet<&str> = comments(base).union(&comments(our)).copied().collect();
    let is_kept = |one: &Read<'_, '_>| one.import.leaves.iter().any(|leaf| mine.contains(leaf));
    if their
        .iter()
        .any(|one| is_kept(one) && !comments(std::slice::from_ref(one)).is_subset(&known))
    {
        return None;
    }
    let wanted: BTreeSet<Leaf> = mine
        .union(&others)
        .filter(|leaf| !before.contains(leaf) || mine.contains(leaf) && others.contains(leaf))
        .cloned()
        .collect();
    let mut names = BTreeSet::new();
    let is_new = |leaf: &&Leaf| !(mine.contains(leaf) && others.contains(leaf));
    for leaf in wanted.iter().filter(|leaf| !is_new(leaf)).chain(wanted.iter().filter(is_new)) {
        let Some(name) = given(leaf) else { continue };
        // Two name spaces may have one name, as both sides may: one that both have is as it was.
        if !names.insert(name) && is_new(&leaf) {
            return None;
        }
    }
    let mut missing: BTreeSet<Leaf> = wanted.difference(&mine).cloned().collect();
    let mut found: Vec<MergedImport> = Vec::new();
    // What is new goes into the group of its path, else it is an import of its own.
    let mut additions: Vec<Vec<Leaf>> = our.iter().map(|_| Vec::new()).collect();
    let mut own: Vec<MergedImport> = Vec::new();
    for (n, one) in their.iter().enumerate() {
        let new: Vec<Leaf> =
            one.import.leaves.iter().filter(|leaf| missing.remove(*leaf)).cloned().collect();
        if new.is_empty() {
            continue;
        }
        let is_same_group = |other: &Read<'_, '_>| {
            other.import.group.is_some()
                && other.import.group == one.import.group
                && squeezed(&other.import.before) == squeezed(&one.import.before)
        };
        if let Some(place) = our.iter().position(is_same_group) {
            if let Some(list) = additions.get_mut(place) {
                list.extend(new);
            }
            continue;
        }
        let is_whole = new.len() == one.import.leaves.len();
        if one.import.has_comments && !is_whole {
            return None;
        }
        let text = if is_whole {
            one.member.whole()
        } else {
            rewritten(one.member, &one.import, &[], &new)?
        };
        // Behind what it was with, or the import that it follows on their side.
        let earlier = their.get(..=n).unwrap_or_default().iter().rev();
        let at = earlier.clone().find_map(|earlier| {
            let same = |other: &&Read<'_, '_>| {
                other.import.leaves.iter().any(|leaf| earlier.import.leaves.contains(leaf))
            };
            our.iter().rev().find(same).map(|other| other.at)
        });
        own.push(MergedImport { at, is_leading: false, text });
    }
    if !missing.is_empty() {
        return None;
    }
    for (one, new) in our.iter().zip(additions) {
        let kept: Vec<Leaf> =
            one.import.leaves.iter().filter(|leaf| wanted.contains(leaf)).cloned().collect();
        let text = if new.is_empty() && kept.len() == one.import.leaves.len() {
            one.member.whole()
        } else if kept.is_empty() && new.is_empty() {
            String::new()
        } else if one.import.has_comments {
            return None;
        } else {
            rewritten(one.member, &one.import, &kept, &new)?
        };
        found.push(MergedImport { at: Some(one.at), is_leading: true, text });
    }
    found.extend(own);
    Some(found)
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A member with an import of these names: those that it has, and new ones.
fn rewritten(member: &Member<'_>, import: &Import, kept: &[Leaf], new: &[Leaf]) -> Option<String> {
    let lead = member.text.len() - member.text.trim_start().len();
    let (indent, rest) = member.text.split_at(lead);
    let end = rest.get(rest.trim_end().len()..)?;
    // A comment behind the import would be lost.
    if !rest.trim_end().ends_with(';') {
        return None;
    }
    let group = match &import.group {
        Some(group) => group.clone(),
        None => {
            let first = kept.first().or(new.first())?;
            first.path.split_last()?.1.to_vec()
        }
    };
    let text = write_group(&import.before, &group, GroupNames { kept, new }, indent);
    Some(format!("{}{indent}{text}{end}", member.gap))
}
