//! `asof blame`.

use asof::engine::ResolveRequest;
use clap::Args;

use super::context::Context;
use super::history_listing;
use super::output::Column;
use super::resolve::Filter;

/// Tell of each item who changed it last, when and how
///
/// Comments, formatting, moves without a change, and changes of what stands in an item do not
/// count: the change before them is told.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof blame src/config.rs
  asof blame crate::config::Config
  asof blame src/lib.rs --at -24h --format json")]
pub struct BlameArgs {
    /// A file, or the path of an item
    #[arg(value_name = "FILE|PATH")]
    target: String,
    #[command(flatten)]
    filter: Filter,
}

const BLAMED: &[Column] = &[
    ("when", "{when}"),
    ("age", "{age}"),
    ("rev", "{rev}"),
    ("who", "{who}"),
    ("what", "{what}"),
    ("lines", "{span/start_line}-{span/end_line}"),
    ("kind", "{kind}"),
    ("path", "{indented}"),
];

pub fn run(context: &Context, args: &BlameArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let target = &args.target;
    if target.ends_with(".rs") {
        return history_listing::listing(
            context,
            &snapshot.blame_file(&context.file(target))?,
            BLAMED,
        );
    }
    let request = ResolveRequest {
        path: target.clone(),
        kind: args.filter.kind,
        file_path: args.filter.file.as_deref().map(|file| context.file(file)),
        package: args.filter.package.clone(),
    };
    let mut found = snapshot.resolve(&request)?;
    if let Some(id) = &args.filter.id {
        found.answer.items.retain(|item| item.id.to_string().starts_with(id.as_str()));
    }
    let item = found.one()?;
    history_listing::listing(context, &snapshot.blame_item(target, item)?, BLAMED)
}
