//! What commands that change every use of an item share: how the change is carried out.

use std::time::Duration;

use anyhow::Context as _;
use asof::wire::{Edit, EditRequest};
use asof::{Check, EditOptions};
use clap::Args;

use super::context::Context;
use super::edit::{EditedBy, stated, tell, tell_recovered};

/// How an edit is carried out.
#[derive(Debug, Args)]
pub struct Carrying {
    /// Store it as a proposal; no source file is changed
    #[arg(long, conflicts_with_all = ["dry_run", "check"])]
    plan: bool,
    /// Show what would change without changing it
    #[arg(long)]
    dry_run: bool,
    /// Shell command to run in the root after the files are written; if it fails or changes one
    /// of them, the files are restored
    #[arg(long, value_name = "COMMAND", conflicts_with = "dry_run")]
    check: Option<String>,
    /// Seconds after which the check is stopped and the files are restored
    #[arg(long, value_name = "SECS", default_value_t = 600.0, requires = "check",
          value_parser = super::query::seconds)]
    check_timeout: f64,
    #[command(flatten)]
    said: EditedBy,
}

/// Plans, shows or applies one edit.
pub fn carry_out(context: &Context, edit: Edit, how: Carrying) -> anyhow::Result<()> {
    let database = stated(context.database())?;
    tell_recovered(context, &database)?;
    let request = EditRequest { edits: vec![edit] };
    let check = how.check.map(|command| Check {
        command,
        timeout: Duration::from_secs_f64(how.check_timeout),
        stop: super::interrupt::flag(),
    });
    let (actor, reason) = (how.said.actor, how.said.reason);
    let options = EditOptions { actor, reason, check, ..EditOptions::default() };
    let summary = match (how.plan, how.dry_run) {
        (true, _) => database.plan_edit(&request, &options)?,
        (false, true) => database.try_edit(&request, &options)?,
        (false, false) => stated(database.edit(&request, &options))?,
    };
    let done = tell(context, &summary);
    match summary.applied {
        true => done.context("the edit was applied, but its summary could not be written"),
        false => done,
    }
}
