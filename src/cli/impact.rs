//! `asof impact`.

use clap::Args;

use super::change_impact::{self, TestFilter};
use super::context::Context;
use super::failure::Failure;
use super::hint;
use super::lineage::REACHED;
use super::output;
use super::uses::{GraphArgs, SymbolArgs, UseArgs, certainty};
use crate::surface::text;

/// List what a change to an item may affect, or what a difference affects and which tests to run
///
/// For an item, lists everything that uses it, directly or through others. The score is the product
/// of the confidences on the path, halved with each further step. Test code comes last.
///
/// With `--diff` or `--proposal`, lists the items that differ and everything that may run them, however uncertain,
/// and the tests among them. Where that cannot be known (build scripts, procedural macros, data
/// files), it says to run all tests, and why. Nothing has to be imported.
#[derive(Debug, Args)]
#[command(
    mut_arg("path", |path| path.required(false).conflicts_with_all(["diff", "proposal"])),
    override_usage = "asof impact [OPTIONS] <PATH>\n       asof impact [OPTIONS] --diff <T1..T2>\n       asof impact [OPTIONS] --proposal <ID>",
    after_help = "Examples, in the repository of asof itself:
  asof impact asof::store::Batch
  asof impact asof::When::parse --depth 2 --exclude-tests
  asof impact asof::When::parse --format json --limit 20
  asof impact --diff HEAD                  # of what is not committed yet
  asof impact --diff HEAD~1..HEAD
  asof impact --diff HEAD --tests cargo    # commands that run the affected tests"
)]
pub struct ImpactArgs {
    #[command(flatten)]
    symbol: Option<SymbolArgs>,
    /// The differences between two moments or commits, T1..T2, or from T1 to the files on disk
    #[arg(long, value_name = "T1..T2", conflicts_with = "proposal", allow_hyphen_values = true)]
    diff: Option<String>,
    /// A planned edit, by the id of its proposal
    #[arg(long, value_name = "ID")]
    proposal: Option<String>,
    /// With `--diff` or `--proposal`: print only a filter for the affected tests
    #[arg(long, value_enum, conflicts_with = "path", value_name = "RUNNER")]
    tests: Option<TestFilter>,
    /// Follow at most N steps
    #[arg(long, default_value_t = 8, value_name = "N")]
    depth: u32,
    #[command(flatten)]
    uses: UseArgs,
    #[command(flatten)]
    graph: GraphArgs,
}

pub fn run(context: &Context, args: &ImpactArgs) -> anyhow::Result<()> {
    let limit = args.uses.limit.get();
    let symbol = match (&args.diff, &args.proposal, &args.symbol) {
        (Some(range), None, _) => return change_impact::run(context, range, args.tests, limit),
        (None, Some(id), _) => {
            return change_impact::run_proposal(context, id, args.tests, limit);
        }
        (None, None, Some(symbol)) => symbol,
        _ => {
            let hint = "name an item, or two moments with `--diff T1..T2`";
            return Err(Failure::usage("what should the impact be of?", hint).into());
        }
    };
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let symbols = symbol.symbols(context, &snapshot)?;
    let mut found = snapshot.impact(&symbols, args.depth, &args.uses.request())?;
    if let Some(known) = &mut found.lineage.certainty {
        hint::explain(known, &symbols);
    }
    if args.graph.draw(context, &found.lineage)? {
        return Ok(());
    }
    if !context.is_prose() {
        return output::listing(context, &found, REACHED);
    }
    output::print(&text::uses::impact(&found))?;
    context.note(&text::uses::impact_summary(&found));
    if let Some(known) = &found.lineage.certainty {
        certainty(context, known, found.lineage.answer.total);
    }
    output::basis(context, &serde_json::to_value(&found.lineage.answer)?)
}
