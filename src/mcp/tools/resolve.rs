//! `resolve`: the definitions that a path means.

use asof_wire::{Mode, Resolution};

use crate::hint::candidate;
use crate::tool::{self, Argument, Effect, Offered, Tool, arg};
use asof_surface::questions::items::RESOLVE;
use asof_surface::target::Target;
use asof_surface::text;

pub const TOOL: Tool = Tool {
    name: "resolve",
    title: "Find a definition",
    description: "Use to find where an item is defined, by a whole path, the end of one or a \
                  bare name: file, lines, signature, hashes; several matches are listed.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: || tool::arguments_of::<Target>(ARGUMENTS),
    output: tool::output::<Resolution>,
    run: |call, given| tool::ask(call, TOOL.name, ARGUMENTS, given, &RESOLVE, |_, _| {}, items),
};

const ARGUMENTS: &[Argument] = &[
    arg("path", "crate::a::f, Type::method, <T as Trait>::m, name"),
    arg("kind", "function, struct, method, …"),
    arg("file_path", ""),
];

fn items(found: &Resolution) -> String {
    let mut out = match found.items() {
        [one] if found.answer.total == 1 => text::item(one),
        many => many.iter().map(|item| format!("{}\n", candidate(item))).collect(),
    };
    if found.mode == Mode::Relaxed {
        out.push_str("found by a relaxed match: the path is not the canonical one\n");
    }
    out
}
