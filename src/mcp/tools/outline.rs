//! Outlines of items and files, and what other crates can name.

use asof_wire::{Answer, ApiItem, OutlineEntry};

use crate::tool::{self, Argument, Effect, Offered, Tool, arg, flag};
use asof_surface::questions::items::{self, ApiRequest, OutlineRequest};

pub const TOOL: Tool = Tool {
    name: "outline",
    title: "Outline",
    description: "Use first to learn what a file, module or type contains: signatures of its \
                  items and impls with line numbers, without bodies.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: || tool::arguments_of::<OutlineRequest>(ARGUMENTS),
    output: tool::output::<Answer<OutlineEntry>>,
    run: |call, given| tool::answer(call, TOOL.name, ARGUMENTS, given, &items::OUTLINE),
};

const ARGUMENTS: &[Argument] = &[
    arg("path", "crate (the root module), crate::module::Type, src/lib.rs, src/folder"),
    arg("depth", "Levels, submodules and trait impls included; default 2 without those"),
];

pub const API: Tool = Tool {
    name: "public_api",
    title: "Public interface",
    description: "Use to see what other crates can name: public paths of a library or module, \
                  re-exports included, with signatures.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: || tool::arguments_of::<ApiRequest>(API_ARGUMENTS),
    output: tool::output::<Answer<ApiItem>>,
    run: |call, given| {
        let public = |request: &mut ApiRequest, _: &_| request.no_hidden = true;
        tool::ask(call, API.name, API_ARGUMENTS, given, &items::API, public, |found| {
            tool::text(&items::API, found)
        })
    },
};

const API_ARGUMENTS: &[Argument] = &[
    arg("path", "Module; default every library of the workspace"),
    flag("members", "Methods, fields and variants too"),
];
