//! `asof move`: an item goes to another module.

use asof_wire::{Edit, MoveEdit, share};
use clap::Args;

use super::context::Context;
use super::refactor::{Carrying, Which, carry_out};

/// Move an item to another module, with a proof that no name changes its meaning
///
/// Its documentation, attributes and impls go with it. Imports that it needs are added, imports that
/// nothing needs any longer are removed, every use is rewritten, and what must become visible becomes
/// so, no further than needed: the answer says what. The module is made if it does not exist.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof move asof_wire::moment::When asof_wire::time --dry-run   make the module, show the diff
  asof move asof_wire::moment::When asof_wire::envelope --plan
  asof move asof_wire::moment::When src/wire/envelope.rs --keep-old --dry-run")]
pub struct MoveArgs {
    /// Path of the item
    path: String,
    /// Path of the module, or its file
    to: String,
    #[command(flatten)]
    which: Which,
    /// Leave a re-export in the module that it was in
    #[arg(long)]
    keep_old: bool,
    /// Also rewrite uses with at least this confidence [default: 0.9]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    include_guesses: Option<f64>,
    #[command(flatten)]
    how: Carrying,
}

pub fn run(context: &Context, args: MoveArgs) -> anyhow::Result<()> {
    let edit = Edit::Move(MoveEdit {
        path: args.path,
        to: args.to,
        file_path: args.which.file,
        kind: args.which.kind,
        has: args.which.has,
        keep_old: args.keep_old,
        include_guesses: args.include_guesses,
    });
    carry_out(context, vec![edit], args.how)
}
