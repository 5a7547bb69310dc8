//! `asof reach`: what items reach, by shortest paths.

use asof::{Database, When};
use asof_model::ErrorKind;
use asof_wire::{ReachRequest, ReachResult};
use clap::Args;

use super::ask::{self, Ask};
use super::between::{End, between};
use super::context::Context;
use super::output;
use asof_surface::problem::Problem;
use asof_surface::questions::Request;
use asof_surface::questions::reach::REACH;
use asof_surface::sarif;

/// List items that reach a set, each with a shortest path: `unsafe`, `panic`, `std::fs`, …
///
/// Sets are `unsafe` (blocks and functions), `panic` (calls and macros that can panic, by the
/// documentation of the standard library), `indexing`, `arithmetic`, `blocking` (calls that block a
/// thread, from async code), `process`, `net`, `fs`, and paths of any item or crate with what is below
/// them. Without `--from`, paths start at what other crates can call, and at each `main`.
///
/// A path is certain if each step is a use that certainly means what is next. Through items of traits,
/// functions passed as values, macros and guesses it is only possible. Code of dependencies is not
/// followed; the answer says how many calls lead there, and how many are not resolved. docs/reach.md
/// has the rules.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof reach unsafe
  asof reach std::process --from asof::Database --guesses
  asof reach panic indexing --package asof-wire --limit 5
  asof reach fs --from asof::When::parse --check    exit code 8 if it certainly reaches the set
  asof reach unsafe --new HEAD~1..HEAD --check      exit code 8 if something reaches it since")]
pub struct ReachArgs {
    #[command(flatten)]
    ask: Ask<ReachRequest>,
    /// Only items that reach it at B and did not at A, across moves and renames; A...B begins at the
    /// newest commit that both have
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    new: Option<String>,
    /// Fail with exit code 8 if there is a certain path
    #[arg(long)]
    check: bool,
}

pub fn run(context: &Context, args: ReachArgs) -> anyhow::Result<()> {
    let request = args.ask.limited();
    let found = match &args.new {
        Some(range) => new_reach(context, range, request)?,
        None => ask::answer(context, &REACH, request)?,
    };
    if context.is_sarif() {
        output::json(context, &sarif::reach(&found))?;
    } else {
        ask::print(context, &REACH, &found)?;
    }
    if !args.check || found.certain == 0 {
        return Ok(());
    }
    let paths = output::plural(found.certain, "certain path");
    let hint = "each is listed with its steps; remove one of them, or ask from other items";
    Err(Problem::new(ErrorKind::Check, format!("{paths} to what is not allowed"), hint).into())
}

fn new_reach(
    context: &Context,
    range: &str,
    mut request: ReachRequest,
) -> anyhow::Result<ReachResult> {
    let Some(moments) = When::parse_range(range) else {
        let message = format!("`--new` must be two moments, got `{range}`");
        return Err(Problem::bad_request(message, "write them as A..B: HEAD~1..HEAD").into());
    };
    let (from, to) = moments?;
    request.find_files(&|file| context.file(file));
    between(
        context,
        &from,
        &End::Moment(to),
        |earlier, later| later.new_reach(earlier, &request),
        |root, known, earlier, later, bars| {
            Database::new_reach_files(root, known, earlier, later, &request, bars)
        },
    )
}
