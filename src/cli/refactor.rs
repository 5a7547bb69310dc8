//! Shared by the commands that change every use of an item: plans the change, then applies or shows
//! it.

use anyhow::Context as _;
use asof::EditOptions;
use asof_model::NodeKind;
use asof_wire::{Edit, EditRequest};
use clap::Args;

use super::context::Context;
use super::edit::{EditedBy, Trial, options, stated, tell, tell_recovered};

/// Which item is meant, if a path means several.
#[derive(Debug, Args)]
pub struct Which {
    /// Kind of the item, if the path means several
    #[arg(long)]
    pub kind: Option<NodeKind>,
    /// File of the item, if the path means several
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Text of the right item, if the path means several
    #[arg(long, value_name = "TEXT")]
    pub has: Option<String>,
}

/// How an edit is carried out.
#[derive(Debug, Args)]
pub struct Carrying {
    /// Store it as a proposal; no source file is changed
    #[arg(long, conflicts_with_all = ["dry_run", "check"])]
    plan: bool,
    #[command(flatten)]
    trial: Trial,
    #[command(flatten)]
    said: EditedBy,
}

/// Plans, shows or applies one edit.
pub fn carry_out(context: &Context, edit: Edit, how: Carrying) -> anyhow::Result<()> {
    let database = stated(context.database())?;
    tell_recovered(context, &database)?;
    let request = EditRequest { edits: vec![edit] };
    let dry_run = how.trial.dry_run;
    let options = EditOptions {
        configuration: context.configuration(),
        ..options(how.said, None, how.trial.check())
    };
    let summary = match (how.plan, dry_run) {
        (true, _) => database.plan_edit(&request, &options)?,
        (false, true) => database.try_edit(&request, &options)?,
        (false, false) => stated(database.edit(&request, &options))?,
    };
    let done = tell(context, &summary);
    if summary.applied {
        done.context("the edit was applied, but its summary could not be written")
    } else {
        done
    }
}
