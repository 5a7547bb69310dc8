//! What differs between two moments, item by item, side by side.

use asof_engine::Snapshot;
use asof_model::Class;
use asof_model::Hint;
use asof_wire::{Diff, DiffItem, DiffRequest, Patch};
use maud::{Markup, html};

use crate::address::Links;
use crate::time_bar::Here;
use crate::visit::{Content, Visit};
use crate::{layout, parts};
use asof_surface::problem::Problem;

/// Items of a page, and bytes of their texts.
const SHOWN: usize = 40;
const BUDGET: usize = 90_000;

/// The address of a comparison that was asked for in a form.
pub fn form(visit: &Visit<'_>) -> Result<Content, Problem> {
    match (visit.request.get("a"), visit.request.get("b")) {
        (Some(a), Some(b)) => {
            let path = visit.request.get("path").unwrap_or_default();
            Ok(Content::Redirect(Links::diff(a.trim(), b.trim(), path)))
        }
        _ => {
            let hint = Hint::advice("give two moments under Compare");
            Err(Problem::bad_request("two moments are needed", hint))
        }
    }
}

pub fn page(visit: &Visit<'_>, rest: &str) -> Result<Content, Problem> {
    // A name of a moment may contain slashes; the path begins after the second moment.
    let Some((a, later)) = rest.split_once("..") else {
        let hint = Hint::advice("an address of a comparison is `/diff/A..B`");
        return Err(Problem::bad_request("two moments are needed", hint));
    };
    let (b, path) = moments(visit, later);
    let (first, second) = (visit.moment(a)?, visit.moment(if b.is_empty() { "NOW" } else { b })?);
    let (from, to, a, b) =
        if first.at() <= second.at() { (first, second, a, b) } else { (second, first, b, a) };
    let offset = visit.request.number("offset").unwrap_or_default();
    let request = DiffRequest {
        path: Some(path.to_owned()).filter(|path| !path.is_empty()),
        limit: Some(offset.saturating_add(SHOWN)),
        patch: Patch::Unified,
        ..DiffRequest::default()
    };
    let diff = to.diff(&from, &request)?;
    let shown: Vec<&DiffItem> = diff.answer.items.iter().skip(offset).collect();
    let mut left = BUDGET;
    let links = Links::default();
    let page = Links::diff(a, b, path);
    let more = |offset: usize| links.with(&page, &[("offset", &offset.to_string())]);
    let main = html! {
        h1 { "Changes" @if !path.is_empty() { " of " code { (path) } } }
        p .range {
            "from " a href=(links.at_moment(a).to("/")) { code { (a) } } " " (when(&from))
            " to " a href=(links.at_moment(b).to("/")) { code { (b) } } " " (when(&to))
            " · " a href=(Links::review(a, b)) { "what of it is left to read" }
        }
        (summary(&diff))
        @if diff.answer.items.is_empty() { p role="status" { "No item differs." } }
        @for item in &shown { (entry(item, a, b, &mut left)) }
        (parts::pager(offset, shown.len(), diff.answer.total, &more, SHOWN))
    };
    let title = format!("{a}..{b} {path}");
    let compared = Some((a.to_owned(), to.at()));
    let here = Here { path: path.to_owned(), compared, ..Here::default() };
    layout::page(visit, &title, &here, &main)
}

/// The second moment and the path after it: the longest beginning that is a moment.
pub(super) fn moments<'t>(visit: &Visit<'_>, later: &'t str) -> (&'t str, &'t str) {
    let mut cuts: Vec<usize> = later.match_indices('/').map(|(at, _)| at).collect();
    // Most moments have no slash.
    cuts.truncate(4);
    let first = cuts.first().copied();
    for cut in cuts {
        let (moment, path) = later.split_at(cut);
        if moment.is_empty() || visit.moment(moment).is_ok() {
            return (moment, path.trim_start_matches('/'));
        }
    }
    match first {
        Some(cut) if visit.moment(later).is_err() => {
            let (moment, path) = later.split_at(cut);
            (moment, path.trim_start_matches('/'))
        }
        _ => (later, ""),
    }
}

pub(super) fn when(snapshot: &Snapshot<'_>) -> Markup {
    html! { @if let Some(at) = &snapshot.basis().at { "(" (parts::time(at)) ")" } }
}

fn summary(diff: &Diff) -> Markup {
    html! {
        p .summary {
            @for (class, count) in &diff.summary { span class={ "class c-" (class.as_str()) } { (class.as_str().replace('_', " ")) " " (count) } " " }
            @if diff.folded > 0 { " " (diff.folded) " more, which these imply, are not listed." }
            @if diff.imports > 0 { " " (parts::count(diff.imports, "import")) " differ." }
        }
    }
}

/// An item; `left` is how many bytes of texts the page still holds.
fn entry(item: &DiffItem, a: &str, b: &str, left: &mut usize) -> Markup {
    let (old, new) = (Links::new(Some(a.to_owned())), Links::new(Some(b.to_owned())));
    let removed = item.classes.contains(&Class::Removed);
    let side = if removed { &old } else { &new };
    html! {
        article .change {
            h2 {
                @for class in &item.classes { span class={ "class c-" (class.as_str()) } { (class.as_str().replace('_', " ")) } " " }
                (parts::kind(item.kind.as_str())) " "
                @if let Some(previous) = &item.previous_path {
                    a href=(old.item(previous)) { del { (previous) } } " → "
                }
                a href=(side.item_or_id(item.path.contains("::").then_some(item.path.as_str()), &item.path, item.id)) { (item.path) }
                @if let Some(other) = &item.other { " (" (other) ")" }
                @if let Some(expansion) = &item.expansion {
                    " and " (parts::count(expansion.items - 1, "more item")) " that "
                    code { (expansion.macro_name) "!" } " makes "
                }
                @if let Some(similarity) = item.similarity { " " span .sure { (format!("{:.0} % alike", similarity * 100.0)) } }
            }
            p .where {
                @if let Some(previous) = &item.previous_file_path { (previous) " → " }
                (item.file_path)
            }
            @match &item.patch {
                Some(patch) if patch.len() <= *left || *left == BUDGET => { (side_by_side(patch, &item.path, left)) }
                _ => { p { a href=(Links::diff(a, b, &item.path)) { "show the text" } } }
            }
        }
    }
}

/// A row of two columns: line of the older text, line of the newer one.
#[derive(Debug, PartialEq)]
enum Row<'a> {
    Same(&'a str),
    Differs(Option<&'a str>, Option<&'a str>),
    Gap,
}

/// The rows of a unified diff.
fn rows(patch: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let (mut old, mut new): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let flush = |old: &mut Vec<_>, new: &mut Vec<_>, rows: &mut Vec<_>| {
        for at in 0..old.len().max(new.len()) {
            rows.push(Row::Differs(old.get(at).copied(), new.get(at).copied()));
        }
        old.clear();
        new.clear();
    };
    let mut in_hunk = false;
    for line in patch.lines() {
        if line.starts_with("@@") {
            flush(&mut old, &mut new, &mut rows);
            if in_hunk {
                rows.push(Row::Gap);
            }
            in_hunk = true;
            continue;
        }
        if !in_hunk {
            continue;
        }
        match (line.strip_prefix('-'), line.strip_prefix('+'), line.strip_prefix(' ')) {
            (Some(line), _, _) => {
                if !new.is_empty() {
                    flush(&mut old, &mut new, &mut rows);
                }
                old.push(line);
            }
            (_, Some(line), _) => new.push(line),
            (_, _, Some(line)) => {
                flush(&mut old, &mut new, &mut rows);
                rows.push(Row::Same(line));
            }
            _ => {}
        }
    }
    flush(&mut old, &mut new, &mut rows);
    rows
}

fn side_by_side(patch: &str, of: &str, left: &mut usize) -> Markup {
    let mut rows = rows(patch);
    // What one row takes beside its text.
    const ROW: usize = 60;
    let all = rows.len();
    let mut fits = 0;
    for row in &rows {
        let text = match row {
            Row::Same(line) => 2 * line.len(),
            Row::Differs(old, new) => old.map_or(0, str::len) + new.map_or(0, str::len),
            Row::Gap => 0,
        };
        if *left < text + ROW {
            break;
        }
        *left -= text + ROW;
        fits += 1;
    }
    rows.truncate(fits);
    html! {
        @if all == 0 { p { "The text is the same." } }
        @else {
            div .scroll role="region" aria-label={ "Older and newer text of " (of) } tabindex="0" {
                table .sides {
                    thead .hidden { tr { th scope="col" { "Older" } th scope="col" { "Newer" } } }
                    tbody { @for row in &rows { tr {
                        @match row {
                            Row::Same(line) => { td { (line) } td { (line) } }
                            Row::Gap => { td .gap colspan="2" { "…" } }
                            Row::Differs(old, new) => {
                                td .old[old.is_some()] { @if let Some(line) = old { del { (line) } } }
                                td .new[new.is_some()] { @if let Some(line) = new { ins { (line) } } }
                            }
                        }
                    } } }
                }
            }
            @if fits < all { p { "… and " (all - fits) " more lines, which do not fit into a page." } }
        }
    }
}

/// A unified diff in one column.
pub fn unified(patch: &str, of: &str) -> Markup {
    html! {
        div .scroll role="region" aria-label={ "Difference of " (of) } tabindex="0" {
            pre .patch { @for line in patch.lines() {
                @if line.starts_with('+') { ins { (line) "\n" } }
                @else if line.starts_with('-') { del { (line) "\n" } }
                @else { (line) "\n" }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_and_added_lines_are_side_by_side() {
        let patch = "--- a\n+++ b\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+d\n e\n@@ -9 +9 @@\n+f\n";
        let expected = [
            Row::Same("a"),
            Row::Differs(Some("b"), Some("d")),
            Row::Differs(Some("c"), None),
            Row::Same("e"),
            Row::Gap,
            Row::Differs(None, Some("f")),
        ];
        assert_eq!(rows(patch), expected);
    }
}
