//! `asof outline`.

use asof::model::NodeId;
use asof::{DEFAULT_OUTLINE_DEPTH, Open, Snapshot};
use clap::Args;

use super::context::Context;
use super::globals::Limit;
use super::output::{self, Listing};
use super::resolve::ItemArgs;
use crate::surface::target::is_file;
use crate::surface::text;

const ENTRY: Listing<'_> = Listing {
    columns: &[
        ("depth", "{depth}"),
        ("kind", "{kind}"),
        ("name", "{name}"),
        ("place", "{file_path}:{line}-{end_line}"),
        ("cfg", "{cfg}"),
        ("signature", "{signature}"),
    ],
    keys: "id parent_id depth kind name path visibility signature cfg file_path line \
           end_line children tracking_hash",
};

/// Outline a type, module or file: members, impls and signatures with line numbers
///
/// A type is shown with its impls, whichever file they are in. Submodules and trait impls show
/// only their number of items unless `--depth` is given.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof outline crate::config::Config
  asof outline src/lib.rs
  asof outline crate --depth 3           with the items of submodules")]
pub struct OutlineArgs {
    /// Path of the item, or a file: crate::Type, crate::module, src/lib.rs
    #[command(flatten)]
    item: ItemArgs,
    /// Number of levels to show, submodules and trait impls included [default: 2, without those]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    #[command(flatten)]
    limit: Limit,
}

pub fn run(context: &Context, args: &OutlineArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    tell(context, &context.snapshot(&database)?, args)
}

/// Answers at a snapshot.
pub fn tell(context: &Context, snapshot: &Snapshot<'_>, args: &OutlineArgs) -> anyhow::Result<()> {
    let (depth, open) = match args.depth {
        Some(depth) => (depth, Open::Everything),
        None => (DEFAULT_OUTLINE_DEPTH, Open::Members),
    };
    let path = args.item.path.as_str();
    let mut answer = match is_file(path) {
        true => snapshot.file_outline(&context.file(path), depth, open)?,
        false => {
            let found = args.item.resolve(context, snapshot)?;
            let ids: Vec<NodeId> = found.any()?.iter().map(|item| item.id).collect();
            snapshot.outline(&ids, depth, open)?
        }
    };
    answer.cut(args.limit.get());
    if !context.is_prose() {
        return output::listing(context, &answer, ENTRY);
    }
    output::print(&text::outline(&answer.items))?;
    output::basis(context, &serde_json::to_value(&answer)?)
}
