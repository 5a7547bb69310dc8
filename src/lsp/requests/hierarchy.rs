//! Who calls what, and which types and traits are built on which.

use std::collections::BTreeMap;

use asof::model::{NodeId, NodeKind, RefKind};
use asof::wire::{Item, Symbol, UseRequest};
use gen_lsp_types::{
    CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCallsParams,
    CallHierarchyPrepareParams, Range, TextDocumentPositionParams, TypeHierarchyItem,
    TypeHierarchyPrepareParams, TypeHierarchySubtypesParams, TypeHierarchySupertypesParams, Uri,
};
use serde_json::{Value as Json, json};

use super::kinds::{is_called, symbol_kind};
use super::named::at_name;
use crate::lsp::session::{Call, Failure};
use crate::lsp::source::Meaning;
use crate::lsp::spot::Spot;
use crate::lsp::view::View;

/// What a client passes back: the id of the item.
fn id_of(data: Option<&Json>) -> Result<NodeId, Failure> {
    let id = data.and_then(|data| serde_json::from_value(data.clone()).ok());
    id.ok_or_else(|| Failure::Invalid("the item is not of this server".to_owned()))
}

fn call_item((item, spot): (&Item, Spot)) -> CallHierarchyItem {
    CallHierarchyItem {
        name: named(item),
        kind: symbol_kind(item.kind),
        tags: None,
        detail: item.path.clone(),
        uri: spot.uri,
        range: spot.whole,
        selection_range: spot.name,
        data: Some(json!(item.id)),
    }
}

fn type_item((item, spot): (&Item, Spot)) -> TypeHierarchyItem {
    let CallHierarchyItem { name, kind, tags, detail, uri, range, selection_range, data } =
        call_item((item, spot));
    TypeHierarchyItem { name, kind, tags, detail, uri, range, selection_range, data }
}

fn named(item: &Item) -> String {
    let name = if item.name.is_empty() { item.kind.as_str() } else { &item.name };
    name.to_owned()
}

fn items_at(
    call: &Call,
    at: &TextDocumentPositionParams,
    wanted: fn(NodeKind) -> bool,
) -> Result<Option<Vec<(Item, Spot)>>, Failure> {
    at_name(call, at, |view, _, source, name| {
        let ids: Vec<NodeId> = source.meanings(name).iter().filter_map(Meaning::id).collect();
        let mut found = view.spots(&ids)?;
        found.retain(|(item, _)| wanted(item.kind));
        Ok(found)
    })
}

pub fn prepare_calls(
    call: &Call,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>, Failure> {
    let found = items_at(call, &params.text_document_position_params, is_called)?;
    let found = found.filter(|found| !found.is_empty());
    Ok(found.map(|all| all.into_iter().map(|(item, spot)| call_item((&item, spot))).collect()))
}

/// Asks about an item that was told before, in the workspace of its document.
fn about<T>(
    call: &Call,
    uri: &Uri,
    data: Option<&Json>,
    ask: impl FnOnce(&View<'_>, Item) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let id = id_of(data)?;
    let found = View::of(call, uri, |view, _| {
        let item = view.snapshot.items(&[id])?.into_iter().next();
        item.map(|item| ask(view, item)).transpose()
    })?;
    Ok(found.flatten())
}

pub fn incoming(
    call: &Call,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<Json>>, Failure> {
    let item = &params.item;
    about(call, &item.uri, item.data.as_ref(), |view, item| {
        let kinds = [RefKind::CALLS, &[RefKind::Macro]].concat();
        let request = UseRequest { use_kinds: kinds, ..UseRequest::default() };
        let used = view.snapshot.where_used(&[Symbol::from(&item)], &request)?;
        let mut callers: BTreeMap<NodeId, Vec<Range>> = BTreeMap::new();
        for one in used.answer.items {
            call.go_on()?;
            let lines = view.lines(&one.file_path)?;
            let spot = view.spot_at(&one.file_path, &lines, one.byte, (one.byte, one.byte));
            callers.entry(one.item.id).or_default().push(spot.name);
        }
        let ids: Vec<NodeId> = callers.keys().copied().collect();
        let found = view.spots(&ids)?.into_iter().map(|(item, spot)| {
            let ranges = callers.remove(&item.id).unwrap_or_default();
            json!({ "from": call_item((&item, spot)), "fromRanges": ranges })
        });
        Ok(found.collect())
    })
}

pub fn outgoing(
    call: &Call,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<Json>>, Failure> {
    let item = &params.item;
    about(call, &item.uri, item.data.as_ref(), |view, item| {
        let source = view.source(&item.file_path)?;
        let Some(here) = source.items.iter().find(|one| one.id == item.id) else {
            return Ok(Vec::new());
        };
        let (start, end) = (here.span.start_byte, here.span.end_byte);
        let mut called: BTreeMap<NodeId, Vec<Range>> = BTreeMap::new();
        for (at, id) in source.calls_between(start, end) {
            let name = source.name_from(at);
            let range = source.lines.range((name.start, name.end), call.session.encoding);
            called.entry(id).or_default().push(range);
        }
        let ids: Vec<NodeId> = called.keys().copied().collect();
        let found = view.spots(&ids)?.into_iter().map(|(item, spot)| {
            let ranges = called.remove(&item.id).unwrap_or_default();
            json!({ "to": call_item((&item, spot)), "fromRanges": ranges })
        });
        Ok(found.collect())
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
    let found = found.filter(|found| !found.is_empty());
    Ok(found.map(|all| all.into_iter().map(|(item, spot)| type_item((&item, spot))).collect()))
}

pub fn supertypes(
    call: &Call,
    params: TypeHierarchySupertypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    let item = &params.item;
    about(call, &item.uri, item.data.as_ref(), |view, item| {
        types(view, &view.snapshot.supertypes(item.id)?)
    })
}

pub fn subtypes(
    call: &Call,
    params: TypeHierarchySubtypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    let item = &params.item;
    about(call, &item.uri, item.data.as_ref(), |view, item| {
        types(view, &view.snapshot.subtypes(item.id)?)
    })
}

fn types(view: &View<'_>, ids: &[NodeId]) -> Result<Vec<TypeHierarchyItem>, Failure> {
    let spots = view.spots(ids)?.into_iter();
    Ok(spots.map(|(item, spot)| type_item((&item, spot))).collect())
}
