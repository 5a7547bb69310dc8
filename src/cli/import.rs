//! `asof import`: reads a SCIP index of another tool.

use std::path::PathBuf;

use asof_wire::{ImportReport, SkipReason, SkippedFile};
use clap::{Args, Subcommand};

use super::context::Context;
use super::globals::{Format, Limit};
use super::input;
use super::output::{self, Listing, plural, some};

/// Largest index that is read.
pub const MAX_INDEX: u64 = 1 << 30;

/// Import what other tools know of this workspace: a SCIP index
///
/// Its uses are kept apart from our own, under the hash of the text that they are of: `asof refs
/// PATH --imported` lists them, `asof diff-edges` tells where both differ. Of a file that has
/// changed since, an import says nothing until it is made again.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  rust-analyzer scip . --output index.scip
  asof import scip index.scip
  asof import scip index.scip --at HEAD~1   of an index that was made of this commit
  asof import list
  asof import remove rust-analyzer")]
pub struct ImportArgs {
    #[command(subcommand)]
    command: ImportCommand,
}

#[derive(Debug, Subcommand)]
enum ImportCommand {
    Scip(ScipArgs),
    List(ListArgs),
    Remove(RemoveArgs),
}

/// Import a SCIP index, such as rust-analyzer makes, in one transaction
///
/// An index has no hashes: each of its names has to stand in the text where the index says, or the
/// file is left out. With `--at`, the texts are those of another moment.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof import scip index.scip
  asof import scip - < index.scip")]
pub struct ScipArgs {
    /// The index; `-` is standard input
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    index: PathBuf,
}

/// List the files that indexes were imported for, and which of them have changed since
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof import list
  asof import list --fields file,stale --limit 0")]
pub struct ListArgs {
    #[command(flatten)]
    limit: Limit,
}

/// Remove what was imported of a tool's index
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof import remove rust-analyzer")]
pub struct RemoveArgs {
    /// The program that made the index, as `asof import list` names it
    tool: String,
}

const FILE: Listing<'_> = Listing {
    columns: &[
        ("file", "{file_path}"),
        ("tool", "{tool}"),
        ("version", "{version}"),
        ("imported", "{imported}"),
        ("stale", "{stale}"),
    ],
    keys: "file_path tool version imported raw_hash stale",
};

impl ImportArgs {
    /// Whether it answers a question.
    pub fn is_question(&self) -> bool {
        matches!(self.command, ImportCommand::List(_))
    }
}

pub fn run(context: &Context, args: &ImportArgs) -> anyhow::Result<()> {
    match &args.command {
        ImportCommand::Scip(args) => {
            let (_, bytes) = input::read(&args.index, MAX_INDEX)?;
            let database = context.database()?;
            let report = database.import_scip(&bytes, &context.when()?, context.refreshes())?;
            print_report(context, &report)
        }
        ImportCommand::List(args) => {
            let database = context.database_at()?;
            let snapshot = context.snapshot(&database)?;
            output::listing(context, &snapshot.imported_files(args.limit.get())?, FILE)
        }
        ImportCommand::Remove(args) => {
            let removed = context.database()?.remove_imported(&args.tool)?;
            output::print(
                context,
                &format!("{} of {} removed\n", plural(removed, "file"), args.tool),
            )
        }
    }
}

fn print_report(context: &Context, report: &ImportReport) -> anyhow::Result<()> {
    if context.format() == Format::Json {
        return output::json(context, report);
    }
    output::print(
        context,
        &format!(
            "{} of {} files, by {} {}\n",
            plural(report.uses, "use"),
            report.files,
            report.tool,
            report.version
        ),
    )?;
    if report.ambiguous > 0 {
        let uses = plural(report.ambiguous, "use");
        context.note(&format!("{uses} left out: the symbol is that of several items, or of none"));
    }
    left_out(context, report.left_out);
    skipped(context, &report.skipped);
    output::basis(
        context,
        &serde_json::json!({ "basis": report.basis, "source": source(context)? }),
    )
}

fn source(context: &Context) -> anyhow::Result<&'static str> {
    Ok(if context.when()? == asof::When::Now { "NOW" } else { "AS_OF" })
}

/// Notes names that have no place.
pub fn left_out(context: &Context, count: usize) {
    if count > 0 {
        context.note(&format!(
            "{} left out: not in the text where the index says",
            plural(count, "name")
        ));
    }
}

/// Warns of files that an index says nothing of.
pub fn skipped(context: &Context, skipped: &[SkippedFile]) {
    for (reason, what) in [
        (SkipReason::Stale, "changed since the index was imported"),
        (SkipReason::OtherText, "not the text that the index was made of"),
        (SkipReason::OutsideRoot, "outside of the root"),
        (SkipReason::NotIndexed, "not in the database"),
    ] {
        let files: Vec<String> = skipped
            .iter()
            .filter(|file| file.reason == reason)
            .map(|file| file.file_path.clone())
            .collect();
        if !files.is_empty() {
            let count = plural(files.len(), "file");
            output::warn(context, &format!("{count} left out, {what}: {}", some(&files)));
        }
    }
}
