//! What a path means.

use asof::Snapshot;
use asof::wire::{Mode, Resolution};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use super::target::{self, candidate};
use crate::mcp::page::{Pager, Reply};
use crate::mcp::tool::{self, Call, Effect, Offered, Tool};
use crate::surface::problem::Problem;
use crate::surface::text;

pub const TOOL: Tool = Tool {
    name: "resolve",
    title: "Find a definition",
    description: "Use to find where an item is defined, by a whole path, the end of one or a \
                  bare name: file, lines, signature, hashes; several matches are listed.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<Arguments>,
    output: tool::output::<Resolution>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// crate::a::f, Type::method, <T as Trait>::m, name
    path: String,
    /// function, struct, method, …
    kind: Option<String>,
    file_path: Option<String>,
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let Arguments { path, kind, file_path, .. } = arguments;
    let found = target::of(path, kind.as_deref(), file_path, None)?.resolve_anywhere(snapshot)?;
    found.any()?;
    pager.list(snapshot.basis(), &found, |found: &Resolution| {
        let mut out = match found.items() {
            [one] if found.answer.total == 1 => text::item(one),
            many => many.iter().map(|item| format!("{}\n", candidate(item))).collect(),
        };
        if found.mode == Mode::Relaxed {
            out.push_str("found by a relaxed match: the path is not the canonical one\n");
        }
        out
    })
}
