//! Calls that one side adds of functions to which the other side gives other parameters.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::arguments::{Given, NewParameters, given, insertions};
use super::names::{Follow, Wrong};
use super::sides::{Aligned, Beside};
use crate::error::EngineError;
use crate::review::Side;
use asof_model::{NodeId, NodeKind};
use asof_refactor::calls;
use asof_review::Identity;
use asof_syntax::signature_parts;
use asof_wire::{MergeConflictKind, SemanticConflict};

/// A function with another number of parameters than a side knows.
struct Changed {
    parameters: NewParameters,
    path: String,
}

/// Calls of a file that only one side has. `adding`: the other side; `beside`: the file there.
pub(super) fn find(
    one: &mut Beside<'_>,
    adding: &mut Beside<'_>,
    merge: &mut Side<'_>,
    path: &str,
    file: &Aligned,
    beside: Option<&Aligned>,
    follow: Follow,
) -> Result<Wrong, EngineError> {
    let mut found = Wrong::default();
    let mut functions: BTreeMap<NodeId, Option<Changed>> = BTreeMap::new();
    let mut names: BTreeMap<u32, NodeId> = BTreeMap::new();
    let mut own: Vec<(u32, NodeId)> = Vec::new();
    for (byte, uses) in &file.merged.text.uses {
        let is_own = file.back.place(*byte).is_some()
            && beside.is_none_or(|beside| beside.back.place(*byte).is_none());
        let certain = uses.iter().filter(|one| is_own && one.is_certain);
        own.extend(certain.filter_map(|one| match one.meaning.target {
            Identity::Later(id) => Some((*byte, id)),
            Identity::Gone(_) => None,
        }));
    }
    let ids: BTreeSet<NodeId> = own.iter().map(|(_, id)| *id).collect();
    let ids: Vec<NodeId> = ids.into_iter().collect();
    merge.know(&ids)?;
    let earlier = ids.iter().filter_map(|id| one.side.identities.earlier(*id));
    one.side.know(&earlier.collect::<Vec<_>>())?;
    for (byte, id) in own {
        if let Entry::Vacant(place) = functions.entry(id) {
            place.insert(changed(one, merge, id)?);
        }
        if functions.get(&id).is_some_and(Option::is_some) {
            names.insert(byte, id);
        }
    }
    let bytes: BTreeSet<u32> = names.keys().copied().collect();
    for (byte, call) in calls(&file.merged.text.text, &bytes) {
        let change = names.get(&byte).and_then(|id| functions.get(id)?.as_ref());
        let Some(Changed { parameters, path: name }) = change else { continue };
        let count = call.list.items.len() + usize::from(call.is_method);
        let (before, after) = (parameters.was.len(), parameters.now.len());
        if count == after {
            continue;
        }
        let mut is = format!("{after} in the place of {before}");
        match given(adding, one, parameters)? {
            Given::Arguments(all) if follow == Follow::Changes && parameters.fits(&call) => {
                found.adaptations.extend(insertions(one.from, path, file, &call, name, &all));
                continue;
            }
            Given::Unknown(Some(why)) => is = format!("{is}: {why}"),
            Given::Arguments(_) | Given::Unknown(None) => {}
        }
        found.conflicts.push(SemanticConflict {
            file_path: path.to_owned(),
            line: file.merged.text.line(byte),
            kind: MergeConflictKind::Arguments,
            name: name.clone(),
            side: one.from,
            was: call.list.items.len().to_string(),
            is,
        });
    }
    Ok(found)
}

/// A function that has another number of parameters in the merge than on a side.
fn changed(
    one: &mut Beside<'_>,
    merge: &mut Side<'_>,
    id: NodeId,
) -> Result<Option<Changed>, EngineError> {
    let Some(earlier) = one.side.identities.earlier(id) else { return Ok(None) };
    let (Some(now), Some(was)) = (merge.item(id)?, one.side.item(earlier)?) else {
        return Ok(None);
    };
    if !matches!(now.kind, NodeKind::Function | NodeKind::Method) {
        return Ok(None);
    }
    let heads = signature_parts(&was.signature).zip(signature_parts(&now.signature));
    let Some((before, after)) = heads.filter(|(a, b)| a.inputs.len() != b.inputs.len()) else {
        return Ok(None);
    };
    let parameters = NewParameters { function: id, was: before.inputs, now: after.inputs };
    let path = now.canonical_path.clone().unwrap_or_else(|| now.name.clone());
    Ok(Some(Changed { parameters, path }))
}
