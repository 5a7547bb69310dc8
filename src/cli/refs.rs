//! `asof refs`.

use asof::wire::{ImportedUses, UseRequest};
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::hint;
use super::output::{self, Listing, plural, some};
use super::uses::{GraphArgs, SymbolArgs, UseArgs, certainty, implementations, left_out};
use crate::surface::text;

const USE: Listing<'_> = Listing {
    columns: &[
        ("place", "{file_path}:{line}:{column}"),
        ("use", "{use_kind}"),
        ("in", "{item/path}"),
        ("confidence", "{confidence}"),
        ("rule", "{provenance}"),
    ],
    keys: "file_path line column byte use_kind depth confidence provenance in_test item item.id \
           item.kind item.name item.path target snippet snippet.text snippet.location",
};

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
  asof refs asof::When::parse --unresolved
  asof refs asof::store::Batch --min-confidence 0.9 --format json
  asof refs asof::Database --limit 0 --fields place,in
  asof refs asof::When::parse --guesses
  asof refs asof::Database --at HEAD~1")]
pub struct RefsArgs {
    #[command(flatten)]
    symbol: SymbolArgs,
    /// List unresolved uses of its bare name instead; they may or may not mean this item
    #[arg(long)]
    unresolved: bool,
    /// List uses that an imported index knows instead (`asof import`), and which of them we know
    #[arg(
        long,
        conflicts_with_all = ["unresolved", "kind", "min_confidence", "include_tests",
            "exclude_tests", "snippets", "guesses", "implementations", "graph"]
    )]
    imported: bool,
    #[command(flatten)]
    uses: UseArgs,
    /// Also list calls on receivers of unknown type, which may mean this item or another one of
    /// the same name; at best one in ten is right
    #[arg(long)]
    guesses: bool,
    /// Of a trait's method: also list uses of the methods that implement it
    #[arg(long)]
    implementations: bool,
    #[command(flatten)]
    graph: GraphArgs,
}

pub fn run(context: &Context, args: &RefsArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let symbols = args.symbol.symbols(context, &snapshot)?;
    if args.imported {
        return imported(context, &snapshot.imported_uses(&symbols, args.uses.limit.get())?);
    }
    let request = UseRequest {
        implementations: implementations(args.implementations),
        ..args.uses.request_with_guesses(args.guesses)
    };
    let mut found = match args.unresolved {
        true => snapshot.unresolved_uses(&symbols, &request)?,
        false => snapshot.where_used(&symbols, &request)?,
    };
    hint::explain(&mut found.certainty, &symbols);
    if args.graph.draw(context, &found)? {
        return Ok(());
    }
    if !context.is_prose() {
        return output::listing(context, &found, USE);
    }
    output::print(&text::uses::where_used(&found))?;
    let total = found.answer.total;
    let (uses, files) = (plural(total, "use"), plural(found.files, "file"));
    if args.unresolved {
        context.note(&format!("{uses} in {files} not resolved"));
    } else {
        let left_out = left_out(found.guesses_left_out, Some(&found.certainty));
        context.note(&format!("{uses} in {files}{left_out}"));
        certainty(context, &found.certainty, total);
    }
    output::basis(context, &serde_json::to_value(&found.answer)?)
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
