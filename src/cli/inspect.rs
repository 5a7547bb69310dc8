//! `asof inspect`: what the database contains.

use asof::UndefinedNames;
use asof::model::NodeId;
use clap::{Args, Subcommand};

use super::context::Context;
use super::failure::{Failure, Kind};
use super::globals::Limit;
use super::output::{self, Listing};
use super::resolve::ItemArgs;

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
    Item(ItemArgs),
    /// List the files of a module
    #[command(
        after_help = "Examples, in the repository of asof itself:\n  asof inspect modules asof::wire"
    )]
    Modules(ItemArgs),
    /// Show whether nodes exist, with their hash and span
    #[command(
        after_help = "Examples, in the repository of asof itself:\n  asof inspect node d87c652b-f405-572f-8a76-4ef699f5ed9a --at HEAD~1"
    )]
    Node {
        /// Ids of nodes
        #[arg(required = true)]
        ids: Vec<NodeId>,
    },
    /// Count the rows of each relation
    #[command(after_help = "Examples:\n  asof inspect counts --format csv")]
    Counts,
    /// List what could not be read or parsed
    #[command(after_help = "Examples:\n  asof inspect issues --limit 5")]
    Issues {
        #[command(flatten)]
        limit: Limit,
    },
    /// List names that could not be resolved
    #[command(after_help = "Examples:\n  asof inspect unresolved --external")]
    Unresolved {
        /// List names of dependencies and standard crates instead
        #[arg(long)]
        external: bool,
        #[command(flatten)]
        limit: Limit,
    },
    /// Count definitions by kind
    #[command(after_help = "Examples:\n  asof inspect kinds")]
    Kinds,
    /// List the items around a byte of a file, innermost first
    #[command(
        after_help = "Examples, in the repository of asof itself:\n  asof inspect at src/wire/moment.rs 2000"
    )]
    At {
        /// The file
        file: String,
        /// Offset in bytes, from 0
        byte: u32,
    },
    /// The same as `asof outline`
    Outline(super::outline::OutlineArgs),
}

const MODULE: Listing<'_> = Listing {
    columns: &[
        ("module", "{module_path}"),
        ("kind", "{module_kind}"),
        ("file", "{file_path}"),
        ("id", "{id}"),
    ],
    keys: "id module_path module_kind file_path namespace tracking_hash",
};
const NODE: Listing<'_> = Listing {
    columns: &[
        ("id", "{id}"),
        ("present", "{present}"),
        ("kind", "{kind}"),
        ("place", "{file_path}:{span/start_line}-{span/end_line}"),
        ("tracking", "{tracking_hash}"),
    ],
    keys: "id present kind tracking_hash file_path span span.start_byte span.end_byte \
           span.start_line span.end_line",
};
const ISSUE: Listing<'_> = Listing {
    columns: &[
        ("kind", "{kind}"),
        ("place", "{file_path}:{span/start_line}"),
        ("message", "{message}"),
    ],
    keys: "file_path kind message span span.start_byte span.end_byte span.start_line \
           span.end_line",
};
const UNRESOLVED: Listing<'_> = Listing {
    columns: &[
        ("kind", "{kind}"),
        ("text", "{text}"),
        ("in", "{source_path}"),
        ("file", "{file_path}"),
    ],
    keys: "text kind name source_path file_path external",
};
const AROUND: Listing<'_> = Listing {
    columns: &[
        ("kind", "{kind}"),
        ("path", "{path}"),
        ("lines", "{span/start_line}-{span/end_line}"),
        ("cfg", "{cfg}"),
        ("signature", "{signature}"),
    ],
    keys: "id parent_id kind name path signature cfg tracking_hash span \
           span.start_byte span.end_byte span.start_line span.end_line",
};

pub fn run(context: &Context, args: &InspectArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    match &args.what {
        What::Item(item) => {
            let found = item.resolve(context, &snapshot)?;
            match (context.format(), found.one()?) {
                (super::globals::Format::Json, _) => {
                    output::listing(context, &found, super::resolve::ITEM)
                }
                (_, item) => output::record(context, item),
            }
        }
        What::Modules(item) => {
            let answer = snapshot.module_files(item.resolve(context, &snapshot)?.any()?)?;
            if answer.items.is_empty() {
                let message = format!("`{}` is not a module", item.path);
                let hint = "`asof inspect item PATH` shows the file of other items";
                return Err(Failure::new(Kind::NoMatch, message, hint).into());
            }
            output::listing(context, &answer, MODULE)
        }
        What::Node { ids } => output::listing(context, &snapshot.nodes(ids)?, NODE),
        What::Counts => output::listing(
            context,
            &snapshot.counts()?,
            &[("relation", "{relation}"), ("rows", "{rows}")],
        ),
        What::Issues { limit } => output::listing(context, &snapshot.issues(limit.get())?, ISSUE),
        What::Unresolved { external, limit } => {
            let names = if *external { UndefinedNames::External } else { UndefinedNames::Unknown };
            output::listing(context, &snapshot.unresolved(names, limit.get())?, UNRESOLVED)
        }
        What::Kinds => output::listing(
            context,
            &snapshot.kinds()?,
            &[("kind", "{kind}"), ("definitions", "{definitions}")],
        ),
        What::At { file, byte } => {
            let answer = snapshot.item_at(&context.file(file), *byte)?;
            output::listing(context, &answer, AROUND)
        }
        What::Outline(args) => super::outline::tell(context, &snapshot, args),
    }
}
