//! Who uses an item.

use asof::Snapshot;
use asof::model::RefKind;
use asof::wire::{
    Call as Caller, CallsResult, Certainty, Direction, Guesses, ImpactResult, Implementations,
    Snippets, Tests, UseRequest, WhereUsedResult,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use super::target::{self, WORDS};
use crate::mcp::hint;
use crate::mcp::page::{Pager, Reply};
use crate::mcp::tool::{self, Call, Effect, Offered, Tool};
use crate::surface::problem::Problem;
use crate::surface::target::Matches;
use crate::surface::text;
use crate::surface::text::plural;

pub const TOOL: Tool = Tool {
    name: "where_used",
    title: "Who uses an item",
    description: "Use instead of text search to find uses of an item by resolved names: places \
                  of use, callers, callees, or everything a change may affect (impact). Says \
                  whether an empty answer is proven.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: tool::input::<Arguments>,
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

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// crate::a::f, Type::method, std::fs::read, std::fs::*
    path: String,
    #[serde(default)]
    relation: Relation,
    /// Steps to follow: callers and callees 1, impact 8
    depth: Option<u32>,
    /// Five lines around each place
    #[serde(default)]
    snippets: bool,
    #[serde(default)]
    exclude_tests: bool,
    /// Calls on receivers of unknown type too
    #[serde(default)]
    guesses: bool,
    /// Of a trait's method: also uses of the methods that implement it
    #[serde(default)]
    implementations: bool,
    /// Kind, file or id: to choose one of several matches
    kind: Option<String>,
    file_path: Option<String>,
    id: Option<String>,
    /// Of every match
    #[serde(default)]
    all: bool,
    at: Option<String>,
    cursor: Option<String>,
    max_tokens: Option<u32>,
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

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let Arguments { path, kind, file_path, id, .. } = arguments;
    let target = target::of(path, kind.as_deref(), file_path, id)?;
    let symbols = target.symbols(snapshot, Matches::all(arguments.all), &WORDS)?;
    let request = UseRequest {
        tests: if arguments.exclude_tests { Tests::Exclude } else { Tests::Include },
        snippets: if arguments.snippets { Snippets::Lines } else { Snippets::None },
        guesses: if arguments.guesses { Guesses::Show } else { Guesses::LeaveOut },
        implementations: match arguments.implementations {
            true => Implementations::Show,
            false => Implementations::LeaveOut,
        },
        limit: Some(pager.limit()),
        ..UseRequest::default()
    };
    let basis = snapshot.basis();
    let calls = |direction| -> Result<Reply, Problem> {
        let depth = arguments.depth.unwrap_or(1);
        let mut found = snapshot.calls(&symbols, direction, depth, &request)?;
        if let Some(known) = &mut found.certainty {
            hint::explain(known);
        }
        pager.list(basis, &found, calls_text)
    };
    match arguments.relation {
        Relation::Uses => {
            let mut found = snapshot.where_used(&symbols, &request)?;
            hint::explain(&mut found.certainty);
            pager.list(basis, &found, uses_text)
        }
        Relation::Unresolved => {
            let mut found = snapshot.unresolved_uses(&symbols, &request)?;
            hint::explain(&mut found.certainty);
            pager.list(basis, &found, |found: &WhereUsedResult| {
                let total = plural(found.answer.total, "unresolved use");
                format!("{}{total}\n", text::uses::where_used(found))
            })
        }
        Relation::Callers => calls(Direction::Callers),
        Relation::Callees => calls(Direction::Callees),
        Relation::Impact => {
            let depth = arguments.depth.unwrap_or(IMPACT_DEPTH);
            let mut found = snapshot.impact(&symbols, depth, &request)?;
            if let Some(known) = &mut found.lineage.certainty {
                hint::explain(known);
            }
            pager.list(basis, &found, |found: &ImpactResult| {
                let total = found.lineage.answer.total;
                let known = certainty(found.lineage.certainty.as_ref(), total);
                let summary = text::uses::impact_summary(found);
                format!("{}{summary}\n{known}", text::uses::impact(found))
            })
        }
    }
}

const IMPACT_DEPTH: u32 = 8;

fn uses_text(found: &WhereUsedResult) -> String {
    let total = found.answer.total;
    let (uses, files) = (plural(total, "use"), plural(found.files, "file"));
    let left_out = left_out(found.guesses_left_out, Some(&found.certainty));
    let known = hint::certainty(&found.certainty, total);
    format!("{}{uses} in {files}{left_out}\n{known}", text::uses::where_used(found))
}

/// Each caller or callee in a line of its own, so that a page can begin anywhere.
fn calls_text(found: &CallsResult) -> String {
    let mut out: String = found.symbols.iter().map(text::uses::heading).collect();
    for call in &found.answer.items {
        out.push_str(&line(call));
        out.push_str(&text::uses::site_snippets(call, "    "));
    }
    let noun = if found.direction == Direction::Callers { "caller" } else { "callee" };
    let total = plural(found.answer.total, noun);
    let left_out = left_out(found.guesses_left_out, found.certainty.as_ref());
    let known = certainty(found.certainty.as_ref(), found.answer.total);
    format!("{out}{total}{left_out}\n{known}")
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
    format!("  {}{site}{kind}{depth}{doubt}{test}\n", reached.item.path)
}

/// What a list leaves out, and the arguments that list it.
fn left_out(guesses: usize, known: Option<&Certainty>) -> String {
    let guesses = text::uses::guesses_left_out(guesses, "guesses");
    let of_impls = |known| text::uses::implementations_left_out(known, "implementations");
    format!("{guesses}{}", known.map_or_else(String::new, of_impls))
}

fn certainty(known: Option<&Certainty>, total: usize) -> String {
    known.map_or_else(String::new, |known| hint::certainty(known, total))
}
