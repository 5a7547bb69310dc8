//! Queries: an editor, the named ones with their parameters, results as a table, the plan, export.

use asof_query::data_sources;
use asof_wire::{NamedQuery, QueryRequest, QueryResult, Script};
use maud::{Markup, html};
use serde_json::Value as Json;

use crate::address::Links;
use crate::visit::{Content, Visit};
use crate::{hint, layout, parts};
use asof_surface::problem::Problem;
use asof_surface::{queries, worker};

/// Rows of a page, and of an export.
const SHOWN: usize = 100;
const EXPORTED: usize = 10_000;
/// Rows that are asked for, so that pages of them can be shown.
const ROWS: usize = 1_000;
/// Letters of a cell that are shown, and bytes of a table.
const CELL: usize = 200;
const BUDGET: usize = 120_000;

pub fn page(visit: &Visit<'_>) -> Result<Content, Problem> {
    let links = visit.links();
    let (library, problems) = visit.database.library();
    let list = queries::list(&library, &problems);
    let named = visit.request.get("name");
    let named = named.and_then(|name| list.items.iter().find(|query| query.name == name));
    let script = visit.request.get("script");
    let format = visit.request.get("format");
    let wanted = script.is_some() || named.is_some_and(|query| is_complete(visit, query));
    let found = if wanted { Some(run(visit, named, script, format.is_some())) } else { None };
    let found = match (found, format) {
        (Some(Ok(found)), Some(format)) => return export(&found, format),
        (Some(Err(problem)), Some(_)) => return Err(problem),
        (found, _) => found,
    };
    let main = html! {
        h1 { "Query" }
        (editor(visit, named, script))
        @match found {
            Some(Ok(found)) => { (table(visit, &found)) }
            Some(Err(problem)) => { (failed(problem)) }
            None => {}
        }
        (named_list(&list.items, &list.problems, &links))
        (sources())
    };
    layout::page(visit, "Query", &Default::default(), &main)
}

/// Whether every parameter of a named query has a value.
fn is_complete(visit: &Visit<'_>, query: &NamedQuery) -> bool {
    let is_given = |name: &str| visit.request.query.iter().any(|(known, _)| known == name);
    visit.request.get("run").is_some()
        || query
            .params
            .iter()
            .all(|param| param.name == "at" || is_given(&format!("p.{}", param.name)))
}

fn run(
    visit: &Visit<'_>,
    named: Option<&NamedQuery>,
    script: Option<&str>,
    export: bool,
) -> Result<QueryResult, Problem> {
    let script = match (named, script) {
        (Some(query), _) => Script::Name(query.name.clone()),
        (None, text) => Script::Text(text.unwrap_or_default().to_owned()),
    };
    let mut request = QueryRequest::new(script);
    request.rows = if export { EXPORTED } else { ROWS };
    request.explain = visit.request.get("explain").is_some();
    for (name, value) in &visit.request.query {
        if let Some(name) = name.strip_prefix("p.")
            && !value.is_empty()
        {
            request.params.push((name.to_owned(), Json::from(value.as_str())));
        }
    }
    worker::query(visit.database, visit.snapshot, request, visit.stop)
}

fn editor(visit: &Visit<'_>, named: Option<&NamedQuery>, script: Option<&str>) -> Markup {
    html! {
        form .query action="/query" {
            @match named {
                Some(query) => {
                    p { b { (query.name) } ": " (query.doc) }
                    input type="hidden" name="name" value=(query.name);
                    input type="hidden" name="run" value="1";
                    @for param in query.params.iter().filter(|param| param.name != "at") {
                        @let name = format!("p.{}", param.name);
                        p { label { code { (param.name) ": " (param.kind) } " "
                            input name=(name) value=[visit.request.get(&name)];
                            @if !param.doc.is_empty() { " " (param.doc) }
                        } }
                    }
                }
                None => {
                    label for="script" { "CozoScript" }
                    textarea #script name="script" rows="6" spellcheck="false" autocomplete="off" required
                        placeholder="?[name, path] := *node{kind: 'struct', name, path}" { (script.unwrap_or_default()) }
                }
            }
            label { input type="checkbox" name="explain" value="1" checked[visit.request.get("explain").is_some()]; " plan" } " "
            @if let Some(at) = &visit.request.at { input type="hidden" name="at" value=(at); }
            button { "Run" }
            " " button name="format" value="csv" { "CSV" }
            " " button name="format" value="json" { "JSON" }
        }
    }
}

fn failed(problem: Problem) -> Markup {
    let report = problem.report(hint::words);
    html! {
        div .problem role="alert" {
            pre tabindex="0" { (report.message) @for cause in &report.causes { "\n" (cause) } }
            @if !report.hint.is_empty() { p { (report.hint) } }
        }
    }
}

fn table(visit: &Visit<'_>, found: &QueryResult) -> Markup {
    let offset = visit.request.number("offset").unwrap_or_default();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut bytes = 0;
    for row in found.items.iter().skip(offset).take(SHOWN) {
        let row: Vec<String> = row.iter().map(cell).collect();
        bytes += row.iter().map(String::len).sum::<usize>();
        if bytes > BUDGET {
            break;
        }
        rows.push(row);
    }
    let more = |offset: usize| {
        let offset = offset.to_string();
        let kept = visit.request.query.iter().filter(|(name, _)| name != "offset");
        let mut query: Vec<(&str, &str)> = kept.map(|(n, v)| (n.as_str(), v.as_str())).collect();
        query.push(("offset", &offset));
        visit.links().with("/query", &query)
    };
    html! {
        h2 #result { (parts::count(found.total, "row")) @if found.truncated { ", and more" } }
        @if !found.items.is_empty() {
            div .scroll role="region" aria-label="Result" tabindex="0" {
                table .list .result {
                    thead { tr { @for name in &found.headers { th scope="col" { (name) } } } }
                    tbody { @for row in &rows { tr { @for value in row { td { (value) } } } } }
                }
            }
        }
        (parts::pager(offset, rows.len(), found.total, &more, SHOWN))
    }
}

fn cell(value: &Json) -> String {
    let text = match value {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        other => other.to_string(),
    };
    parts::cut(&text, CELL)
}

/// The rows as a file.
fn export(found: &QueryResult, format: &str) -> Result<Content, Problem> {
    if format == "json" {
        let text = serde_json::to_string(found).map_err(Problem::internal)?;
        return Ok(Content::File { kind: "application/json", name: "result.json", text });
    }
    let mut out = csv::Writer::from_writer(Vec::new());
    let whole = |value: &Json| match value {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        other => other.to_string(),
    };
    out.write_record(&found.headers).map_err(Problem::internal)?;
    for row in &found.items {
        out.write_record(row.iter().map(whole)).map_err(Problem::internal)?;
    }
    let bytes = out.into_inner().map_err(Problem::internal)?;
    let text = String::from_utf8(bytes).map_err(Problem::internal)?;
    Ok(Content::File { kind: "text/csv; charset=utf-8", name: "result.csv", text })
}

fn named_list(items: &[NamedQuery], problems: &[String], links: &Links) -> Markup {
    html! {
        details open[items.iter().any(|query| query.source == "user")] {
            summary { "Named queries" }
            @for problem in problems { p .problem { (problem) } }
            ul .items { @for query in items { li {
                a href=(links.with("/query", &[("name", &query.name)])) { (query.name) }
                " " span .kind { (query.cost) } @if query.source == "user" { " " span .kind { "yours" } }
                " " (query.doc)
            } } }
        }
    }
}

fn sources() -> Markup {
    html! {
        details {
            summary { "Relations and views" }
            ul .items { @for source in data_sources() { li {
                code { @if source.kind == "relation" { "*" } (source.name) } " "
                span .where { @for (at, column) in source.items.iter().enumerate() { @if at > 0 { ", " } (column.name) } }
                " " (source.doc)
            } } }
        }
    }
}
