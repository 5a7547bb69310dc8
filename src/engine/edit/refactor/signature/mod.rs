//! Changes the signature of a function: at every declaration and every call.

mod declarations;
mod found;
mod uses;
mod wish;

use super::group::Group;
use super::rename::targets;
use super::warnings;
use crate::database::Snapshot;
use crate::edit::choose::Target;
use crate::edit::edit_target::Resolved;
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use asof_edit::{ChangeSignatureEdit, EditError};
use asof_index::{PathMeaning, Place, Viewpoint};
use asof_model::NodeKind;
use asof_query::{Described, Queries};
use asof_refactor::{Wanted, head};
use asof_wire::{Doubt, Item};
use found::Found;
use wish::Wish;

/// The splices of a change of a signature, in all files.
pub(in crate::edit) fn change_signature(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    edit: &ChangeSignatureEdit,
    number: usize,
) -> Result<Resolved, Halt> {
    let ChangeSignatureEdit { path, changes, include_guesses, .. } = edit;
    let target =
        Target { path, kind: edit.kind, file: edit.file_path.as_deref(), has: edit.has.as_deref() };
    let refuse =
        |reason: String| EditError::CannotChange { path: path.clone(), reason, places: Vec::new() };
    let targets = targets(snapshot, files, target, &refuse)?;
    let Some(item) = targets.first() else {
        return Err(EditError::internal("what changes was found").into());
    };
    if !matches!(item.kind, NodeKind::Function | NodeKind::Method) {
        return Err(refuse(format!("it is a {}", item.kind)).into());
    }
    let group = Group::load(snapshot, &targets, &refuse)?;
    let loaded = files.loaded(snapshot, &item.file_path)?;
    let start = item.span.start_byte;
    let own = loaded.text.get(start as usize..item.span.end_byte as usize).unwrap_or_default();
    let Some(named) = head(own) else {
        return Err(refuse("it does not parse".to_owned()).into());
    };
    let signature =
        own.get(named.words.0 as usize..named.end() as usize).unwrap_or_default().to_owned();
    let wanted =
        Wanted::from_changes(&named, changes).map_err(|misfit| refuse(misfit.to_string()))?;
    if wanted.is_same() {
        return Err(EditError::NoChange.into());
    }
    let wish = Wish { path, named: &named, wanted: &wanted };
    let owners = owners(snapshot, &group)?;
    refuse_fixed(item, &owners, &wish)?;
    refuse_patterns(snapshot, &group, &wish)?;
    let mut found = Found::default();
    declarations::change(snapshot, files, &group, &wish, &mut found)?;
    if wanted.breaks_callers() {
        uses::change(snapshot, files, &group, item, &wish, *include_guesses, &mut found)?;
    }
    found.warnings = warnings::collect_warnings(snapshot, files, &group)?;
    if wanted.breaks_callers() {
        let why = "with another signature";
        found.warnings.extend(warnings::public(snapshot, &group, why)?);
    }
    if wanted.to_async == Some(true) {
        for owner in owners.iter().filter(|owner| owner.kind == NodeKind::Trait) {
            let (file_path, byte, line) = (&owner.file_path, owner.name_start, owner.name_line);
            found.look_at(file_path, byte, line, Doubt::AsyncTrait, 1.0, true);
        }
    }
    let mut refactored = found.refactored(files, number);
    refactored.retypes = wanted.retypes()
        || wanted.returns.is_some()
        || wanted.to_async.is_some()
        || uses::loses_generics(&named, &wanted);
    let file_path = item.file_path.clone();
    Ok(Resolved::of_refactored(item.clone(), file_path, vec![signature], refactored))
}

/// What the functions of a group are items of.
fn owners(snapshot: &Snapshot<'_>, group: &Group) -> Result<Vec<Described>, EngineError> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let mut parents: Vec<_> = group.items.iter().filter_map(|item| item.parent_id).collect();
    parents.sort_unstable();
    parents.dedup();
    Ok(queries.describe(&parents)?)
}

/// Refuses what the language does not allow.
fn refuse_fixed(item: &Item, owners: &[Described], wish: &Wish<'_>) -> Result<(), EditError> {
    let wanted = wish.wanted;
    let of_trait = owners.iter().any(|owner| {
        owner.kind == NodeKind::Trait
            || owner.kind == NodeKind::Impl && owner.signature.contains(" for ")
    });
    if wanted.to_const == Some(true) && of_trait {
        return Err(wish.refuse("functions of traits cannot be `const`", Vec::new()));
    }
    let is_main = item.name == "main" && item.module_path.len() == 1;
    let words = [wanted.to_async, wanted.to_unsafe, wanted.to_const];
    if is_main && (wanted.changes_list() || words.contains(&Some(true))) {
        return Err(wish.refuse("a program begins with it", Vec::new()));
    }
    let is_test = wish.named.attributes.iter().any(|name| name == "test" || name == "bench");
    if is_test && (wanted.changes_list() || wanted.to_async == Some(true)) {
        return Err(wish.refuse("it is a test, which nothing gives arguments to", Vec::new()));
    }
    Ok(())
}

/// Refuses names that would be patterns: those of consts, statics, unit structs and variants.
fn refuse_patterns(
    snapshot: &Snapshot<'_>,
    group: &Group,
    wish: &Wish<'_>,
) -> Result<(), EngineError> {
    if wish.wanted.new_names().next().is_none() {
        return Ok(());
    }
    let memory = Some(snapshot.database.memory());
    let view = Viewpoint::load(snapshot.store(), memory)?;
    let is_pattern = |kind: NodeKind| {
        matches!(kind, NodeKind::Const | NodeKind::Static | NodeKind::Struct | NodeKind::Variant)
    };
    for item in &group.items {
        let Some(module) = view.module_of(item.id) else { continue };
        for name in wish.wanted.new_names() {
            let PathMeaning::Items(found) = view.meaning(Place { module, is_new: false }, name)
            else {
                continue;
            };
            let other = found.iter().find(|id| view.kind(**id).is_some_and(is_pattern));
            if let Some(path) = other.and_then(|id| view.path(*id)) {
                let reason = format!("as a parameter, `{name}` would be a pattern for `{path}`");
                let place = format!("{}:{}", item.file_path, item.name_line);
                return Err(wish.refuse(reason, vec![place]).into());
            }
        }
    }
    Ok(())
}
