//! Folding ranges, selection ranges, and links in documentation.

use std::collections::BTreeSet;

use asof_syntax::{Block, DocLink, blocks, doc_links, nodes_around};
use asof_wire::ResolveRequest;
use gen_lsp_types::{DocumentLinkParams, FoldingRangeParams, SelectionRangeParams};
use serde_json::{Value as Json, json};

use crate::session::{Call, Failure};
use crate::source::Source;
use crate::view::View;

pub fn folding(call: &Call, params: FoldingRangeParams) -> Result<Option<Vec<Json>>, Failure> {
    let text = View::text(call, &params.text_document.uri)?;
    let Some(lines) = text else { return Ok(None) };
    let mut found = BTreeSet::new();
    for Block { start, end, kind } in blocks(lines.text()) {
        let (first, last) = (
            lines.position(start, call.session.encoding).line,
            lines.position(end, call.session.encoding).line,
        );
        if first < last {
            found.insert((first, last, kind));
        }
    }
    let range = |(first, last, kind): (u32, u32, Option<&str>)| json!({ "startLine": first, "endLine": last, "kind": kind });
    Ok(Some(found.into_iter().map(range).collect()))
}

pub fn selection(call: &Call, params: SelectionRangeParams) -> Result<Option<Vec<Json>>, Failure> {
    let Some(lines) = View::text(call, &params.text_document.uri)? else { return Ok(None) };
    let encoding = call.session.encoding;
    let mut found = Vec::new();
    for position in params.positions {
        let byte = lines.byte(position, encoding);
        let mut nested = Json::Null;
        // From the outermost to the innermost.
        for (start, end) in nodes_around(lines.text(), byte).into_iter().rev() {
            let range = lines.range(start, end, encoding);
            nested = match nested {
                Json::Null => json!({ "range": range }),
                parent => json!({ "range": range, "parent": parent }),
            };
        }
        if nested.is_null() {
            nested = json!({ "range": lines.range(byte, byte, encoding) });
        }
        found.push(nested);
    }
    Ok(Some(found))
}

/// Links of documentation that name an item.
pub fn links(call: &Call, params: DocumentLinkParams) -> Result<Option<Vec<Json>>, Failure> {
    View::with_document(call, &params.text_document.uri, |view, path| {
        let source = view.source(path)?;
        let encoding = call.session.encoding;
        let mut found = Vec::new();
        for link in doc_links(source.text()) {
            call.go_on()?;
            let Some(target) = link_target(view, &source, &link)? else { continue };
            let range = source.lines.range(link.start, link.end, encoding);
            found.push(json!({ "range": range, "target": target, "tooltip": link.path }));
        }
        Ok(found)
    })
}

/// Where a link leads: the name is looked up in the modules around the item that the documentation is
/// of, from the inside out, and then as a path of its own.
fn link_target(
    view: &View<'_>,
    source: &Source,
    link: &DocLink,
) -> Result<Option<String>, Failure> {
    let mut candidates = Vec::new();
    let around = source.item_around(link.start).and_then(|item| item.path.clone());
    let own = around.or_else(|| source.items.first().and_then(|item| item.path.clone()));
    let mut base = own.as_deref();
    let path = link.path.strip_prefix("Self::").unwrap_or(&link.path);
    if !path.starts_with("crate::") {
        while let Some(at) = base {
            candidates.push(format!("{at}::{path}"));
            base = at.rsplit_once("::").map(|(above, _)| above);
        }
    }
    candidates.push(path.to_owned());
    for candidate in candidates {
        let Ok(found) = view.snapshot.resolve(&ResolveRequest::new(&candidate)) else { continue };
        if found.mode == asof_wire::Mode::Strict
            && let [item, ..] = found.items()
            && let Some(spot) = view.spot(item)?
        {
            let line = spot.name.start.line + 1;
            return Ok(Some(format!("{}#L{line}", spot.uri.0)));
        }
    }
    Ok(None)
}
