//! Each use of either side, and what it means in the merge.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::sides::{Aligned, Beside};
use crate::error::EngineError;
use crate::review::Side;
use asof_model::{NodeKind, RefKind};
use asof_query::ItemFacts;
use asof_review::{Identity, NameUse};
use asof_syntax::is_word_part;
use asof_wire::{AdaptedUse, MergeConflictKind, MergeFrom, SemanticConflict};

/// A part of one side's text that has to follow what the other side does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Adaptation {
    pub file_path: String,
    /// Its first byte in the merge.
    pub byte: u32,
    pub before: String,
    pub after: String,
    pub line: u32,
    pub side: MergeFrom,
    /// What it means, by its path in the merge.
    pub path: String,
    /// What names in `after` have to mean, by their bytes in it.
    pub meanings: BTreeMap<u32, BTreeSet<Identity>>,
    /// The name or call around it, as it was and as it is.
    pub was: String,
    pub is: String,
}

impl Adaptation {
    /// In the terms of an answer.
    pub fn into_use(self) -> AdaptedUse {
        let Self { file_path, line, side, was, is, path, .. } = self;
        AdaptedUse { file_path, line, side, before: was, after: is, path }
    }
}

/// What uses of one side may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    /// What the other side renames and moves, and parameters that it adds.
    Changes,
    /// Nothing: it was tried.
    Nothing,
}

/// What is wrong with the names of a file.
#[derive(Debug, Default)]
pub(super) struct Wrong {
    pub adaptations: Vec<Adaptation>,
    pub conflicts: Vec<SemanticConflict>,
}

/// What a name means with certainty; none if something of it is not certain.
pub(super) fn certain(uses: &[NameUse]) -> Option<BTreeSet<Identity>> {
    let named: Vec<&NameUse> = uses.iter().filter(|one| is_named(one.meaning.kind)).collect();
    let is_certain = !named.is_empty() && named.iter().all(|one| one.is_certain);
    is_certain.then(|| named.iter().map(|one| one.meaning.target).collect())
}

/// All that a name may mean.
pub(super) fn possible(uses: &[NameUse]) -> BTreeSet<Identity> {
    let named = uses.iter().filter(|one| is_named(one.meaning.kind));
    named.map(|one| one.meaning.target).collect()
}

/// Kinds of uses that are written by name.
pub(super) fn is_named(kind: RefKind) -> bool {
    !matches!(kind, RefKind::Implicit | RefKind::Overrides | RefKind::Mention)
}

/// Compares the uses of one side in a file with what they mean in the merge. Where both sides have the
/// text, either meaning is right.
pub(super) fn compare(
    one: &mut Beside<'_>,
    merge: &mut Side<'_>,
    path: &str,
    file: &Aligned,
    other: Option<&Aligned>,
    unsettled: &BTreeSet<String>,
    follow: Follow,
) -> Result<Wrong, EngineError> {
    let mut found = Wrong::default();
    let mut listed: BTreeSet<(String, BTreeSet<Identity>)> = BTreeSet::new();
    let mut lost_at: BTreeSet<u32> = BTreeSet::new();
    for (byte, uses) in &file.side.text.uses {
        let Some(expected) = certain(uses) else { continue };
        let Some(place) = file.places.place(*byte) else { continue };
        let merged = file.merged.text.uses.get(&place).map_or(&[][..], Vec::as_slice);
        let is = possible(merged);
        if is == expected {
            continue;
        }
        let theirs = other.and_then(|other| other.back.place(place).map(|at| (other, at)));
        if let Some((other, at)) = theirs {
            let uses = other.side.text.uses.get(&at).map_or(&[][..], Vec::as_slice);
            if certain(uses).is_none_or(|meant| meant == is) && possible(uses) == is
                || certain(uses).is_none() && !is.is_empty()
            {
                continue;
            }
        }
        if is_in(one, &expected, unsettled)? {
            continue;
        }
        let name = word(&file.side.text.text, *byte);
        // The rest of a path that is lost says nothing more.
        if follows_lost(&file.merged.text.text, place, &lost_at) {
            lost_at.insert(place);
            continue;
        }
        if follow == Follow::Changes
            && let Some(one) = renamed(one, merge, path, file, place, &name, &expected)?
        {
            found.adaptations.push(one);
            continue;
        }
        lost_at.insert(place);
        if !listed.insert((name.clone(), expected.clone())) {
            continue;
        }
        let was = labels(one, merge, &expected)?;
        let (kind, is) = if is.is_empty() {
            (MergeConflictKind::Lost, fate(merge, &expected, &name)?)
        } else {
            (MergeConflictKind::Meaning, format!("`{}`", merge_labels(merge, &is)?))
        };
        found.conflicts.push(SemanticConflict {
            file_path: path.to_owned(),
            line: file.merged.text.line(place),
            kind,
            name,
            side: one.from,
            was,
            is,
        });
    }
    Ok(found)
}

/// Whether something that a name means is in one of these files, or of another crate if a manifest is
/// among them.
fn is_in(
    one: &mut Beside<'_>,
    expected: &BTreeSet<Identity>,
    files: &BTreeSet<String>,
) -> Result<bool, EngineError> {
    for identity in expected {
        let id = match identity {
            Identity::Gone(id) => Some(*id),
            Identity::Later(id) => one.side.identities.earlier(*id),
        };
        let Some(id) = id.filter(|_| !files.is_empty()) else { continue };
        let is_among = match one.side.item(id)? {
            Some(item) => files.contains(&item.file_path),
            None => files.iter().any(|path| path.ends_with("Cargo.toml")),
        };
        if is_among {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The word that begins at a byte.
pub(super) fn word(text: &str, byte: u32) -> String {
    let rest = text.get(byte as usize..).unwrap_or_default();
    let raw = if rest.starts_with("r#") { 2 } else { 0 };
    let end = rest.get(raw..).unwrap_or_default().find(|c| !is_word_part(c));
    let end = end.map_or(rest.len(), |end| raw + end);
    rest.get(..end).unwrap_or_default().to_owned()
}

/// Whether the segment of a path before a byte is lost.
fn follows_lost(text: &str, byte: u32, lost: &BTreeSet<u32>) -> bool {
    let before = text.get(..byte as usize).unwrap_or_default().trim_end();
    let Some(before) = before.strip_suffix("::") else { return false };
    let before = before.trim_end();
    let start = before.rfind(|c| !is_word_part(c)).map_or(0, |at| at + 1);
    lost.contains(&(start as u32))
}

/// The new name or path of what a use means, if it only has to be written.
fn renamed(
    one: &mut Beside<'_>,
    merge: &mut Side<'_>,
    path: &str,
    file: &Aligned,
    place: u32,
    name: &str,
    expected: &BTreeSet<Identity>,
) -> Result<Option<Adaptation>, EngineError> {
    let Some((was, now)) = followed(one, merge, expected)? else { return Ok(None) };
    let bare = name.strip_prefix("r#").unwrap_or(name);
    if was.name != bare {
        return Ok(None);
    }
    let text = &file.merged.text.text;
    let uses: Vec<&NameUse> = file.side_uses(place).into_iter().flatten().collect();
    let is = |kind: RefKind| uses.iter().any(|one| one.meaning.kind == kind);
    let is_member = is(RefKind::Field) || is(RefKind::MethodCall);
    let parent = was.parent_id.and_then(|id| one.side.identities.later(id));
    let is_at_place = parent.is_some() && parent == now.parent_id;
    let (byte, before, after) = if now.name != bare && is_at_place {
        (place, name.to_owned(), now.name.clone())
    } else if !is_member
        && was.root_id == now.root_id
        && let Some(full) = full_path(&now)
        && let Some(start) = path_start(text, place, is(RefKind::Use))
    {
        let end = place as usize + name.len();
        let written = text.get(start as usize..end).unwrap_or_default();
        (start, written.to_owned(), full)
    } else {
        return Ok(None);
    };
    let last = after.rfind("::").map_or(0, |at| at + 2);
    Ok(Some(Adaptation {
        file_path: path.to_owned(),
        byte,
        was: before.clone(),
        is: after.clone(),
        before,
        after,
        line: file.merged.text.line(place),
        side: one.from,
        path: now.canonical_path.clone().unwrap_or_else(|| now.name.clone()),
        meanings: BTreeMap::from([(last as u32, expected.clone())]),
    }))
}

/// An item in a state of one side, and in the merge.
type Followed = (Rc<ItemFacts>, Rc<ItemFacts>);

/// The item that a side means, there and in the merge, if it has another name or place and nothing else
/// differs, or it has the same head: what else differs a use cannot follow.
pub(super) fn followed(
    one: &mut Beside<'_>,
    merge: &mut Side<'_>,
    expected: &BTreeSet<Identity>,
) -> Result<Option<Followed>, EngineError> {
    let mut targets = expected.iter();
    let (Some(Identity::Later(id)), None) = (targets.next(), targets.next()) else {
        return Ok(None);
    };
    let Some(now) = merge.item(*id)? else { return Ok(None) };
    let Some(earlier) = one.side.identities.earlier(*id) else { return Ok(None) };
    let Some(was) = one.side.item(earlier)? else { return Ok(None) };
    let same_head = was.signature.replacen(&was.name, &now.name, 1) == now.signature;
    let is_same = now.kind == was.kind && (was.shape_hash == now.shape_hash || same_head);
    let is_elsewhere = was.id != now.id && !now.kind.is_anonymous();
    Ok((is_same && is_elsewhere).then_some((was, now)))
}

/// The path of an item within its crate; none of one that is reached through a type, and of macros, which
/// have other rules.
fn full_path(item: &ItemFacts) -> Option<String> {
    let is_free = matches!(
        item.kind,
        NodeKind::Function
            | NodeKind::Struct
            | NodeKind::Enum
            | NodeKind::Union
            | NodeKind::Trait
            | NodeKind::TypeAlias
            | NodeKind::Const
            | NodeKind::Static
    );
    let path = item.canonical_path.as_deref().filter(|path| is_free && !path.contains('<'))?;
    let (_, rest) = path.split_once("::")?;
    Some(format!("crate::{rest}"))
}

/// The first byte of the path whose last segment is at a byte; none if it is in a group of an import, or
/// begins at something else than a module of this crate.
fn path_start(text: &str, place: u32, is_import: bool) -> Option<u32> {
    let mut start = place as usize;
    loop {
        let before = text.get(..start)?;
        let Some(rest) = before.strip_suffix("::") else { break };
        let segment = rest.rfind(|c| !is_word_part(c)).map_or(0, |at| at + 1);
        if segment == rest.len() {
            return None;
        }
        start = segment;
    }
    let before = text.get(..start)?.trim_end();
    (!before.ends_with('.') && (!is_import || before.ends_with("use"))).then_some(start as u32)
}

/// How what a name of a side means is called there.
pub(super) fn labels(
    one: &mut Beside<'_>,
    merge: &mut Side<'_>,
    all: &BTreeSet<Identity>,
) -> Result<String, EngineError> {
    let mut found = Vec::new();
    for identity in all {
        found.push(match identity {
            Identity::Gone(id) => one.side.label(*id)?,
            Identity::Later(id) => {
                let earlier = one.side.identities.earlier(*id);
                let known = match earlier {
                    Some(earlier) => one.side.item(earlier)?.is_some(),
                    None => false,
                };
                match earlier.filter(|_| known) {
                    Some(earlier) => one.side.label(earlier)?,
                    None => merge.label(*id)?,
                }
            }
        });
    }
    found.dedup();
    Ok(found.join("` or `"))
}

pub(super) fn merge_labels(
    merge: &mut Side<'_>,
    all: &BTreeSet<Identity>,
) -> Result<String, EngineError> {
    let mut found = Vec::new();
    for identity in all {
        let (Identity::Gone(id) | Identity::Later(id)) = identity;
        found.push(merge.label(*id)?);
    }
    found.dedup();
    Ok(found.join("` or `"))
}

/// What became of something that a name does not find.
fn fate(
    merge: &mut Side<'_>,
    expected: &BTreeSet<Identity>,
    name: &str,
) -> Result<String, EngineError> {
    for identity in expected {
        let Identity::Later(id) = identity else {
            return Ok("which the other side removes".to_owned());
        };
        if let Some(item) = merge.item(*id)? {
            let path = item.canonical_path.clone().unwrap_or_else(|| item.name.clone());
            return Ok(if item.name == name {
                format!("which is `{path}` in the merge, and not found by this name here")
            } else {
                format!("which the other side renames to `{path}`")
            });
        }
    }
    Ok("which is not found here in the merge".to_owned())
}

/// Files with these adaptations made, by path.
pub(super) fn adapt(
    texts: &BTreeMap<String, String>,
    all: &BTreeSet<Adaptation>,
) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (path, text) in texts {
        let mut text = text.clone();
        let here = all.iter().filter(|one| one.file_path == *path);
        // From the end on, so that places stay.
        for one in here.rev() {
            let range = one.byte as usize..one.byte as usize + one.before.len();
            if text.get(range.clone()) == Some(one.before.as_str()) {
                text.replace_range(range, &one.after);
            }
        }
        found.insert(path.clone(), text);
    }
    found
}
