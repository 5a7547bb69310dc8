//! Outlines of items and files, and what other crates can name.

use asof::model::NodeId;
use asof::wire::{Answer, ApiItem, OutlineEntry};
use asof::{Hidden, Members, Snapshot};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use super::show::meant;
use crate::mcp::page::{Pager, Reply};
use crate::mcp::tool::{self, Call, Effect, Offered, Tool};
use crate::surface::problem::Problem;
use crate::surface::target;
use crate::surface::text;

pub const TOOL: Tool = Tool {
    name: "outline",
    title: "Outline",
    description: "Use first to learn what a file, module or type contains: signatures of its \
                  items and impls with line numbers, without bodies.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: tool::input::<Arguments>,
    output: tool::output::<Answer<OutlineEntry>>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// crate (the root module), crate::module::Type, src/lib.rs, src/folder
    path: String,
    /// Levels, submodules and trait impls included; default 2 without those
    depth: Option<u32>,
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let path = arguments.path.as_str();
    let answer = target::outline(snapshot, (path, path), arguments.depth, || {
        Ok::<_, Problem>(meant(snapshot, path)?.iter().map(|item| item.id).collect())
    })?;
    pager.list(snapshot.basis(), &answer, |answer: &Answer<OutlineEntry>| {
        text::outline(&answer.items)
    })
}

pub const API: Tool = Tool {
    name: "public_api",
    title: "Public interface",
    description: "Use to see what other crates can name: public paths of a library or module, \
                  re-exports included, with signatures.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<ApiArguments>,
    output: tool::output::<Answer<ApiItem>>,
    run: api,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct ApiArguments {
    /// Module; default every library of the workspace
    path: Option<String>,
    /// Methods, fields and variants too
    #[serde(default)]
    members: bool,
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

fn api(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, API.name, given, api_answer)
}

fn api_answer(
    arguments: ApiArguments,
    snapshot: &Snapshot<'_>,
    pager: &Pager,
) -> Result<Reply, Problem> {
    let modules: Vec<NodeId> = match &arguments.path {
        Some(path) => meant(snapshot, path)?.iter().map(|item| item.id).collect(),
        None => Vec::new(),
    };
    let members = if arguments.members { Members::List } else { Members::LeaveOut };
    let answer = snapshot.api(&modules, members, Hidden::LeaveOut, Some(pager.limit()))?;
    pager.list(snapshot.basis(), &answer, |answer: &Answer<ApiItem>| {
        let line = |item: &ApiItem| {
            let line = item.line.map_or_else(String::new, |line| format!(":{line}"));
            let (kind, path, file) = (&item.kind, &item.path, &item.file_path);
            format!("{kind} {path}  {file}{line}  {}\n", item.signature)
        };
        answer.items.iter().map(line).collect()
    })
}
