//! What could not be read or parsed, and names that the workspace does not define.

use std::collections::BTreeMap;

use asof_engine::UndefinedNames;
use asof_wire::UnresolvedRow;
use maud::html;

use crate::visit::{Content, Visit};
use crate::{layout, parts};
use asof_surface::problem::Problem;

/// Issues, and names of a page.
const ISSUES: usize = 200;
const NAMES: usize = 200;
/// Places of a name that are shown.
const PLACES: usize = 3;

pub fn page(visit: &Visit<'_>) -> Result<Content, Problem> {
    let links = visit.links();
    let offset = visit.request.number("offset").unwrap_or_default();
    let external = visit.request.get("names") == Some("external");
    let issues = visit.snapshot.issues(Some(ISSUES))?;
    let which = if external { UndefinedNames::External } else { UndefinedNames::Unknown };
    let rows = visit.snapshot.unresolved(which, None)?.items;
    let mut names: BTreeMap<(&str, &str), Vec<&UnresolvedRow>> = BTreeMap::new();
    for row in &rows {
        names.entry((&row.text, &row.kind)).or_default().push(row);
    }
    let shown: Vec<_> = names.iter().skip(offset).take(NAMES).collect();
    let more = |offset: usize| {
        let offset = offset.to_string();
        let mut query = vec![("offset", offset.as_str())];
        query.extend(external.then_some(("names", "external")));
        links.with("/issues", &query)
    };
    let main = html! {
        h1 { "Issues" }
        @if issues.items.is_empty() { p { "Every file was read and parsed." } }
        ul .uses { @for issue in &issues.items { li {
            @match &issue.span {
                Some(span) => { a href=(links.line(&issue.file_path, span.start_line)) { (issue.file_path) ":" (span.start_line) } }
                None => { a href=(links.file(&issue.file_path)) { (issue.file_path) } }
            }
            " " span .class { (issue.kind) } " " (issue.message)
        } } }
        @if issues.truncated { p { "… and " (issues.total - issues.items.len()) " more" } }
        h2 { @if external { "Names of other crates" } @else { "Unresolved paths" } }
        p {
            "Imports and impls whose path is not defined in the workspace. "
            @if external { a href=(links.to("/issues")) { "Those without a known definition" } }
            @else { a href=(links.with("/issues", &[("names", "external")])) { "Those of other crates" } }
        }
        @if shown.is_empty() { p { "None." } }
        ul .uses { @for ((text, kind), rows) in &shown { li {
            code { (text) } " " (parts::kind(kind)) " in "
            @for row in rows.iter().take(PLACES) { a href=(links.file(&row.file_path)) { (row.file_path) } " " }
            @if rows.len() > PLACES { "and " (rows.len() - PLACES) " more" }
        } } }
        (parts::pager(offset, shown.len(), names.len(), &more, NAMES))
    };
    layout::page(visit, "Issues", &Default::default(), &main)
}
