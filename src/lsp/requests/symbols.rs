//! Document symbols and workspace symbols.

use std::sync::Arc;

use asof_model::{ByteRange, NodeId, NodeKind};
use asof_refactor::words;
use asof_wire::{Hit, SearchRequest, SourceItem};
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolParams, Position, SymbolInformation,
    WorkspaceSymbolParams,
};
use serde_json::{Value as Json, json};

use super::kinds::symbol_kind;
use crate::item_places::Placed;
use crate::session::{Call, Failure};
use crate::source::Source;
use crate::spot::Spot;
use crate::view::View;

/// Most answers to a search.
const MOST: usize = 100;

pub fn of_document(call: &Call, params: DocumentSymbolParams) -> Result<Json, Failure> {
    let found = View::with_document(call, &params.text_document.uri, |view, path| {
        let source = view.source(path)?;
        let symbols = tree(view, path, &source);
        Ok(if call.session.abilities.nested_symbols {
            json!(symbols)
        } else {
            json!(flat(view, path, symbols))
        })
    })?;
    Ok(found.unwrap_or(Json::Null))
}

/// Whether an item is listed by itself.
fn is_listed(item: &SourceItem) -> bool {
    !matches!(
        item.kind,
        NodeKind::Import | NodeKind::MacroCall | NodeKind::ForeignMod | NodeKind::Unknown
    )
}

fn tree(view: &View<'_>, path: &str, source: &Source) -> Vec<DocumentSymbol> {
    // Outer items come first, so each one is within the last open one that holds it.
    let mut open: Vec<(u32, DocumentSymbol)> = Vec::new();
    let mut roots = Vec::new();
    let mut last = None;
    for item in source.items.iter().filter(|item| is_listed(item)) {
        // A file that is the body of several modules has each item several times.
        let key = (item.span.start_byte, item.span.end_byte, item.name_start);
        if last.replace(key) == Some(key) {
            continue;
        }
        while open.last().is_some_and(|(end, _)| *end <= item.span.start_byte) {
            close(&mut open, &mut roots);
        }
        let span = item.span.bytes();
        let Spot { name, whole, .. } = view.spot_at(path, &source.lines, item.name_start, span);
        open.push((item.span.end_byte, symbol(item, name, whole)));
    }
    while !open.is_empty() {
        close(&mut open, &mut roots);
    }
    roots
}

fn close(open: &mut Vec<(u32, DocumentSymbol)>, roots: &mut Vec<DocumentSymbol>) {
    let Some((_, done)) = open.pop() else { return };
    match open.last_mut() {
        Some((_, around)) => around.children.get_or_insert_with(Vec::new).push(done),
        None => roots.push(done),
    }
}

fn symbol(
    item: &SourceItem,
    name: gen_lsp_types::Range,
    whole: gen_lsp_types::Range,
) -> DocumentSymbol {
    // An empty name is an error of the protocol.
    let shown = match item.name.trim() {
        "" => item.kind.as_str(),
        name => name,
    };
    #[expect(deprecated, reason = "the field has to be given")]
    DocumentSymbol {
        name: shown.to_owned(),
        detail: None,
        kind: symbol_kind(item.kind),
        tags: None,
        deprecated: None,
        range: whole,
        selection_range: name,
        children: None,
    }
}

fn flat(view: &View<'_>, path: &str, symbols: Vec<DocumentSymbol>) -> Vec<Json> {
    let mut found = Vec::new();
    let mut waiting: Vec<(Option<String>, DocumentSymbol)> =
        symbols.into_iter().rev().map(|one| (None, one)).collect();
    while let Some((container, one)) = waiting.pop() {
        let location = json!({ "uri": view.uri(path), "range": one.range });
        found.push(json!({
            "name": one.name, "kind": one.kind, "location": location, "containerName": container,
        }));
        let children = one.children.unwrap_or_default().into_iter().rev();
        waiting.extend(children.map(|child| (Some(one.name.clone()), child)));
    }
    found
}

pub fn of_workspace(
    call: &Call,
    params: WorkspaceSymbolParams,
) -> Result<Vec<SymbolInformation>, Failure> {
    let query = params.query.trim();
    if query.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for folder in call.session.folders() {
        found.extend(View::newest(call, &folder, |view| {
            let request = SearchRequest {
                query: query.to_owned(),
                limit: Some(MOST),
                half_typed: true,
                ..SearchRequest::default()
            };
            let hits = view.snapshot.search(&request)?.results;
            let open = view.unsaved_sources()?;
            let mut symbols = unsaved(view, &open, query)?;
            for hit in hits {
                symbols.extend(placed(view, &open, hit)?.map(information));
            }
            Ok(symbols)
        })?);
    }
    Ok(found)
}

/// Documents that are not saved, with their paths.
type Open = [(String, Arc<Source>)];

/// Where a hit is; none if the open text does not have it any more. The hit says enough, so the item
/// is not asked for.
fn placed(view: &View<'_>, open: &Open, hit: Hit) -> Result<Option<Placed>, Failure> {
    let path = &hit.file_path;
    if let Some((_, source)) = open.iter().find(|(one, _)| one == path) {
        let here = source.items.iter().find(|item| item.id == hit.id);
        return Ok(here.map(|item| view.placed_in(path, source, item)));
    }
    let lines = view.lines(path)?;
    let position = Position { line: hit.line.saturating_sub(1), character: 0 };
    let start = lines.byte(position, view.call.session.encoding);
    let line = lines.text().get(start as usize..).and_then(|rest| rest.lines().next());
    let line = line.unwrap_or_default();
    let blank = line.len() - line.trim_start().len();
    // What a macro makes may have no name there.
    let at = start + words(line, &hit.function_name).next().unwrap_or(blank) as u32;
    let spot = view.spot_at(path, &lines, at, ByteRange::new(at, at));
    let Hit { id, kind, function_name: name, canonical_path: path, .. } = hit;
    Ok(Some(Placed { id, kind, name, path, spot }))
}

/// Items that no saved file has, by parts of their names.
fn unsaved(view: &View<'_>, open: &Open, query: &str) -> Result<Vec<SymbolInformation>, Failure> {
    let mut found = Vec::new();
    for (path, source) in open {
        let is_meant = |item: &&SourceItem| {
            let path = item.path.as_deref().unwrap_or(&item.name);
            is_listed(item) && item.kind != NodeKind::Impl && has_parts(path, query)
        };
        let mut items: Vec<&SourceItem> = source.items.iter().filter(is_meant).collect();
        let ids: Vec<NodeId> = items.iter().map(|item| item.id).collect();
        let saved = view.snapshot.items(&ids)?;
        items.retain(|item| !saved.iter().any(|one| one.id == item.id));
        found.extend(items.iter().map(|item| information(view.placed_in(path, source, item))));
    }
    Ok(found)
}

/// Whether a path has all words of a query, the last one in its name.
fn has_parts(path: &str, query: &str) -> bool {
    let plain = |text: &str| text.replace('_', "").to_lowercase();
    let words: Vec<String> = query
        .split(|c: char| c != '_' && !c.is_alphanumeric())
        .map(plain)
        .filter(|word| !word.is_empty())
        .collect();
    let name = path.rsplit("::").next().unwrap_or_default();
    let (path, name) = (plain(path), plain(name));
    words.last().is_some_and(|last| name.contains(last.as_str()))
        && words.iter().all(|word| path.contains(word.as_str()))
}

fn information(item: Placed) -> SymbolInformation {
    let container = item.path.as_deref().and_then(|path| path.rsplit_once("::"));
    SymbolInformation {
        location: item.spot.location(),
        base_symbol_information: BaseSymbolInformation {
            kind: symbol_kind(item.kind),
            tags: None,
            container_name: container.map(|(container, _)| container.to_owned()),
            name: item.name,
        },
        #[expect(deprecated, reason = "the field has to be given")]
        deprecated: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_by_its_parts() {
        let path = "demo::retry::next_delay";
        for query in ["next_delay", "nextdel", "NextDelay", "delay", "retry::next", "retry delay"] {
            assert!(has_parts(path, query), "{query}");
        }
        for query in ["retry", "next wait", "::", ""] {
            assert!(!has_parts(path, query), "{query}");
        }
    }
}
