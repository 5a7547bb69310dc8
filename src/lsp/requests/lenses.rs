//! Code lenses of items: their users, and when they changed. They are off unless the client asks
//! for them, so that those of another server are not shown twice.

use asof_model::{NodeId, NodeKind};
use asof_wire::{Symbol, UseRequest};
use gen_lsp_types::{CodeLens, CodeLensParams};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::hover::{describe_version, newest};
use crate::session::{Call, Failure};
use crate::view::View;
use asof_surface::text::plural;

/// Steps from a test to what it reaches.
const DEPTH: u32 = 5;

/// What a client passes back.
#[derive(Debug, Serialize, Deserialize)]
struct Data {
    uri: String,
    id: NodeId,
    what: What,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum What {
    Uses,
    Tests,
    Changed,
}

pub fn lenses(call: &Call, params: CodeLensParams) -> Result<Option<Vec<Json>>, Failure> {
    if !call.session.settings.lenses {
        return Ok(Some(Vec::new()));
    }
    let uri = &params.text_document.uri;
    View::with_document(call, uri, |view, path| {
        let source = view.source(path)?;
        let has_lenses = |kind| {
            use NodeKind::{Enum, Function, Method, Struct, Trait};
            matches!(kind, Function | Method | Struct | Enum | Trait)
        };
        let mut found = Vec::new();
        for item in source.items.iter().filter(|item| has_lenses(item.kind)) {
            let name = source.name_from(item.name_start);
            let range = source.lines.range(name.start, name.end, call.session.encoding);
            let is_called = matches!(item.kind, NodeKind::Function | NodeKind::Method);
            let tests = is_called.then_some(What::Tests);
            for what in [What::Uses, What::Changed].into_iter().chain(tests) {
                let data = Data { uri: uri.0.clone(), id: item.id, what };
                found.push(json!({ "range": range, "data": data }));
            }
        }
        Ok(found)
    })
}

pub fn resolve(call: &Call, lens: CodeLens) -> Result<Json, Failure> {
    let data = lens.data.clone().and_then(|data| serde_json::from_value::<Data>(data).ok());
    let data = data.ok_or_else(|| Failure::Invalid("the lens is not of this server".to_owned()))?;
    let uri = gen_lsp_types::Uri(data.uri.clone());
    let title = View::with_document(call, &uri, |view, _| {
        let Some(item) = view.snapshot.items(&[data.id])?.into_iter().next() else {
            return Ok(String::new());
        };
        Ok(match data.what {
            What::Changed => {
                newest(view, &item)?.map_or(String::new(), |version| describe_version(&version))
            }
            What::Uses => {
                let request = UseRequest { limit: Some(1), ..UseRequest::default() };
                let used = view.snapshot.uses(&[Symbol::from(&item)], &request)?;
                plural(used.answer.total, "use")
            }
            What::Tests => {
                let uses = UseRequest { limit: Some(1), ..UseRequest::default() };
                let found = view.snapshot.impact(&[Symbol::from(&item)], DEPTH, &uses)?;
                match found.summary.in_tests {
                    1 => "1 test reaches it".to_owned(),
                    n => format!("{n} tests reach it"),
                }
            }
        })
    })?;
    let command = match data.what {
        What::Changed => "asof.history",
        What::Tests => "asof.testsAffected",
        What::Uses => "asof.impact",
    };
    let arguments = json!([{ "uri": data.uri, "id": data.id, "show": true }]);
    let title = title.unwrap_or_default();
    Ok(json!({
        "range": lens.range,
        "command": { "title": title, "command": command, "arguments": arguments },
    }))
}
