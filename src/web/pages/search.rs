//! Search, also as the reader types.

use asof_wire::{Hit, SearchBy, SearchRequest};
use maud::{Markup, html};

use crate::address::Links;
use crate::visit::{Content, Visit};
use crate::{layout, parts};
use asof_surface::problem::Problem;

/// Results of a page, files above them, and both while the reader types.
const RESULTS: usize = 25;
const FILES: usize = 10;
const QUICK: usize = 8;
/// Letters of a question at most.
const LONGEST: usize = 1_000;

pub fn page(visit: &Visit<'_>) -> Result<Content, Problem> {
    let question: String =
        visit.request.get("q").unwrap_or_default().chars().take(LONGEST).collect();
    let links = visit.links();
    if visit.request.get("part").is_some() {
        return quick(visit, &question, &links);
    }
    let offset = visit.request.number("offset").unwrap_or_default();
    let found = if question.is_empty() {
        None
    } else {
        Some(visit.snapshot.search(&request(&question, offset.saturating_add(RESULTS)))?)
    };
    let shown: Vec<&Hit> =
        found.iter().flat_map(|found| found.results.iter().skip(offset)).collect();
    let total = found.as_ref().map_or(0, |found| found.total);
    let files = if offset == 0 { files(visit, &question, FILES)? } else { Vec::new() };
    let more =
        |offset: usize| links.with("/search", &[("q", &question), ("offset", &offset.to_string())]);
    let main = html! {
        h1 { "Search" @if !question.is_empty() { ": " (question) } }
        @if question.is_empty() { p { "Type words, a name or a path into the field above, or press " kbd { "/" } "." } }
        @else if shown.is_empty() && files.is_empty() { p role="status" { "Nothing found." } }
        @if !files.is_empty() {
            section aria-label="Files" { ul .items { @for file in &files { li { (parts::kind("file")) " " a href=(links.file(file)) { (file) } } } } }
        }
        ol .results { @for hit in &shown { li { (result(hit, &links)) } } }
        @if let Some(found) = &found {
            (parts::pager(offset, shown.len(), total.max(offset + shown.len()), &more, RESULTS))
            @for note in &found.notes { p .where { (note) } }
        }
    };
    layout::page(visit, &format!("Search {question}"), &Default::default(), &main)
}

fn request(question: &str, limit: usize) -> SearchRequest {
    SearchRequest {
        query: question.to_owned(),
        by: SearchBy::Both,
        limit: Some(limit),
        ..SearchRequest::default()
    }
}

/// Files whose paths contain the question, shorter paths first.
fn files(visit: &Visit<'_>, question: &str, most: usize) -> Result<Vec<String>, Problem> {
    if question.is_empty() {
        return Ok(Vec::new());
    }
    let question = question.to_lowercase();
    let mut found = visit.snapshot.file_paths()?;
    found.retain(|path| path.to_lowercase().contains(&question));
    found.sort_by_key(String::len);
    found.truncate(most);
    Ok(found)
}

fn result(hit: &Hit, links: &Links) -> Markup {
    let path = hit.canonical_path.as_deref();
    html! {
        div {
            (parts::kind(hit.kind.as_str())) " "
            a href=(links.item_or_id(path, &hit.function_name, hit.id)) { (path.unwrap_or(&hit.function_name)) }
            @if let Some(grade) = &hit.tdg_grade { " " (parts::grade(grade)) }
            " " a .where href=(links.line(&hit.file_path, hit.line)) { (hit.file_path) ":" (hit.line) }
            (parts::under(hit.other_condition.as_deref()))
            @if !hit.why.is_empty() { " " span .where title="Why it is listed" { (hit.why.join(", ")) } }
            @if let Some(first) = hit.alike.first() {
                " " a .where href=(links.line(&first.file_path, first.line)) title="Impls of the same trait, or definitions under other conditions" { "and " (hit.alike.len()) " like it" }
            }
        }
        code .signature { (parts::cut(&hit.signature, 300)) }
        @if let Some(line) = hit.doc_comment.lines().find(|line| !line.trim().is_empty()) { div .doc { (parts::cut(line, 200)) } }
    }
}

/// A short list for the field itself.
fn quick(visit: &Visit<'_>, question: &str, links: &Links) -> Result<Content, Problem> {
    let hits = if question.is_empty() {
        Vec::new()
    } else {
        let asked = SearchRequest { half_typed: true, ..request(question, QUICK) };
        visit.snapshot.search(&asked)?.results
    };
    let files = files(visit, question, 3)?;
    let list = html! {
        @if hits.is_empty() && files.is_empty() { p role="status" { "Nothing found." } }
        ul aria-label="Results" {
            @for hit in &hits { li {
                a href=(links.item_or_id(hit.canonical_path.as_deref(), &hit.function_name, hit.id)) {
                    (parts::kind(hit.kind.as_str())) " " (hit.canonical_path.as_deref().unwrap_or(&hit.function_name))
                    " " span .where { (hit.file_path) ":" (hit.line) }
                }
            } }
            @for file in &files { li { a href=(links.file(file)) { (parts::kind("file")) " " (file) } } }
        }
    };
    Ok(Content::Page(list.into_string()))
}
