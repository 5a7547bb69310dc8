//! `asof outline`.

use std::collections::BTreeSet;

use asof::model::{NodeId, NodeKind};
use asof::wire::OutlineEntry;
use asof::{DEFAULT_OUTLINE_DEPTH, Open};
use asof::{EngineError, Snapshot};
use clap::Args;

use super::context::Context;
use super::globals::Limit;
use super::output::{self, Listing};
use super::resolve::ItemArgs;

const ENTRY: Listing<'_> = Listing {
    columns: &[
        ("depth", "{depth}"),
        ("kind", "{kind}"),
        ("name", "{name}"),
        ("place", "{file_path}:{line}-{end_line}"),
        ("cfg", "{cfg}"),
        ("signature", "{signature}"),
    ],
    keys: "id parent_id depth kind name path visibility signature cfg file_path line \
           end_line children tracking_hash",
};

/// Outline a type, module or file: members, impls and signatures with line numbers
///
/// A type is shown with its impls, whichever file they are in. Submodules and trait impls show
/// only their number of items unless `--depth` is given.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof outline crate::config::Config
  asof outline src/lib.rs
  asof outline crate --depth 3           with the items of submodules")]
pub struct OutlineArgs {
    /// Path of the item, or a file: crate::Type, crate::module, src/lib.rs
    #[command(flatten)]
    item: ItemArgs,
    /// Number of levels to show, submodules and trait impls included [default: 2, without those]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    #[command(flatten)]
    limit: Limit,
}

pub fn run(context: &Context, args: &OutlineArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    tell(context, &context.snapshot(&database)?, args)
}

/// Answers at a snapshot.
pub fn tell(context: &Context, snapshot: &Snapshot<'_>, args: &OutlineArgs) -> anyhow::Result<()> {
    let (depth, open) = match args.depth {
        Some(depth) => (depth, Open::Everything),
        None => (DEFAULT_OUTLINE_DEPTH, Open::Members),
    };
    let path = args.item.path.as_str();
    let mut answer = match path.ends_with(".rs") && !path.contains("::") {
        true => snapshot.file_outline(&context.file(path), depth, open)?,
        false => {
            let found = args.item.resolve(context, snapshot)?;
            match found.one() {
                Ok(_) | Err(EngineError::Ambiguous { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            let ids: Vec<NodeId> = found.items().iter().map(|item| item.id).collect();
            snapshot.outline(&ids, depth, open)?
        }
    };
    answer.cut(args.limit.get());
    if !context.is_prose() {
        return output::listing(context, &answer, ENTRY);
    }
    output::print(&text(&answer.items))?;
    output::basis(context, &serde_json::to_value(&answer)?)
}

fn text(entries: &[OutlineEntry]) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let opened: BTreeSet<NodeId> = entries.iter().filter_map(|entry| entry.parent_id).collect();
    let last_line = entries.iter().map(|entry| entry.line).max().unwrap_or_default();
    let width = last_line.to_string().len();
    let mut out = String::new();
    let mut file = "";
    for entry in entries {
        let cfg = match entry.cfg.as_str() {
            "" => String::new(),
            cfg => format!("  cfg({cfg})"),
        };
        let (signature, line, end) = (head(entry), entry.line, entry.end_line);
        if entry.depth == 0 {
            file = &entry.file_path;
            out.push_str(&format!(
                "{bold}{signature}{bold:#}{dim}  {file}:{line}-{end}{cfg}{dim:#}\n"
            ));
            continue;
        }
        // Items of a module in another file have line numbers of that file.
        let elsewhere = match entry.file_path == file {
            true => String::new(),
            false => format!("  {}", entry.file_path),
        };
        let closed = match entry.children {
            0 => String::new(),
            _ if opened.contains(&entry.id) => String::new(),
            n if holds_items(entry.kind) => {
                format!("  {}", super::output::plural(n as usize, "item"))
            }
            _ => String::new(),
        };
        let indent = "  ".repeat(entry.depth as usize);
        out.push_str(&format!(
            "{dim}{line:>width$}{dim:#}{indent}{signature}{dim}{elsewhere}{closed}{cfg}{dim:#}\n"
        ));
    }
    out
}

/// Whether its items are listed: those in function bodies are not.
fn holds_items(kind: NodeKind) -> bool {
    !matches!(kind, NodeKind::Function | NodeKind::Method | NodeKind::Const | NodeKind::Static)
}

fn head(entry: &OutlineEntry) -> String {
    match (entry.kind, &entry.path) {
        (NodeKind::Module, Some(path)) if entry.depth == 0 => format!("mod {path}"),
        _ if entry.signature.is_empty() => format!("{} {}", entry.kind, entry.name),
        _ => entry.signature.clone(),
    }
}
