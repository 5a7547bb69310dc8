//! Call hierarchy and type hierarchy.

use std::collections::BTreeMap;

use asof_index::UseInMade;
use asof_model::{ByteRange, NodeId, NodeKind, RefKind};
use asof_wire::{Symbol, UseRequest};
use gen_lsp_types::{
    CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCallsParams,
    CallHierarchyPrepareParams, Range, TextDocumentPositionParams, TypeHierarchyItem,
    TypeHierarchyPrepareParams, TypeHierarchySubtypesParams, TypeHierarchySupertypesParams, Uri,
};
use serde_json::{Value as Json, json};

use super::kinds::{is_called, symbol_kind};
use super::named::at_name;
use crate::item_places::Placed;
use crate::session::{Call, Failure};
use crate::source::{Meaning, Source};
use crate::view::View;

/// What a client passes back: the id of the item.
fn id_of(data: Option<&Json>) -> Result<NodeId, Failure> {
    let id = data.and_then(|data| serde_json::from_value(data.clone()).ok());
    id.ok_or_else(|| Failure::Invalid("the item is not of this server".to_owned()))
}

fn call_item(item: Placed) -> CallHierarchyItem {
    let name = if item.name.is_empty() { item.kind.as_str().to_owned() } else { item.name };
    CallHierarchyItem {
        name,
        kind: symbol_kind(item.kind),
        tags: None,
        detail: item.path,
        uri: item.spot.uri,
        range: item.spot.whole,
        selection_range: item.spot.name,
        data: Some(json!(item.id)),
    }
}

fn type_item(item: Placed) -> TypeHierarchyItem {
    let CallHierarchyItem { name, kind, tags, detail, uri, range, selection_range, data } =
        call_item(item);
    TypeHierarchyItem { name, kind, tags, detail, uri, range, selection_range, data }
}

fn items_at(
    call: &Call,
    at: &TextDocumentPositionParams,
    wanted: fn(NodeKind) -> bool,
) -> Result<Option<Vec<Placed>>, Failure> {
    let found = at_name(call, at, |view, _, source, name| {
        let ids: Vec<NodeId> = source.meanings(name).iter().filter_map(Meaning::id).collect();
        let mut found = view.placed(&ids)?;
        found.retain(|item| wanted(item.kind));
        Ok(found)
    })?;
    Ok(found.filter(|found| !found.is_empty()))
}

pub fn prepare_calls(
    call: &Call,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>, Failure> {
    let found = items_at(call, &params.text_document_position_params, is_called)?;
    Ok(found.map(|all| all.into_iter().map(call_item).collect()))
}

/// Asks about an item that was told before, in the workspace of its document.
fn about<T>(
    call: &Call,
    uri: &Uri,
    data: Option<&Json>,
    ask: impl FnOnce(&View<'_>, &str, NodeId) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let id = id_of(data)?;
    View::with_document(call, uri, |view, path| ask(view, path, id))
}

pub fn incoming(
    call: &Call,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<Json>>, Failure> {
    let item = &params.item;
    about(call, &item.uri, item.data.as_ref(), |view, _, id| {
        let mut callers: BTreeMap<NodeId, Vec<Range>> = BTreeMap::new();
        let unsaved = view.unsaved_sources()?;
        for item in view.snapshot.items(&[id])? {
            let kinds = [RefKind::CALLS, &[RefKind::Macro]].concat();
            let request = UseRequest { use_kinds: kinds, ..UseRequest::default() };
            let used = view.snapshot.uses(&[Symbol::from(&item)], &request)?;
            for one in used.answer.items {
                call.go_on()?;
                // Calls of an open text are those that it has now.
                if !unsaved.iter().any(|(path, _)| *path == one.file_path) {
                    let lines = view.lines(&one.file_path)?;
                    let spot = view.spot_at(
                        &one.file_path,
                        &lines,
                        one.byte,
                        ByteRange::new(one.byte, one.byte),
                    );
                    for id in
                        callers_at(view, &one.file_path, one.byte, &one.item.kind, one.item.id)?
                    {
                        callers.entry(id).or_default().push(spot.name);
                    }
                }
            }
        }
        for (path, source) in &unsaved {
            for (at, _) in source.calls_between(0, u32::MAX).filter(|(_, called)| *called == id) {
                if let Some(caller) = source.item_around(at) {
                    let range = name_range(call, source, at);
                    for id in callers_at(view, path, at, caller.kind.as_str(), caller.id)? {
                        callers.entry(id).or_default().push(range);
                    }
                }
            }
        }
        hierarchy(view, callers, "from")
    })
}

/// What calls something at a byte: the item there; of the call of a macro, the items that it makes.
fn callers_at(
    view: &View<'_>,
    path: &str,
    at: u32,
    kind: &str,
    item: NodeId,
) -> Result<Vec<NodeId>, Failure> {
    let is_call = kind == NodeKind::MacroCall.as_str();
    let made = if is_call { view.made_around(path, at)? } else { Vec::new() };
    Ok(if made.is_empty() { vec![item] } else { made })
}

fn name_range(call: &Call, source: &Source, at: u32) -> Range {
    let name = source.name_from(at);
    source.lines.range(name.start, name.end, call.session.encoding)
}

/// Items with the places of their calls, in the order of files and texts.
fn hierarchy(
    view: &View<'_>,
    mut calls: BTreeMap<NodeId, Vec<Range>>,
    name: &str,
) -> Result<Vec<Json>, Failure> {
    let ids: Vec<NodeId> = calls.keys().copied().collect();
    let mut found = view.placed(&ids)?;
    found.sort_by(|a, b| a.spot.order(&b.spot));
    let one = |item: Placed| {
        let ranges = calls.remove(&item.id).unwrap_or_default();
        json!({ name: call_item(item), "fromRanges": ranges })
    };
    Ok(found.into_iter().map(one).collect())
}

pub fn outgoing(
    call: &Call,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<Json>>, Failure> {
    let item = &params.item;
    about(call, &item.uri, item.data.as_ref(), |view, path, id| {
        let source = view.source(path)?;
        let Some(here) = source.items.iter().find(|one| one.id == id) else {
            return Ok(Vec::new());
        };
        let (start, end) = (here.span.start_byte, here.span.end_byte);
        let is_made = !source.is_named(source.name_from(here.name_start), &here.name);
        let facts = if is_made { Some(view.facts(path, &source)?) } else { None };
        // Of the tokens of a call, those that the item is made of.
        let is_own = |at: u32| {
            let of_item = |one: &UseInMade| one.at == at && one.item == id;
            facts.as_ref().is_none_or(|facts| facts.uses_in_made.iter().any(of_item))
        };
        let mut called: BTreeMap<NodeId, Vec<Range>> = BTreeMap::new();
        for (at, id) in source.calls_between(start, end).filter(|(at, _)| is_own(*at)) {
            called.entry(id).or_default().push(name_range(call, &source, at));
        }
        hierarchy(view, called, "to")
    })
}

pub fn prepare_types(
    call: &Call,
    params: TypeHierarchyPrepareParams,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    let is_type = |kind| {
        matches!(kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::Trait)
    };
    let found = items_at(call, &params.text_document_position_params, is_type)?;
    Ok(found.map(|all| all.into_iter().map(type_item).collect()))
}

pub fn supertypes(
    call: &Call,
    params: TypeHierarchySupertypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    let item = &params.item;
    about(call, &item.uri, item.data.as_ref(), |view, _, id| {
        types(view, &view.snapshot.supertypes(id)?)
    })
}

pub fn subtypes(
    call: &Call,
    params: TypeHierarchySubtypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    let item = &params.item;
    about(call, &item.uri, item.data.as_ref(), |view, _, id| {
        types(view, &view.snapshot.subtypes(id)?)
    })
}

fn types(view: &View<'_>, ids: &[NodeId]) -> Result<Vec<TypeHierarchyItem>, Failure> {
    let mut found = view.placed(ids)?;
    found.sort_by(|a, b| a.spot.order(&b.spot));
    Ok(found.into_iter().map(type_item).collect())
}
