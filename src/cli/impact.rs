//! `asof impact`.

use clap::Args;

use super::context::Context;
use super::hint;
use super::lineage::REACHED;
use super::output;
use super::uses::{GraphArgs, SymbolArgs, UseArgs, certainty};
use crate::surface::text;

/// List what a change to an item may affect, most likely first
///
/// Lists everything that uses the item, directly or through others. The score is the product of
/// the confidences on the path, halved with each further step. Test code comes last.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof impact crate::config::Config
  asof impact crate::parse --depth 2 --exclude-tests
  asof impact crate::parse --format json --limit 20")]
pub struct ImpactArgs {
    #[command(flatten)]
    symbol: SymbolArgs,
    /// Follow at most N steps
    #[arg(long, default_value_t = 8, value_name = "N")]
    depth: u32,
    #[command(flatten)]
    uses: UseArgs,
    #[command(flatten)]
    graph: GraphArgs,
}

pub fn run(context: &Context, args: &ImpactArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let symbols = args.symbol.symbols(context, &snapshot)?;
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
