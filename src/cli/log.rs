//! `asof log`: the revisions of a database.

use asof::When;
use asof_wire::LogRequest;
use clap::Args;

use super::ask::Ask;
use super::context::Context;
use asof_surface::problem::Problem;
use asof_surface::questions::past::LOG;
use asof_surface::text::state::history_import;

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
    ask: Ask<LogRequest>,
}

pub fn run(context: &Context, mut args: LogArgs) -> anyhow::Result<()> {
    if let Some(text) = &args.range {
        let Some(both) = When::parse_range(text) else {
            let what = format!("`{text}` is one moment; a range has two: A..B");
            let hint = "`--since` and `--until` take one moment; `--path` takes a file or item";
            return Err(Problem::bad_request(what, hint).into());
        };
        let (after, until) = both?;
        (args.ask.request.after, args.ask.request.until) = (Some(after), Some(until));
    }
    args.ask.run(context, &LOG)?;
    match context.database()?.history_import()? {
        Some(import) if context.is_prose() => context.note(&history_import(&import)),
        _ => {}
    }
    Ok(())
}
