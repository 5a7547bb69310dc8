//! `asof path`.

use asof::model::RefKind;
use asof::wire::{DEFAULT_DEPTH, PathRequest, PathResult, ResolveRequest, Symbol};
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::output;
use super::uses::use_kind;
use crate::surface::text;

/// Number of gaps to print.
const SHOWN: usize = 5;

/// Find a shortest path of calls from one item to another
///
/// Each step is printed with the place of the call. If there is no certain path, calls on
/// receivers of unknown type and the impls of trait items are followed too, and the answer says so.
/// If there is no path at all, the answer says whether that is proven, or what may hide one. If an
/// argument names several definitions, all of them are tried.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof path asof::When::parse_range asof::When::parse
  asof path asof::Database::undo_edit std::fs::remove_file --limit 3
  asof path asof::Database::snapshot asof::When --kind call,method_call,type")]
pub struct PathArgs {
    /// Path of the item to start from
    from: String,
    /// Path of the item to reach, possibly of another crate: std::fs::read
    to: String,
    /// Kinds of use to follow; see `asof refs --help`
    #[arg(long, value_delimiter = ',', default_value = "call,method_call,implicit", value_parser = use_kind)]
    kind: Vec<RefKind>,
    /// Maximum number of steps
    #[arg(long, default_value_t = DEFAULT_DEPTH, value_name = "N")]
    depth: u32,
    /// Maximum number of paths; all have the same length
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
}

pub fn run(context: &Context, args: &PathArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let from = snapshot.symbols(&ResolveRequest::new(&args.from))?;
    let to = snapshot.symbols(&ResolveRequest::new(&args.to))?;
    let request =
        PathRequest { use_kinds: args.kind.clone(), depth: args.depth, limit: args.limit };
    let found = snapshot.use_paths(&from, &to, &request)?;
    match context.format() {
        Format::Json => return output::json(context, &found),
        Format::Text => output::print(&text::paths(&found))?,
        _ => output::rows(context, &steps(&found)?, STEP)?,
    }
    if found.answer.items.is_empty() {
        none(context, &found);
    }
    output::basis(context, &serde_json::to_value(&found.answer)?)
}

const STEP: &[output::Column] = &[
    ("path", "{path}"),
    ("step", "{step}"),
    ("item", "{source/path}"),
    ("use", "{use_kind}"),
    ("of", "{target/path}"),
    ("confidence", "{confidence}"),
    ("place", "{site/file_path}:{site/line}"),
];

/// The steps of all paths as rows.
fn steps(found: &PathResult) -> anyhow::Result<serde_json::Value> {
    let mut rows = Vec::new();
    for (path, way) in (1..).zip(&found.answer.items) {
        for (step, one) in (1..).zip(&way.steps) {
            let mut row = serde_json::to_value(one)?;
            if let Some(row) = row.as_object_mut() {
                row.insert("path".to_owned(), serde_json::json!(path));
                row.insert("step".to_owned(), serde_json::json!(step));
            }
            rows.push(row);
        }
    }
    Ok(serde_json::json!({ "items": rows }))
}

fn none(context: &Context, found: &PathResult) {
    let name = |symbols: &[Symbol]| symbols.first().map_or(String::new(), |s| s.path.clone());
    let (from, to) = (name(&found.from), name(&found.to));
    let Some(reason) = &found.reason else {
        return context.note(&format!("no path from {from} to {to} (proven)"));
    };
    context.note(&format!("no path from {from} to {to} found; not proven: {reason}"));
    for gap in found.gaps.iter().take(SHOWN) {
        let (text, source) = (&gap.text, &gap.source);
        context.note(&match gap.reason.as_str() {
            "value" => format!("  {text} is passed as a value in {source}"),
            "implicit" => format!("  {text} may be called without being named"),
            "generated" => format!("  {text}, called in {source}, may be defined by a macro"),
            "mention" => format!("  {text} is mentioned in {source}"),
            _ => format!("  {text} in {source} is not resolved"),
        });
    }
    if found.gaps.len() > SHOWN {
        context.note("  … (`--format json` lists more)");
    }
}
