//! `asof path`: how one item uses another, step by step.

use asof_wire::PathResult;

use super::ask;
use super::context::Context;
use super::globals::Format;
use super::output;
use asof_surface::questions::uses::{ItemPathRequest, PATH};
use asof_surface::text;

pub fn run(context: &Context, request: ItemPathRequest) -> anyhow::Result<()> {
    let found = ask::answer(context, &PATH, request)?;
    match context.format() {
        Format::Json => return output::json(context, &found),
        Format::Text => output::print(context, &text::paths(&found))?,
        _ => output::rows(context, &steps(&found)?, PATH.listing)?,
    }
    ask::notes(context, &PATH, &found, &serde_json::to_value(&found)?)
}

/// The steps of all paths as rows.
fn steps(found: &PathResult) -> anyhow::Result<serde_json::Value> {
    let mut rows = Vec::new();
    for (path, way) in (1..).zip(&found.answer.items) {
        for (step, one) in (1..).zip(&way.steps) {
            let mut row = serde_json::to_value(one)?;
            if let Some(row) = row.as_object_mut() {
                row.insert("path".to_owned(), serde_json::json!(path));
                row.insert("step".to_owned(), serde_json::json!(step));
            }
            rows.push(row);
        }
    }
    Ok(serde_json::json!({ "items": rows }))
}
