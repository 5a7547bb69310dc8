//! `asof lineage`.

use asof::wire::{DEFAULT_DEPTH, Direction, LineageRequest, UnknownDirection};
use clap::Args;

use super::context::Context;
use super::hint;
use super::output::{self, Listing};
use super::uses::{GraphArgs, SymbolArgs, UseArgs, certainty};
use crate::surface::text;

/// Columns and fields of a list of reached items.
pub const REACHED: Listing<'_> = Listing {
    columns: &[
        ("depth", "{depth}"),
        ("item", "{item/path}"),
        ("kind", "{item/kind}"),
        ("use", "{use_kind}"),
        ("confidence", "{confidence}"),
        ("place", "{file_path}:{line}"),
    ],
    keys: "depth item item.id item.kind item.name item.path file_path line use_kind confidence \
           score via route external in_test snippet snippet.text snippet.location",
};

/// List what depends on an item, or what it depends on
///
/// `downstream` lists what depends on the item, `upstream` what it depends on; `callers` and
/// `callees` follow only calls. Each item is listed once, by the most certain of its shortest
/// paths.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof lineage asof::When::parse --direction callers
  asof lineage asof::When --direction downstream --depth 2
  asof lineage asof::When::parse_range --direction upstream --kind call,method_call --format json
  asof lineage asof::store::Batch --limit 0 --format jsonl --fields depth,item.path
  asof lineage asof::When::parse_range --direction callees --graph svg > callees.svg")]
pub struct LineageArgs {
    #[command(flatten)]
    symbol: SymbolArgs,
    /// upstream, downstream, callers or callees
    #[arg(long, short, default_value = "downstream", value_parser = direction)]
    direction: Direction,
    /// Follow at most N steps
    #[arg(long, default_value_t = DEFAULT_DEPTH, value_name = "N")]
    depth: u32,
    /// Follow at most N uses from each item, the most certain first
    #[arg(long, value_name = "N")]
    breadth: Option<usize>,
    #[command(flatten)]
    uses: UseArgs,
    #[command(flatten)]
    graph: GraphArgs,
}

fn direction(text: &str) -> Result<Direction, String> {
    text.parse().map_err(|error: UnknownDirection| error.to_string())
}

pub fn run(context: &Context, args: &LineageArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let symbols = args.symbol.symbols(context, &snapshot)?;
    let request = LineageRequest {
        direction: args.direction,
        depth: args.depth,
        breadth: args.breadth,
        uses: args.uses.request(),
    };
    let mut found = snapshot.lineage(&symbols, &request)?;
    if let Some(known) = &mut found.certainty {
        hint::explain(known, &symbols);
    }
    if args.graph.draw(context, &found)? {
        return Ok(());
    }
    if !context.is_prose() {
        return output::listing(context, &found, REACHED);
    }
    output::print(&text::uses::lineage(&found))?;
    context.note(&output::plural(found.answer.total, "item"));
    if let Some(known) = &found.certainty {
        certainty(context, known, found.answer.total);
    }
    output::basis(context, &serde_json::to_value(&found.answer)?)
}
