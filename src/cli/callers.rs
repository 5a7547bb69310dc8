//! `asof callers` and `asof callees`.

use asof::wire::{Direction, Implementations, UseRequest};
use clap::Args;

use super::context::Context;
use super::hint;
use super::output::{self, Listing, plural};
use super::uses::{SymbolArgs, UseArgs, certainty, implementations, left_out};
use crate::surface::text;

const CALL: Listing<'_> = Listing {
    columns: &[
        ("depth", "{depth}"),
        ("item", "{item/path}"),
        ("use", "{use_kind}"),
        ("confidence", "{confidence}"),
        ("call", "{site/file_path}:{site/line}"),
    ],
    keys: "depth item item.id item.kind item.name item.path file_path line use_kind confidence \
           score via route external in_test snippet site site.file_path \
           site.line site.snippet more_sites",
};

/// List what calls an item
///
/// Each caller is listed once, with the lines of its calls. Calls on receivers of unknown type are guesses,
/// listed only with `--guesses`. `asof lineage` follows other uses too.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof callers asof::When::parse
  asof callers asof::When::parse_range --depth 3 --exclude-tests
  asof callers asof::Database::open --guesses --format json")]
pub struct CallersArgs {
    #[command(flatten)]
    calls: CallArgs,
    /// Of a trait's method: also list callers of the methods that implement it
    #[arg(long)]
    implementations: bool,
}

/// List what an item calls
///
/// Each callee is listed once, with the lines of its calls, functions of other crates included. Calls on
/// receivers of unknown type are guesses, listed only with `--guesses`.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof callees asof::Database::open
  asof callees asof::When::parse_range --depth 2
  asof callees asof::When::parse --format json")]
pub struct CalleesArgs {
    #[command(flatten)]
    calls: CallArgs,
}

#[derive(Debug, Args)]
struct CallArgs {
    #[command(flatten)]
    symbol: SymbolArgs,
    /// Follow at most N calls
    #[arg(long, default_value_t = 1, value_name = "N")]
    depth: u32,
    /// Also follow calls on receivers of unknown type; at best one in ten is right
    #[arg(long)]
    guesses: bool,
    #[command(flatten)]
    uses: UseArgs,
}

pub fn run_callers(context: &Context, args: &CallersArgs) -> anyhow::Result<()> {
    run(context, &args.calls, Direction::Callers, implementations(args.implementations))
}

pub fn run_callees(context: &Context, args: &CalleesArgs) -> anyhow::Result<()> {
    run(context, &args.calls, Direction::Callees, Implementations::LeaveOut)
}

fn run(
    context: &Context,
    args: &CallArgs,
    direction: Direction,
    implementations: Implementations,
) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let symbols = args.symbol.symbols(context, &snapshot)?;
    let request = UseRequest { implementations, ..args.uses.request_with_guesses(args.guesses) };
    let mut found = snapshot.calls(&symbols, direction, args.depth, &request)?;
    if let Some(known) = &mut found.certainty {
        hint::explain(known, &symbols);
    }
    if !context.is_prose() {
        return output::listing(context, &found, CALL);
    }
    output::print(&text::uses::calls(&found))?;
    let noun = if direction == Direction::Callers { "caller" } else { "callee" };
    let left_out = left_out(found.guesses_left_out, found.certainty.as_ref());
    context.note(&format!("{}{left_out}", plural(found.answer.total, noun)));
    if let Some(known) = &found.certainty {
        certainty(context, known, found.answer.total);
    }
    output::basis(context, &serde_json::to_value(&found.answer)?)
}
