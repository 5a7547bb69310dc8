//! Operations and last changes.

use asof_model::OrNever;
use asof_wire::{Blame, Log, LogRequest};

use serde::Serialize;
use serde_json::Value as Json;

use crate::tool::{self, Argument, Effect, Offered, Tool, arg};
use asof_surface::questions::past::{self, BlameRequest};
use asof_surface::text::past::shorten_items;

/// The items of a listing of the past, a line each, with these fields.
pub fn lines(answer: &impl Serialize, fields: &[&str]) -> String {
    let mut answer = serde_json::to_value(answer).or_never("an answer is plain data");
    let mut out = String::new();
    shorten_items(&mut answer);
    for item in answer.get("items").and_then(Json::as_array).into_iter().flatten() {
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
    input: || tool::arguments_of::<LogRequest>(LOG_ARGUMENTS),
    output: tool::output::<Log>,
    run: |call, given| {
        tool::ask(
            call,
            LOG.name,
            LOG_ARGUMENTS,
            given,
            &past::LOG,
            |_, _| {},
            |found| {
                let fields = ["when", "rev", "cause", "who", "titled", "files", "added", "removed"];
                lines(found, &[fields.as_slice(), &["changed"]].concat())
            },
        )
    },
};

const LOG_ARGUMENTS: &[Argument] = &[
    arg("path", "Only what touched this file, folder or item"),
    arg("since", "A moment"),
    arg("until", "A moment"),
    arg("actor", ""),
];

pub const BLAME: Tool = Tool {
    name: "blame",
    title: "Last changes",
    description: "Use to see who last changed each item of a file, module or type, and when.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: || tool::arguments_of::<BlameRequest>(BLAME_ARGUMENTS),
    output: tool::output::<Blame>,
    run: |call, given| {
        tool::ask(
            call,
            BLAME.name,
            BLAME_ARGUMENTS,
            given,
            &past::BLAME,
            |_, _| {},
            |found| {
                let fields = ["indented", "kind", "age", "rev", "who", "what", "title"];
                format!("{}{}", lines(found, &fields), tool::notes(&past::BLAME, found))
            },
        )
    },
};

const BLAME_ARGUMENTS: &[Argument] = &[arg("path", "File or item")];
