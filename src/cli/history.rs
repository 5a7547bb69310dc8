//! `asof history`.

use asof::engine::{HistoryRequest, ResolveRequest, Spans};
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::history_listing;
use super::output::{self, Column};
use super::resolve::ItemArgs;

/// List the versions of an item, the newest first, across moves and renames
///
/// Classes: added, removed, moved, renamed, split off, merged in, signature, visibility,
/// attributes, documentation, body; contents (only what stands in it), comments, format (only
/// blanks). A path at which nothing is any more is looked for in the past. A split ends the
/// list: go on with the item that it names.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof history crate::config::Config
  asof history crate::old::name          of what is no longer there
  asof history crate::parse --limit 5 --lines --format json
  asof history crate::parse --at v1.0")]
pub struct HistoryArgs {
    #[command(flatten)]
    item: ItemArgs,
    /// Most versions to list; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Tell the lines of each version too
    #[arg(long)]
    lines: bool,
}

const VERSION: &[Column] = &[
    ("when", "{when}"),
    ("rev", "{rev}"),
    ("what", "{what}"),
    ("path", "{path}"),
    ("file", "{file_path}"),
    ("who", "{who}"),
    ("message", "{title}"),
    ("note", "{note}"),
];

pub fn run(context: &Context, args: &HistoryArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let filter = &args.item.filter;
    let request = HistoryRequest {
        item: ResolveRequest {
            path: args.item.path.clone(),
            kind: filter.kind,
            file_path: filter.file.as_deref().map(|file| context.file(file)),
            package: filter.package.clone(),
        },
        id: filter.id.clone(),
        limit: (args.limit > 0).then_some(args.limit),
        spans: if args.lines { Spans::With } else { Spans::Without },
    };
    let history = snapshot.history(&request)?;
    if !history.present && context.format() == Format::Text {
        output::note(context, &format!("`{}` is there no more", history.query));
    }
    let mut columns = VERSION.to_vec();
    if args.lines {
        columns.insert(5, ("lines", "{span/start_line}-{span/end_line}"));
    }
    history_listing::listing(context, &history, &columns)
}
