//! Moves an item to another module: its text, the imports that it needs there, its uses in the rest
//! of the workspace, and what it leaves behind.

mod changes;
mod destination;
mod import_needs;
mod leftovers;
mod module;
mod obligations;
mod own_names;
mod refuse;
mod relocation;
mod splices;
mod subject;
mod text;
mod textual_macros;
mod uses_elsewhere;
mod visibility;

use std::collections::BTreeMap;

use super::rename::targets;
use super::uses::REWRITTEN;
use super::warnings;
use crate::database::Snapshot;
use crate::edit::choose::Target;
use crate::edit::edit_target::{Refactored, Resolved};
use crate::edit::refactor::group::Group;
use crate::edit::target::{Files, Halt};
use asof_edit::{EditError, MoveEdit};
use asof_index::{ReplacedKind, Viewpoint};
use asof_model::{ByteRange, OrNever};
use asof_syntax::Scan;
use changes::Changes;
use destination::Destination;
pub(super) use destination::children;
use import_needs::Needed;
use own_names::Inward;
use relocation::Relocation;
use subject::Subject;
use text::Style;

/// The splices of a move, in all files.
pub(in crate::edit) fn relocate(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    edit: &MoveEdit,
    number: usize,
) -> Result<Resolved, Halt> {
    let MoveEdit { path, to, keep_old, include_guesses, .. } = edit;
    let named =
        Target { path, kind: edit.kind, file: edit.file_path.as_deref(), has: edit.has.as_deref() };
    let cannot =
        |reason: String| EditError::CannotMove { path: path.clone(), to: to.clone(), reason };
    let refuse = |reason: String| Halt::from(cannot(reason));
    let items = targets(snapshot, files, named, &cannot)?;
    let view = Viewpoint::load(snapshot.store(), Some(snapshot.database.memory()))
        .map_err(crate::error::EngineError::from)?;
    let subject = Subject::load(snapshot, files, &view, items, &refuse)?;
    let there = Destination::locate(snapshot, files, &view, to, subject.module, &refuse)?;
    if there.index.is_some() && there.place.module == subject.module {
        return Err(EditError::NoChange.into());
    }
    if subject.ids.contains(&there.place.module) {
        return Err(refuse("that is in the module itself".to_owned()));
    }
    let (old, new) = (view.condition(subject.module), view.condition(there.place.module));
    if old != new {
        let of = |condition: Option<String>| condition.unwrap_or_else(|| "always".to_owned());
        let reason = format!(
            "the modules are compiled under different conditions: `{}`, `{}`",
            of(old),
            of(new)
        );
        return Err(refuse(reason));
    }
    let mut changes = Changes::default();
    let by = Relocation {
        snapshot,
        view: &view,
        subject: &subject,
        to: &there,
        least: include_guesses.unwrap_or(REWRITTEN),
        refuse: &refuse,
        number,
    };
    by.rewrite_uses(files, &mut changes)?;
    let style = match there.index {
        Some(_) => Style::from_facts(&files.loaded(snapshot, &there.file_path)?.facts),
        None => Style::Absolute,
    };
    let loaded = files.loaded(snapshot, &subject.file_path)?;
    let scan = Scan::new(&loaded.text);
    let mut needed = Needed::default();
    if !subject.is_module() {
        needed = Inward::new(by, loaded, &scan, style)?.read(&mut changes)?;
    }
    if *keep_old {
        by.keep_old(&mut changes);
    }
    by.show_moved(loaded, &mut changes);
    let mut moves = BTreeMap::new();
    if subject.is_module() {
        moves = by.files_of_module(files)?;
        by.adapt_paths(files, &mut changes)?;
        by.adapt_visibilities(files, &mut changes)?;
    }
    by.show_others(files, &mut changes)?;
    by.remove_leftovers(files, &needed, &mut changes)?;
    let is_public = subject.items.iter().any(|item| item.visibility == "pub")
        && view.around(subject.module).iter().all(|id| view.visible_within(*id).is_none());
    let kept = changes.elsewhere.get(&subject.module);
    let kept = kept.is_some_and(|all| all.iter().any(|(visibility, _)| visibility == "pub"));
    let is_lost = is_public && !kept;
    let mut refactored = Refactored::new(ReplacedKind::Code);
    refactored.ids.clone_from(&subject.ids);
    let module = by.visibility_of_new_module(&changes);
    let traits_there = std::mem::take(&mut changes.traits);
    let textual_macros = std::mem::take(&mut changes.textual_macros);
    by.write(files, &module, &mut changes, &mut refactored)?;
    for path in moves.keys() {
        files.load(snapshot, path)?;
    }
    refactored.moves = moves;
    refactored.look_at = changes.look_at;
    by.check_obligations(files, &traits_there, &mut refactored)?;
    by.check_textual_macros(files, &textual_macros, &mut refactored)?;
    let group = Group { ids: subject.named(), items: subject.described() };
    refactored.warnings.extend(changes.warnings);
    refactored.warnings.extend(warnings::collect_warnings(snapshot, files, &group)?);
    if is_lost {
        let old = subject.items.iter().find_map(|item| item.path.as_deref());
        refactored.warnings.push(warnings::lost(old.unwrap_or(path)));
    }
    let loaded = files.loaded(snapshot, &subject.file_path)?;
    let slice = |range: ByteRange| {
        range.slice(&loaded.text).or_never("what moves lies in its file").to_owned()
    };
    let Some(item) = subject.items.first().cloned() else {
        return Err(EditError::internal("what moves was found").into());
    };
    let replaced = subject.pieces.iter().map(|piece| slice(piece.range)).collect();
    Ok(Resolved::of_refactored(item, subject.file_path.clone(), replaced, refactored))
}
