//! The versions of an item.

use asof::Snapshot;
use asof::wire::{History, HistoryRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use super::past::lines;
use super::target;
use crate::mcp::page::{Pager, Reply};
use crate::mcp::tool::{self, Call, Effect, Offered, Tool};
use crate::surface::problem::Problem;

pub const TOOL: Tool = Tool {
    name: "history",
    title: "History of an item",
    description: "Use to learn when and how an item changed, who changed it, or what became of \
                  one that is gone: its versions, newest first, across moves and renames.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: tool::input::<Arguments>,
    output: tool::output::<History>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// Path now, or any earlier one
    path: String,
    kind: Option<String>,
    file_path: Option<String>,
    id: Option<String>,
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let Arguments { path, kind, file_path, id, .. } = arguments;
    let target = target::of(path, kind.as_deref(), file_path, id)?;
    let request = HistoryRequest {
        item: target.request,
        id: target.id,
        limit: Some(pager.limit()),
        ..HistoryRequest::default()
    };
    let found = snapshot.history(&request)?;
    pager.list(snapshot.basis(), &found, |found: &History| {
        let mut out = match found.present {
            true => String::new(),
            false => format!("`{}` no longer exists\n", found.query),
        };
        out.push_str(&lines(found, &["when", "rev", "what", "path", "file_path", "who", "titled"]));
        if let Some(floor) = &found.dropped_before {
            out.push_str(&format!("versions before {floor} were dropped\n"));
        }
        out
    })
}
