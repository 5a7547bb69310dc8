//! Hover: signature, documentation, users and last change of an item.

use asof_engine::CallerCounts;
use asof_model::RefKind;
use asof_wire::{HistoryRequest, Item, ResolveRequest, Spans, Symbol, Version};
use gen_lsp_types::HoverParams;
use serde_json::{Value as Json, json};

use super::kinds::is_called;
use super::named::at_name;
use crate::session::{Call, Failure};
use crate::source::{Meaning, Source};
use crate::view::View;
use asof_surface::text::plural;

/// Longest documentation that is shown, in bytes.
const MAX_DOCS: usize = 4_000;

pub fn hover(call: &Call, params: HoverParams) -> Result<Json, Failure> {
    let encoding = call.session.encoding;
    let found = at_name(call, &params.text_document_position_params, |view, _, source, name| {
        let mut parts = Vec::new();
        for meaning in source.meanings(name) {
            match meaning {
                Meaning::Definition(_) | Meaning::Item { .. } => {
                    let ids: Vec<_> = meaning.id().into_iter().collect();
                    let items = view.snapshot.items(&ids)?;
                    for item in &items {
                        parts.push(of_item(view, item)?);
                    }
                    // What no saved file has is shown as it is written.
                    let here = source.items.iter().filter(|_| items.is_empty());
                    let here = here.filter(|item| ids.contains(&item.id));
                    parts.extend(here.map(|item| code(line_of(source, item.name_start))));
                }
                Meaning::External { target, kind } => {
                    parts.push(outside(view, &target.path, kind)?);
                }
                Meaning::Local(local) => {
                    let Some(at) = local.binding else { continue };
                    parts.push(code(line_of(source, at)));
                }
            }
        }
        if parts.is_empty() {
            return Ok(Json::Null);
        }
        Ok(json!({
            "contents": { "kind": "markdown", "value": parts.join("\n\n---\n\n") },
            "range": source.lines.range(name.start, name.end, encoding),
        }))
    })?;
    Ok(found.unwrap_or(Json::Null))
}

fn code(text: &str) -> String {
    format!("```rust\n{}\n```", text.trim())
}

fn line_of(source: &Source, at: u32) -> &str {
    let text = source.text();
    let start = text.get(..at as usize).and_then(|t| t.rfind('\n')).map_or(0, |at| at + 1);
    let rest = text.get(start..).unwrap_or_default();
    rest.lines().next().unwrap_or_default()
}

fn of_item(view: &View<'_>, item: &Item) -> Result<String, Failure> {
    let mut parts = Vec::new();
    parts.extend(
        item.path.as_deref().and_then(|path| path.rsplit_once("::")).map(|p| p.0.to_owned()),
    );
    parts.push(code(&item.signature));
    let facts = [grade(view, item)?, last_change(view, item)?, users(view, item)?];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    if !facts.is_empty() {
        parts.push(facts.join(" · "));
    }
    if !item.docs.trim().is_empty() {
        parts.push(shortened(&item.docs));
    }
    Ok(parts.join("\n\n"))
}

fn shortened(docs: &str) -> String {
    let mut end = docs.len().min(MAX_DOCS);
    while !docs.is_char_boundary(end) {
        end -= 1;
    }
    let rest = if end < docs.len() { " …" } else { "" };
    format!("{}{rest}", docs.get(..end).unwrap_or_default())
}

fn outside(view: &View<'_>, path: &str, kind: RefKind) -> Result<String, Failure> {
    let of = view.snapshot.dependency_of(path)?;
    let of = of.map(|of| format!(" · {} {}", of.name, of.version)).unwrap_or_default();
    Ok(match view.declared_outside(path, kind)? {
        Some(found) if found.head.is_empty() => {
            format!("`{path}`{of}\n\n{}", shortened(&found.docs))
        }
        Some(found) => {
            format!("`{path}`{of}\n\n{}\n\n{}", code(&found.head), shortened(&found.docs))
        }
        None => format!("`{path}`{of}"),
    })
}

fn grade(view: &View<'_>, item: &Item) -> Result<Option<String>, Failure> {
    let found = view.snapshot.quality_of(&[item.id])?;
    let quality = found.get(&item.id);
    Ok(quality.and_then(|q| Some((q.tdg_grade.clone()?, q.complexity))).map(
        |(grade, complexity)| {
            let complexity = complexity.map(|c| format!(", complexity {c}")).unwrap_or_default();
            format!("grade {grade}{complexity}")
        },
    ))
}

/// Asks for the newest versions of an item.
pub(super) fn history_request(item: &Item, limit: usize, spans: Spans) -> HistoryRequest {
    HistoryRequest {
        item: ResolveRequest::new(item.path.as_deref().unwrap_or(&item.name)),
        id: Some(item.id.to_string()),
        limit: Some(limit),
        spans,
        ..HistoryRequest::default()
    }
}

/// The newest version of an item; none if it has no history.
pub(super) fn newest(view: &View<'_>, item: &Item) -> Result<Option<Version>, Failure> {
    if item.path.is_none() {
        return Ok(None);
    }
    let request = history_request(item, 1, Spans::Without);
    // A database without a history is no failure of the hover.
    let Ok(found) = view.snapshot.history(&request) else { return Ok(None) };
    Ok(found.answer.items.into_iter().next())
}

fn last_change(view: &View<'_>, item: &Item) -> Result<Option<String>, Failure> {
    Ok(newest(view, item)?.map(|version| describe_version(&version)))
}

/// Who changed an item last, and when.
pub(super) fn describe_version(version: &Version) -> String {
    let day = version.event.at.get(..10).unwrap_or(&version.event.at);
    if version.present_at_start {
        return format!("unchanged since the history begins ({day})");
    }
    let who =
        version.event.actor.as_deref().map(|actor| format!(" by {actor}")).unwrap_or_default();
    let commit = version.event.commit.as_deref().and_then(|hash| hash.get(..8));
    let commit = commit.map(|hash| format!(" ({hash})")).unwrap_or_default();
    format!("changed {day}{who}{commit}")
}

fn users(view: &View<'_>, item: &Item) -> Result<Option<String>, Failure> {
    if !is_called(item.kind) {
        return Ok(None);
    }
    let CallerCounts { tests, others } = view.snapshot.caller_counts(&[Symbol::from(item)])?;
    Ok((tests + others > 0)
        .then(|| format!("{}, {}", plural(others, "caller"), plural(tests, "calling test"))))
}
