//! Shared by the commands that change every use of an item: plans the change, then applies or shows
//! it.

use anyhow::Context as _;
use asof::EditOptions;
use asof_model::NodeKind;
use asof_surface::text;
use asof_wire::{Edit, EditRequest, EditSummary, Proof};
use clap::Args;

use super::context::Context;
use super::edit::{EditedBy, Trial, options, stated, tell, tell_recovered};
use super::globals::Format;
use super::output;

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
    /// Also list what had to be shown, and how much was checked for it
    #[arg(long)]
    explain_proof: bool,
    #[command(flatten)]
    trial: Trial,
    #[command(flatten)]
    said: EditedBy,
}

/// The obligations of a proof; JSON has them anyway.
fn explain(context: &Context, proof: &Proof) -> anyhow::Result<()> {
    match context.format() {
        Format::Json => Ok(()),
        Format::Csv | Format::Text | Format::Markdown => {
            output::print(context, &text::edits::obligations(proof))
        }
    }
}

/// What is done with edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Plan,
    Show,
    Apply,
}

/// Plans, shows or applies edits, all or none.
pub fn carry_out(context: &Context, edits: Vec<Edit>, how: Carrying) -> anyhow::Result<()> {
    let stage = if how.plan {
        Stage::Plan
    } else if how.trial.dry_run {
        Stage::Show
    } else {
        Stage::Apply
    };
    let explains = how.explain_proof;
    let options = options(how.said, None, how.trial.check());
    let (summary, done) = carry_to(context, edits, options, stage)?;
    let done = done.and_then(|()| match &summary.proof {
        Some(proof) if explains => explain(context, proof),
        _ => Ok(()),
    });
    written(&summary, done)
}

/// Takes edits to a stage; their summary, and whether it could be written.
fn carry_to(
    context: &Context,
    edits: Vec<Edit>,
    options: EditOptions,
    stage: Stage,
) -> anyhow::Result<(EditSummary, anyhow::Result<()>)> {
    let database = stated(context.database())?;
    tell_recovered(context, &database)?;
    let request = EditRequest { edits };
    let options = EditOptions { configuration: context.configuration(), ..options };
    let summary = match stage {
        Stage::Plan => database.plan_edit(&request, &options)?,
        Stage::Show => database.try_edit(&request, &options)?,
        Stage::Apply => stated(database.edit(&request, &options))?,
    };
    let told = tell(context, &summary);
    Ok((summary, told))
}

/// Takes edits of manifests to a stage.
pub fn edit_manifests(context: &Context, edits: Vec<Edit>, stage: Stage) -> anyhow::Result<()> {
    let (summary, done) = carry_to(context, edits, EditOptions::default(), stage)?;
    written(&summary, done)
}

fn written(summary: &EditSummary, done: anyhow::Result<()>) -> anyhow::Result<()> {
    if summary.applied {
        done.context("the edit was applied, but its summary could not be written")
    } else {
        done
    }
}
