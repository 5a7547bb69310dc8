//! `asof history`.

use asof::wire::{HistoryRequest, Merges, ResolveRequest, Spans};
use clap::Args;

use super::context::Context;
use super::globals::{Format, Limit};
use super::history_listing;
use super::output::{Column, Listing};
use super::resolve::ItemArgs;

/// List the versions of an item, newest first, across moves and renames
///
/// Classes of change: added, removed, moved, renamed, split off, merged in, signature, visibility,
/// attributes, documentation, body, contents (only nested items changed), comments, format (only
/// white space). For a change that came with a merge, the note lists the commits of the merged
/// branch. A path that no longer exists is looked up in the past. A split ends the list;
/// continue with the item that it names.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof index --history --max 10          import ten commits first
  asof history asof::When::parse
  asof history asof::Database --limit 5 --lines --format json
  asof history asof::When --at HEAD~1    as of an imported commit")]
pub struct HistoryArgs {
    #[command(flatten)]
    item: ItemArgs,
    #[command(flatten)]
    limit: Limit,
    /// Name merges only, not the commits of merged branches
    #[arg(long)]
    first_parent: bool,
    /// Also show the line numbers of each version
    #[arg(long)]
    lines: bool,
}

const KEYS: &str = "revision at cause actor message commit classes present_at_start id kind \
    path previous_path from to file_path span span.start_byte span.end_byte \
    span.start_line span.end_line signature tracking_hash similarity branch_commits";

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
        limit: args.limit.get(),
        spans: if args.lines { Spans::With } else { Spans::Without },
        merges: if args.first_parent { Merges::FirstParent } else { Merges::Follow },
    };
    let history = snapshot.history(&request)?;
    if !history.present && context.format() == Format::Text {
        context.note(&format!("`{}` no longer exists", history.query));
    }
    let mut columns = VERSION.to_vec();
    if args.lines {
        columns.insert(5, ("lines", "{span/start_line}-{span/end_line}"));
    }
    history_listing::listing(context, &history, Listing { columns: &columns, keys: KEYS })
}
