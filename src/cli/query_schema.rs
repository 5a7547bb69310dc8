//! `asof query --schema`: what a query can read.

use asof::engine::EngineError;
use asof::query::{DataSource, data_source, data_sources};
use serde_json::{Value as Json, json};

use super::args::Format;
use super::context::Context;
use super::output;

/// Lists relations and views, or describes the one of this name.
pub fn run(context: &Context, name: &str) -> anyhow::Result<()> {
    if name.is_empty() {
        let items: Vec<Json> = data_sources().iter().map(in_short).collect();
        let answer = json!({ "total": items.len(), "items": items });
        if context.format() == Format::Json {
            return output::json(context, &answer);
        }
        let columns = [("name", "{name}"), ("kind", "{kind}"), ("columns", "{signature}")];
        return output::rows(context, &answer, &columns);
    }
    let source = data_source(name).map_err(EngineError::from)?;
    let answer = in_full(&source);
    if context.format() == Format::Json {
        return output::json(context, &answer);
    }
    let kind = match (source.kind.as_str(), source.versioned) {
        ("relation", true) => "versioned relation",
        (kind, _) => kind,
    };
    output::note(context, &format!("{kind} {}: {}", source.name, source.doc));
    let columns =
        [("column", "{name}"), ("type", "{type}"), ("key", "{mark}"), ("meaning", "{doc}")];
    output::rows(context, &answer, &columns)
}

fn in_short(source: &DataSource) -> Json {
    let names: Vec<&str> = source.columns.iter().map(|column| column.name.as_str()).collect();
    json!({
        "name": source.name,
        "kind": source.kind.as_str(),
        "versioned": source.versioned,
        "doc": source.doc,
        "columns": names,
        "signature": names.join(", "),
    })
}

fn in_full(source: &DataSource) -> Json {
    let columns = source.columns.iter().map(|column| {
        json!({
            "name": column.name,
            "type": column.kind,
            "key": column.key,
            "mark": if column.key { "key" } else { "" },
            "doc": column.doc,
        })
    });
    json!({
        "name": source.name,
        "kind": source.kind.as_str(),
        "versioned": source.versioned,
        "doc": source.doc,
        "items": columns.collect::<Vec<_>>(),
    })
}
