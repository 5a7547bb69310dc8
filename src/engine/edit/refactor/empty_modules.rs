//! Replaces deletions that leave a module empty by that of the module.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::database::Snapshot;
use crate::edit::choose::{self, Target};
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use asof_edit::{DeleteEdit, Edit, EditRequest, ItemEdit};
use asof_model::{NodeId, NodeKind};
use asof_query::{Described, Queries};

/// The request, with modules in the place of the items that it deletes, where only private imports
/// would be left in them and the deletions ask for it.
pub(in crate::edit) fn with_empty_modules<'a>(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    request: &'a EditRequest,
) -> Result<Cow<'a, EditRequest>, Halt> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let mut gone: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (number, edit) in request.edits.iter().enumerate() {
        let Edit::Delete(delete) = edit else { continue };
        if !delete.empty_modules || delete.uses.is_none() {
            continue;
        }
        // An item that is not found is an error of its own edit.
        let target = Target::from_edit(ItemEdit::Delete(delete));
        if let Ok(item) = choose::item(snapshot, files, target) {
            gone.insert(item.id, number);
        }
    }
    let mut edits: BTreeMap<usize, Option<Edit>> = BTreeMap::new();
    let mut open: Vec<NodeId> = gone.keys().copied().collect();
    while let Some(id) = open.pop() {
        let Some(module) = emptied_module(&queries, id, &gone)? else { continue };
        let children = queries.children(&[module.id]).map_err(EngineError::from)?;
        let numbers: Vec<usize> =
            children.iter().filter_map(|child| gone.get(&child.id).copied()).collect();
        let Some(first) = numbers.iter().min().copied() else { continue };
        let Some(Edit::Delete(delete)) = request.edits.get(first) else { continue };
        let Some(path) = module.canonical_path.clone() else { continue };
        edits.extend(numbers.into_iter().map(|number| (number, None)));
        let whole = DeleteEdit {
            path,
            file_path: None,
            kind: Some(NodeKind::Module),
            has: None,
            expected_tracking_hash: None,
            ..delete.clone()
        };
        edits.insert(first, Some(Edit::Delete(whole)));
        if gone.insert(module.id, first).is_none() {
            open.push(module.id);
        }
    }
    if edits.is_empty() {
        return Ok(Cow::Borrowed(request));
    }
    let mut replaced = request.clone();
    let all = std::mem::take(&mut replaced.edits).into_iter().enumerate();
    replaced.edits =
        all.filter_map(|(number, edit)| edits.remove(&number).unwrap_or(Some(edit))).collect();
    Ok(Cow::Owned(replaced))
}

/// The module around an item, if nothing but private imports is left in it. Not the root of a
/// crate, nor a module with others in files of their own.
fn emptied_module(
    queries: &Queries<'_>,
    id: NodeId,
    gone: &BTreeMap<NodeId, usize>,
) -> Result<Option<Described>, EngineError> {
    let describe = |id: NodeId| -> Result<Option<Described>, EngineError> {
        Ok(queries.describe(&[id])?.pop())
    };
    let Some(parent) = describe(id)?.and_then(|item| item.parent_id) else { return Ok(None) };
    let Some(module) = describe(parent)? else { return Ok(None) };
    if module.kind != NodeKind::Module || module.parent_id.is_none() || gone.contains_key(&parent) {
        return Ok(None);
    }
    let children = queries.children(&[parent])?;
    let ids: Vec<NodeId> = children.iter().map(|child| child.id).collect();
    let stays = children.iter().any(|child| {
        let is_import = child.kind == NodeKind::Import && child.visibility.is_empty();
        !is_import && !gone.contains_key(&child.id)
    });
    if stays || !queries.declared_at(&ids)?.is_empty() {
        return Ok(None);
    }
    Ok(Some(module))
}
