//! Takes out of imports what a deletion leaves behind: what imports a deleted item, and what only
//! deleted texts needed.

use std::collections::{BTreeMap, BTreeSet};

use super::delete::with_inner;
use super::group::Group;
use super::leftover_imports::{Calls, Cut, Leaving, cut_names, places};
use super::mention::has_word;
use crate::database::Snapshot;
use crate::edit::edit_target::Resolved;
use crate::edit::target::{Files, Halt, Loaded};
use crate::error::EngineError;
use asof_edit::{Edit, EditRequest, FileView, Splice};
use asof_index::{PathMeaning, Viewpoint};
use asof_model::{ByteRange, NodeId, NodeKind};
use asof_query::Queries;

/// The deleted items of a module.
#[derive(Debug, Default)]
struct Deleted {
    /// The first of the edits that delete them.
    number: usize,
    module: Option<NodeId>,
    ranges: Vec<ByteRange>,
    ids: BTreeSet<NodeId>,
}

/// Adds the splices of imports to the deletions of a request that ask what becomes of uses.
pub(in crate::edit) fn prune_imports(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    request: &EditRequest,
    resolved: &mut [Resolved],
) -> Result<(), Halt> {
    let deletes: Vec<usize> = request
        .edits
        .iter()
        .enumerate()
        .filter(|(_, edit)| matches!(edit, Edit::Delete(delete) if delete.uses.is_some()))
        .map(|(number, _)| number)
        .collect();
    let mut pruned: BTreeMap<String, (usize, BTreeSet<u32>)> = BTreeMap::new();
    for number in &deletes {
        let refactored = resolved.get(*number).and_then(|one| one.refactored.as_ref());
        for (path, names) in refactored.iter().flat_map(|one| &one.pruned) {
            let (_, all) = pruned.entry(path.clone()).or_insert((*number, BTreeSet::new()));
            all.extend(names);
        }
    }
    let by_module = deleted_by_module(snapshot, files, &deletes, resolved)?;
    if !by_module.is_empty() {
        let view = Viewpoint::load(snapshot.store(), Some(snapshot.database.memory()))
            .map_err(EngineError::from)?;
        for ((path, module_index), deleted) in by_module {
            let names = leftover_names(snapshot, files, &view, &path, module_index, &deleted)?;
            if !names.is_empty() {
                let (_, all) = pruned.entry(path).or_insert((deleted.number, BTreeSet::new()));
                all.extend(names);
            }
        }
    }
    for (path, (number, names)) in pruned {
        let loaded = files.loaded(snapshot, &path)?;
        // An import in a text that is deleted goes with it.
        let gone: Vec<ByteRange> = resolved
            .iter()
            .flat_map(|one| one.splices_in(&path))
            .map(|splice| ByteRange::new(splice.start, splice.end))
            .collect();
        let splices = without_imports(loaded, &names, &gone, number);
        let Some(one) = resolved.get_mut(number) else { continue };
        if one.file_path == path {
            one.change.splices.extend(splices);
        } else if let Some(refactored) = &mut one.refactored {
            refactored.elsewhere.entry(path).or_default().extend(splices);
        }
    }
    Ok(())
}

/// Deleted items by file and module: an index in the facts of the file.
fn deleted_by_module(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    deletes: &[usize],
    resolved: &[Resolved],
) -> Result<BTreeMap<(String, u32), Deleted>, Halt> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let mut by_module: BTreeMap<(String, u32), Deleted> = BTreeMap::new();
    for number in deletes {
        let Some(one) = resolved.get(*number) else { continue };
        // A module in a file of its own takes its imports along.
        let (Some(item), Some(index)) = (&one.item, one.index) else { continue };
        let loaded = files.loaded(snapshot, &one.file_path)?;
        let mut around = loaded.facts.items.get(index as usize);
        let mut module_index = 0;
        while let Some(parent) = around.map(|item| item.parent) {
            around = loaded.facts.items.get(parent as usize);
            if parent == 0 || around.is_some_and(|item| item.kind == NodeKind::Module) {
                module_index = parent;
                break;
            }
        }
        let group = Group::of_text(snapshot, std::slice::from_ref(item))?;
        let deleted = by_module
            .entry((one.file_path.clone(), module_index))
            .or_insert_with(|| Deleted { number: *number, ..Deleted::default() });
        deleted.ids.extend(with_inner(&queries, &group)?);
        deleted.ranges.push(item.span.bytes());
        let modules = queries.file_modules(&one.file_path).map_err(EngineError::from)?;
        // In the body of several modules, an import can mean several things.
        if deleted.module.is_none() && modules.len() == 1 {
            deleted.module = enclosing_module(&queries, item.id)?;
        }
    }
    Ok(by_module)
}

/// The module around an item.
fn enclosing_module(queries: &Queries<'_>, id: NodeId) -> Result<Option<NodeId>, EngineError> {
    let mut at = id;
    while let Some(item) = queries.describe(&[at])?.pop() {
        let Some(parent) = item.parent_id else { return Ok(None) };
        let found = queries.describe(&[parent])?.pop();
        if found.as_ref().is_some_and(|parent| parent.kind == NodeKind::Module) {
            return Ok(Some(parent));
        }
        at = parent;
    }
    Ok(None)
}

/// First bytes of the names that only deleted texts of a module needed, in its imports.
fn leftover_names(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    view: &Viewpoint,
    path: &str,
    module_index: u32,
    deleted: &Deleted,
) -> Result<BTreeSet<u32>, Halt> {
    let Some(module) = deleted.module else { return Ok(BTreeSet::new()) };
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let ids: Vec<NodeId> = deleted.ids.iter().copied().collect();
    let calls = Calls::load(snapshot, &queries, &ids)?;
    let text = &files.loaded(snapshot, path)?.text;
    let texts: Vec<String> =
        deleted.ranges.iter().filter_map(|range| range.slice(text).map(str::to_owned)).collect();
    let needs = |name: &str, meaning: &PathMeaning| {
        texts.iter().any(|text| has_word(text, name)) || calls.call(meaning, view)
    };
    let ranges = &deleted.ranges;
    let leaving = Leaving { file_path: path, module, module_index, ranges, ids: &deleted.ids };
    let leftovers = leaving.leftovers(snapshot, files, view, &needs)?;
    Ok(places(files.loaded(snapshot, path)?, leftovers))
}

/// Splices that take names out of the imports of a file.
fn without_imports(
    loaded: &Loaded,
    names: &BTreeSet<u32>,
    gone: &[ByteRange],
    number: usize,
) -> Vec<Splice> {
    let view = FileView::new(&loaded.facts.path, &loaded.text, &loaded.facts);
    let mut splices = Vec::new();
    for cut in cut_names(loaded, names, gone) {
        match cut {
            Cut::Import(at) => splices.extend(asof_edit::delete(&view, at, number).splices),
            Cut::Ranges(ranges) => splices.extend(ranges.into_iter().map(|range| Splice {
                start: range.start,
                end: range.end,
                text: String::new(),
                edit: number,
            })),
        }
    }
    splices
}
