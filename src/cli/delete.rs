//! `asof delete`: items that nothing else uses.

use asof_wire::{DeleteEdit, DeletedUses, Edit};
use clap::Args;

use super::context::Context;
use super::refactor::{Carrying, Which, carry_out};

/// Delete items that nothing else uses
///
/// Refused with the places if there are uses, those of what is in the item included, and if there
/// are places that may mean it: `--with-guesses` deletes it all the same. With `--with-uses`, imports
/// and re-exports are deleted with it. Imports that only the deleted text used go, too.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof delete asof::Database::reopen --if-unused --dry-run   only show the diff, if nothing uses it
  asof delete asof::Database::reopen --with-uses --dry-run   its imports and re-exports go, too")]
pub struct DeleteArgs {
    /// Paths of the items: those that only use each other go together
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Only if nothing uses it [default]
    #[arg(long, conflicts_with = "with_uses")]
    if_unused: bool,
    /// Delete imports and re-exports of it too; only if nothing else uses it
    #[arg(long)]
    with_uses: bool,
    /// Also if some places may mean it, of which nothing certain is known
    #[arg(long)]
    with_guesses: bool,
    /// Also the module of the items, with its file and declaration, if only imports are left in it
    #[arg(long)]
    empty_modules: bool,
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    how: Carrying,
}

pub fn run(context: &Context, args: DeleteArgs) -> anyhow::Result<()> {
    let uses = if args.with_uses { DeletedUses::WithUses } else { DeletedUses::IfUnused };
    let delete = |path| {
        Edit::Delete(DeleteEdit {
            path,
            file_path: args.which.file.clone(),
            kind: args.which.kind,
            has: args.which.has.clone(),
            uses: Some(uses),
            with_guesses: args.with_guesses,
            empty_modules: args.empty_modules,
            expected_tracking_hash: None,
        })
    };
    let edits = args.paths.into_iter().map(delete).collect();
    carry_out(context, edits, args.how)
}
