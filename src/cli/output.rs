//! Answers as text, JSON, Markdown or CSV. All four are told from one JSON value, so that they
//! cannot disagree.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use serde_json::Value as Json;

use super::context::Context;
use super::globals::Format;
use super::table::Sheet;

/// A column of a listing: its heading, and a template with JSON paths in braces.
pub type Column = (&'static str, &'static str);

/// Tells an answer with `items` as a listing.
pub fn listing(
    context: &Context,
    answer: &impl Serialize,
    columns: &[Column],
) -> anyhow::Result<()> {
    let answer = serde_json::to_value(answer)?;
    if context.format() == Format::Json {
        return json(&answer);
    }
    rows(context, &answer, columns)?;
    basis(context, &answer)
}

/// The items of an answer as rows, without what they rest on.
pub fn rows(context: &Context, answer: &Json, columns: &[Column]) -> anyhow::Result<()> {
    let items = answer.get("items").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let headers = columns.iter().map(|(header, _)| (*header).to_owned()).collect();
    let rows = items.iter().map(|item| columns.iter().map(|(_, t)| fill(t, item)).collect());
    sheet(context, &Sheet { headers, rows: rows.collect() })
}

/// Tells one object as fields, in its own order.
pub fn record(context: &Context, object: &impl Serialize) -> anyhow::Result<()> {
    let object = serde_json::to_value(object)?;
    if context.format() == Format::Json {
        return json(&object);
    }
    let mut rows = Vec::new();
    flatten("", &object, &mut rows);
    match context.format() {
        Format::Text => {
            let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
            let dim = Style::new().dimmed();
            let mut out = String::new();
            for (name, value) in rows {
                let value = value.replace('\n', &format!("\n{:width$}  ", ""));
                out.push_str(&format!("{dim}{name:<width$}{dim:#}  {value}\n"));
            }
            print(&out)
        }
        _ => {
            let headers = vec!["field".to_owned(), "value".to_owned()];
            let rows = rows.into_iter().map(|(name, value)| vec![name, value]).collect();
            sheet(context, &Sheet { headers, rows })
        }
    }
}

/// Tells rows in the format asked for (JSON is told by the callers: only they have the rest).
pub fn sheet(context: &Context, sheet: &Sheet) -> anyhow::Result<()> {
    match context.format() {
        Format::Text => print(&sheet.text()),
        Format::Markdown => print(&sheet.markdown()),
        Format::Csv | Format::Json => {
            let csv = sheet.csv()?;
            Ok(std::io::stdout().write_all(&csv)?)
        }
    }
}

/// One JSON object on one line.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes())?;
    Ok(out.flush()?)
}

/// Text with styles, to standard output; they are dropped where nobody can see them.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Text of others, byte for byte: what looks like a style in it is not ours to drop.
pub fn print_plain(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// A line beside the answer, to standard error.
pub fn note(context: &Context, text: &str) {
    if !context.quiet() {
        let dim = Style::new().dimmed();
        anstream::eprintln!("{dim}{text}{dim:#}");
    }
}

/// A warning, to standard error.
pub fn warn(context: &Context, text: &str) {
    if !context.quiet() {
        let yellow = AnsiColor::Yellow.on_default().bold();
        anstream::eprintln!("{yellow}warning{yellow:#}: {text}");
    }
}

/// More backticks than the text has in a row.
pub fn fence(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

/// What an answer rests on: a line beside it, or below it in Markdown.
pub fn basis(context: &Context, answer: &Json) -> anyhow::Result<()> {
    let (text, stale) = describe_basis(answer);
    if context.format() == Format::Markdown {
        print(&format!("\n_{text}_\n"))?;
    } else {
        note(context, &text);
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
        (source, at) => format!("{source} {at}"),
    };
    let revision: String = text("/basis/revision").chars().take(8).collect();
    if !revision.is_empty() {
        out.push_str(&format!(", revision {revision}"));
    }
    match text("/basis/freshness_state") {
        "" | "unknown" => {}
        state => out.push_str(&format!(", {state}")),
    }
    if answer.get("truncated").and_then(Json::as_bool) == Some(true) {
        let shown = answer.get("items").and_then(Json::as_array).map_or(0, Vec::len);
        let total = answer.get("total").and_then(Json::as_u64).unwrap_or_default();
        match usize::try_from(total) {
            Ok(total) if total > shown => out.push_str(&format!("; {shown} of {total} shown")),
            _ => out.push_str(&format!("; there is more than the {shown} shown")),
        }
    }
    let stale = answer.pointer("/basis/stale_files").and_then(Json::as_array);
    let stale = stale.into_iter().flatten().filter_map(|f| f.as_str().map(str::to_owned));
    (out, stale.collect())
}

/// The first few of a list of names.
pub fn some(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let head = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => head,
        Some(more) => format!("{head} and {more} more"),
    }
}

/// A template such as `{file_path}:{span/start_line}`, filled from an object. What the object
/// does not have is empty, and so is all of a template whose first path is.
fn fill(template: &str, item: &Json) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((path, after)) = after.split_once('}') else { break };
        let value = item.pointer(&format!("/{path}")).map(scalar).unwrap_or_default();
        if value.is_empty() && out.is_empty() && !path.is_empty() {
            return String::new();
        }
        if !value.is_empty() {
            out.push_str(before);
            out.push_str(&value);
        }
        rest = after;
    }
    out
}

/// A value in a cell.
pub fn scalar(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Array(items) if items.iter().all(Json::is_string) => {
            items.iter().filter_map(Json::as_str).collect::<Vec<_>>().join("::")
        }
        other => other.to_string(),
    }
}

fn flatten(prefix: &str, value: &Json, rows: &mut Vec<(String, String)>) {
    match value {
        Json::Object(fields) => {
            for (name, value) in fields {
                let name =
                    if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                flatten(&name, value, rows);
            }
        }
        Json::Array(items) if items.is_empty() => {}
        Json::Null => {}
        Json::String(text) if text.is_empty() => {}
        other => rows.push((prefix.to_owned(), scalar(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_takes_what_there_is() {
        let item = serde_json::json!({ "a": { "b": 3 }, "c": "x", "none": null });
        assert_eq!(fill("{c}:{a/b}", &item), "x:3");
        assert_eq!(fill("{none}:{a/b}", &item), "");
        assert_eq!(fill("{c}:{none}", &item), "x");
    }
}
