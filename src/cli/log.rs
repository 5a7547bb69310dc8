//! `asof log`.

use asof::When;
use asof::wire::LogRequest;
use clap::Args;

use super::context::Context;
use super::failure::Failure;
use super::globals::Limit;
use super::history_listing;
use super::output::Listing;

/// List the operations that made revisions: scans, edits, imports, restores, undo, gc
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof log --limit 10
  asof log HEAD~3..HEAD                  what `asof diff HEAD~3..HEAD` compares
  asof log --path src/wire/moment.rs --since -1d
  asof log --path asof::When
  asof log --cause edit --actor alice --format json")]
pub struct LogArgs {
    /// Only operations after moment A and up to moment B
    #[arg(value_name = "A..B", allow_hyphen_values = true, conflicts_with_all = ["since", "until"])]
    range: Option<String>,
    #[command(flatten)]
    limit: Limit,
    /// Only operations that changed this file, folder or item
    #[arg(long, value_name = "FILE|PATH")]
    path: Option<String>,
    /// Only operations at or after: a time (RFC 3339), a date (2026-11-01, UTC), an age such as
    /// -1d, a revision id, or a Git commit, branch or tag
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    since: Option<String>,
    /// Only operations at or before, in the same forms
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    until: Option<String>,
    /// Only operations by this actor or author
    #[arg(long)]
    actor: Option<String>,
    /// Only operations with this cause: scan, rebuild, edit, commit, restore, undo, gc, copy
    #[arg(long)]
    cause: Option<String>,
}

const OPERATION: Listing<'_> = Listing {
    columns: &[
        ("when", "{when}"),
        ("rev", "{rev}"),
        ("cause", "{cause}"),
        ("actor", "{actor}"),
        ("files", "{files}"),
        ("added", "{added}"),
        ("removed", "{removed}"),
        ("changed", "{changed}"),
        ("message", "{titled}"),
    ],
    keys: "revision at cause actor message commit committed clock present_at_start \
           in_future files added removed changed",
};

pub fn run(context: &Context, args: &LogArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let (after, until) = match args.range.as_deref().map(|text| (text, When::parse_range(text))) {
        None => (None, args.until.as_deref().map(When::parse).transpose()?),
        Some((_, Some(both))) => {
            let (after, until) = both?;
            (Some(after), Some(until))
        }
        Some((text, None)) => {
            let what = format!("`{text}` is one moment; a range has two: A..B");
            let hint = "`--since` and `--until` take one moment; `--path` takes a file or item";
            return Err(Failure::usage(what, hint).into());
        }
    };
    let when = |text: &Option<String>| text.as_deref().map(When::parse).transpose();
    let request = LogRequest {
        path: args.path.as_deref().map(|path| match path.contains("::") {
            true => path.to_owned(),
            false => context.file(path),
        }),
        since: when(&args.since)?,
        after,
        until,
        actor: args.actor.clone(),
        cause: args.cause.clone(),
        limit: args.limit.get(),
    };
    history_listing::listing(context, &snapshot.log(&request)?, OPERATION)
}
