//! `asof blame`.

use asof::Snapshot;
use asof::wire::{Blame, Merges, ResolveRequest};
use clap::Args;

use super::context::Context;
use super::globals::Limit;
use super::history_listing;
use super::output::Listing;
use super::resolve::Filter;

/// Show who last changed each item of a file, when and how
///
/// Comments, formatting, plain moves and changes to nested items do not count: the last other
/// change is shown. Of a change that came with a merge, the commit of the merged branch is shown,
/// and the merge in the note; both are read from the Git repository.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof blame src/wire/moment.rs
  asof blame asof::When
  asof blame src/wire/moment.rs --first-parent     merges, not the commits that they merged
  asof blame src/wire/moment.rs --at -24h --format json")]
pub struct BlameArgs {
    /// A file, or the path of an item
    #[arg(value_name = "FILE|PATH")]
    target: String,
    #[command(flatten)]
    filter: Filter,
    /// Name the merge of a change, not the commit of the merged branch
    #[arg(long)]
    first_parent: bool,
    #[command(flatten)]
    limit: Limit,
}

const BLAMED: Listing<'_> = Listing {
    columns: &[
        ("when", "{when}"),
        ("age", "{age}"),
        ("rev", "{rev}"),
        ("who", "{who}"),
        ("what", "{what}"),
        ("lines", "{span/start_line}-{span/end_line}"),
        ("kind", "{kind}"),
        ("path", "{indented}"),
        ("note", "{note}"),
    ],
    keys: "id kind path file_path span span.start_byte span.end_byte \
           span.start_line span.end_line depth revision at cause actor message commit \
           classes present_at_start branch_commit branch_commit.commit branch_commit.actor \
           branch_commit.at branch_commit.message uncommitted age_s",
};

pub fn run(context: &Context, args: &BlameArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let target = &args.target;
    let mut blame = match target.ends_with(".rs") {
        true => snapshot.blame_file(&context.file(target), merges(args))?,
        false => blame_item(context, &snapshot, args)?,
    };
    blame.answer.cut(args.limit.get());
    history_listing::listing(context, &blame, BLAMED)
}

fn blame_item(
    context: &Context,
    snapshot: &Snapshot<'_>,
    args: &BlameArgs,
) -> anyhow::Result<Blame> {
    let target = &args.target;
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
    Ok(snapshot.blame_item(target, found.one()?, merges(args))?)
}

fn merges(args: &BlameArgs) -> Merges {
    if args.first_parent { Merges::FirstParent } else { Merges::Follow }
}
