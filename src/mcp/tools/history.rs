//! The versions of an item.

use asof::wire::{History, HistoryRequest, ResolveRequest, Spans};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use super::past::lines;
use super::target;
use crate::mcp::page::{Pager, Reply};
use crate::mcp::tool::{self, Call, Effect, Offered, Tool};
use crate::mcp::workspace::snapshot;
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
    let pager = Pager::new(call, TOOL.name, &given)?;
    let arguments: Arguments = tool::arguments(given)?;
    let database = call.workspace.database(call)?;
    let snapshot = snapshot(call, &database, arguments.at.as_deref())?;
    let request = HistoryRequest {
        item: ResolveRequest {
            path: arguments.path,
            kind: arguments.kind.as_deref().map(target::kind).transpose()?,
            file_path: arguments.file_path,
            package: None,
        },
        id: arguments.id,
        limit: Some(pager.limit()),
        spans: Spans::Without,
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
