//! Prints answers as text, JSON, Markdown or CSV, all from one JSON value, so that they cannot
//! disagree.

use std::path::Path;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use serde_json::Value as Json;

use super::context::Context;
use super::fields::{self, Field, Prefer, project, select};
use super::globals::Format;
use super::table::Sheet;
use super::terminal;
use asof_surface::text::local;

pub use super::fields::{Listing, scalar};
pub use asof_surface::json::without_nulls;
use asof_surface::problem::Problem;
pub use asof_surface::text::{plural, some};
use asof_surface::trace::Trace;

/// Prints an answer with `items` as a listing.
pub fn listing<'a>(
    context: &Context,
    answer: &impl Serialize,
    listing: impl Into<Listing<'a>>,
) -> anyhow::Result<()> {
    let listing = listing.into();
    let answer = serde_json::to_value(answer)?;
    if context.format() == Format::Json {
        return json_listing(context, answer, listing);
    }
    rows(context, &answer, listing)?;
    basis(context, &answer)
}

/// Prints the items of an answer as rows, without the basis.
pub fn rows<'a>(
    context: &Context,
    answer: &Json,
    listing: impl Into<Listing<'a>>,
) -> anyhow::Result<()> {
    let listing = listing.into();
    let items = items(answer);
    let fields = match context.fields() {
        [] => listing.columns.iter().map(|(name, t)| Field::Column(name, t)).collect(),
        names => select(&listing, names, items, Prefer::Columns)?,
    };
    let headers = fields.iter().map(|field| field.name().to_owned()).collect();
    let rows = items.iter().map(|item| fields.iter().map(|field| field.text(item)).collect());
    sheet(context, &Sheet { headers, rows: rows.collect() })
}

/// Prints one object as fields.
pub fn record(context: &Context, object: &impl Serialize) -> anyhow::Result<()> {
    if context.format() == Format::Json {
        return json(context, object);
    }
    let mut rows = Vec::new();
    flatten("", &serde_json::to_value(object)?, &mut rows);
    match context.fields() {
        [] => rows.retain(|(_, value)| !value.is_empty()),
        names => {
            rows = names.iter().map(|name| field_of(&rows, name)).collect::<Result<_, _>>()?;
        }
    }
    match context.format() {
        Format::Text => {
            let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
            let dim = Style::new().dimmed();
            let mut out = String::new();
            for (name, value) in rows {
                let value = value.replace('\n', &format!("\n{:width$}  ", ""));
                out.push_str(&format!("{dim}{name:<width$}{dim:#}  {value}\n"));
            }
            print(context, &out)
        }
        _ => {
            let headers = vec!["field".to_owned(), "value".to_owned()];
            let rows = rows.into_iter().map(|(name, value)| vec![name, value]).collect();
            sheet(context, &Sheet { headers, rows })
        }
    }
}

/// Prints rows in the requested format. JSON is printed by the callers, which have the whole
/// answer.
pub fn sheet(context: &Context, sheet: &Sheet) -> anyhow::Result<()> {
    match context.format() {
        Format::Text => print(context, &sheet.text(terminal::width())),
        Format::Markdown => print_plain(context, &sheet.markdown()),
        Format::Csv | Format::Json => Ok(terminal::write(&sheet.csv()?)?),
    }
}

/// Prints an object as JSON. `items`, if present, are a listing.
pub fn json(context: &Context, value: &impl Serialize) -> anyhow::Result<()> {
    let value = serde_json::to_value(value)?;
    if value.get("items").is_some_and(Json::is_array) {
        return json_listing(context, value, Listing { columns: &[], keys: "" });
    }
    let value = match context.fields() {
        [] => value,
        names => {
            let object = std::slice::from_ref(&value);
            let all = Listing { columns: &[], keys: "" };
            project(&select(&all, names, object, Prefer::Keys)?, &value)
        }
    };
    json_value(context, without_nulls(value))
}

fn json_listing(context: &Context, mut answer: Json, listing: Listing<'_>) -> anyhow::Result<()> {
    if !context.fields().is_empty() {
        let fields = select(&listing, context.fields(), items(&answer), Prefer::Keys)?;
        // Other lists, such as the edges of a lineage, were not requested.
        let is_list = |value: &Json| value.get(0).is_some_and(Json::is_object);
        if let Some(answer) = answer.as_object_mut() {
            answer.retain(|name, value| name == "items" || !is_list(value));
        }
        for item in answer.get_mut("items").and_then(Json::as_array_mut).into_iter().flatten() {
            *item = project(&fields, item);
        }
    }
    json_answer(context, without_nulls(answer))
}

/// Prints an answer with `items` as JSON, unchanged.
pub fn json_answer(context: &Context, mut answer: Json) -> anyhow::Result<()> {
    if !context.is_json_lines() {
        return json_value(context, answer);
    }
    let items = answer.as_object_mut().and_then(|answer| answer.remove("items"));
    for item in items.as_ref().and_then(Json::as_array).into_iter().flatten() {
        terminal::write(format!("{item}\n").as_bytes())?;
    }
    if !context.quiet() || is_cut(&answer) {
        terminal::write_beside(&answer.to_string());
    }
    Ok(())
}

/// One line for programs, indented lines for people.
fn json_value(context: &Context, value: Json) -> anyhow::Result<()> {
    let render = if terminal::is_read_by_a_person() && !context.is_json_lines() {
        |value: &Json| format!("{value:#}\n")
    } else {
        |value: &Json| format!("{value}\n")
    };
    print_whole(&render(&value))
}

/// Prints our own text; styles are dropped where colours are off.
pub fn print(context: &Context, text: &str) -> anyhow::Result<()> {
    Ok(terminal::write_styled(&context.shorten(text))?)
}

/// Prints text from a source byte for byte: escape sequences in it are kept.
pub fn print_plain(context: &Context, text: &str) -> anyhow::Result<()> {
    print_whole(&context.shorten(text))
}

/// Prints all of a text: one for another program, which could not read a part of it, or the last
/// line of an answer.
pub fn print_whole(text: &str) -> anyhow::Result<()> {
    Ok(terminal::write(text.as_bytes())?)
}

/// Prints text from a source with our styles where colours are on, else byte for byte.
pub fn print_painted(
    context: &Context,
    text: &str,
    paint: impl Fn(&str) -> String,
) -> anyhow::Result<()> {
    let text = context.shorten(text);
    if terminal::shows_colours() { print_whole(&paint(&text)) } else { print_whole(&text) }
}

/// Prints a warning to standard error, unless this command has printed it before.
pub fn warn(context: &Context, text: &str) {
    if context.is_new_warning(text) {
        warn_again(context, text);
    }
}

/// Prints a warning of a command that runs until it is stopped.
pub fn warn_again(context: &Context, text: &str) {
    if !context.quiet() {
        let yellow = AnsiColor::Yellow.on_default().bold();
        terminal::write_beside(&format!("{yellow}warning{yellow:#}: {text}"));
    }
}

/// The trace of a server, if a file is given. If it fails later, standard error says so.
pub fn trace(context: &Context, path: Option<&Path>) -> anyhow::Result<Option<Arc<Trace>>> {
    let warn: fn(&str) = if context.quiet() {
        |_| {}
    } else {
        |text| terminal::write_beside(&format!("warning: {text}"))
    };
    Ok(path.map(|path| Trace::open(path, warn)).transpose()?.map(Arc::new))
}

/// A fence longer than any run of backticks in the text.
pub fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

/// Prints how many items are not listed: to standard error, or below the answer in Markdown.
/// `--quiet` does not hide it, because it is part of the answer.
pub fn rest(context: &Context, answer: &Json) -> anyhow::Result<()> {
    match (describe_rest(answer), context.format()) {
        (None, _) => {}
        (Some(rest), Format::Markdown) => print(context, &format!("\n_{rest}_\n"))?,
        (Some(rest), _) => terminal::write_beside(&rest),
    }
    Ok(())
}

/// Prints the basis of an answer, and how many items are not listed ([`rest`]).
pub fn basis(context: &Context, answer: &Json) -> anyhow::Result<()> {
    rest(context, answer)?;
    let (text, stale) = describe_basis(answer);
    match context.format() {
        Format::Markdown => print(context, &format!("\n_{text}_\n"))?,
        _ => context.note(&text),
    }
    if let Some(reason) = answer.pointer("/basis/note").and_then(Json::as_str) {
        warn(context, reason);
    }
    if !stale.is_empty() {
        warn(context, &format!("changed since they were indexed: {}", some(&stale)));
    }
    Ok(())
}

fn describe_basis(answer: &Json) -> (String, Vec<String>) {
    let text = |pointer: &str| answer.pointer(pointer).and_then(Json::as_str).unwrap_or_default();
    let mut out = match (text("/source"), text("/basis/at")) {
        (_, "") => "nothing indexed yet".to_owned(),
        (source, at) => format!("{source} {}", local(at)),
    };
    let revision: String = text("/basis/revision").chars().take(8).collect();
    if !revision.is_empty() {
        out.push_str(&format!(", revision {revision}"));
    }
    match text("/basis/freshness_state") {
        "" | "unknown" => {}
        state => out.push_str(&format!(", {state}")),
    }
    let stale = answer.pointer("/basis/stale_files").and_then(Json::as_array);
    let stale = stale.into_iter().flatten().filter_map(|f| f.as_str().map(str::to_owned));
    (out, stale.collect())
}

/// How many items are not listed, and how to list them.
fn describe_rest(answer: &Json) -> Option<String> {
    if !is_cut(answer) {
        return None;
    }
    let shown = items(answer).len();
    let total = answer.get("total").and_then(Json::as_u64).unwrap_or_default();
    let rest = usize::try_from(total).unwrap_or_default().saturating_sub(shown);
    Some(match rest {
        // Counting stopped here, or another limit was reached.
        0 => format!("… more than these {shown}; a higher `--limit` shows them"),
        rest => format!("… {rest} more; `--limit 0` shows all"),
    })
}

fn is_cut(answer: &Json) -> bool {
    answer.get("truncated").and_then(Json::as_bool) == Some(true)
}

/// The items of an answer; none if it is no list.
pub fn items(answer: &Json) -> &[Json] {
    answer.get("items").and_then(Json::as_array).map_or(&[][..], Vec::as_slice)
}

/// Entries of a list in a record; JSON has all of them.
const MAX_LISTED: usize = 8;

fn flatten(prefix: &str, value: &Json, rows: &mut Vec<(String, String)>) {
    match value {
        Json::Object(fields) => {
            for (name, value) in fields {
                let name =
                    if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                flatten(&name, value, rows);
            }
        }
        Json::Array(items) if items.iter().all(Json::is_string) => {
            let mut listed: Vec<String> = items.iter().take(MAX_LISTED).map(scalar).collect();
            if let Some(rest) = items.len().checked_sub(MAX_LISTED).filter(|rest| *rest > 0) {
                listed.push(format!("… {rest} more"));
            }
            rows.push((prefix.to_owned(), listed.join(", ")));
        }
        other => rows.push((prefix.to_owned(), scalar(other))),
    }
}

fn field_of(rows: &[(String, String)], name: &str) -> Result<(String, String), Problem> {
    rows.iter().find(|(field, _)| field == name).cloned().ok_or_else(|| {
        let all: Vec<&str> = rows.iter().map(|(field, _)| field.as_str()).collect();
        fields::unknown(name, &all)
    })
}
