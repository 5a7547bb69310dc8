//! Parsing a request.

use serde::Deserialize;
use serde_json::Value as Json;

use super::edit::{Edit, EditRequest};

/// A request to edit that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct MalformedEdit {
    /// Where it is wrong, and what is expected.
    pub reason: String,
}

impl EditRequest {
    /// Parses a request from JSON. The error says where it is wrong, and what is expected.
    pub fn parse(text: &str) -> Result<Self, MalformedEdit> {
        let request: Self = serde_json::from_str(text)
            .map_err(|error| MalformedEdit { reason: located(text, &error) })?;
        if request.edits.is_empty() {
            return Err(MalformedEdit { reason: "`edits` is empty".to_owned() });
        }
        Ok(request)
    }
}

/// The error of a request with its field: `edits[2].position: …`. Only syntax errors have a
/// position in the text.
fn located(text: &str, error: &serde_json::Error) -> String {
    let Ok(json) = serde_json::from_str::<Json>(text) else { return error.to_string() };
    let Some(edits) = json.get("edits").and_then(Json::as_array) else { return error.to_string() };
    let wrong = edits.iter().enumerate().find_map(|(at, edit)| {
        let error = Edit::deserialize(edit).err()?;
        Some((at, edit, error.to_string()))
    });
    let Some((at, edit, reason)) = wrong else { return error.to_string() };
    let Some(fields) = edit.as_object() else { return format!("edits[{at}]: {reason}") };
    let mode = fields.get("mode").and_then(Json::as_str);
    if mode.is_none_or(|mode| !Edit::MODES.contains(&mode)) {
        return format!("edits[{at}].mode: {reason}");
    }
    // The error of an invalid value does not name the field. Without that field the error differs.
    let is_wrong = |name: &&String| {
        let mut rest = fields.clone();
        rest.remove(*name);
        Edit::deserialize(&Json::Object(rest)).err().is_none_or(|error| error.to_string() != reason)
    };
    let names_field = reason.starts_with("missing field") || reason.starts_with("unknown field");
    let field = fields.keys().filter(|name| *name != "mode").find(is_wrong);
    match field.filter(|_| !names_field) {
        Some(field) => format!("edits[{at}].{field}: {reason}"),
        None => format!("edits[{at}]: {reason}"),
    }
}
