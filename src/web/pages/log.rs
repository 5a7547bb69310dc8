//! Revisions, newest first.

use asof_wire::LogRequest;
use maud::html;

use crate::address::Links;
use crate::visit::{Content, Visit};
use crate::{layout, parts};
use asof_surface::problem::Problem;

/// Revisions of a page.
const SHOWN: usize = 100;

pub fn page(visit: &Visit<'_>) -> Result<Content, Problem> {
    let links = visit.links();
    let offset = visit.request.number("offset").unwrap_or_default();
    let path = visit.request.get("path");
    let request = LogRequest {
        path: path.map(str::to_owned),
        // One more, with which the last one is compared.
        limit: Some(offset.saturating_add(SHOWN + 1)),
        ..LogRequest::default()
    };
    let log = visit.snapshot.log(&request)?.answer;
    let shown: Vec<_> = log.items.iter().skip(offset).take(SHOWN).collect();
    let more = |offset: usize| {
        let offset = offset.to_string();
        let mut query = vec![("offset", offset.as_str())];
        query.extend(path.map(|path| ("path", path)));
        links.with("/log", &query)
    };
    // Each is compared with the one before it.
    let before =
        |index: usize| log.items.get(offset + index + 1).map(|one| parts::name_of(&one.event));
    let main = html! {
        h1 { "Revisions" @if let Some(path) = path { " of " code { (path) } } }
        div .scroll role="region" aria-label="Revisions" tabindex="0" {
            table .list.revisions {
                thead { tr { th { "Revision" } th .num { "Files" } th .num { "Added" } th .num { "Removed" } th .num { "Changed" } th { "Difference" } } }
                tbody { @for (index, one) in shown.iter().enumerate() { tr {
                    td { (parts::event(&one.event, &links)) }
                    td .num data-of="files" { (one.files) }
                    td .num data-of="added" { (one.added.unwrap_or_default()) }
                    td .num data-of="removed" { (one.removed.unwrap_or_default()) }
                    td .num data-of="changed" { (one.changed.unwrap_or_default()) }
                    td { @if let Some(before) = before(index) {
                        a href=(Links::diff(&before, &parts::name_of(&one.event), path.unwrap_or_default())) { "changes" }
                    } }
                } } }
            }
        }
        (parts::pager(offset, shown.len(), log.total, &more, SHOWN))
    };
    layout::page(visit, "Revisions", &Default::default(), &main)
}
