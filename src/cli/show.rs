//! `asof show`.

use asof::wire::{ResolveRequest, SourceForm, Sources};
use asof::{EngineError, Snapshot};
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::hint;
use super::output;
use super::resolve::{Filter, ItemArgs};
use crate::surface::gather::{Gathered, Impls};
use crate::surface::problem::Problem;
use crate::surface::text;

/// Print the source of items, as stored in the database
///
/// `FILE:LINE` shows the item at that line; for a field or variant, its type. `FILE:FIRST-LAST` shows
/// the item around these lines, or the items that they touch.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof show asof::When::parse
  asof show asof::When asof::Database --no-docs
  asof show src/wire/moment.rs:40              the item at this line
  asof show src/wire/moment.rs:20-60           the items at these lines
  asof show asof::When --with-impls            and its impl blocks, whichever file they are in
  asof show asof::When::parse --signature
  asof show asof::When::parse --at HEAD~1      as it was before the last commit
  asof show asof::edit::files::disk::exchange --all    every `cfg` variant")]
pub struct ShowArgs {
    /// Paths of items (crate::a::f, package::Type::method, <Type as Trait>::method), or FILE:LINE,
    /// FILE:FIRST-LAST
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    filter: Filter,
    /// Show all matches instead of failing when there are several
    #[arg(long)]
    all: bool,
    /// Show only the signature of each item, in one line
    #[arg(long, conflicts_with = "no_docs")]
    signature: bool,
    /// Leave out documentation comments
    #[arg(long)]
    no_docs: bool,
    /// Also show the impl blocks of each type
    #[arg(long)]
    with_impls: bool,
}

/// The items at the paths.
fn gather(
    context: &Context,
    snapshot: &Snapshot<'_>,
    args: &ShowArgs,
) -> Result<Gathered, EngineError> {
    let mut gathered = Gathered::default();
    for path in &args.paths {
        let item = ItemArgs { path: path.clone(), filter: args.filter.clone() };
        let all = args.all || ResolveRequest::new(path).is_range();
        let found = item.resolve_anywhere(context, snapshot).and_then(|found| {
            match all && !found.items().is_empty() {
                true => Ok(found.answer.items),
                false => found.one().cloned().map(|item| vec![item]),
            }
        });
        gathered.add(path, found.map_err(Problem::from));
    }
    Ok(gathered)
}

pub fn run(context: &Context, args: &ShowArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let mut gathered = gather(context, &snapshot, args)?;
    let form = match (args.signature, args.no_docs) {
        (true, _) => SourceForm::Signature,
        (_, true) => SourceForm::WithoutDocs,
        _ => SourceForm::Source,
    };
    let sources = gathered.show(&snapshot, Impls::with(args.with_impls), form, hint::words)?;
    print(context, &sources)?;
    gathered.problem(hint::words).map_or(Ok(()), |problem| Err(problem.into()))
}

fn print(context: &Context, sources: &Sources) -> anyhow::Result<()> {
    let answer = &sources.answer;
    match context.format() {
        Format::Json => return output::json(context, sources),
        Format::Csv => {
            return output::listing(
                context,
                answer,
                &[("path", "{path}"), ("place", "{file_path}"), ("text", "{text}")],
            );
        }
        Format::Markdown => {
            for shown in &answer.items {
                let fence = output::fence(&shown.text);
                let (head, text) = (text::item_head(&shown.item), shown.text.trim_end());
                output::print(&format!("`{head}`\n\n{fence}rust\n{text}\n{fence}\n"))?;
            }
        }
        Format::Text => {
            let several = answer.items.len() > 1;
            for shown in &answer.items {
                let dim = anstyle::Style::new().dimmed();
                let head = text::item_head(&shown.item);
                if several {
                    output::print(&format!("{dim}// {head}{dim:#}\n"))?;
                } else {
                    context.note(&head);
                }
                let end = if shown.text.ends_with('\n') { "" } else { "\n" };
                output::print_painted(&format!("{}{end}", shown.text), super::paint::rust)?;
            }
        }
    }
    output::basis(context, &serde_json::to_value(answer)?)
}
