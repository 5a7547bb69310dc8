//! `asof ast-query`.

use asof::wire::{AstMatch, AstMatches, AstRequest};
use clap::Args;

use super::context::Context;
use super::globals::Limit;
use super::output::{self, Listing, plural};

const ITEM: Listing<'_> = Listing {
    columns: &[
        ("place", "{file_path}:{line}"),
        ("pattern", "{pattern}"),
        ("captures", "{captures}"),
    ],
    keys: "file_path line pattern captures captures.name captures.node captures.text \
           captures.start_byte captures.end_byte captures.start_line captures.start_column \
           captures.end_line",
};

/// Match syntax trees with a tree-sitter query
///
/// A query is S-expressions with captures and the predicates #eq?, #match?, #any-of? and their
/// negations (#not-eq?, …), or the name of a shipped one: functions, structs, enums, impls, errors.
/// It matches syntax, not meaning: `asof refs` and `asof query` know what names resolve to.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof ast-query '(function_item name: (identifier) @name)'
  asof ast-query functions --file src/config.rs
  asof ast-query errors --path crate::parse
  asof ast-query '((identifier) @id (#match? @id \"^unsafe_\"))' --file 'src/**/*.rs'
  asof ast-query structs --at -1h --format json")]
pub struct AstQueryArgs {
    /// The query, or the name of a shipped one
    query: String,
    /// Only these files: paths, ends of paths, folders, or glob patterns
    #[arg(long, value_name = "FILE")]
    file: Vec<String>,
    /// Only this item
    #[arg(long, value_name = "PATH", conflicts_with = "file")]
    path: Option<String>,
    #[command(flatten)]
    limit: Limit,
}

pub fn run(context: &Context, args: &AstQueryArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let request = AstRequest {
        query: args.query.clone(),
        files: args.file.iter().map(|file| context.file(file)).collect(),
        path: args.path.clone(),
        limit: args.limit.get(),
    };
    let found = snapshot.ast_query(&request)?;
    if !found.incomplete_files.is_empty() {
        let files = output::some(&found.incomplete_files);
        output::warn(context, &format!("the query gave up in {files}; matches may be missing"));
    }
    if !context.is_prose() {
        return output::listing(context, &found, ITEM);
    }
    output::print(&found.answer.items.iter().map(lines).collect::<String>())?;
    context.note(&summary(&found));
    output::basis(context, &serde_json::to_value(&found)?)
}

fn summary(found: &AstMatches) -> String {
    let total = match found.answer.total {
        1 => "1 match".to_owned(),
        total => format!("{total} matches"),
    };
    format!("{total} in {}", plural(found.files, "file"))
}

/// A line for each capture.
fn lines(found: &AstMatch) -> String {
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    for capture in &found.captures {
        let first = capture.text.lines().next().unwrap_or_default();
        let more = if capture.end_line > capture.start_line { " …" } else { "" };
        let (line, column) = (capture.start_line, capture.start_column);
        let place = format!("{}:{line}:{column}", found.file_path);
        out.push_str(&format!("{dim}{place}{dim:#}  @{}  {first}{more}\n", capture.name));
    }
    if found.captures.is_empty() {
        out.push_str(&format!("{}  pattern {}\n", found.file_path, found.pattern));
    }
    out
}
