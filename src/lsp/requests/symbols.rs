//! Items of a document, and items of all workspaces by parts of their names.

use asof::model::NodeKind;
use asof::wire::{SearchRequest, SourceItem};
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolParams, SymbolInformation,
    WorkspaceSymbolParams,
};
use serde_json::{Value as Json, json};

use super::kinds::symbol_kind;
use crate::lsp::session::{Call, Failure};
use crate::lsp::source::Source;
use crate::lsp::spot::Spot;
use crate::lsp::view::View;

/// Most answers to a search.
const MOST: usize = 100;

pub fn of_document(call: &Call, params: DocumentSymbolParams) -> Result<Json, Failure> {
    let found = View::of(call, &params.text_document.uri, |view, path| {
        let source = view.source(path)?;
        let symbols = tree(view, path, &source);
        Ok(match call.session.abilities.nested_symbols {
            true => json!(symbols),
            false => json!(flat(view, path, symbols)),
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
        let span = (item.span.start_byte, item.span.end_byte);
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
            let ids: Vec<_> = hits.iter().map(|hit| hit.id).collect();
            let mut symbols = Vec::new();
            for (item, spot) in view.spots(&ids)? {
                let container = item.path.as_deref().and_then(|path| path.rsplit_once("::"));
                symbols.push(SymbolInformation {
                    location: spot.location(),
                    base_symbol_information: BaseSymbolInformation {
                        name: item.name.clone(),
                        kind: symbol_kind(item.kind),
                        tags: None,
                        container_name: container.map(|(container, _)| container.to_owned()),
                    },
                    #[expect(deprecated, reason = "the field has to be given")]
                    deprecated: None,
                });
            }
            Ok(symbols)
        })?);
    }
    Ok(found)
}
