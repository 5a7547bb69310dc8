//! `asof query --schema`: what a query can read.

use asof::EngineError;
use asof_query::{data_source, data_sources};
use asof_wire::{DataSources, SourceSummary};
use serde_json::json;

use super::context::Context;
use super::globals::Format;
use super::output;

/// Lists relations and views, or describes the one of this name.
pub fn run(context: &Context, name: &str) -> anyhow::Result<()> {
    if name.is_empty() {
        let items: Vec<SourceSummary> = data_sources().iter().map(SourceSummary::from).collect();
        let answer = DataSources { total: items.len(), items };
        if context.format() == Format::Json {
            return output::json(context, &answer);
        }
        let columns = [("name", "{name}"), ("kind", "{kind}"), ("in a script", "{written}")];
        let rows = answer.items.iter().map(|source| {
            json!({ "name": source.name, "kind": source.kind, "written": written(source) })
        });
        let rows = json!({ "items": rows.collect::<Vec<_>>(), "total": answer.total });
        return output::rows(context, &rows, &columns);
    }
    let source = data_source(name).map_err(EngineError::from)?;
    if context.format() == Format::Json {
        return output::json(context, &source);
    }
    let kind = match (source.kind.as_str(), source.versioned) {
        ("relation", true) => "versioned relation",
        (kind, _) => kind,
    };
    context.note(&format!("{kind} {}: {}", source.name, source.doc));
    let columns =
        [("column", "{name}"), ("type", "{type}"), ("key", "{key}"), ("meaning", "{doc}")];
    let rows = source.items.iter().map(|column| {
        let key = if column.key { "key" } else { "" };
        json!({ "name": column.name, "type": column.kind, "key": key, "doc": column.doc })
    });
    let rows = json!({ "items": rows.collect::<Vec<_>>() });
    output::rows(context, &rows, &columns)
}

/// How a script reads a relation or view, with all its columns.
fn written(source: &SourceSummary) -> String {
    let columns = source.columns.join(", ");
    match source.kind.as_str() {
        "view" => format!("{}[{columns}]", source.name),
        _ => format!("*{}{{{columns}}}", source.name),
    }
}
