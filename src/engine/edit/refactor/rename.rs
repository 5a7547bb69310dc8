//! Renames an item at every place where its name is written.

use super::group::{Group, are_exclusive};
use super::local;
use super::modules;
use super::obligations::{self, Words};
use super::pattern_capture;
use super::uses::{self, Names};
use super::warnings;
use crate::database::Snapshot;
use crate::edit::choose::{self, Target};
use crate::edit::edit_target::Resolved;
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use crate::items::docs;
use asof_edit::{EditError, RenameEdit};
use asof_model::{NodeId, NodeKind};
use asof_query::Queries;
use asof_refactor::NewName;
use asof_wire::{Item, ResolveRequest};

/// The splices of a rename, in all files.
pub(in crate::edit) fn rename(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    edit: &RenameEdit,
    number: usize,
) -> Result<Resolved, Halt> {
    let RenameEdit { path, to, local, keep_old, include_guesses, .. } = edit;
    let target =
        Target { path, kind: edit.kind, file: edit.file_path.as_deref(), has: edit.has.as_deref() };
    if let Some(local) = local {
        return local::rename(snapshot, files, target, to, local, number);
    }
    let refuse = |reason: String| EditError::CannotRename {
        path: path.clone(),
        to: Some(to.clone()),
        reason,
    };
    let new = NewName::parse(to).map_err(|error| refuse(error.to_string()))?;
    let targets = targets(snapshot, files, target, &refuse)?;
    let Some(item) = targets.first() else {
        return Err(EditError::internal("what is renamed was found").into());
    };
    if let Some(reason) = unnamed_reason(item) {
        return Err(refuse(reason).into());
    }
    if item.name == new.bare {
        return Err(EditError::NoChange.into());
    }
    let group = Group::load(snapshot, &targets, &refuse)?;
    let places = pattern_capture::places(snapshot, &group, &item.name, &new.bare)?;
    if !places.is_empty() {
        return Err(EditError::ChangesMeaning { places }.into());
    }
    let names = Names { old: &item.name, new: &new, kind: item.kind, keep_old: *keep_old };
    let mut refactored = uses::splices(snapshot, files, &group, names, number, *include_guesses)?;
    refactored.warnings = warnings::collect_warnings(snapshot, files, &group)?;
    if !keep_old {
        refactored.warnings.extend(warnings::public(snapshot, &group, "without this name")?);
        refactored.warnings.extend(docs::documents(snapshot, &group, &item.name)?);
    }
    for module in group.items.iter().filter(|item| item.kind == NodeKind::Module) {
        let moves = modules::moves(snapshot, files, module, &new.bare, &refuse)?;
        for path in moves.keys() {
            files.load(snapshot, path)?;
        }
        refactored.moves.extend(moves);
    }
    let file_path = item.file_path.clone();
    files.load(snapshot, &file_path)?;
    obligations::check_files(snapshot, files, &mut refactored)?;
    let words = Words { old: &item.name, new: &new.bare };
    obligations::check_new_word(snapshot, files, words, Some(&group.ids), &mut refactored)?;
    obligations::check_entry_points(snapshot, files, &group, &mut refactored)?;
    obligations::check_new_member_name(snapshot, files, &group, &new.bare, &mut refactored)?;
    if !refactored.elsewhere.contains_key(&file_path) && item.kind != NodeKind::Module {
        return Err(refuse("its name is not written where it is defined".to_owned()).into());
    }
    let replaced = vec![item.name.clone()];
    Ok(Resolved::of_refactored(item.clone(), file_path, replaced, refactored))
}

/// The item at a path: several if they are variants of one under other conditions.
pub(super) fn targets(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    target: Target<'_>,
    refuse: &dyn Fn(String) -> EditError,
) -> Result<Vec<Item>, Halt> {
    let error = match choose::item(snapshot, files, target) {
        Ok(item) => return Ok(vec![item]),
        Err(Halt::Error(error)) => error,
        Err(halt) => return Err(halt),
    };
    let request = ResolveRequest { kind: target.kind, ..ResolveRequest::new(target.path) };
    if let EngineError::NotFound { .. } = error
        && let Some(krate) = snapshot.dependency_of(target.path)?
    {
        let (name, version) = (krate.name, krate.version);
        return Err(refuse(format!("it is of the crate {name} {version}")).into());
    }
    let EngineError::Ambiguous { .. } = error else { return Err(error.into()) };
    if target.has.is_some() || target.file.is_some() {
        return Err(error.into());
    }
    let found = snapshot.resolve(&request)?;
    let Some(first) = found.items().first() else { return Err(error.into()) };
    let alike = |item: &Item| {
        (item.kind, item.root_id, &item.path) == (first.kind, first.root_id, &first.path)
    };
    let ids: Vec<NodeId> = found.items().iter().map(|item| item.id).collect();
    let queries = Queries::at(snapshot.store(), snapshot.at);
    if found.items().iter().all(alike) && are_exclusive(&queries, &ids)? {
        Ok(found.items().to_vec())
    } else {
        Err(error.into())
    }
}

/// Why an item has no name of its own, or not one that code gives it; none if it has.
pub fn unnamed_reason(item: &Item) -> Option<String> {
    let reason = match item.kind {
        kind if kind.is_anonymous() => format!("it is a {kind}, which has no name"),
        NodeKind::ExternCrate => "its name is that of a crate".to_owned(),
        NodeKind::Module if item.parent_id.is_none() => {
            "it is a crate, whose name is in its manifest".to_owned()
        }
        NodeKind::Field if item.name.starts_with(|c: char| c.is_ascii_digit()) => {
            "it is a field of a tuple, whose name is its place".to_owned()
        }
        NodeKind::Function if item.name == "main" && item.module_path.len() == 1 => {
            "a program begins with it".to_owned()
        }
        _ => return None,
    };
    Some(reason)
}
