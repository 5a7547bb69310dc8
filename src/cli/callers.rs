//! `asof callers` and `asof callees`.

use std::collections::BTreeMap;

use asof::engine::{Call, CallsResult, Direction, Guesses, UseRequest};
use asof::model::NodeId;
use clap::Args;

use super::context::Context;
use super::output::{self, Listing};
use super::refs::{certainty, plural};
use super::uses::{SymbolArgs, UseArgs, percent, snippet};

const CALL: Listing<'_> = Listing {
    columns: &[
        ("depth", "{depth}"),
        ("item", "{item/path}"),
        ("use", "{edge_kind}"),
        ("confidence", "{confidence}"),
        ("call", "{site/file}:{site/line}"),
    ],
    keys: "depth item item.id item.kind item.name item.path file line edge_kind confidence score \
           via path external in_test snippet site site.file site.line",
};

/// List what calls an item
///
/// Each caller is listed once, with the first place of the call. Calls on receivers of unknown
/// type are guesses, and are left out unless asked for. `asof lineage` follows other uses too.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof callers crate::config::load
  asof callers crate::parse --depth 3 --exclude-tests
  asof callers crate::Parser::parse --guesses --format json")]
pub struct CallersArgs {
    #[command(flatten)]
    calls: CallArgs,
}

/// List what an item calls
///
/// Each callee is listed once, with the first place of the call; functions of other crates too.
/// Calls on receivers of unknown type are guesses, and are left out unless asked for.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof callees crate::main
  asof callees crate::main --depth 2
  asof callees crate::config::load --format json")]
pub struct CalleesArgs {
    #[command(flatten)]
    calls: CallArgs,
}

#[derive(Debug, Args)]
struct CallArgs {
    #[command(flatten)]
    symbol: SymbolArgs,
    /// Follow so many calls
    #[arg(long, default_value_t = 1, value_name = "N")]
    depth: u32,
    /// List also what only guesses lead to: one of ten is right at best
    #[arg(long)]
    guesses: bool,
    #[command(flatten)]
    uses: UseArgs,
}

pub fn run_callers(context: &Context, args: &CallersArgs) -> anyhow::Result<()> {
    run(context, &args.calls, Direction::Callers)
}

pub fn run_callees(context: &Context, args: &CalleesArgs) -> anyhow::Result<()> {
    run(context, &args.calls, Direction::Callees)
}

fn run(context: &Context, args: &CallArgs, direction: Direction) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let symbols = args.symbol.symbols(context, &snapshot)?;
    let guesses = match args.guesses || args.uses.min_confidence.is_some() {
        true => Guesses::Show,
        false => Guesses::LeaveOut,
    };
    let request = UseRequest { guesses, ..args.uses.request() };
    let found = snapshot.calls(&symbols, direction, args.depth, &request)?;
    if !context.is_prose() {
        return output::listing(context, &found, CALL);
    }
    output::print(&text(&found))?;
    let noun = if direction == Direction::Callers { "caller" } else { "callee" };
    let guesses = match found.guesses_left_out {
        0 => String::new(),
        1 => "; 1 guess left out (`--guesses` lists it)".to_owned(),
        n => format!("; {n} guesses left out (`--guesses` lists them)"),
    };
    output::note(context, &format!("{}{guesses}", plural(found.answer.total, noun)));
    if let Some(known) = &found.certainty {
        certainty(context, known, found.answer.total);
    }
    output::basis(context, &serde_json::to_value(&found.answer)?)
}

/// The items as a tree, each below the one before it on its way; guesses at the end.
fn text(found: &CallsResult) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let sure = found.answer.total - (found.guesses - found.guesses_left_out);
    let (sure, guesses) = found.answer.items.split_at(sure.min(found.answer.items.len()));
    let mut out = String::new();
    let mut below: BTreeMap<NodeId, Vec<&Call>> = BTreeMap::new();
    for call in sure {
        below.entry(call.reached.via).or_default().push(call);
    }
    for symbol in &found.symbols {
        let place = match (&symbol.file, symbol.line) {
            (Some(file), Some(line)) => format!("  {file}:{line}"),
            _ => String::new(),
        };
        let (kind, path) = (&symbol.kind, &symbol.path);
        out.push_str(&format!("{kind} {bold}{path}{bold:#}{dim}{place}{dim:#}\n"));
        let mut open = vec![below.remove(&symbol.id).unwrap_or_default().into_iter()];
        while let Some(calls) = open.last_mut() {
            let Some(call) = calls.next() else {
                open.pop();
                continue;
            };
            let indent = "  ".repeat(open.len());
            out.push_str(&line(call, &indent));
            open.push(below.remove(&call.reached.item.id).unwrap_or_default().into_iter());
        }
    }
    if !guesses.is_empty() {
        out.push_str(&format!("{dim}guesses:{dim:#}\n"));
        guesses.iter().for_each(|call| out.push_str(&line(call, "  ")));
    }
    out
}

fn line(call: &Call, indent: &str) -> String {
    let dim = anstyle::Style::new().dimmed();
    let reached = &call.reached;
    let sure = match reached.confidence < 0.995 {
        true => format!("  {}", percent(reached.confidence)),
        false => String::new(),
    };
    let site = call.site.as_ref().map(|site| format!("  {}:{}", site.file, site.line));
    let site = site.unwrap_or_default();
    let test = if reached.in_test { "  test" } else { "" };
    let mut out = format!("{indent}{}{dim}{site}{sure}{test}{dim:#}\n", reached.item.path);
    if let Some(lines) = &reached.snippet {
        out.push_str(&snippet(lines, &format!("{indent}  ")));
    }
    out
}
