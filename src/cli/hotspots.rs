//! `asof hotspots`: functions that change often, what changes together, and who changes it.

use asof_wire::HotspotRequest;
use clap::Args;

use super::ask::Ask;
use super::context::Context;
use asof_surface::questions::past::{HOTSPOTS, OWNERS, PAIRS};

/// List functions that change often and are complex, change together, or who changes them
///
/// A function's score is the number of revisions that changed it times its cyclomatic complexity.
/// Changes under earlier paths count, as far as moves and renames are known. Import the Git history
/// first: `asof index --history`.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof hotspots
  asof hotspots src --since -30d --exclude-tests
  asof hotspots asof::wire --pairs         functions that the same revisions changed
  asof hotspots src/wire --owners          who made the versions of its functions")]
pub struct HotspotsArgs {
    #[command(flatten)]
    ask: Ask<HotspotRequest>,
    /// List pairs of functions that the same revisions changed; those of more than 30 items do not
    /// count, nor do pairs with fewer than 3
    #[arg(long, conflicts_with = "owners")]
    pairs: bool,
    /// List who made the versions of the functions
    #[arg(long)]
    owners: bool,
}

pub fn run(context: &Context, args: HotspotsArgs) -> anyhow::Result<()> {
    match (args.pairs, args.owners) {
        (true, _) => args.ask.run(context, &PAIRS),
        (_, true) => args.ask.run(context, &OWNERS),
        _ => args.ask.run(context, &HOTSPOTS),
    }
}
