//! Paths of calls from one item to another.

use asof::Snapshot;
use asof::wire::{PathRequest, PathResult, ResolveRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::mcp::page::{Pager, Reply};
use crate::mcp::tool::{self, Call, Effect, Offered, Tool};
use crate::surface::problem::Problem;
use crate::surface::text;

pub const PATH: Tool = Tool {
    name: "call_path",
    title: "Path of calls",
    description: "Use to learn how one item reaches another: a shortest path of calls with the \
                  place of each, or whether it is proven that there is none.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<Arguments>,
    output: tool::output::<PathResult>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// Item that the calls begin at
    from: String,
    /// Item that they lead to
    to: String,
    /// Most paths; default 1
    paths: Option<u32>,
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, PATH.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let from = snapshot.symbols(&ResolveRequest::new(&arguments.from))?;
    let to = snapshot.symbols(&ResolveRequest::new(&arguments.to))?;
    let limit = arguments.paths.unwrap_or(1).clamp(1, 100);
    let request = PathRequest { limit, ..PathRequest::default() };
    let found = snapshot.use_paths(&from, &to, &request)?;
    pager.list(snapshot.basis(), &found, |found: &PathResult| {
        if !found.answer.items.is_empty() {
            return text::paths(found);
        }
        let Some(reason) = &found.reason else { return "no path: proven\n".to_owned() };
        let gap = |gap: &asof::wire::PathGap| {
            format!("  {} {} in {}\n", gap.reason, gap.text, gap.source)
        };
        let gaps: String = found.gaps.iter().map(gap).collect();
        format!("no path found; not proven: {reason}\n{gaps}")
    })
}
