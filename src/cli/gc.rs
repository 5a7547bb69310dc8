//! `asof gc`: drops old versions.

use asof::{GcMode, Keep, Refresh, When};
use asof_model::Micros;
use clap::Args;

use super::context::Context;
use super::output;
use asof_surface::problem::Problem;

/// Drop old versions and free their space
///
/// Answers about the oldest kept revision and later ones do not change. Queries about earlier
/// moments are refused from then on.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof gc --keep 90d --dry-run      what would be dropped
  asof gc --keep HEAD~3             keep everything since this commit
  asof gc --keep-revisions 1        keep only NOW")]
pub struct GcArgs {
    /// Keep the state at this moment and everything after it: an age (90d), a time, a revision, or
    /// a Git commit, branch or tag
    #[arg(long, value_name = "WHEN", required_unless_present = "keep_revisions")]
    keep: Option<String>,
    /// Keep the newest N revisions
    #[arg(long, value_name = "N", conflicts_with = "keep")]
    keep_revisions: Option<usize>,
    /// Count what would be dropped, without dropping it
    #[arg(long)]
    dry_run: bool,
}

pub fn run(context: &Context, args: &GcArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let keep = match (&args.keep, args.keep_revisions) {
        (_, Some(0)) => {
            return Err(Problem::bad_request(
                "`--keep-revisions` must be at least 1",
                "NOW is always kept",
            )
            .into());
        }
        (_, Some(count)) => Keep::Revisions(count),
        (Some(text), None) => match age(text) {
            Some(since) => Keep::Since(since),
            None => {
                let snapshot = database.snapshot(&When::parse(text)?, Refresh::Skip)?;
                Keep::Since(snapshot.at())
            }
        },
        (None, None) => Keep::Revisions(1),
    };
    let mode = if args.dry_run { GcMode::Count } else { GcMode::Drop };
    output::record(context, &database.gc(keep, mode)?)
}

/// The moment this long ago: `90d`, `6months`.
fn age(text: &str) -> Option<Micros> {
    let ago = asof_wire::age(text.trim_start_matches('-'))?;
    Some(Micros(Micros::now().0.saturating_sub(ago)))
}
