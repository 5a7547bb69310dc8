//! `asof review`: which changed items are proven to be the same code, and which are left to read.

use asof::{Database, When};
use asof_model::{ErrorKind, Hint};
use asof_wire::{Review, ReviewRequest};
use clap::Args;

use super::between::files_at;
use super::context::Context;
use super::diff_prose::{code, escaped};
use super::globals::Format;
use super::output;
use super::progress::Bars;
use asof_surface::problem::Problem;
use asof_surface::sarif;
use asof_surface::text::review::{beside, headline, reason_line, review};

/// Say which changed items are proven to be the same code, and which are left to read
///
/// An item is proven if its tokens, with what each name means in the place of the name, are the same
/// on both sides: whatever was renamed, moved, imported in another way or reformatted. All other
/// items are to be read, each with its reasons. With `--check`, anything left to read fails: a change
/// that says it is a refactoring is one.
///
/// Commits need not be imported, and no database is needed for them.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof review                            what is not committed yet
  asof review HEAD~1..HEAD
  asof review main...HEAD                what a branch adds
  asof review HEAD~3..HEAD --patch       with the diffs that are left
  asof review HEAD~1..HEAD --check       exit code 8 if anything is left
  asof review HEAD~1 --format json
  asof review HEAD~1..HEAD --format markdown")]
pub struct ReviewArgs {
    /// Two moments as T1..T2, or the earlier one: a time, an age, a revision id, or a Git commit,
    /// branch or tag; T1...T2 begins at the newest commit that both have
    #[arg(value_name = "T1..T2", default_value = "HEAD", allow_hyphen_values = true)]
    range: String,
    /// A planned edit, by the id of its proposal
    #[arg(long, value_name = "ID", conflicts_with = "range")]
    proposal: Option<String>,
    /// Fail with exit code 8 if anything is left to read
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    request: ReviewRequest,
    /// List at most N proven items and commands; 0 lists all
    #[arg(short = 'n', long, value_name = "N", default_value_t = PROVEN)]
    limit: usize,
}

/// Proven items that are listed.
const PROVEN: usize = 10;

pub fn run(context: &Context, args: &ReviewArgs) -> anyhow::Result<()> {
    let (from, to) = match When::parse_range(&args.range) {
        Some(both) => both?,
        None => (When::parse(&args.range)?, context.when()?),
    };
    let bars = Bars::new(context.quiet());
    let found = match (context.database(), &args.proposal) {
        (Ok(database), Some(id)) => database.proposal_review(id, &args.request, &bars),
        (Ok(database), None) => {
            database.review_between(&from, &to, context.refreshes(), &args.request, &bars)
        }
        (Err(error), None) if error.hint() == Hint::Index => {
            let (earlier, later) = (files_at(&from)?, files_at(&to)?);
            let root = context.root();
            Database::review_files(&root, None, &earlier, &later, &args.request, &bars)
        }
        (Err(error), _) => return Err(error.into()),
    };
    bars.finish();
    let found = found?;
    let limit = (args.limit > 0).then_some(args.limit);
    if context.is_sarif() {
        output::json(context, &sarif::review(&found))?;
    } else if context.is_prose() {
        output::print(context, &review(&found, limit))?;
    } else if context.format() == Format::Markdown && context.fields().is_empty() {
        output::print_plain(context, &markdown(&found))?;
    } else {
        output::record(context, &found)?;
    }
    if !args.check || found.read.is_empty() {
        return Ok(());
    }
    let items = output::plural(found.read.len(), "item");
    let hint = "read them, or take out of the change what is no refactoring";
    Err(Problem::new(ErrorKind::Check, format!("{items} left to read"), hint).into())
}

/// The text of a comment on a pull request.
fn markdown(found: &Review) -> String {
    let mut out = format!("**{}**\n", headline(found));
    for line in beside(found) {
        out.push_str(&format!("\n{line}\n"));
    }
    for one in &found.read {
        let item = &one.item;
        out.push_str(&format!(
            "\n- {} {} in {}:{}\n",
            item.kind,
            code(&item.path),
            code(&item.file_path),
            item.line
        ));
        for reason in &one.reasons {
            out.push_str(&format!("  - {}\n", reason_line(reason)));
        }
        if let Some(patch) = one.patch.as_deref().filter(|patch| !patch.is_empty()) {
            let fence = output::fence(patch);
            let lines: String = patch.lines().map(|line| format!("  {line}\n")).collect();
            out.push_str(&format!("\n  {fence}diff\n{lines}  {fence}\n"));
        }
    }
    if !found.proven.is_empty() {
        let count = found.proven.len();
        out.push_str(&format!("\n<details>\n<summary>proven ({count})</summary>\n\n"));
        for one in &found.proven {
            let what: Vec<&str> = one.what.iter().map(|what| what.as_str()).collect();
            out.push_str(&format!("- {}: {}\n", what.join(", "), code(&one.item.path)));
        }
        out.push_str("\n</details>\n");
    }
    if !found.commands.is_empty() {
        let commands: String =
            found.commands.iter().map(|line| format!("{}\n", escaped(line))).collect();
        let summary = "<summary>the refactorings as commands</summary>";
        out.push_str(&format!("\n<details>\n{summary}\n\n<pre>{commands}</pre>\n</details>\n"));
    }
    out
}
