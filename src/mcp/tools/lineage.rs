//! `lineage`: what an item depends on, and what depends on it, transitively.

use asof_wire::LineageResult;
use serde_json::Value as Json;

use crate::page::Reply;
use crate::tool::{self, Argument, Call, Effect, Offered, Tool, arg, flag};
use asof_surface::problem::Problem;
use asof_surface::questions::uses::{DependencyRequest, LINEAGE};

pub const TOOL: Tool = Tool {
    name: "lineage",
    title: "Dependencies of an item",
    description: "Use to follow dependencies over several steps: upstream is what an item depends \
                  on, downstream what depends on it, by any kind of use.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: || tool::arguments_of::<DependencyRequest>(ARGUMENTS),
    output: tool::output::<LineageResult>,
    run,
};

const ARGUMENTS: &[Argument] = &[
    arg("path", ""),
    arg("direction", "default downstream"),
    arg("depth", "Steps; default 3"),
    arg("breadth", "Uses to follow from each item, the most certain first"),
    tool::CONFIGURATION,
    arg("kind", ""),
    arg("file_path", ""),
    arg("id", ""),
    flag("all", ""),
];

const DEPTH: u32 = 3;

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    let has_depth = given.get("depth").is_some();
    tool::ask(
        call,
        TOOL.name,
        ARGUMENTS,
        given,
        &LINEAGE,
        |request, _| request.depth = if has_depth { request.depth } else { DEPTH },
        |found| tool::text(&LINEAGE, found),
    )
}
