//! `asof status`.

use clap::Args;

use super::context::Context;
use super::output;

/// Tell what the database holds, and whether it is up to date; writes nothing
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof status
  asof status --at v1.0
  asof status --format json")]
pub struct StatusArgs {}

pub fn run(context: &Context, _args: &StatusArgs) -> anyhow::Result<()> {
    output::record(context, &context.database()?.status_at(&context.when()?)?)
}
