//! `asof refs`: uses of an item.

use asof_wire::ImportedUses;
use clap::Args;

use super::ask::{self, Ask};
use super::context::Context;
use super::globals::Format;
use super::graph::GraphArgs;
use super::hint::WORDS;
use super::output::{self, Listing, plural, some};
use asof_surface::questions::uses::{REFS, RefsRequest, SUMMARY, UNRESOLVED};

const IMPORTED: Listing<'_> = Listing {
    columns: &[
        ("place", "{file_path}:{line}:{column}"),
        ("in", "{item/path}"),
        ("rule", "{provenance}"),
        ("tool", "{tool} {version}"),
        ("our use", "{use_kind}"),
        ("our rule", "{our_rule}"),
    ],
    keys: "file_path line column byte provenance tool version use_kind our_rule item item.id \
           item.kind item.name item.path target",
};

/// List the uses of an item, or of a name from another crate
///
/// A use is a place where a name resolves to the item, not a text match. Uncertain uses show their
/// confidence.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof refs asof::Database
  asof refs asof::When::parse --kind call --exclude-tests
  asof refs std::fs::read --snippets
  asof refs 'std::fs::*'
  asof refs asof::Database --summary --exclude-tests
  asof refs asof::When::parse --unresolved
  asof refs asof_store::Batch --min-confidence 0.9 --format json
  asof refs asof::Database --limit 0 --fields place,in
  asof refs asof::When::parse --guesses
  asof refs asof::Database --at HEAD~1")]
pub struct RefsArgs {
    #[command(flatten)]
    ask: Ask<RefsRequest>,
    /// List uses that an imported index knows instead (`asof import`), and which of them we know
    #[arg(
        long,
        conflicts_with_all = ["unresolved", "use_kinds", "min_confidence", "exclude-tests",
            "snippets", "guesses", "implementations", "graph"]
    )]
    imported: bool,
    /// List how many uses each file has, by package, instead of the places
    #[arg(long, conflicts_with_all = ["unresolved", "snippets", "imported", "graph"])]
    summary: bool,
    #[command(flatten)]
    graph: GraphArgs,
}

pub fn run(context: &Context, args: RefsArgs) -> anyhow::Result<()> {
    let mut request = args.ask.limited();
    if args.imported {
        request.subject.target.find_files(&|file| context.file(file));
        let database = context.database_at()?;
        let snapshot = context.snapshot(&database)?;
        let symbols = request.subject.symbols(&snapshot, &WORDS)?;
        return imported(context, &snapshot.imported_uses(&symbols, request.uses.limit)?);
    }
    if args.summary {
        return ask::run(context, &SUMMARY, request);
    }
    let question = if request.unresolved { &UNRESOLVED } else { &REFS };
    let found = ask::answer(context, question, request)?;
    if args.graph.draw(context, &found)? { Ok(()) } else { ask::print(context, question, &found) }
}

fn imported(context: &Context, found: &ImportedUses) -> anyhow::Result<()> {
    output::listing(context, found, IMPORTED)?;
    if context.format() == Format::Json {
        return Ok(());
    }
    let (uses, unknown) = (plural(found.answer.total, "use"), found.unknown_to_us);
    context.note(&format!("{uses} in imported indexes, {unknown} of them unknown to us"));
    if !found.stale_imports.is_empty() {
        let files = some(&found.stale_imports);
        output::warn(context, &format!("changed since the index was imported: {files}"));
    }
    Ok(())
}
