//! `asof mcp install`, `uninstall` and `doctor`: the server's entry in the files of clients.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::context::Context;
use super::globals::Format;
use super::output;
use asof_model::ErrorKind;
use asof_setup::{Action, Change, Check, Client, Doctor, Homes, Place, Run, Scope};
use asof_surface::problem::Problem;

#[derive(Debug, Subcommand)]
pub enum Setup {
    Install(InstallArgs),
    Uninstall(UninstallArgs),
    Doctor(DoctorArgs),
}

/// Add the server to the configuration of an agent or editor
///
/// Only the entry is added; everything else in the file stays as it is, comments and blanks
/// included. `asof mcp uninstall` removes it again, to the byte.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof mcp install --client claude-code                 for everybody who works on this project
  asof mcp install --client codex --scope user          for yourself, in every project
  asof mcp install --client vscode --dry-run            only show the change
  asof mcp install --client zed -- --allow-edits        the server with tools that edit")]
pub struct InstallArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Options of the server, after `--`
    #[arg(last = true, value_name = "OPTION")]
    server: Vec<String>,
}

/// Remove the server from the configuration of an agent or editor
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof mcp uninstall --client claude-code
  asof mcp uninstall --client codex --scope user --dry-run")]
pub struct UninstallArgs {
    #[command(flatten)]
    file: FileArgs,
}

/// Check whether agents and editors reach the server, and say how to mend what fails
///
/// Checks the program, the database, each entry, and starts the server of each. Without a client,
/// every file that has an entry is checked; none needs to have one. The exit code is 5 if a check
/// fails.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof mcp doctor
  asof mcp doctor --client cursor --scope user
  asof mcp doctor --format json")]
pub struct DoctorArgs {
    /// Only this agent or editor
    #[arg(long, value_enum)]
    client: Option<Client>,
    /// Only the file of the project, or of the user
    #[arg(long, value_enum)]
    scope: Option<Scope>,
}

/// Which file.
#[derive(Debug, Args)]
struct FileArgs {
    /// The agent or editor
    #[arg(long, value_enum)]
    client: Client,
    /// Whose file: that of the project, for everybody who works on it, or your own
    #[arg(long, value_enum, default_value_t = Scope::Project)]
    scope: Scope,
    /// Print the change as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
}

impl FileArgs {
    fn place(&self, root: &std::path::Path) -> anyhow::Result<Place> {
        Ok(Place::new(self.client, self.scope, root, &homes())?)
    }

    fn run(&self) -> Run {
        if self.dry_run { Run::Dry } else { Run::Write }
    }
}

fn homes() -> Homes {
    Homes::from_env(|name| std::env::var_os(name))
}

/// Folders of programs.
fn path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

fn root(context: &Context) -> PathBuf {
    let root = context.root();
    std::fs::canonicalize(&root).unwrap_or(root)
}

/// Sets the server up, or checks it. `is_server` says whether arguments are those of the server.
pub fn run(
    context: &Context,
    setup: &Setup,
    is_server: impl Fn(&[String]) -> Result<(), Problem>,
) -> anyhow::Result<()> {
    let root = root(context);
    match setup {
        Setup::Install(args) => {
            is_server(&args.server)?;
            let place = args.file.place(&root)?;
            let start = asof_setup::start(&std::env::current_exe()?, &path(), args.file.scope);
            let entry = args.file.client.entry(start, &root, &args.server);
            let change = asof_setup::install(&place, &entry, args.file.run())?;
            report(context, &change, args.file.run())?;
            if args.file.run() == Run::Write && change.action != Action::Keep {
                context.note(args.file.client.then());
            }
            Ok(())
        }
        Setup::Uninstall(args) => {
            let place = args.file.place(&root)?;
            report(context, &asof_setup::uninstall(&place, args.file.run())?, args.file.run())
        }
        Setup::Doctor(args) => examine(context, &root, args),
    }
}

fn report(context: &Context, change: &Change, run: Run) -> anyhow::Result<()> {
    if context.format() == Format::Json {
        return output::json(context, change);
    }
    if run == Run::Dry {
        output::print(context, &change.diff)?;
    }
    let path = &change.path;
    let is_dry = if run == Run::Dry { "would be " } else { "" };
    context.note(&match change.action {
        Action::Create => format!("{path} {is_dry}created with the server `{}`", asof_setup::NAME),
        Action::Add => format!("server `{}` {is_dry}added to {path}", asof_setup::NAME),
        Action::Remove => format!("server `{}` {is_dry}removed from {path}", asof_setup::NAME),
        Action::Delete => format!("{path} {is_dry}removed: it had nothing else"),
        Action::Keep => format!("{path} is as it should be"),
    });
    Ok(())
}

/// The answer of `doctor`.
#[derive(Debug, Serialize)]
struct Findings {
    total: usize,
    failed: usize,
    items: Vec<Check>,
}

fn examine(context: &Context, root: &std::path::Path, args: &DoctorArgs) -> anyhow::Result<()> {
    let path = path();
    let (client, scope) = (args.client, args.scope);
    let program = std::env::current_exe()?;
    let start = &asof_setup::start(&program, &path, scope.unwrap_or(Scope::Project));
    let doctor = Doctor { root, homes: &homes(), path: &path, start, client, scope };
    let items = doctor.checks();
    let failed = items.iter().filter(|check| !check.ok).count();
    if context.format() == Format::Json {
        output::json(context, &Findings { total: items.len(), failed, items })?;
    } else {
        output::print(context, &items.iter().map(line).collect::<String>())?;
    }
    match failed {
        0 => Ok(()),
        n => {
            let message = format!("{} failed", output::plural(n, "check"));
            let hint = "mend them in this order, and run `asof mcp doctor` again";
            Err(Problem::new(ErrorKind::Failure, message, hint).into())
        }
    }
}

fn line(check: &Check) -> String {
    let (name, found) = (&check.name, &check.found);
    let mark = if check.ok {
        anstyle::AnsiColor::Green.on_default()
    } else {
        anstyle::AnsiColor::Red.on_default()
    };
    let word = if check.ok { "ok    " } else { "failed" };
    let mend = check.mend.as_ref().map_or_else(String::new, |mend| format!("        {mend}\n"));
    format!("{mark}{word}{mark:#}  {name}: {found}\n{mend}")
}
