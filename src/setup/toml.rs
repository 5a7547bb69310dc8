//! Entries in TOML: a table at the end of the file.

use toml_edit::{Array, DocumentMut, Item, Value};

use super::entry::{Entry, NAME};
use super::refusal::Refusal;

/// The table of servers.
const SERVERS: &str = "mcp_servers";

fn parse(text: &str) -> Result<DocumentMut, Refusal> {
    text.parse().map_err(|error: toml_edit::TomlError| Refusal::Syntax(error.to_string()))
}

/// The entry of a text.
pub fn find(text: &str) -> Result<Option<Entry>, Refusal> {
    let document = parse(text)?;
    let Some(servers) = document.get(SERVERS) else { return Ok(None) };
    if servers.as_table().is_none() {
        let message = format!("its `{SERVERS}` is not written as tables [{SERVERS}.NAME]");
        return Err(Refusal::Shape(message));
    }
    let Some(entry) = servers.get(NAME) else { return Ok(None) };
    let args = entry.get("args").and_then(Item::as_array).into_iter().flatten();
    Ok(Some(Entry {
        command: entry.get("command").and_then(Item::as_str).unwrap_or_default().to_owned(),
        args: args.filter_map(|arg| arg.as_str().map(str::to_owned)).collect(),
    }))
}

/// The table of the entry, without the last line break.
pub fn block(entry: &Entry, line: &str) -> String {
    let command = Value::from(entry.command.as_str());
    let args = Value::Array(Array::from_iter(entry.args.iter().map(String::as_str)));
    format!("[{SERVERS}.{NAME}]{line}command = {command}{line}args = {args}")
}

/// A text with the entry, an empty line before it.
pub fn insert(text: &str, entry: &Entry, line: &str) -> Result<String, Refusal> {
    find(text)?;
    let block = block(entry, line);
    Ok(if text.ends_with('\n') {
        format!("{text}{line}{block}{line}")
    } else {
        format!("{text}{line}{line}{block}")
    })
}

/// The texts that a text may be without its entry, the likeliest first.
pub fn removals(text: &str, entry: &Entry, line: &str) -> Result<Vec<String>, Refusal> {
    let block = block(entry, line);
    let forms = [
        format!("{line}{block}{line}"),
        format!("{line}{line}{block}"),
        format!("{block}{line}"),
        block,
    ];
    let cut = |form: &String| {
        let (before, after) = text.split_once(form.as_str())?;
        Some(format!("{before}{after}"))
    };
    let mut texts: Vec<String> = forms.iter().filter_map(cut).collect();
    let mut document = parse(text)?;
    if let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_mut) {
        servers.remove(NAME);
    }
    texts.push(document.to_string());
    Ok(texts)
}

/// Whether one text has the values of the other without its entry.
pub fn leaves(text: &str, old: &str) -> bool {
    let (Ok(mut expected), Ok(found)) = (parse(text), parse(old)) else { return false };
    if let Some(servers) = expected.get_mut(SERVERS).and_then(Item::as_table_mut) {
        servers.remove(NAME);
    }
    let plain = |document: &DocumentMut| {
        let mut value: toml::Table = toml::from_str(&document.to_string()).ok()?;
        value.retain(|name, servers| {
            name != SERVERS || servers.as_table().is_none_or(|servers| !servers.is_empty())
        });
        Some(value)
    };
    plain(&expected).is_some_and(|expected| Some(expected) == plain(&found))
}
