//! An item goes to another module: its text, what it needs there, what the rest of the workspace
//! needs of it, and what it leaves behind.

mod changes;
mod destination;
mod inward;
mod leftovers;
mod module;
mod outward;
mod splices;
mod subject;
mod text;
mod visibility;

use std::collections::BTreeMap;

use super::rename::targets;
use super::warnings;
use crate::edit::{Change, Edit, EditError, Expected};
use crate::engine::database::Snapshot;
use crate::engine::edit::choose::Target;
use crate::engine::edit::refactor::group::Group;
use crate::engine::edit::resolved::{Refactored, Resolved};
use crate::engine::edit::target::{Files, Halt};
use crate::index::{ReplacedKind, Viewpoint};
use crate::syntax::Scan;
use changes::Changes;
use destination::Destination;
use inward::{Inward, Needed};
use module::ModuleMove;
use outward::Outward;
use subject::Subject;
use text::Style;
use visibility::Visibility;

/// Uses with at least this confidence are rewritten, if a request says nothing else.
const REWRITTEN: f64 = 0.9;

/// Makes a refusal of a reason.
type Refuse<'a> = dyn Fn(String) -> Halt + 'a;

/// The splices of a move, in all files.
pub(in crate::engine::edit) fn relocate(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    edit: &Edit,
    number: usize,
) -> Result<Resolved, Halt> {
    let (Some(named), Edit::Move { path, to, keep_old, include_guesses, .. }) =
        (Target::of(edit), edit)
    else {
        return Err(EditError::NoChange.into());
    };
    let cannot =
        |reason: String| EditError::CannotMove { path: path.clone(), to: to.clone(), reason };
    let refuse = |reason: String| Halt::from(cannot(reason));
    let items = targets(snapshot, files, named, &cannot)?;
    let view = Viewpoint::load(snapshot.store(), Some(snapshot.database.memory()))
        .map_err(crate::engine::error::EngineError::from)?;
    let subject = Subject::of(snapshot, files, &view, items, &refuse)?;
    let there = Destination::of(snapshot, files, &view, to, subject.module, &refuse)?;
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
    let least = include_guesses.unwrap_or(REWRITTEN);
    let outward = Outward { snapshot, view: &view, subject: &subject, to: &there, least };
    outward.read(files, &mut changes)?;
    let style = match there.index {
        Some(_) => Style::of(&files.loaded(snapshot, &there.file_path)?.facts),
        None => Style::Absolute,
    };
    let loaded = files.loaded(snapshot, &subject.file_path)?;
    let scan = Scan::new(&loaded.text);
    let inward = Inward {
        store: snapshot.store(),
        queries: crate::query::Queries::at(snapshot.store(), snapshot.at),
        view: &view,
        subject: &subject,
        to: &there,
        loaded,
        scan: &scan,
        style,
    };
    let mut needed = Needed::default();
    if !subject.is_module() {
        needed = inward.read(&mut changes)?;
        inward.unknown_methods(&mut changes)?;
        inward.links(&mut changes);
    }
    if *keep_old {
        outward.keep_old(&mut changes);
    }
    let seen = Visibility { snapshot, view: &view, subject: &subject, to: &there };
    seen.of_moved(loaded, &mut changes);
    let mut moves = BTreeMap::new();
    if subject.is_module() {
        let whole = ModuleMove { snapshot, view: &view, subject: &subject, to: &there };
        moves = whole.files(files, &refuse)?;
        whole.paths(files, &mut changes)?;
        whole.visibilities(files, &mut changes)?;
    }
    seen.of_others(files, &mut changes)?;
    leftovers::remove(snapshot, files, &view, &subject, &needed, &mut changes)?;
    let is_public = subject.items.iter().any(|item| item.visibility == "pub")
        && view.around(subject.module).iter().all(|id| view.visible_within(*id).is_none());
    let kept = changes.elsewhere.get(&subject.module);
    let kept = kept.is_some_and(|all| all.iter().any(|(visibility, _)| visibility == "pub"));
    let is_lost = is_public && !kept;
    let mut refactored = Refactored::new(ReplacedKind::Code);
    refactored.ids.clone_from(&subject.ids);
    let module = seen.of_new_module(&changes);
    let context =
        splices::Context { snapshot, subject: &subject, to: &there, refuse: &refuse, number };
    let own = context.write(files, &module, &mut changes, &mut refactored)?;
    for path in moves.keys() {
        files.load(snapshot, path)?;
    }
    refactored.moves = moves;
    refactored.look_at = changes.look_at;
    let group = Group { ids: subject.named(), items: subject.described() };
    refactored.warnings = changes.warnings;
    refactored.warnings.extend(warnings::of(snapshot, files, &group)?);
    if is_lost {
        let old = subject.items.iter().find_map(|item| item.path.as_deref());
        refactored.warnings.push(warnings::lost(old.unwrap_or(path)));
    }
    let loaded = files.loaded(snapshot, &subject.file_path)?;
    let slice = |range: (u32, u32)| {
        loaded.text.get(range.0 as usize..range.1 as usize).unwrap_or_default().to_owned()
    };
    let item = subject.items.first().cloned();
    let expected = Expected {
        id: item.as_ref().map(|item| item.id),
        replaced: subject.pieces.iter().map(|piece| slice(piece.range)).collect(),
        own_text: None,
        start: item.as_ref().map(|item| item.span.start_byte),
    };
    Ok(Resolved {
        file_path: subject.file_path.clone(),
        index: None,
        item,
        change: Change::of_bytes(own),
        moved: false,
        expected,
        refactored: Some(Box::new(refactored)),
    })
}
