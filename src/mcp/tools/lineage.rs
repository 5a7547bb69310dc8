//! What an item depends on, and what depends on it, transitively.

use asof::Snapshot;
use asof::wire::{Direction, LineageRequest, LineageResult, UseRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use super::target::{self, WORDS};
use crate::mcp::hint;
use crate::mcp::page::{Pager, Reply};
use crate::mcp::tool::{self, Call, Effect, Offered, Tool};
use crate::surface::problem::Problem;
use crate::surface::target::Matches;
use crate::surface::text;

pub const TOOL: Tool = Tool {
    name: "lineage",
    title: "Dependencies of an item",
    description: "Use to follow dependencies over several steps: upstream is what an item depends \
                  on, downstream what depends on it, by any kind of use.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<Arguments>,
    output: tool::output::<LineageResult>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    path: String,
    direction: Direction,
    /// Steps; default 3
    depth: Option<u32>,
    /// Uses to follow from each item, the most certain first
    breadth: Option<usize>,
    kind: Option<String>,
    file_path: Option<String>,
    id: Option<String>,
    #[serde(default)]
    all: bool,
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

const DEPTH: u32 = 3;

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let Arguments { path, kind, file_path, id, .. } = arguments;
    let target = target::of(path, kind.as_deref(), file_path, id)?;
    let symbols = target.symbols(snapshot, Matches::all(arguments.all), &WORDS)?;
    let request = LineageRequest {
        direction: arguments.direction,
        depth: arguments.depth.unwrap_or(DEPTH),
        breadth: arguments.breadth,
        uses: UseRequest { limit: Some(pager.limit()), ..UseRequest::default() },
    };
    let mut found = snapshot.lineage(&symbols, &request)?;
    if let Some(known) = &mut found.certainty {
        hint::explain(known);
    }
    pager.list(snapshot.basis(), &found, |found: &LineageResult| {
        let total = found.answer.total;
        let known = found.certainty.as_ref();
        let known = known.map_or_else(String::new, |known| hint::certainty(known, total));
        format!("{}{}\n{known}", text::uses::lineage(found), text::plural(total, "item"))
    })
}
