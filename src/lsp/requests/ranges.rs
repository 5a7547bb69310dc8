//! Folding ranges, selection ranges, and links in documentation.

use std::collections::BTreeSet;

use asof_model::NodeId;
use asof_refactor::{doc_links, path_start};
use asof_syntax::{Block, blocks, nodes_around};
use gen_lsp_types::{DocumentLinkParams, FoldingRangeParams, SelectionRangeParams};
use serde_json::{Value as Json, json};

use crate::session::{Call, Failure};
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
            let targets = view.link_targets(path, &source, &link)?;
            let ids: Vec<NodeId> = targets.iter().map(|(_, target)| target.id).collect();
            let Some((_, spot)) = view.spots(&ids)?.into_iter().next() else { continue };
            // The whole path as it is written, not only its last name.
            let start = path_start(source.text(), link.name.start as usize) as u32;
            let range = source.lines.range(start, link.name.end, encoding);
            let target = format!("{}#L{}", spot.uri.0, spot.name.start.line + 1);
            found.push(json!({ "range": range, "target": target, "tooltip": link.path }));
        }
        Ok(found)
    })
}
