//! `asof outline`.

use asof::model::NodeId;
use asof::{EngineError, Snapshot};
use clap::Args;

use super::context::Context;
use super::globals::Limit;
use super::output::{self, Listing};
use super::resolve::ItemArgs;
use crate::surface::target;
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

/// Outline a type, module, file or folder: members, impls and signatures with line numbers
///
/// A type is shown with its impls, whichever file they are in. Submodules and trait impls show
/// only their number of items unless `--depth` is given.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof outline asof::When
  asof outline src/lib.rs
  asof outline src/wire                  every file in the folder
  asof outline asof::model --depth 3     with the items of submodules")]
pub struct OutlineArgs {
    /// Path of the item, a file or a folder: crate::Type, crate::module, src/lib.rs, src
    #[command(flatten)]
    item: ItemArgs,
    /// Number of levels to show, submodules and trait impls included [default: 2, without those;
    /// of a folder 1]
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
    let path = args.item.path.as_str();
    let mut answer = target::outline(snapshot, (path, &context.file(path)), args.depth, || {
        let found = args.item.resolve(context, snapshot)?;
        let ids: Vec<NodeId> = found.any()?.iter().map(|item| item.id).collect();
        Ok::<_, EngineError>(ids)
    })?;
    answer.cut(args.limit.get());
    if !context.is_prose() {
        return output::listing(context, &answer, ENTRY);
    }
    output::print(&text::outline(&answer.items))?;
    output::basis(context, &serde_json::to_value(&answer)?)
}
