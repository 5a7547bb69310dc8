//! `asof rename`: a new name for an item, at every use.

use asof_wire::{Edit, RenameEdit, share};
use clap::Args;

use super::context::Context;
use super::refactor::{Carrying, Which, carry_out};

/// Rename an item at every use, with a proof that no name changes its meaning
///
/// Before anything is written, the new texts are resolved in memory: each use must mean what it
/// meant, or the rename is refused with the places. The answer says `proven`, or lists the places
/// that nothing is certain about. Of a trait's method, all impls and calls are renamed; of a module,
/// its file too.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof rename asof::When::parse from_text --dry-run    only show the diff, and what is proven
  asof rename asof::When PointInTime --plan            store it as a proposal
  asof rename asof_wire::share number --local text --dry-run
  asof rename asof_wire::moment instant --dry-run     the file of the module moves")]
pub struct RenameArgs {
    /// Path of the item
    path: String,
    /// The new name
    new: String,
    #[command(flatten)]
    which: Which,
    /// Rename this parameter, variable or label of the function, or this type or lifetime parameter;
    /// of several with one name, that of a line: `NAME:LINE`
    #[arg(long, value_name = "NAME")]
    local: Option<String>,
    /// Let public re-exports keep the old name: `pub use new as old`
    #[arg(long)]
    keep_old: bool,
    /// Also rewrite uses with at least this confidence [default: 0.9]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    include_guesses: Option<f64>,
    #[command(flatten)]
    how: Carrying,
}

pub fn run(context: &Context, args: RenameArgs) -> anyhow::Result<()> {
    let edit = Edit::Rename(RenameEdit {
        path: args.path,
        to: args.new,
        file_path: args.which.file,
        kind: args.which.kind,
        has: args.which.has,
        local: args.local,
        keep_old: args.keep_old,
        include_guesses: args.include_guesses,
    });
    carry_out(context, vec![edit], args.how)
}
