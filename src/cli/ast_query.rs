//! `asof ast-query`.

use asof::wire::AstRequest;
use clap::Args;

use super::context::Context;
use super::globals::Limit;
use super::output::{self, Listing};
use crate::surface::text::claims::{syntax_match, syntax_summary};

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
#[command(after_help = "Examples, in the repository of asof itself:
  asof ast-query '(function_item name: (identifier) @name)'
  asof ast-query functions --file src/wire/moment.rs
  asof ast-query errors --path asof::When::parse_range
  asof ast-query '((identifier) @id (#match? @id \"^parse_\"))' --file 'src/**/*.rs'
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
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let request = AstRequest {
        query: args.query.clone(),
        files: args.file.iter().map(|file| context.file(file)).collect(),
        path: args.path.clone(),
        limit: args.limit.get(),
    };
    let found = snapshot.ast_query(&request)?;
    if !context.is_prose() {
        return output::listing(context, &found, ITEM);
    }
    output::print(&found.answer.items.iter().map(syntax_match).collect::<String>())?;
    context.note(&syntax_summary(&found));
    output::basis(context, &serde_json::to_value(&found)?)
}
