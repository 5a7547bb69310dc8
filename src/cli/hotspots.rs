//! `asof hotspots`.

use asof::When;
use asof::wire::{Answer, HotspotRequest, Tests};
use clap::Args;
use serde::Serialize;

use super::context::Context;
use super::globals::Limit;
use super::output::{self, Listing};

/// List functions that change often and are complex, change together, or who changes them
///
/// A function's score is the number of revisions that changed it times its cyclomatic complexity.
/// Changes under earlier paths count, as far as moves and renames are known. Import the Git history
/// first: `asof index --history`.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof hotspots
  asof hotspots src --since -30d --exclude-tests
  asof hotspots asof::wire --pairs         functions that the same revisions changed
  asof hotspots src/wire --owners          who made the versions of its functions")]
pub struct HotspotsArgs {
    /// Only this item with its contents, this module, file or folder
    path: Option<String>,
    /// Only changes after a moment, given as for --at
    #[arg(long, value_name = "WHEN", allow_hyphen_values = true)]
    since: Option<String>,
    /// List pairs of functions that the same revisions changed; those of more than 30 items do not
    /// count, nor do pairs with fewer than 3
    #[arg(long, conflicts_with = "owners")]
    pairs: bool,
    /// List who made the versions of the functions
    #[arg(long)]
    owners: bool,
    /// Leave out test code
    #[arg(long)]
    exclude_tests: bool,
    #[command(flatten)]
    limit: Limit,
}

const HOTSPOT: Listing<'_> = Listing {
    columns: &[
        ("score", "{score}"),
        ("changes", "{changes}"),
        ("complexity", "{complexity}"),
        ("lines", "{code_lines}"),
        ("last", "{last}"),
        ("path", "{path}"),
        ("file", "{file_path}"),
    ],
    keys: "id path kind file_path in_test changes last complexity cognitive code_lines score",
};

const PAIR: Listing<'_> = Listing {
    columns: &[
        ("share", "{share}"),
        ("together", "{together}"),
        ("first", "{first/path}"),
        ("second", "{second/path}"),
    ],
    keys: "first.id first.path first.file_path second.id second.path second.file_path together share",
};

const OWNER: Listing<'_> = Listing {
    columns: &[
        ("share", "{share}"),
        ("versions", "{versions}"),
        ("functions", "{items}"),
        ("since", "{since}"),
        ("last", "{last}"),
        ("actor", "{actor}"),
    ],
    keys: "actor versions share items since last",
};

pub fn run(context: &Context, args: &HotspotsArgs) -> anyhow::Result<()> {
    let request = HotspotRequest {
        path: args.path.as_ref().map(|path| match path.contains("::") {
            true => path.clone(),
            false => context.file(path),
        }),
        since: args.since.as_deref().map(When::parse).transpose()?,
        tests: if args.exclude_tests { Tests::Exclude } else { Tests::Include },
        limit: args.limit.get(),
    };
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    match (args.pairs, args.owners) {
        (true, _) => {
            let none = "no two functions changed together in 3 revisions";
            list(context, &snapshot.coupling(&request)?, PAIR, none)
        }
        (_, true) => {
            let none = "no version of these functions has a known author";
            list(context, &snapshot.ownership(&request)?, OWNER, none)
        }
        _ => {
            let none = "no function has changed";
            list(context, &snapshot.hotspots(&request)?, HOTSPOT, none)
        }
    }
}

/// Lists entries, or says that there are none.
fn list<T: Serialize>(
    context: &Context,
    answer: &Answer<T>,
    columns: Listing<'_>,
    none: &str,
) -> anyhow::Result<()> {
    if answer.items.is_empty() && context.is_prose() {
        output::print(&format!("{none}; `asof index --history` imports earlier commits\n"))?;
    }
    output::listing(context, answer, columns)
}
