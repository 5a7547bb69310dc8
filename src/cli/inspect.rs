//! `asof inspect`: looking into the database.

use asof::engine::{EngineError, Item, Snapshot, UndefinedNames};
use asof::model::NodeId;
use clap::{Args, Subcommand};

use super::context::Context;
use super::failure::{Failure, Kind};
use super::output::{self, Column};
use super::resolve::ItemArgs;

/// Look into the database: modules, nodes, counts, issues, unresolved names
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof inspect counts
  asof inspect outline crate::config
  asof inspect at src/lib.rs 120
  asof inspect issues --limit 5 --format json")]
pub struct InspectArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Every field of an item
    #[command(after_help = "Examples:\n  asof inspect item crate::config::Config")]
    Item(ItemArgs),
    /// The files of a module
    #[command(after_help = "Examples:\n  asof inspect modules crate::config")]
    Modules(ItemArgs),
    /// Whether nodes are there, with hash and span
    #[command(
        after_help = "Examples:\n  asof inspect node 5f0c2a51-0d5e-5f0a-9c8e-0f6f1c1b2a3d --at -1h"
    )]
    Node {
        /// Ids of nodes
        #[arg(required = true)]
        ids: Vec<NodeId>,
    },
    /// Rows of each relation
    #[command(after_help = "Examples:\n  asof inspect counts --format csv")]
    Counts,
    /// What could not be read or understood
    #[command(after_help = "Examples:\n  asof inspect issues --limit 5")]
    Issues {
        #[command(flatten)]
        limit: Limit,
    },
    /// Names that nothing in the workspace explains
    #[command(after_help = "Examples:\n  asof inspect unresolved --external")]
    Unresolved {
        /// Names of dependencies and standard crates instead
        #[arg(long)]
        external: bool,
        #[command(flatten)]
        limit: Limit,
    },
    /// Definitions by kind
    #[command(after_help = "Examples:\n  asof inspect kinds")]
    Kinds,
    /// The items around a byte of a file, the innermost first
    #[command(after_help = "Examples:\n  asof inspect at src/lib.rs 120")]
    At {
        /// The file
        file: String,
        /// Offset of the byte, from 0
        byte: u32,
    },
    /// What stands in a module, type, trait or file, in the order of the text
    #[command(
        after_help = "Examples:\n  asof inspect outline crate\n  asof inspect outline src/lib.rs"
    )]
    Outline(ItemArgs),
}

#[derive(Debug, Args)]
struct Limit {
    /// Most rows to list; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
}

impl Limit {
    fn get(&self) -> Option<usize> {
        (self.limit > 0).then_some(self.limit)
    }
}

const MODULE: &[Column] = &[
    ("module", "{module_path}"),
    ("kind", "{module_kind}"),
    ("file", "{file_path}"),
    ("id", "{id}"),
];
const NODE: &[Column] = &[
    ("id", "{id}"),
    ("present", "{present}"),
    ("kind", "{kind}"),
    ("place", "{file_path}:{span/start_line}-{span/end_line}"),
    ("tracking", "{tracking_hash}"),
];
const ISSUE: &[Column] =
    &[("kind", "{kind}"), ("place", "{file_path}:{span/start_line}"), ("message", "{message}")];
const UNRESOLVED: &[Column] = &[
    ("kind", "{kind}"),
    ("text", "{text}"),
    ("named by", "{source_path}"),
    ("file", "{file_path}"),
];
const OUTLINE: &[Column] = &[
    ("kind", "{kind}"),
    ("name", "{name}"),
    ("lines", "{span/start_line}-{span/end_line}"),
    ("cfg", "{cfg}"),
    ("signature", "{signature}"),
];

pub fn run(context: &Context, args: &InspectArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    match &args.what {
        What::Item(item) => {
            let found = item.resolve(context, &snapshot)?;
            match (context.format(), found.one()?) {
                (super::globals::Format::Json, _) => output::json(&found),
                (_, item) => output::record(context, item),
            }
        }
        What::Modules(item) => {
            let items = items(context, &snapshot, item)?;
            let answer = snapshot.module_files(&items)?;
            if answer.items.is_empty() {
                let message = format!("`{}` is not a module", item.path);
                let hint = "`asof inspect item PATH` tells the file of other items";
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
            output::listing(context, &answer, &outline_with_path())
        }
        What::Outline(item) if item.path.ends_with(".rs") => {
            let answer = snapshot.file_outline(&context.file(&item.path))?;
            output::listing(context, &answer, OUTLINE)
        }
        What::Outline(item) => {
            let found = items(context, &snapshot, item)?;
            let ids: Vec<NodeId> = found.iter().map(|item| item.id).collect();
            let answer = snapshot.outline(&ids)?;
            output::listing(context, &answer, OUTLINE)
        }
    }
}

fn outline_with_path() -> Vec<Column> {
    OUTLINE.iter().map(|c| if c.0 == "name" { ITEM_PATH } else { *c }).collect()
}

const ITEM_PATH: Column = ("path", "{path}");

/// One item or several; none is an error.
fn items(
    context: &Context,
    snapshot: &Snapshot<'_>,
    args: &ItemArgs,
) -> Result<Vec<Item>, EngineError> {
    let found = args.resolve(context, snapshot)?;
    match found.one() {
        Ok(_) | Err(EngineError::Ambiguous { .. }) => Ok(found.items().to_vec()),
        Err(error) => Err(error),
    }
}
