//! `asof show`.

use asof::engine::Shown;
use clap::Args;

use super::context::Context;
use super::globals::Format;
use super::output;
use super::resolve::ItemArgs;

/// Print the source of an item, from the database alone
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof show crate::config::Config
  asof show crate::parse --at -10min     as it was ten minutes ago
  asof show crate::platform::open --all  every cfg twin")]
pub struct ShowArgs {
    #[command(flatten)]
    item: ItemArgs,
    /// All of several matches, instead of an error
    #[arg(long)]
    all: bool,
}

pub fn run(context: &Context, args: &ShowArgs) -> anyhow::Result<()> {
    let database = context.database()?;
    let snapshot = context.snapshot(&database)?;
    let found = args.item.resolve(context, &snapshot)?;
    if !args.all || found.items().is_empty() {
        found.one()?;
    }
    let answer = snapshot.show(found.items())?;
    match context.format() {
        Format::Json => return output::json(context, &answer),
        Format::Csv => {
            return output::listing(
                context,
                &answer,
                &[("path", "{path}"), ("place", "{file_path}"), ("text", "{text}")],
            );
        }
        Format::Markdown => {
            for shown in &answer.items {
                let fence = output::fence(&shown.text);
                let (head, text) = (head(shown), shown.text.trim_end());
                output::print(&format!("`{head}`\n\n{fence}rust\n{text}\n{fence}\n"))?;
            }
        }
        Format::Text => {
            let several = answer.items.len() > 1;
            for shown in &answer.items {
                let dim = anstyle::Style::new().dimmed();
                let head = head(shown);
                if several {
                    output::print(&format!("{dim}// {head}{dim:#}\n"))?;
                } else {
                    output::note(context, &head);
                }
                let end = if shown.text.ends_with('\n') { "" } else { "\n" };
                output::print_painted(&format!("{}{end}", shown.text), super::paint::rust)?;
            }
        }
    }
    output::basis(context, &serde_json::to_value(&answer)?)
}

fn head(shown: &Shown) -> String {
    let item = &shown.item;
    let path = item.path.as_deref().unwrap_or(&item.name);
    let cfg = if item.cfg.is_empty() { String::new() } else { format!(" cfg({})", item.cfg) };
    let span = &item.span;
    format!("{} {path} {}:{}-{}{cfg}", item.kind, item.file_path, span.start_line, span.end_line)
}
