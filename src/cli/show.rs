//! `asof show`: the source of items.

use asof_model::Hint;
use asof_wire::{SourceForm, Sources};
use clap::Args;

use super::ask;
use super::context::Context;
use super::globals::Format;
use super::output;
use asof_surface::problem::Problem;
use asof_surface::questions::items::{SHOW, ShowRequest};
use asof_surface::text;

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
  asof show asof_edit::files::disk::exchange --all    every `cfg` variant")]
pub struct ShowArgs {
    #[command(flatten)]
    request: ShowRequest,
    /// Show only the signature of each item, in one line
    #[arg(long, conflicts_with = "no_docs")]
    signature: bool,
    /// Leave out documentation comments
    #[arg(long)]
    no_docs: bool,
}

pub fn run(context: &Context, args: ShowArgs) -> anyhow::Result<()> {
    let form = match (args.signature, args.no_docs) {
        (true, _) => SourceForm::Signature,
        (_, true) => SourceForm::WithoutDocs,
        _ => SourceForm::Source,
    };
    let sources = ask::answer(context, &SHOW, ShowRequest { form, ..args.request })?;
    print(context, &sources)?;
    match sources.failed.as_slice() {
        [] => Ok(()),
        [one] => Err(Problem::from(one.error.clone()).into()),
        [first, ..] => {
            let message = format!("{} paths could not be answered", sources.failed.len());
            let causes = sources.failed.iter().map(|failed| text::sentence(&failed.error));
            let problem = Problem::new(first.error.kind, message, Hint::ListOutline);
            Err(Problem { causes: causes.collect(), ..problem }.into())
        }
    }
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
                output::print(context, &format!("`{head}`\n\n{fence}rust\n{text}\n{fence}\n"))?;
            }
        }
        Format::Text => {
            let several = answer.items.len() > 1;
            for shown in &answer.items {
                let dim = anstyle::Style::new().dimmed();
                let head = text::item_head(&shown.item);
                if several {
                    output::print(context, &format!("{dim}// {head}{dim:#}\n"))?;
                } else {
                    context.note(&head);
                }
                let end = if shown.text.ends_with('\n') { "" } else { "\n" };
                output::print_painted(
                    context,
                    &format!("{}{end}", shown.text),
                    super::paint::rust,
                )?;
            }
        }
    }
    output::basis(context, &serde_json::to_value(answer)?)
}
