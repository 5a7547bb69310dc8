//! `asof deps`: dependencies of packages, and what names them.

use asof_model::ErrorKind;
use asof_wire::DependenciesRequest;
use clap::Args;

use super::ask::{self, Ask};
use super::context::Context;
use super::output;
use super::refactor::{Stage, edit_manifests};
use asof_surface::problem::Problem;
use asof_surface::questions::dependencies::DEPENDENCIES;
use asof_surface::sarif;

/// List the dependencies of packages, and what names them
///
/// Each entry of a manifest is listed with the places in the package's code that name it: paths,
/// imports, attributes, tokens of macros, code in documentation. With `--unused`, only entries that
/// the manifest should not have, or should have in another table: those that nothing names, that only
/// tests or only the build script name, that need a feature and are not optional, that another entry
/// repeats. Certain ones can be removed; with `--guesses`, also those that something may need, and
/// what that is. docs/deps.md has the rules.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof deps --package asof-wire
  asof deps serde --limit 5
  asof deps --unused --guesses
  asof deps --unused --check               exit code 8 if a finding is certain
  asof deps --fix --dry-run                what the manifests would become")]
pub struct DepsArgs {
    #[command(flatten)]
    ask: Ask<DependenciesRequest>,
    /// Fail with exit code 8 if an entry certainly should not be where it is
    #[arg(long)]
    check: bool,
    /// Edit the manifests as the certain findings ask for, all or none of them
    #[arg(long, conflicts_with_all = ["check", "guesses"])]
    fix: bool,
    /// Show what `--fix` would change without changing it
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// Store what `--fix` would change as a proposal
    #[arg(long, requires = "fix", conflicts_with = "dry_run")]
    plan: bool,
}

pub fn run(context: &Context, args: DepsArgs) -> anyhow::Result<()> {
    if args.fix {
        return fix(context, args);
    }
    let found = ask::answer(context, &DEPENDENCIES, args.ask.limited())?;
    if context.is_sarif() {
        output::json(context, &sarif::dependencies(&found))?;
    } else {
        ask::print(context, &DEPENDENCIES, &found)?;
    }
    if !args.check || found.certain == 0 {
        return Ok(());
    }
    let findings = output::plural(found.certain, "certain finding");
    let hint = "`asof deps --unused` lists the entries";
    Err(Problem::new(ErrorKind::Check, format!("{findings} about dependencies"), hint).into())
}

fn fix(context: &Context, args: DepsArgs) -> anyhow::Result<()> {
    if context.is_at() {
        let hint = "leave out `--at`";
        return Err(Problem::bad_request("`--fix` edits the files as they are now", hint).into());
    }
    let stage = if args.plan {
        Stage::Plan
    } else if args.dry_run {
        Stage::Show
    } else {
        Stage::Apply
    };
    let database = context.database()?;
    let edits = context.snapshot(&database)?.dependency_edits(&args.ask.request)?;
    drop(database);
    if edits.is_empty() {
        return output::print(context, "no entry to remove or to move\n");
    }
    edit_manifests(context, edits, stage)
}
