//! `asof lineage`.

use std::collections::{BTreeMap, BTreeSet};

use asof::model::NodeId;
use asof::wire::{
    DEFAULT_DEPTH, Direction, LineageRequest, LineageResult, Reached, UnknownDirection,
};
use clap::Args;

use super::context::Context;
use super::hint;
use super::output::{self, Listing};
use super::uses::{GraphArgs, SymbolArgs, UseArgs, certainty, doubt, heading, snippet};

/// Columns and fields of a list of reached items.
pub const REACHED: Listing<'_> = Listing {
    columns: &[
        ("depth", "{depth}"),
        ("item", "{item/path}"),
        ("kind", "{item/kind}"),
        ("use", "{use_kind}"),
        ("confidence", "{confidence}"),
        ("place", "{file_path}:{line}"),
    ],
    keys: "depth item item.id item.kind item.name item.path file_path line use_kind confidence \
           score via route external in_test snippet snippet.text snippet.location",
};

/// List what depends on an item, or what it depends on
///
/// `downstream` lists what depends on the item, `upstream` what it depends on; `callers` and
/// `callees` follow only calls. Each item is listed once, by the most certain of its shortest
/// paths.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof lineage crate::config::load --direction callers
  asof lineage crate::Config --direction downstream --depth 2
  asof lineage crate::main --direction upstream --kind call,method_call --format json
  asof lineage crate::Config --limit 0 --format jsonl --fields depth,item.path
  asof lineage crate::main --direction callees --graph svg > callees.svg")]
pub struct LineageArgs {
    #[command(flatten)]
    symbol: SymbolArgs,
    /// upstream, downstream, callers or callees
    #[arg(long, short, default_value = "downstream", value_parser = direction)]
    direction: Direction,
    /// Follow at most N steps
    #[arg(long, default_value_t = DEFAULT_DEPTH, value_name = "N")]
    depth: u32,
    /// Follow at most N uses from each item, the most certain first
    #[arg(long, value_name = "N")]
    breadth: Option<usize>,
    #[command(flatten)]
    uses: UseArgs,
    #[command(flatten)]
    graph: GraphArgs,
}

fn direction(text: &str) -> Result<Direction, String> {
    text.parse().map_err(|error: UnknownDirection| error.to_string())
}

pub fn run(context: &Context, args: &LineageArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let symbols = args.symbol.symbols(context, &snapshot)?;
    let request = LineageRequest {
        direction: args.direction,
        depth: args.depth,
        breadth: args.breadth,
        uses: args.uses.request(),
    };
    let mut found = snapshot.lineage(&symbols, &request)?;
    if let Some(known) = &mut found.certainty {
        hint::explain(known, &symbols);
    }
    if args.graph.draw(context, &found)? {
        return Ok(());
    }
    if !context.is_prose() {
        return output::listing(context, &found, REACHED);
    }
    output::print(&tree(&found))?;
    context.note(&output::plural(found.answer.total, "item"));
    if let Some(known) = &found.certainty {
        certainty(context, known, found.answer.total);
    }
    output::basis(context, &serde_json::to_value(&found.answer)?)
}

/// The items as a tree, each below the one before it on its path.
pub fn tree(found: &LineageResult) -> String {
    let dim = anstyle::Style::new().dimmed();
    let mut below: BTreeMap<NodeId, Vec<&Reached>> = BTreeMap::new();
    let known: BTreeSet<NodeId> = found
        .symbols
        .iter()
        .map(|symbol| symbol.id)
        .chain(found.answer.items.iter().map(|item| item.item.id))
        .collect();
    let mut loose = Vec::new();
    for item in &found.answer.items {
        match known.contains(&item.via) {
            true => below.entry(item.via).or_default().push(item),
            // A filter left out the items in between.
            false => loose.push(item),
        }
    }
    let mut out = String::new();
    for symbol in &found.symbols {
        out.push_str(&heading(symbol));
        branches(&mut out, symbol.id, &mut below, "");
    }
    if !loose.is_empty() {
        out.push_str(&format!("{dim}through items that are not listed:{dim:#}\n"));
        for item in loose {
            out.push_str(&format!("  {}\n", line(item)));
        }
    }
    out
}

/// The branches below an item. An explicit stack avoids recursion as deep as the tree.
fn branches(
    out: &mut String,
    root: NodeId,
    below: &mut BTreeMap<NodeId, Vec<&Reached>>,
    indent: &str,
) {
    let mut open: Vec<(String, std::vec::IntoIter<&Reached>)> = Vec::new();
    if let Some(items) = below.remove(&root) {
        open.push((indent.to_owned(), items.into_iter()));
    }
    while let Some((indent, items)) = open.last_mut() {
        let Some(item) = items.next() else {
            open.pop();
            continue;
        };
        let last = items.len() == 0;
        let (branch, deeper) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        out.push_str(&format!("{indent}{branch}{}\n", line(item)));
        let indent = format!("{indent}{deeper}");
        if let Some(lines) = &item.snippet {
            out.push_str(&snippet(lines, &indent));
        }
        if let Some(items) = below.remove(&item.item.id) {
            open.push((indent, items.into_iter()));
        }
    }
}

/// One item: path, how it is reached, where it is.
pub fn line(item: &Reached) -> String {
    let dim = anstyle::Style::new().dimmed();
    let doubt = doubt(item.confidence);
    let place = match (&item.file_path, item.line) {
        (Some(file), Some(line)) => format!("  {file}:{line}"),
        _ => "  external".to_owned(),
    };
    let test = if item.in_test { " test" } else { "" };
    format!("{} {dim}{}{doubt}{place}{test}{dim:#}", item.item.path, item.use_kind)
}
