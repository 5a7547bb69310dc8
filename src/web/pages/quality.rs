//! Quality: grades, the treemap, functions with the lowest scores, debt; and hot spots.

use asof_wire::{HotspotRequest, QualityReport, QualityRequest, Tests};
use maud::{Markup, html};

use crate::address::Links;
use crate::visit::{Content, Visit};
use crate::{layout, parts, treemap};
use asof_surface::problem::Problem;
use asof_surface::text::quality::costs;

/// Functions, markers and hot spots of a page.
const SHOWN: usize = 50;

pub fn page(visit: &Visit<'_>) -> Result<Content, Problem> {
    let links = visit.links();
    let path = visit.request.get("path").map(str::to_owned);
    let offset = visit.request.number("offset").unwrap_or_default();
    let request = QualityRequest {
        path: path.clone(),
        tests: tests(visit),
        limit: Some(offset.saturating_add(SHOWN)),
        ..QualityRequest::default()
    };
    // Both read the whole workspace.
    let snapshot = visit.snapshot;
    let (report, files) = rayon::join(|| snapshot.quality(&request, None), || snapshot.files());
    let (report, files) = (report?, files?.items);
    let below = match &path {
        Some(path) if files.iter().any(|file| file.file_path.starts_with(&format!("{path}/"))) => {
            format!("{path}/")
        }
        _ => String::new(),
    };
    let shown: Vec<_> = report.answer.items.iter().skip(offset).collect();
    let more = |offset: usize| {
        let offset = offset.to_string();
        let mut query = vec![("offset", offset.as_str())];
        query.extend(path.as_deref().map(|path| ("path", path)));
        query.extend(visit.request.get("tests").map(|tests| ("tests", tests)));
        links.with("/quality", &query)
    };
    let main = html! {
        h1 { "Quality" @if let Some(path) = &path { " of " code { (path) } } }
        form .filter action="/quality" {
            label { "Below " input name="path" value=[path.as_deref()] placeholder="folder, file or item"; }
            label { " " input type="checkbox" name="tests" value="exclude" checked[tests(visit) == Tests::Exclude]; " without test code" }
            @if let Some(at) = links.at() { input type="hidden" name="at" value=(at); }
            " " button { "Show" }
        }
        (summary(&report))
        h2 { "By size" }
        (treemap::of_files(&files, &below, &links))
        h2 { "Lowest scores" }
        div .scroll role="region" aria-label="Functions" tabindex="0" {
            table .list {
                thead { tr { th { "Grade" } th .num { "Score" } th { "Function" } th .num { "Complexity" } th .num { "Cognitive" } th .num { "Lines" } th { "Costs" } } }
                tbody { @for item in &shown { tr {
                    td { (parts::grade(&item.tdg_grade)) }
                    td .num { (format!("{:.1}", item.tdg_score)) }
                    td { a href=(links.item_or_id(item.path.contains("::").then_some(item.path.as_str()), &item.path, item.id)) { (item.path) } " " span .where { (item.file_path) ":" (item.line) } }
                    td .num { (item.complexity) }
                    td .num { (item.cognitive) }
                    td .num { (item.code_lines) }
                    td { (costs(item)) }
                } } }
            }
        }
        (parts::pager(offset, shown.len(), report.answer.total, &more, SHOWN))
        (debt(&report, &links))
    };
    layout::page(visit, "Quality", &Default::default(), &main)
}

fn tests(visit: &Visit<'_>) -> Tests {
    match visit.request.get("tests") {
        Some("exclude") => Tests::Exclude,
        _ => Tests::Include,
    }
}

fn summary(report: &QualityReport) -> Markup {
    let summary = &report.summary;
    let most = summary.grades.iter().map(|one| one.functions).max().unwrap_or(1);
    html! {
        p {
            (parts::count(summary.functions, "function"))
            @if let Some(score) = summary.avg_score { ", mean score " (format!("{score:.1}")) }
            @if let Some(complexity) = summary.avg_complexity { ", mean complexity " (format!("{complexity:.1}")) }
            @if summary.not_parsed > 0 { ", " (summary.not_parsed) " without a score because they do not parse" }
            "."
        }
        table .grades {
            caption .hidden { "Functions by grade" }
            tbody { @for one in &summary.grades { tr {
                th scope="row" { (parts::grade(&one.grade)) }
                td .num { (one.functions) }
                td { svg .barline viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
                    rect class=(parts::grade_class(&one.grade)) width=(format!("{:.1}", one.functions as f64 * 100.0 / most as f64)) height="10" {}
                } }
            } } }
        }
    }
}

fn debt(report: &QualityReport, links: &Links) -> Markup {
    html! {
        @if !report.satd.is_empty() {
            h2 { "Debt in comments" }
            p { (parts::count(report.summary.total_satd, "marker")) ", the most severe first." }
            ul .uses { @for one in report.satd.iter().take(SHOWN) { li {
                span .class { (one.marker) " " (one.severity) } " "
                a href=(links.line(&one.file_path, one.line)) { (one.file_path) ":" (one.line) }
                " " q { (one.text) }
            } } }
        }
    }
}

pub fn hotspots(visit: &Visit<'_>) -> Result<Content, Problem> {
    let links = visit.links();
    let offset = visit.request.number("offset").unwrap_or_default();
    let request = HotspotRequest {
        path: visit.request.get("path").map(str::to_owned),
        tests: tests(visit),
        limit: Some(offset.saturating_add(SHOWN)),
        ..HotspotRequest::default()
    };
    let found = visit.snapshot.hotspots(&request)?;
    let shown: Vec<_> = found.items.iter().skip(offset).collect();
    let more = |offset: usize| links.with("/hotspots", &[("offset", &offset.to_string())]);
    let main = html! {
        h1 { "Hot spots" }
        p { "Functions that changed, by number of changes times complexity." }
        div .scroll role="region" aria-label="Hot spots" tabindex="0" {
            table .list {
                thead { tr { th .num { "Score" } th .num { "Changes" } th .num { "Complexity" } th .num { "Lines" } th { "Function" } th { "Last change" } } }
                tbody { @for spot in &shown { tr {
                    td .num { (spot.score) }
                    td .num { (spot.changes) }
                    td .num { (spot.complexity) }
                    td .num { (spot.code_lines) }
                    td { a href=(links.item(&spot.path)) { (spot.path) } " " span .where { (spot.file_path) } }
                    td { (parts::time(&spot.last)) }
                } } }
            }
        }
        @if shown.is_empty() { p { "No function has changed in the history that is known." } }
        (parts::pager(offset, shown.len(), found.total, &more, SHOWN))
    };
    layout::page(visit, "Hot spots", &Default::default(), &main)
}
