//! `request_code_context`: code for a task, within a number of tokens.

use asof_engine::Snapshot;
use asof_wire::{CodeContext, CodeContextRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::page::{self, Pager, Reply, basis_line};
use crate::tool::{self, Call, Effect, Offered, Tool};
use asof_surface::problem::Problem;
use asof_surface::text;

pub const TOOL: Tool = Tool {
    name: "request_code_context",
    title: "Code for a task",
    description: "Use when you begin a task: as much relevant code as fits in a number of tokens, \
                  best first, signatures where bodies do not fit, and what was left out.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: tool::input::<Arguments>,
    output: tool::output::<CodeContext>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the snapshot reads some")]
struct Arguments {
    /// The task in words, or names; without it, recent and central code
    hint: Option<String>,
    /// Up to 10000; default 3000
    token_budget: Option<usize>,
    #[serde(default)]
    exclude_tests: bool,
    /// Moment, as in show
    at: Option<String>,
    configuration: Option<String>,
}

const BUDGET: usize = 3_000;
const MOST: usize = 10_000;

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, _: &Pager) -> Result<Reply, Problem> {
    let request = CodeContextRequest {
        token_budget: arguments.token_budget.unwrap_or(BUDGET).min(MOST),
        hint: arguments.hint,
        exclude_tests: arguments.exclude_tests,
    };
    page::counted(&snapshot.code_context(&request)?, |found: &CodeContext| {
        let notes = found.notes.iter().map(|note| format!("{note}\n"));
        let code = [text::context::code(found)].into_iter();
        code.chain(notes).chain([basis_line(&found.basis)]).collect()
    })
}
