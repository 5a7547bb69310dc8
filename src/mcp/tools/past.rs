//! Operations and last changes.

use asof::Snapshot;
use asof::wire::{Blame, Log, LogRequest, Merges};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::mcp::page::{Pager, Reply};
use crate::mcp::tool::{self, Call, Effect, Offered, Tool};
use crate::mcp::workspace::when;
use crate::surface::problem::Problem;
use crate::surface::target::{Target, is_file};
use crate::surface::text::past;

/// The items of a listing of the past, a line each, with these fields.
pub fn lines(answer: &impl Serialize, fields: &[&str]) -> String {
    let mut answer = serde_json::to_value(answer).unwrap_or_default();
    let mut out = String::new();
    for item in answer.get_mut("items").and_then(Json::as_array_mut).into_iter().flatten() {
        past::shorten(item);
        let text = |name: &&str| match item.get(*name) {
            Some(Json::String(text)) => text.clone(),
            None | Some(Json::Null) => String::new(),
            Some(other) => format!("{name} {other}"),
        };
        let cells: Vec<String> = fields.iter().map(text).filter(|cell| !cell.is_empty()).collect();
        out.push_str(&format!("{}\n", cells.join("  ")));
    }
    out
}

pub const LOG: Tool = Tool {
    name: "log",
    title: "Revisions",
    description: "Use to list what changed the workspace and when: scans, edits, imported \
                  commits, newest first.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<LogArguments>,
    output: tool::output::<Log>,
    run: log,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct LogArguments {
    /// Only what touched this file, folder or item
    path: Option<String>,
    /// A moment
    since: Option<String>,
    /// A moment
    until: Option<String>,
    actor: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

fn log(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, LOG.name, given, revisions)
}

fn revisions(
    arguments: LogArguments,
    snapshot: &Snapshot<'_>,
    pager: &Pager,
) -> Result<Reply, Problem> {
    let moment = |text: Option<String>| text.map(|text| when(Some(&text))).transpose();
    let request = LogRequest {
        path: arguments.path,
        since: moment(arguments.since)?,
        until: moment(arguments.until)?,
        actor: arguments.actor,
        limit: Some(pager.limit()),
        ..LogRequest::default()
    };
    let found = snapshot.log(&request)?;
    pager.list(snapshot.basis(), &found, |found: &Log| {
        let fields = ["when", "rev", "cause", "who", "titled", "files", "added", "removed"];
        lines(found, &[fields.as_slice(), &["changed"]].concat())
    })
}

pub const BLAME: Tool = Tool {
    name: "blame",
    title: "Last changes",
    description: "Use to see who last changed each item of a file, module or type, and when.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<BlameArguments>,
    output: tool::output::<Blame>,
    run: blame,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct BlameArguments {
    /// File or item
    path: String,
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

fn blame(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, BLAME.name, given, last_changes)
}

fn last_changes(
    arguments: BlameArguments,
    snapshot: &Snapshot<'_>,
    pager: &Pager,
) -> Result<Reply, Problem> {
    let found = match is_file(&arguments.path) {
        true => snapshot.blame_file(&arguments.path, Merges::Follow)?,
        false => {
            let found = Target::new(&arguments.path).resolve(snapshot)?;
            snapshot.blame_item(&arguments.path, found.one()?, Merges::Follow)?
        }
    };
    pager.list(snapshot.basis(), &found, |found: &Blame| {
        lines(found, &["indented", "kind", "age", "rev", "who", "what", "title"])
    })
}
