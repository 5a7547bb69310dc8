//! Items that do not fit together: two of one name, an item of an impl that implements nothing any more,
//! an impl that lacks what its trait requires.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::names::{Adaptation, Follow, Wrong, followed, labels};
use super::sides::{Aligned, Beside};
use crate::error::EngineError;
use crate::review::Side;
use asof_model::{NodeId, NodeKind};
use asof_query::ItemFacts;
use asof_review::Identity;
use asof_wire::{MergeConflictKind, MergeFrom, SemanticConflict};

/// An item in a file.
#[derive(Clone)]
struct Found {
    item: Rc<ItemFacts>,
    file: String,
    line: u32,
}

/// Items by their paths.
type ByPath = BTreeMap<String, Vec<Found>>;

fn by_path(side: &mut Side<'_>, files: &BTreeSet<String>) -> Result<ByPath, EngineError> {
    let mut found = ByPath::new();
    let known = side.hashes()?;
    for path in files.iter().filter(|path| known.contains_key(*path)) {
        let file = side.file(path)?;
        for (item, start) in side.items_in(path)? {
            let is_impl_of = |path: &str| item.kind == NodeKind::Impl && path.contains(" as ");
            let Some(name) = item.canonical_path.clone() else { continue };
            if !item.kind.is_anonymous() || is_impl_of(&name) {
                let line = file.text.line(start);
                found.entry(name).or_default().push(Found { item, file: path.clone(), line });
            }
        }
    }
    Ok(found)
}

/// Whether two items cannot have one path.
fn clash(a: &ItemFacts, b: &ItemFacts) -> bool {
    let share = |a: NodeKind, b: NodeKind| {
        a == b || a.namespaces().chars().any(|space| space != '-' && b.namespaces().contains(space))
    };
    a.id != b.id && a.cfg == b.cfg && share(a.kind, b.kind)
}

/// Items of one name that come from both sides.
pub(super) fn duplicates(
    ours: &mut Beside<'_>,
    theirs: &mut Beside<'_>,
    merge: &mut Side<'_>,
    files: &BTreeSet<String>,
) -> Result<Vec<SemanticConflict>, EngineError> {
    let merged = by_path(merge, files)?;
    let twice: Vec<_> = merged.iter().filter(|(_, all)| all.len() > 1).collect();
    if twice.is_empty() {
        return Ok(Vec::new());
    }
    let (our, their) = (by_path(&mut ours.side, files)?, by_path(&mut theirs.side, files)?);
    let mut found = Vec::new();
    for (name, all) in twice {
        let of = |side: &ByPath| side.get(name).cloned().unwrap_or_default();
        let (our, their) = (of(&our), of(&their));
        if all.len() <= our.len().max(their.len()) {
            continue;
        }
        let pairs =
            all.iter().enumerate().flat_map(|(n, a)| all.iter().skip(n + 1).map(move |b| (a, b)));
        let Some((first, second)) = pairs.into_iter().find(|(a, b)| clash(&a.item, &b.item)) else {
            continue;
        };
        let kind = |all: &[Found], or: &Found| all.last().unwrap_or(or).item.kind.to_string();
        let place = format!("{}:{}", first.file, first.line);
        found.push(SemanticConflict {
            file_path: second.file.clone(),
            line: second.line,
            kind: MergeConflictKind::Duplicate,
            name: name.clone(),
            side: MergeFrom::Theirs,
            was: kind(&their, second),
            is: format!("{} ({place})", kind(&our, first)),
        });
    }
    Ok(found)
}

/// Items of impls that implement something on a side, and nothing in the merge.
pub(super) fn overrides(
    one: &mut Beside<'_>,
    merge: &mut Side<'_>,
    path: &str,
    file: &Aligned,
    other: Option<&Aligned>,
    follow: Follow,
) -> Result<Wrong, EngineError> {
    let mut found = Wrong::default();
    for (id, targets) in &file.side.overrides {
        let Some(later) = one.side.identities.later(*id) else { continue };
        let Some(item) = merge.item(later)? else { continue };
        let targets: BTreeSet<Identity> = targets.iter().map(|id| one.side.identity(*id)).collect();
        // The other side may have moved it to another file.
        let is_here = item.file_path == path;
        let merged = merge.file(&item.file_path)?;
        let is: BTreeSet<Identity> = merged
            .overrides
            .get(&later)
            .into_iter()
            .flatten()
            .map(|id| Identity::Later(*id))
            .collect();
        // What both sides have is the other one's own matter.
        let beside = other.filter(|_| is_here);
        let place = merge.place(&item)?;
        let is_shared = beside.is_some_and(|beside| beside.back.place(place.name_start).is_some());
        if is == targets || is_shared || !is.is_empty() {
            continue;
        }
        if follow == Follow::Changes
            && let Some((_, now)) = followed(one, merge, &targets)?
            && now.name != item.name
        {
            found.adaptations.push(Adaptation {
                file_path: item.file_path.clone(),
                byte: place.name_start,
                before: item.name.clone(),
                after: now.name.clone(),
                was: item.name.clone(),
                is: now.name.clone(),
                line: place.name_line,
                side: one.from,
                meanings: BTreeMap::new(),
                path: now.canonical_path.clone().unwrap_or_else(|| now.name.clone()),
            });
            continue;
        }
        let was = labels(one, merge, &targets)?;
        found.conflicts.push(SemanticConflict {
            file_path: item.file_path.clone(),
            line: place.start_line,
            kind: MergeConflictKind::Override,
            name: item.canonical_path.clone().unwrap_or_else(|| item.name.clone()),
            side: one.from,
            was,
            is: "nothing".to_owned(),
        });
    }
    Ok(found)
}

/// Impls that only one side has, of traits that require more on the other.
pub(super) fn required(
    one: &mut Beside<'_>,
    other: &mut Beside<'_>,
    merge: &mut Side<'_>,
    path: &str,
) -> Result<Vec<SemanticConflict>, EngineError> {
    let rows = merge.items_in(path)?;
    let file = merge.file(path)?;
    let mut found = Vec::new();
    for (item, _) in rows.iter().filter(|(item, _)| item.kind == NodeKind::Trait) {
        if !has(one, item.id)? {
            continue;
        }
        let mut missing = Vec::new();
        for (member, _) in rows.iter().filter(|(row, _)| row.parent_id == Some(item.id)) {
            let range = file.items.get(&member.id).map(|placed| placed.range.clone());
            let range = range.map(|range| range.start as usize..range.end as usize);
            let text = range.and_then(|range| file.text.text.get(range)).unwrap_or_default();
            let is_required = match member.kind {
                NodeKind::Method => text.trim_end().ends_with(';'),
                NodeKind::AssocConst | NodeKind::AssocType => !text.contains('='),
                _ => false,
            };
            if is_required && !has(one, member.id)? {
                missing.push(member.name.clone());
            }
        }
        if missing.is_empty() {
            continue;
        }
        for row in merge.queries.implementations(&[item.id], &item.name, false)? {
            if !has(one, row.id)? || has(other, row.id)? {
                continue;
            }
            let members = merge.queries.children(&[row.id])?;
            let lacks: Vec<String> = missing
                .iter()
                .filter(|name| !members.iter().any(|member| member.name == **name))
                .map(|name| format!("`{name}`"))
                .collect();
            let Some(item_of) = merge.item(row.id)?.filter(|_| !lacks.is_empty()) else {
                continue;
            };
            found.push(SemanticConflict {
                file_path: row.file_path.clone(),
                line: merge.place(&item_of)?.start_line,
                kind: MergeConflictKind::Required,
                name: row.signature.clone(),
                side: one.from,
                was: item.canonical_path.clone().unwrap_or_else(|| item.name.clone()),
                is: lacks.join(" and "),
            });
        }
    }
    Ok(found)
}

/// Whether a side has an item of the merge.
fn has(one: &mut Beside<'_>, id: NodeId) -> Result<bool, EngineError> {
    match one.side.identities.earlier(id) {
        Some(earlier) => Ok(one.side.item(earlier)?.is_some()),
        None => Ok(false),
    }
}
