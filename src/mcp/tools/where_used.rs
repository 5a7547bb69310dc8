//! `where_used`: users of an item.

use asof_model::RefKind;
use asof_wire::{Call as Caller, CallsResult, ImpactResult, WhereUsedResult};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::page::Reply;
use crate::tool::{self, Argument, Call, Effect, Offered, Tool, arg, flag};
use asof_surface::problem::Problem;
use asof_surface::questions::uses::{
    CALLEES, CALLERS, CallersRequest, IMPACT, REFS, RefsRequest, UNRESOLVED,
};
use asof_surface::questions::{Question, Request};
use asof_surface::text;

pub const TOOL: Tool = Tool {
    name: "where_used",
    title: "Who uses an item",
    description: "Use instead of text search to find uses of an item by resolved names: places \
                  of use, callers, callees, or everything a change may affect (impact). Says \
                  whether an empty answer is proven.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: || tool::arguments_of::<Arguments>(ARGUMENTS),
    output: tool::output::<AnyUses>,
    run,
};

/// What the answer is depends on the relation.
#[derive(Debug, JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
#[schemars(untagged)]
enum AnyUses {
    Uses(Box<WhereUsedResult>),
    Calls(Box<CallsResult>),
    Impact(Box<ImpactResult>),
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Relation {
    #[default]
    Uses,
    Callers,
    Callees,
    Impact,
    /// Unresolved uses of the name.
    Unresolved,
}

const ARGUMENTS: &[Argument] = &[
    arg("path", "crate::a::f, Type::method, std::fs::read, std::fs::*"),
    arg("relation", ""),
    arg("depth", "Steps to follow: callers and callees 1, impact 8"),
    flag("snippets", "Five lines around each place"),
    flag("exclude_tests", ""),
    flag("guesses", "Calls on receivers of unknown type too"),
    flag("implementations", "Of a trait's method: also uses of the methods that implement it"),
    tool::CONFIGURATION,
    arg("kind", "Kind, file or id: to choose one of several matches"),
    arg("file_path", ""),
    arg("id", ""),
    flag("all", "Of every match"),
];

/// The request of the relation that takes most arguments, and the relation.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct Arguments {
    #[serde(flatten)]
    request: CallersRequest,
    #[serde(default)]
    relation: Relation,
}

fn run(call: &Call, mut given: Json) -> Result<Reply, Problem> {
    let fields = given.as_object_mut();
    let relation = fields.and_then(|fields| fields.remove("relation"));
    let relation = relation.map_or(Ok(Relation::Uses), tool::arguments)?;
    // Uses have one step.
    if let (Relation::Uses | Relation::Unresolved, Some(fields)) = (relation, given.as_object_mut())
    {
        fields.remove("depth");
    }
    let tool = &*format!("{}/{relation:?}", TOOL.name);
    match relation {
        Relation::Uses => tool::answer(call, tool, ARGUMENTS, given, &REFS),
        Relation::Unresolved => {
            let unresolved = |request: &mut RefsRequest, _: &_| request.unresolved = true;
            tool::ask(call, tool, ARGUMENTS, given, &UNRESOLVED, unresolved, |found| {
                tool::text(&UNRESOLVED, found)
            })
        }
        Relation::Callers => listed(call, tool, given, &CALLERS),
        Relation::Callees => listed(call, tool, given, &CALLEES),
        Relation::Impact => tool::answer(call, tool, ARGUMENTS, given, &IMPACT),
    }
}

/// Each caller or callee in a line of its own, so that a page can begin anywhere.
fn listed<R: Request>(
    call: &Call,
    tool: &str,
    given: Json,
    question: &Question<R, CallsResult>,
) -> Result<Reply, Problem> {
    let text = |found: &CallsResult| calls(found, tool::notes(question, found));
    tool::ask(call, tool, ARGUMENTS, given, question, |_, _| {}, text)
}

fn calls(found: &CallsResult, notes: String) -> String {
    let mut out: String = found.symbols.iter().map(text::uses::heading).collect();
    for call in &found.answer.items {
        out.push_str(&line(call));
        out.push_str(&text::uses::site_snippets(call, "    "));
    }
    out.push_str(&notes);
    out
}

fn line(call: &Caller) -> String {
    let reached = &call.reached;
    let site = text::uses::sites(call);
    let depth = match reached.route.as_slice() {
        [.., via, _] if reached.depth > 1 => format!("  step {} by {via}", reached.depth),
        _ => String::new(),
    };
    let kind = match reached.use_kind {
        RefKind::Call | RefKind::MethodCall => String::new(),
        other => format!("  {other}"),
    };
    let test = if reached.in_test { "  test" } else { "" };
    let doubt = text::uses::doubt(reached.confidence);
    let under = text::uses::under(reached.other_condition.as_deref());
    format!("  {}{site}{kind}{depth}{doubt}{test}{under}\n", reached.item.path)
}
