//! `asof log`.

use asof::engine::{LogRequest, When};
use clap::Args;

use super::context::Context;
use super::output::Column;
use super::told;

/// List the operations that made revisions: scans, edits, imports, restores, undo, gc
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof log --limit 10
  asof log --path src/config.rs --since -24h
  asof log --path crate::config::Config
  asof log --cause edit --actor alice --format json")]
pub struct LogArgs {
    /// Most operations to list; 0 for all
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Only those that touched this file, folder or item
    #[arg(long, value_name = "FILE|PATH")]
    path: Option<String>,
    /// Not before: RFC 3339, an age such as -24h, a revision id
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    since: Option<String>,
    /// Not after
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    until: Option<String>,
    /// Only of this actor or author
    #[arg(long)]
    actor: Option<String>,
    /// Only of this cause: scan, rebuild, edit, commit, restore, undo, gc
    #[arg(long)]
    cause: Option<String>,
}

const OPERATION: &[Column] = &[
    ("when", "{when}"),
    ("rev", "{rev}"),
    ("cause", "{cause}"),
    ("actor", "{actor}"),
    ("files", "{files}"),
    ("added", "{added}"),
    ("removed", "{removed}"),
    ("changed", "{changed}"),
    ("message", "{titled}"),
];

pub fn run(context: &Context, args: &LogArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let when = |text: &Option<String>| text.as_deref().map(When::parse).transpose();
    let request = LogRequest {
        path: args.path.as_deref().map(|path| match path.contains("::") {
            true => path.to_owned(),
            false => context.file(path),
        }),
        since: when(&args.since)?,
        until: when(&args.until)?,
        actor: args.actor.clone(),
        cause: args.cause.clone(),
        limit: (args.limit > 0).then_some(args.limit),
    };
    told::listing(context, &snapshot.log(&request)?, OPERATION)
}
