//! `call_path`: paths of calls from one item to another.

use asof_wire::PathResult;
use serde_json::Value as Json;

use crate::page::Reply;
use crate::tool::{self, Argument, Call, Effect, Offered, Tool, arg, number};
use asof_surface::problem::Problem;
use asof_surface::questions::uses;

pub const PATH: Tool = Tool {
    name: "call_path",
    title: "Path of calls",
    description: "Use to learn how one item reaches another: a shortest path of calls with the \
                  place of each, or whether it is proven that there is none.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: || tool::arguments_of::<uses::ItemPathRequest>(ARGUMENTS),
    output: tool::output::<PathResult>,
    run,
};

const ARGUMENTS: &[Argument] = &[
    arg("from", "Item that the calls begin at"),
    arg("to", "Item that they lead to"),
    number("paths", "Most paths; default 1"),
];

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::ask(
        call,
        PATH.name,
        ARGUMENTS,
        given,
        &uses::PATH,
        |request, _| request.paths.limit = request.paths.limit.clamp(1, 100),
        |found| tool::text(&uses::PATH, found),
    )
}
