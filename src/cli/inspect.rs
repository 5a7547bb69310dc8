//! `asof inspect`: what the database contains.

use asof_wire::ListRequest;
use clap::{Args, Subcommand};

use super::ask::{self, Ask};
use super::context::Context;
use super::globals::Format;
use super::output;
use asof_surface::questions::inspect::{
    AROUND, ByteRequest, COUNTS, ISSUES, KINDS, MODULES, NODES, NamesRequest, NodesRequest,
    Nothing, UNRESOLVED,
};
use asof_surface::questions::items::{ITEM, OUTLINE, OutlineRequest};
use asof_surface::target::Target;

/// Inspect the database: modules, nodes, counts, issues, unresolved names
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof inspect counts
  asof inspect outline asof::wire
  asof inspect at src/wire/moment.rs 2000
  asof inspect issues --limit 5 --format json")]
pub struct InspectArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show every field of an item
    #[command(
        after_help = "Examples, in the repository of asof itself:\n  asof inspect item asof::When"
    )]
    Item(Target),
    /// List the files of a module
    #[command(
        after_help = "Examples, in the repository of asof itself:\n  asof inspect modules asof::wire"
    )]
    Modules(Target),
    /// Show whether nodes exist, with their hash and span
    #[command(
        after_help = "Examples, in the repository of asof itself:\n  asof inspect node d87c652b-f405-572f-8a76-4ef699f5ed9a --at HEAD~1"
    )]
    Node(NodesRequest),
    /// Count the rows of each relation
    #[command(after_help = "Examples:\n  asof inspect counts --format csv")]
    Counts(Nothing),
    /// List what could not be read or parsed
    #[command(after_help = "Examples:\n  asof inspect issues --limit 5")]
    Issues(Ask<ListRequest>),
    /// List names that could not be resolved
    #[command(after_help = "Examples:\n  asof inspect unresolved --external")]
    Unresolved(Ask<NamesRequest>),
    /// Count definitions by kind
    #[command(after_help = "Examples:\n  asof inspect kinds")]
    Kinds(Nothing),
    /// List the items around a byte of a file, innermost first
    #[command(
        after_help = "Examples, in the repository of asof itself:\n  asof inspect at src/wire/moment.rs 2000"
    )]
    At(ByteRequest),
    /// The same as `asof outline`
    Outline(Ask<OutlineRequest>),
}

pub fn run(context: &Context, args: InspectArgs) -> anyhow::Result<()> {
    match args.what {
        What::Item(item) => inspect_item(context, &item),
        What::Modules(item) => ask::run(context, &MODULES, item),
        What::Node(request) => ask::run(context, &NODES, request),
        What::Counts(request) => ask::run(context, &COUNTS, request),
        What::Issues(ask) => ask.run(context, &ISSUES),
        What::Unresolved(ask) => ask.run(context, &UNRESOLVED),
        What::Kinds(request) => ask::run(context, &KINDS, request),
        What::At(request) => ask::run(context, &AROUND, request),
        What::Outline(ask) => ask.run(context, &OUTLINE),
    }
}

/// Every field of the one item that a path means.
fn inspect_item(context: &Context, item: &Target) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let found = context.target(item).resolve(&context.snapshot(&database)?)?;
    match (context.format(), found.unique()?) {
        (Format::Json, _) => output::listing(context, &found, ITEM),
        (_, item) => output::record(context, item),
    }
}
