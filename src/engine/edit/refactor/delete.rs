//! Plans what happens to the uses of an item that is deleted.

use std::collections::BTreeSet;

use super::group::Group;
use super::obligations;
use super::other_files;
use super::uses::{Names, broken_data, may_mean};
use super::warnings;
use crate::database::Snapshot;
use crate::edit::edit_target::{Refactored, Resolved};
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use crate::items::docs::{self, DocUse};
use crate::uses::GUESS;
use asof_edit::{DeleteEdit, EditError, Manner, Reach, Splice};
use asof_index::ReplacedKind;
use asof_model::{NodeId, RefKind};
use asof_query::{Queries, UseFilter, UseRow};
use asof_refactor::NewName;
use asof_wire::{DeletedUses, Doubt, Item, PlaceToLookAt};

/// Adds to a deletion that of its imports, if these go with it; refused if there are other uses.
/// `together`: what the request deletes; uses in it go, too.
pub(in crate::edit) fn delete(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    deleted: &mut Resolved,
    edit: &DeleteEdit,
    together: &[Item],
) -> Result<(), Halt> {
    let Some(with) = edit.uses else { return Ok(()) };
    let Some(item) = deleted.item.clone() else {
        return Err(EditError::internal("what is deleted is an item").into());
    };
    let path = item.path.clone().unwrap_or_else(|| item.name.clone());
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let own = queries.uses_of(&[item.id]).map_err(EngineError::from)?;
    if own.iter().flat_map(|uses| &uses.refs).any(|used| used.kind == RefKind::Overrides) {
        let place = format!("{}:{} (its trait, which it implements)", item.file_path, item.line);
        return Err(EditError::StillUsed { path, places: vec![place] }.into());
    }
    let group = Group::of_text(snapshot, std::slice::from_ref(&item))?;
    let ids = with_inner(&queries, &group)?;
    let kinds = RefKind::ALL.iter().copied().filter(|kind| *kind != RefKind::Keyword).collect();
    let filter = UseFilter { kinds, min_confidence: 0.0 };
    let rows = queries.where_used(&ids, &filter).map_err(EngineError::from)?;
    // What is in it goes with it, and the declaration of a module.
    let within = |row: &UseRow| {
        let (path, byte) = (row.file_path.as_str(), row.start_byte);
        let cut = |splice: &Splice| splice.start <= byte && byte < splice.end;
        group.holds(path, byte)
            || together.iter().any(|item| holds(item, path, byte))
            || deleted.splices_in(&row.file_path).iter().any(cut)
    };
    let (sure, unsure): (Vec<UseRow>, Vec<UseRow>) =
        rows.into_iter().filter(|row| !within(row)).partition(|row| row.confidence >= GUESS);
    let (imports, others): (Vec<UseRow>, Vec<UseRow>) = sure
        .into_iter()
        .partition(|row| with == DeletedUses::WithUses && row.use_kind == RefKind::Use);
    if !others.is_empty() {
        let mut places: Vec<String> = others
            .iter()
            .map(|row| format!("{}:{} ({})", row.file_path, row.line, row.use_kind))
            .collect();
        places.dedup();
        return Err(EditError::StillUsed { path, places }.into());
    }
    let mut out = Refactored::new(ReplacedKind::Code);
    out.ids.clone_from(&group.ids);
    let data = broken_data(snapshot)?;
    let mut unresolved = unresolved(&queries, &item, &filter)?;
    unresolved.retain(|row| !data.contains(&row.file_path));
    for row in unsure.iter().chain(&unresolved) {
        out.look_at.push(PlaceToLookAt {
            file_path: row.file_path.clone(),
            line: row.line,
            byte: row.start_byte,
            reason: match row.use_kind {
                RefKind::MethodCall | RefKind::Field => Doubt::UnknownReceiver,
                RefKind::Mention => Doubt::Tokens,
                _ => Doubt::Unresolved,
            },
            confidence: row.confidence,
            rewritten: false,
        });
    }
    out.look_at.extend(other_files::places(snapshot, &item.name)?);
    let mut documented = documentation(snapshot, &group, &item.name)?;
    documented.retain(|place| !together.iter().any(|one| holds(one, &place.file_path, place.byte)));
    out.look_at.append(&mut documented);
    obligations::check_deletion(snapshot, files, &group, &mut out)?;
    if !out.wrong.is_empty() {
        return Err(EditError::StillUsed { path, places: out.wrong }.into());
    }
    if !out.look_at.is_empty() && !edit.with_guesses {
        let place = |one: &PlaceToLookAt| {
            format!("{}:{} ({})", one.file_path, one.line, one.reason.as_str())
        };
        let places = out.look_at.iter().map(place).collect();
        return Err(EditError::MayBeUsed { path, places }.into());
    }
    out.warnings = warnings::public(snapshot, &group, "without it")?;
    out.warnings.extend(docs::documents(snapshot, &group, &item.name)?);
    for row in imports {
        out.pruned.entry(row.file_path).or_default().insert(row.start_byte);
    }
    // Imports are no part of the item.
    (deleted.change.manner, deleted.change.reach) = (Manner::Bytes, Reach::Cut);
    deleted.refactored = Some(Box::new(out));
    Ok(())
}

/// Whether a byte of a file is in the text of an item.
fn holds(item: &Item, file_path: &str, byte: u32) -> bool {
    item.file_path == file_path && item.span.bytes().contains(byte)
}

/// Links and places in the code of examples, apart from those in the items themselves: a link to what
/// is gone leads nowhere.
fn documentation(
    snapshot: &Snapshot<'_>,
    group: &Group,
    name: &str,
) -> Result<Vec<PlaceToLookAt>, EngineError> {
    let mut found = docs::included(snapshot, group, name)?;
    let uses = docs::uses(snapshot, group, name)?.into_iter();
    let outside = uses.filter(|used| !group.holds(&used.file_path, used.byte));
    found.extend(outside.map(DocUse::into_place));
    Ok(found)
}

/// The ids of a group and of everything in its items.
pub(super) fn with_inner(queries: &Queries<'_>, group: &Group) -> Result<Vec<NodeId>, EngineError> {
    let mut ids = group.ids.clone();
    for item in &group.items {
        let inside = queries
            .file_items(&item.file_path)?
            .into_iter()
            .filter(|one| item.start_byte <= one.start_byte && one.end_byte <= item.end_byte);
        ids.extend(inside.map(|one| one.id));
    }
    Ok(ids.into_iter().collect())
}

/// Unresolved uses of the name.
fn unresolved(
    queries: &Queries<'_>,
    item: &Item,
    filter: &UseFilter,
) -> Result<Vec<UseRow>, EngineError> {
    let Ok(new) = NewName::parse(&format!("r#{}", item.name)) else { return Ok(Vec::new()) };
    let names = Names { old: &item.name, new: &new, kind: item.kind, keep_old: false };
    let found = queries.unresolved_uses(std::slice::from_ref(&item.name))?;
    let ids: BTreeSet<NodeId> =
        found.iter().filter(|one| may_mean(&one.text, names)).map(|one| one.id).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<NodeId> = ids.into_iter().collect();
    Ok(queries.where_used(&ids, filter)?)
}
