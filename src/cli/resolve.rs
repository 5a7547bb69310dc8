//! `asof resolve`: the definitions that a path means.

use asof::EngineError;
use asof_wire::Resolution;
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::output::{self, Listing};
use asof_model::ErrorKind;
use asof_surface::problem::Problem;
use asof_surface::questions::items::ITEM;
use asof_surface::target::Target;
use asof_surface::text;

/// Find the definition that a canonical or public path names
///
/// The canonical path and the exact file are tried first. If nothing matches, public paths through
/// re-exports, path suffixes and file name suffixes match too, and the answer says `relaxed`. A path
/// that leads to a dependency gives its item there, with the version.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof resolve asof::When
  asof resolve asof::When::parse --kind method
  asof resolve '<asof::When as Display>::fmt'
  asof resolve asof::When::parse --file src/wire/moment.rs --at -1h")]
pub struct ResolveArgs {
    #[command(flatten)]
    pub item: Target,
}

pub fn run(context: &Context, args: &ResolveArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let found = context.target(&args.item).resolve_anywhere(&snapshot)?;
    if context.is_prose() && found.items().len() == 1 {
        describe(context, &found)?;
    } else if !found.items().is_empty() || context.format() == Format::Json {
        let mut columns = ITEM.columns.to_vec();
        if found.items().len() > 1 {
            columns.push(("id", "{id}"));
        }
        output::listing(context, &found, Listing { columns: &columns, keys: ITEM.keys })?;
    }
    match found.unique() {
        Ok(_) => Ok(()),
        Err(error) => Err(without_candidates(error.into())),
    }
}

/// The error without the list that is on standard output already.
pub fn without_candidates(error: EngineError) -> anyhow::Error {
    match error {
        EngineError::Ambiguous { what, hint, .. } => {
            Problem::new(ErrorKind::Ambiguous, what, hint).into()
        }
        other => other.into(),
    }
}

/// One item in full.
fn describe(context: &Context, found: &Resolution) -> anyhow::Result<()> {
    for item in found.items() {
        output::print(context, &text::item(item))?;
    }
    let mode = serde_json::to_value(found.mode)?;
    context.note(&format!("found by {} match", output::scalar(&mode)));
    output::basis(context, &serde_json::to_value(&found.answer)?)
}
