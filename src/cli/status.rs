//! `asof status`: the state of the database, and whether it is up to date.

use clap::Args;
use serde::Serialize;

use super::context::Context;
use super::output;
use asof_model::ErrorKind;
use asof_surface::problem::Problem;
use asof_surface::text;

/// Show what the database contains and whether it is up to date; writes nothing
///
/// An edit whose process died is named here and settled by the next command that may write, such as
/// `asof index` or any question about NOW without `--no-refresh`.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof status
  asof status --at HEAD~1
  asof status --verify
  asof status --format json")]
pub struct StatusArgs {
    /// Check every page, row, lookup and hash of the database; exit code 5 if anything is wrong
    #[arg(long)]
    verify: bool,
}

pub fn run(context: &Context, args: &StatusArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    if !args.verify {
        let status = database.status_at(&context.when()?)?;
        if let Some(id) = &status.interrupted_edit {
            output::warn(
                context,
                &format!(
                    "edit {id} was interrupted: some of its files may be old and some new, until \
                     `asof index`, or another command that may write, has settled them"
                ),
            );
        }
        return print(context, &status, text::state::status(&status));
    }
    let found = database.verify()?;
    print(context, &found, text::state::verification(&found))?;
    if found.sound {
        return Ok(());
    }
    let findings = output::plural(found.findings.len(), "finding");
    let message = format!("the database is damaged: {findings}");
    let hint = "restore a backup with `asof backup restore FILE`, or run `asof index --rebuild`";
    Err(Problem::new(ErrorKind::Failure, message, hint).into())
}

/// Prints an object in words, or its fields.
pub fn print(context: &Context, object: &impl Serialize, words: String) -> anyhow::Result<()> {
    if context.is_prose() {
        output::print(context, &words)
    } else {
        output::record(context, object)
    }
}
