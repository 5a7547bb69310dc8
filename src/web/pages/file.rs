//! Folders, and files with their source.

use std::collections::{BTreeMap, BTreeSet};

use asof_model::Micros;
use asof_model::{ErrorKind, Hint};
use asof_wire::{FileSource, FileSummary, LogRequest};
use maud::{Markup, html};

use crate::address::{Links, encoded};
use crate::time_bar::{self, Here};
use crate::visit::{Content, Visit};
use crate::{code, layout, parts};
use asof_surface::problem::Problem;

/// Lines of a page at most.
const LINES: u32 = 1_000;
/// Lines before one that is asked for.
const BEFORE: u32 = 300;
/// Entries of a folder that are shown.
const ENTRIES: usize = 500;

pub fn page(visit: &Visit<'_>, path: &str) -> Result<Content, Problem> {
    let path = path.trim_matches('/');
    if path.ends_with(".rs") {
        match visit.snapshot.file_source(path) {
            Ok(source) => return file(visit, path, &source),
            // A folder may have such a name, too.
            Err(error) if error.kind() == ErrorKind::NoMatch => {}
            Err(error) => return Err(error.into()),
        }
    }
    let files = visit.snapshot.files()?.items;
    let below = if path.is_empty() { String::new() } else { format!("{path}/") };
    let inside: Vec<&FileSummary> =
        files.iter().filter(|file| file.file_path.starts_with(&below)).collect();
    if inside.is_empty() && !path.is_empty() {
        gone(visit, path)
    } else {
        folder(visit, path, &below, &inside)
    }
}

/// A file or folder that does not exist at this moment, but at others.
fn gone(visit: &Visit<'_>, path: &str) -> Result<Content, Problem> {
    let here = here(visit, path)?;
    if here.marks.is_empty() {
        let message = format!("no indexed file or folder `{path}`");
        let hint = Hint::advice("only Rust files are listed under Files");
        return Err(Problem::new(ErrorKind::NoMatch, message, hint));
    }
    let main = html! {
        h1 { code { (path) } }
        p .problem role="alert" { "This file does not exist at this moment. The marks above are where it changed." }
    };
    layout::page(visit, path, &here, &main)
}

fn here(visit: &Visit<'_>, path: &str) -> Result<Here, Problem> {
    if path.is_empty() {
        return Ok(Here::default());
    }
    let request = LogRequest { path: Some(path.to_owned()), ..LogRequest::default() };
    // A path that no revision knows has no marks.
    let log = visit.newest()?.log(&request);
    let operations = log.map(|log| log.answer.items).unwrap_or_default();
    let at = visit.snapshot.at();
    let times: BTreeSet<Micros> = operations.iter().map(|one| one.event.time).collect();
    let page = format!("/f/{}", encoded(path));
    // `operations` are the newest first.
    let now = operations.iter().position(|one| one.event.time <= at);
    let link = |index: Option<usize>| {
        let one = index.and_then(|index| operations.get(index))?;
        Some(Links::new(Some(parts::name_of(&one.event))).to(&page))
    };
    Ok(Here {
        marks: times,
        subject: "version",
        older: link(now.map(|now| now + 1)),
        newer: link(now.map_or(operations.len().checked_sub(1), |now| now.checked_sub(1))),
        path: path.to_owned(),
        compared: None,
    })
}

fn crumbs(path: &str, links: &Links) -> Markup {
    let mut whole = String::new();
    let mut folders: Vec<(String, String)> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        whole.push_str(part);
        folders.push((part.to_owned(), whole.clone()));
        whole.push('/');
    }
    let last = folders.pop();
    html! {
        nav .path aria-label="Path" {
            @if last.is_some() { a href=(links.to("/f/")) { "files" } " / " }
            @for (name, path) in &folders { a href=(links.file(path)) { (name) } " / " }
        }
        h1 { code { (last.map_or_else(|| "Files".to_owned(), |(name, _)| name)) } }
    }
}

/// What a folder contains, summed up.
#[derive(Default)]
struct Entry {
    files: usize,
    lines: u64,
    functions: u64,
    code_lines: f64,
    points: f64,
    partial: bool,
}

fn folder(
    visit: &Visit<'_>,
    path: &str,
    below: &str,
    inside: &[&FileSummary],
) -> Result<Content, Problem> {
    let links = visit.links();
    let mut entries: BTreeMap<(bool, &str), Entry> = BTreeMap::new();
    for file in inside {
        let rest = file.file_path.get(below.len()..).unwrap_or_default();
        let (name, is_file) = rest.split_once('/').map_or((rest, true), |(name, _)| (name, false));
        let entry = entries.entry((is_file, name)).or_default();
        entry.files += 1;
        entry.lines += u64::from(file.lines);
        entry.functions += u64::from(file.functions);
        entry.code_lines += f64::from(file.code_lines);
        entry.points += file.score.unwrap_or_default() * f64::from(file.code_lines);
        entry.partial |= file.partial;
    }
    let offset = visit.request.number("offset").unwrap_or_default();
    let total = entries.len();
    let shown: Vec<_> = entries.iter().skip(offset).take(ENTRIES).collect();
    let more = |offset: usize| {
        links.with(&format!("/f/{}", encoded(path)), &[("offset", &offset.to_string())])
    };
    let main = html! {
        (crumbs(path, &links))
        div .scroll role="region" aria-label="Files" tabindex="0" {
            table .list {
                thead { tr { th { "Name" } th .num { "Lines" } th .num { "Functions" } th .num { "Score" } } }
                tbody {
                    @for ((is_file, name), entry) in &shown {
                        tr {
                            td {
                                @let whole = format!("{below}{name}");
                                a href=(links.file(&whole)) { (name) @if !is_file { "/" } }
                                @if entry.partial { " " span .guess { "does not parse" } }
                            }
                            td .num { (parts::grouped(entry.lines as usize)) }
                            td .num { (parts::grouped(entry.functions as usize)) }
                            td .num { @if entry.code_lines > 0.0 { (format!("{:.0}", entry.points / entry.code_lines)) } }
                        }
                    }
                }
            }
        }
        (parts::pager(offset, shown.len(), total, &more, ENTRIES))
    };
    let title = if path.is_empty() { "Files" } else { path };
    layout::page(visit, title, &here(visit, path)?, &main)
}

fn file(visit: &Visit<'_>, path: &str, source: &FileSource) -> Result<Content, Problem> {
    let links = visit.links();
    let users = visit.snapshot.user_counts(source)?;
    let count = source.text.lines().count() as u32;
    let line = visit.request.number("line").and_then(|line| u32::try_from(line).ok());
    let from = visit.request.number("from").and_then(|line| u32::try_from(line).ok());
    let first = from.or(line.map(|line| line.saturating_sub(BEFORE))).unwrap_or(1);
    let first = first.clamp(1, count.max(1));
    let bar = time_bar::bar(visit, &here(visit, path)?)?;
    let room = layout::room(&bar);
    let page = format!("/f/{}", encoded(path));
    let lines = |from: u32| links.with(&page, &[("from", &from.to_string())]);
    let items: Vec<_> = source
        .items
        .iter()
        .filter(|item| {
            use asof_model::NodeKind as K;
            !matches!(item.kind, K::Field | K::Variant | K::Import | K::ExternCrate | K::MacroCall)
        })
        .collect();
    let entries = items.iter().map(|item| html! { li {
        (parts::kind(item.kind.as_str())) " "
        a href=(links.item_or_id(item.path.as_deref(), &item.name, item.id)) { (if item.name.is_empty() { "impl" } else { &item.name }) }
        " " a .where href={ (lines(item.line.saturating_sub(BEFORE).max(1))) "#L" (item.line) } { (item.line) }
        @if let Some(users) = users.get(&item.id) { " " span .users { "used by " (users) } }
    } });
    let outline = parts::fitting(entries, room / 4);
    let source_room = room - outline.iter().map(|entry| entry.0.len()).sum::<usize>().min(room);
    let last = first.saturating_add(LINES - 1);
    let shown = code::lines(source, &users, first..=last, source_room, &links);
    let main = html! {
        (crumbs(path, &links))
        p .facts {
            (parts::count(count as usize, "line"))
            @if source.partial { " · " span .guess { "does not parse: only some items are known" } }
            " · " a href=(links.with("/quality", &[("path", path)])) { "quality" }
        }
        details .outline {
            summary { (parts::count(items.len(), "item")) }
            ul .items {
                @for entry in &outline { (entry) }
            }
            @if outline.len() < items.len() { p { "… and " (items.len() - outline.len()) " more" }
            }
        }
        @let part = html! {
            @if first > 1 || shown.last < count {
                nav .pager aria-label="Parts of the file" {
                    @if first > 1 { a rel="prev" href=(lines(first.saturating_sub(LINES / 2).max(1))) { "← lines before " (first) } }
                    span { "lines " (first) "–" (shown.last) " of " (count) }
                    @if shown.last < count { a rel="next" href=(lines(shown.last + 1)) { "lines from " (shown.last + 1) " →" } }
                }
            }
        };
        (part)
        (shown.markup)
    };
    layout::page_under(visit, path, &bar, &main)
}
