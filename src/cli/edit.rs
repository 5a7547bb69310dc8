//! `asof edit`: planned, checked, reversible edits of source files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use asof::{Check, Database, EditOptions, EngineError, needs_attention};
use asof_edit::EditError;
use asof_edit::files::Outcome;
use asof_model::ErrorKind;
use asof_wire::{EditRequest, EditSummary, ProposalDetails, ProposalList, ProposalStatus};
use clap::{Args, Subcommand};

use super::context::Context;
use super::failure::explain;
use super::globals::{Format, Limit};
use super::hint;
use super::output::{self, Listing};
use super::paint;
use asof_surface::problem::Problem;
use asof_surface::text;

/// Columns of the list of proposals.
const PROPOSAL: Listing<'_> = Listing {
    columns: &[
        ("id", "{proposal_id}"),
        ("status", "{status}"),
        ("created", "{created}"),
        ("actor", "{actor}"),
        ("edits", "{edits}"),
        ("reason", "{reason}"),
    ],
    keys: "proposal_id status created decided actor reason edits files revision",
};

/// Requests longer than this are not read: 64 MiB.
const MAX_REQUEST: u64 = 64 << 20;

/// The format of a request.
macro_rules! shapes {
    () => {
        "A request with an edit of each mode (all edits are applied, or none):
  {\"edits\": [
    {\"mode\": \"canonical\", \"path\": \"crate::retry::LIMIT\", \"code\": \"pub const LIMIT: u32 = 8;\"},
    {\"mode\": \"canonical\", \"path\": \"crate::retry::wait\", \"part\": \"body\", \"code\": \"{ 3 }\"},
    {\"mode\": \"canonical\", \"path\": \"crate::retry::next\", \"find\": \"* 2\", \"code\": \"* 3\"},
    {\"mode\": \"insert\", \"anchor\": \"crate::retry\", \"position\": \"last_child\", \"code\": \"fn f() {}\"},
    {\"mode\": \"delete\", \"path\": \"crate::retry::old\"},
    {\"mode\": \"delete\", \"path\": \"crate::retry\", \"kind\": \"import\", \"has\": \"std::fmt\"},
    {\"mode\": \"splice\", \"file_path\": \"src/a.rs\", \"expected_file_hash\": \"HASH\",
     \"start_byte\": 10, \"end_byte\": 20, \"replacement\": \"text\"},
    {\"mode\": \"rename\", \"path\": \"crate::retry::Policy\", \"to\": \"Backoff\"},
    {\"mode\": \"move\", \"path\": \"crate::retry::Policy\", \"to\": \"crate::policy\"},
    {\"mode\": \"change_signature\", \"path\": \"crate::retry::wait\", \"changes\": [
     {\"add\": {\"name\": \"n\", \"type\": \"u32\", \"value\": \"1\"}}]},
    {\"mode\": \"create_file\", \"file_path\": \"src/new.rs\", \"code\": \"fn f() {}\"},
    {\"mode\": \"rename_file\", \"file_path\": \"src/a.rs\", \"to\": \"src/b.rs\"},
    {\"mode\": \"delete_file\", \"file_path\": \"src/old.rs\"},
    {\"mode\": \"manifest\", \"file_path\": \"Cargo.toml\", \"entries\": [
     {\"table\": \"normal\", \"key\": \"log\", \"to\": \"dev\"}]} ]}
  canonical:  replaces an item. part = whole (default: with documentation and attributes),
              signature, body, docs, attributes, declaration (`mod name;` of a module in a file
              of its own); find = text that code replaces; once in the item, or
              everywhere with all = true
  code:       must parse alone as that part or item: a body that closes its item and opens
              another one is refused
  insert:     position = before, after, first_child, last_child
  splice:     HASH is the file_hash of `asof file src/a.rs`
  no path:    a `use`, macro call or extern block takes the path of its module, and
              kind = import, macro_call, foreign_mod
  several:    has = text that only the right one contains, or the impl around it; with
              --features, --target or another configuration, the one that it has
  also:       file_path, kind, expected_tracking_hash, expected_file_hash"
    };
}

/// Edit items by path: plan, check, apply, undo
///
/// A request is JSON. An edit names an item by path, or bytes by offset and file hash. Before
/// anything is written, each file must be byte for byte as indexed; then all files are written, or
/// none. An edit is refused if the result does not parse or if other items would change.
#[derive(Debug, Args)]
#[command(after_help = concat!(shapes!(), "

Examples:
  asof edit apply --file edits.json --dry-run      only show the diff
  asof edit apply --file edits.json --reason 'fix #12' --check 'cargo check'
  asof edit plan --file - < edits.json             store it as a proposal
  asof edit apply 3f0c                             apply a proposal
  asof edit list --status planned
  asof edit show 3f0c
  asof edit deny 3f0c
  asof edit undo                                   revert the last edit"))]
pub struct EditArgs {
    #[command(subcommand)]
    command: EditCommand,
}

impl EditArgs {
    /// Whether it names items, of which a configuration has some and not others.
    pub fn names_items(&self) -> bool {
        match &self.command {
            EditCommand::Plan { .. } => true,
            EditCommand::Apply { file, .. } => file.is_some(),
            _ => false,
        }
    }

    /// Whether it only reads.
    pub fn is_question(&self) -> bool {
        matches!(self.command, EditCommand::List { .. } | EditCommand::Show { .. })
    }
}

#[derive(Debug, Subcommand)]
enum EditCommand {
    /// Check a request and store it as a proposal; no source file is changed
    #[command(after_help = concat!(shapes!(), "

Examples:
  asof edit plan --file edits.json
  asof edit plan --file - --rustfmt < edits.json"))]
    Plan {
        #[command(flatten)]
        request: RequestArgs,
        #[command(flatten)]
        said: EditedBy,
    },
    /// Apply a proposal or a request, all of it or nothing
    #[command(after_help = concat!(shapes!(), "

Examples:
  asof edit apply --file edits.json --dry-run
  asof edit apply --file edits.json --reason 'fix #12' --check 'cargo check'"))]
    Apply {
        /// Id of a proposal, or its first letters
        #[arg(required_unless_present = "file", conflicts_with = "file")]
        id: Option<String>,
        /// The request, JSON; `-` for standard input
        #[arg(short, long, value_name = "FILE")]
        file: Option<PathBuf>,
        #[command(flatten)]
        trial: Trial,
        #[command(flatten)]
        how: How,
        #[command(flatten)]
        said: EditedBy,
    },
    /// List proposals, newest first
    List {
        /// Only with this status: planned, applied, denied, undone
        #[arg(long, value_parser = status)]
        status: Option<ProposalStatus>,
        #[command(flatten)]
        limit: Limit,
    },
    /// Show a proposal with its diff
    Show {
        /// Id of a proposal, or its first letters
        id: String,
    },
    /// Reject a proposal for good
    Deny {
        /// Id of a proposal, or its first letters
        id: String,
    },
    /// Revert an applied proposal, keeping later changes to its files
    Undo {
        /// Id of a proposal, or its first letters [default: the actor's last edit]
        id: Option<String>,
        #[command(flatten)]
        said: EditedBy,
    },
}

/// What an edit must pass before it stays.
#[derive(Debug, Args)]
pub struct Trial {
    /// Show what would change without changing it
    #[arg(long)]
    pub dry_run: bool,
    /// Shell command to run in the root after the files are written; if it fails or changes one
    /// of them, the files are restored
    #[arg(long, value_name = "COMMAND", conflicts_with = "dry_run")]
    check: Option<String>,
    /// Seconds after which the check is stopped and the files are restored
    #[arg(long, value_name = "SECS", default_value_t = 600.0, requires = "check",
          value_parser = super::query::seconds)]
    check_timeout: f64,
}

impl Trial {
    /// The check to run.
    pub fn check(self) -> Option<Check> {
        Some(Check {
            command: self.check?,
            timeout: Duration::from_secs_f64(self.check_timeout),
            stop: super::interrupt::flag(),
        })
    }
}

#[derive(Debug, Args)]
struct RequestArgs {
    /// The request, JSON; `-` for standard input
    #[arg(short, long, value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    how: How,
}

#[derive(Debug, Args)]
pub(super) struct How {
    /// Format only the changed items, with rustfmt
    #[arg(long)]
    rustfmt: bool,
    /// Allow results that do not parse, and changes to other items
    #[arg(long)]
    allow_broken: bool,
}

#[derive(Debug, Args)]
pub(super) struct EditedBy {
    /// Who makes the edit; recorded with the revision
    #[arg(long, env = "ASOF_ACTOR")]
    pub(super) actor: Option<String>,
    /// Why; recorded with the revision
    #[arg(long)]
    pub(super) reason: Option<String>,
}

fn status(text: &str) -> Result<ProposalStatus, String> {
    ProposalStatus::parse(text)
        .ok_or_else(|| "the statuses are planned, applied, denied and undone".to_owned())
}

pub(super) fn options(said: EditedBy, how: Option<How>, check: Option<Check>) -> EditOptions {
    EditOptions {
        actor: said.actor,
        reason: said.reason,
        rustfmt: how.as_ref().is_some_and(|how| how.rustfmt),
        allow_broken: how.is_some_and(|how| how.allow_broken),
        check,
        ..EditOptions::default()
    }
}

pub fn run(context: &Context, args: EditArgs) -> anyhow::Result<()> {
    let database = stated(context.database())?;
    tell_recovered(context, &database)?;
    match args.command {
        EditCommand::Plan { request, said } => {
            let asked = read(&request.file)?;
            let options = EditOptions {
                configuration: context.configuration(),
                ..options(said, Some(request.how), None)
            };
            let summary = database.plan_edit(&asked, &options)?;
            tell(context, &summary)
        }
        EditCommand::Apply { id, file, trial, how, said } => {
            let dry_run = trial.dry_run;
            let options = EditOptions {
                configuration: context.configuration(),
                ..options(said, Some(how), trial.check())
            };
            let summary = match (file, id) {
                (Some(file), _) if dry_run => database.try_edit(&read(&file)?, &options)?,
                (Some(file), _) => stated(database.edit(&read(&file)?, &options))?,
                (None, Some(id)) if dry_run => database.proposal(&id)?.1,
                (None, id) => stated(database.apply_edit(&id.unwrap_or_default(), &options))?,
            };
            let done = tell(context, &summary);
            if dry_run {
                done
            } else {
                done.context("the edit was applied, but its summary could not be written")
            }
        }
        EditCommand::List { status, limit } => {
            let mut rows = database.proposals(status)?;
            let total = rows.len();
            rows.truncate(limit.get().unwrap_or(total));
            let list = ProposalList { total, truncated: total > rows.len(), items: rows };
            if context.format() == Format::Json {
                return output::listing(context, &list, PROPOSAL);
            }
            let mut answer = serde_json::to_value(&list)?;
            let items = answer.pointer_mut("/items").and_then(serde_json::Value::as_array_mut);
            for (item, row) in items.into_iter().flatten().zip(&list.items) {
                if let Some(edits) = item.get_mut("edits") {
                    *edits = output::some(&row.edits).into();
                }
            }
            output::rows(context, &answer, PROPOSAL)?;
            output::rest(context, &answer)
        }
        EditCommand::Show { id } => {
            let (proposal, summary) = database.proposal(&id)?;
            if context.format() == Format::Json {
                return output::json(context, &ProposalDetails { proposal, summary });
            }
            tell(context, &summary)
        }
        EditCommand::Deny { id } => {
            let row = database.deny_edit(&id)?;
            match context.format() {
                Format::Json => output::json(context, &row),
                _ => output::print(context, &format!("denied {}\n", row.proposal_id)),
            }
        }
        EditCommand::Undo { id, said } => {
            let undone = database.undo_edit(id.as_deref(), &options(said, None, None));
            let summary = stated(undone)?;
            tell(context, &summary)
                .context("the edit was reverted, but its summary could not be written")
        }
    }
}

/// Adds to a system failure what it means for the files, unless the message already says so.
pub(super) fn stated<T>(result: Result<T, impl Into<anyhow::Error>>) -> anyhow::Result<T> {
    let error = match result.map_err(Into::into) {
        Ok(done) => return Ok(done),
        Err(error) => error,
    };
    let Some(known) = error.downcast_ref::<EngineError>() else { return Err(error) };
    let outside = matches!(known.kind(), ErrorKind::Failure | ErrorKind::Limit);
    let says =
        matches!(known, EngineError::Edit(EditError::Unsettled { .. } | EditError::Files(_)));
    let mut problem = explain(error);
    if outside && !says {
        let hint = hint::words(&problem.hint);
        problem.hint = format!("{hint}; no source file was changed").into();
    }
    Err(problem.into())
}

/// Reports edits of processes that died.
pub(super) fn tell_recovered(context: &Context, database: &Database) -> Result<(), EngineError> {
    for one in database.recover_edits()? {
        let text = format!("edit {} was interrupted: {}", one.id, outcome(&one.outcome));
        if needs_attention(&one) { output::warn(context, &text) } else { context.note(&text) }
    }
    Ok(())
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Discarded => "no file had been changed".to_owned(),
        Outcome::RolledBack => "its files were restored".to_owned(),
        Outcome::Completed => "its files are written".to_owned(),
        Outcome::Conflict { kept } => format!(
            "its files were restored, except those that other programs changed meanwhile; the \
             texts before and after are in {}",
            kept.display()
        ),
        Outcome::Damaged { kept, reason } => format!(
            "its journal cannot be read ({reason}), so some files may be old and some new; the \
             journal was moved to {}",
            kept.display()
        ),
    }
}

fn read(path: &Path) -> anyhow::Result<EditRequest> {
    let (name, bytes) = super::input::read(path, MAX_REQUEST)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Problem::bad_request(
            format!("{name} is not UTF-8"),
            "a request is JSON; see `asof edit --help`",
        )
    })?;
    Ok(EditRequest::parse(&text).map_err(EngineError::from)?)
}

pub(super) fn tell(context: &Context, summary: &EditSummary) -> anyhow::Result<()> {
    match context.format() {
        Format::Json => output::json(context, summary),
        Format::Csv | Format::Text => {
            let mut files = summary.files.clone();
            let room = if context.is_full() { usize::MAX } else { text::edits::DIFFS };
            let cut = text::edits::shorten_diffs(&mut files, room);
            for file in &files {
                output::print_painted(context, &file.diff, paint::diff)?;
            }
            if cut > 0 {
                let files = text::plural(cut, "file");
                context.note(&format!("{files} without their diffs; `--full` shows all"));
            }
            output::print(context, &text::edits::summary(summary))?;
            warnings(context, summary);
            if summary.applied && summary.status == ProposalStatus::Applied {
                context.note("`asof edit undo` takes it back");
            }
            Ok(())
        }
        Format::Markdown => {
            let mut out = String::new();
            for edit in &summary.edits {
                out.push_str(&format!("- {} `{}` in `{}`", edit.mode, edit.path, edit.file_path));
                out.push_str(&format!(": {}\n", edit.status.as_str()));
            }
            for file in summary.files.iter().filter(|file| !file.diff.is_empty()) {
                out.push_str(&format!("\n```diff\n{}```\n", file.diff));
            }
            if let Some(proof) = &summary.proof {
                out.push_str(&format!("\n**{}**\n", proof.headline()));
                for place in proof.split_by_risk().concat() {
                    let (path, line) = (&place.file_path, place.line);
                    let risk = if place.may_break() { "may no longer compile: " } else { "" };
                    let reason = place.reason.as_str();
                    out.push_str(&format!("- `{path}:{line}`: {risk}{reason}\n"));
                }
            }
            out.push_str(&format!("\n_{}_\n", text::edits::last_line(summary)));
            output::print(context, &out)?;
            warnings(context, summary);
            Ok(())
        }
    }
}

fn warnings(context: &Context, summary: &EditSummary) {
    for warning in &summary.warnings {
        output::warn(context, warning);
    }
}
