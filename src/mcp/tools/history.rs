//! `history`: the versions of an item.

use asof_wire::History;

use super::past::lines;
use crate::tool::{self, Argument, Effect, Offered, Tool, arg};
use asof_surface::questions::past::{HISTORY, VersionsRequest};

pub const TOOL: Tool = Tool {
    name: "history",
    title: "History of an item",
    description: "Use to learn when and how an item changed, who changed it, or what became of \
                  one that is gone: its versions, newest first, across moves and renames.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: || tool::arguments_of::<VersionsRequest>(ARGUMENTS),
    output: tool::output::<History>,
    run: |call, given| {
        tool::ask(
            call,
            TOOL.name,
            ARGUMENTS,
            given,
            &HISTORY,
            |_, _| {},
            |found| {
                let fields = ["when", "rev", "what", "path", "file_path", "who", "titled"];
                format!("{}{}", lines(found, &fields), tool::notes(&HISTORY, found))
            },
        )
    },
};

const ARGUMENTS: &[Argument] = &[
    arg("path", "Path now, or any earlier one"),
    arg("kind", ""),
    arg("file_path", ""),
    arg("id", ""),
];
