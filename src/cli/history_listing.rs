//! Shared by listings of the past: short forms of times, revisions, classes and ages.

use serde::Serialize;
use serde_json::Value as Json;

use super::context::Context;
use super::globals::Format;
use super::output::{self, Listing};
use crate::surface::text::past;

/// Writes an answer with `items` as a listing. Columns may name short forms too: `when`, `rev`,
/// `what`, `who`, `note`, `age`.
pub fn listing(
    context: &Context,
    answer: &impl Serialize,
    listing: Listing<'_>,
) -> anyhow::Result<()> {
    let mut answer = serde_json::to_value(answer)?;
    if context.format() == Format::Json && context.fields().is_empty() {
        return output::listing(context, &answer, listing);
    }
    for item in answer.get_mut("items").and_then(Json::as_array_mut).into_iter().flatten() {
        past::shorten(item);
    }
    output::listing(context, &answer, listing)?;
    let reason = answer.get("merges_not_followed").and_then(Json::as_str);
    if let (Some(reason), true) = (reason, context.format() != Format::Json) {
        context.note(&format!("merges could not be followed: {reason}"));
    }
    let floor = answer.get("dropped_before").and_then(Json::as_str);
    if let (Some(floor), true) = (floor, context.format() != Format::Json) {
        context.note(&format!("versions before {floor} were dropped by `asof gc`"));
    }
    Ok(())
}
