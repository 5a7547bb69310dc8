//! The command-line surface: arguments in, one call of the library, text out.
//! One file per command; shared parts are in `context`, `output` and `failure`.
//! It never touches the store or a query itself, and has no logic about code.

mod affected;
mod agents;
mod api;
mod api_diff;
mod args;
mod ask;
mod backup;
mod between;
mod cache;
mod change_impact;
mod change_signature;
mod code_context;
mod completions;
mod context;
mod delete;
mod deps;
mod diagnostics;
mod diff;
mod diff_edges;
mod diff_prose;
mod edit;
mod embed;
mod export;
mod export_tables;
mod failure;
mod fields;
mod file;
mod gc;
mod globals;
mod graph;
mod groups;
mod hint;
mod hotspots;
mod impact;
mod import;
mod index;
mod index_all;
mod index_from;
mod input;
mod inspect;
mod interrupt;
mod length;
mod log;
mod lsp;
mod man;
mod mcp;
mod mcp_setup;
mod merge;
mod output;
mod paint;
mod path;
mod progress;
mod project;
mod quality;
mod query;
mod query_list;
mod query_schema;
mod reach;
mod refactor;
mod refs;
mod registry;
mod relocate;
mod rename;
mod resolve;
mod review;
mod search;
mod search_projects;
mod serve;
mod show;
mod start;
mod status;
mod table;
mod terminal;
mod trace;
mod unused;
mod verify;
mod watch;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use asof_wire::Spans;
use clap::error::ErrorKind as ClapError;
use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use context::Context;
use globals::Format;
use length::TextLimit;

use asof_surface::problem::Problem;
use asof_surface::questions::syntax::AST_QUERY;
use asof_surface::questions::{inspect as inspect_questions, items, past, uses};

/// The name under which Cargo looks for `cargo asof`.
const BY_CARGO: &str = "cargo-asof";

/// Whether what a command answers may depend on a configuration.
fn is_of_a_configuration(command: &Command) -> bool {
    if let Command::Edit(edit) = command {
        return edit.names_items();
    }
    matches!(
        command,
        Command::Resolve(_)
            | Command::Show(_)
            | Command::Outline(_)
            | Command::Refs(_)
            | Command::Callers(_)
            | Command::Callees(_)
            | Command::Lineage(_)
            | Command::Impact(_)
            | Command::Path(_)
            | Command::Reach(_)
            | Command::Inspect(_)
            | Command::Search(_)
            | Command::Context(_)
            | Command::History(_)
            | Command::Blame(_)
            | Command::Quality(_)
            | Command::Rename(_)
            | Command::Delete(_)
    )
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    report_panics_as_bugs();
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    cli.globals.color.write_global();
    let Cli { globals, command } = cli;
    let format = globals.format.format();
    let is_bounded = command.is_question() && !globals.full && format == Format::Text;
    let limit = if is_bounded { TextLimit::bounded() } else { TextLimit::endless() };
    let context = Context::new(globals, limit);
    let done = run(&context, command);
    if let Some(rest) = context.left_out() {
        terminal::write_beside(&rest);
    }
    terminal::leave_pager();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if failure::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => failure::report(failure::explain(error), format),
    }
}

fn parse() -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    let mut matches = match command.try_get_matches_from_mut(arguments()) {
        // Only help needs the listing of commands.
        Err(error) if is_help(&error) => {
            groups::grouped(Cli::command()).try_get_matches_from(arguments())?
        }
        found => found?,
    };
    let requested = length::is_requested(&matches);
    let cli = Cli::from_arg_matches_mut(&mut matches);
    let mut cli = cli.map_err(|error| error.format(&mut command))?;
    cli.globals.full |= requested;
    Ok(cli)
}

/// The arguments of this process. Cargo starts `cargo-asof asof …` for `cargo asof …`: a link of
/// that name to this program is then the program itself.
fn arguments() -> impl Iterator<Item = OsString> {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    let by_cargo =
        |program: &OsString| Path::new(program).file_stem() == Some(OsStr::new(BY_CARGO));
    if args.first().is_some_and(by_cargo) && args.get(1).is_some_and(|first| first == "asof") {
        args.remove(0);
    }
    args.into_iter()
}

fn run(context: &Context, command: Command) -> anyhow::Result<()> {
    if command.is_question() {
        if context.may_page() {
            terminal::use_pager();
        }
    } else if !context.fields().is_empty() {
        let hint = "leave it out; only commands that print items have fields";
        let message = "this command has no fields to choose with `--fields`";
        return Err(Problem::bad_request(message, hint).into());
    }
    // The standard error of a query process belongs to its parent.
    if !matches!(command, Command::QueryWorker) {
        diagnostics::begin(command.requests())?;
    }
    let has_findings = matches!(
        command,
        Command::Quality(_)
            | Command::Unused(_)
            | Command::Reach(_)
            | Command::Deps(_)
            | Command::Review(_)
            | Command::Api(_)
    );
    if context.is_sarif() && !has_findings {
        let message = "`--format sarif` is of `quality`, `unused`, `reach`, `deps`, `review` and `api --diff`";
        return Err(Problem::bad_request(message, "use `--format json`").into());
    }
    if context.has_configuration() && !is_of_a_configuration(&command) {
        let hint = "questions about items and uses have one; a server takes `configuration` with \
                    each request";
        return Err(Problem::bad_request("this command has no configuration", hint).into());
    }
    match command {
        Command::Index(args) => index::run(context, &args),
        Command::Status(args) => status::run(context, &args),
        Command::Embed(args) => embed::run(context, &args),
        Command::Watch(args) => watch::run(context, &args),
        Command::Resolve(args) => resolve::run(context, &args),
        Command::File(args) => file::run(context, &args),
        Command::Inspect(args) => inspect::run(context, args),
        Command::Cfg(args) => args.run(context, &inspect_questions::CONDITIONS),
        Command::Query(args) => query::run(context, &args),
        Command::Show(args) => show::run(context, args),
        Command::Outline(args) => args.run(context, &items::OUTLINE),
        Command::Api(args) => api::run(context, args),
        Command::Search(args) if args.is_across_projects() => search_projects::run(context, &args),
        Command::Search(args) => search::run(context, &args),
        Command::Context(args) => code_context::run(context, &args),
        Command::Refs(args) => refs::run(context, args),
        Command::Callers(args) => args.run(context, &uses::CALLERS),
        Command::Verify(args) => verify::run(context, &args),
        Command::Trace(args) => trace::run(context, &args),
        Command::AstQuery(args) => args.run(context, &AST_QUERY),
        Command::Quality(args) => quality::run(context, args),
        Command::Implementations(args) => args.run(context, &uses::IMPLEMENTATIONS),
        Command::Unused(args) => unused::run(context, args),
        Command::Reach(args) => reach::run(context, args),
        Command::Deps(args) => deps::run(context, args),
        Command::Hotspots(args) => hotspots::run(context, args),
        Command::Callees(args) => args.run(context, &uses::CALLEES),
        Command::Project(args) => project::run(context, &args),
        Command::Path(args) => path::run(context, args),
        Command::Lineage(args) => args.run(context, &uses::LINEAGE),
        Command::Affected(args) => affected::run(context, &args),
        Command::Impact(args) => impact::run(context, args),
        Command::Export(args) => export::run(context, &args),
        Command::Import(args) => import::run(context, &args),
        Command::DiffEdges(args) => diff_edges::run(context, &args),
        Command::History(args) => {
            let question = match args.request.spans {
                Spans::With => &past::HISTORY_WITH_LINES,
                Spans::Without => &past::HISTORY,
            };
            args.run(context, question)
        }
        Command::Diff(args) => diff::run(context, &args),
        Command::Review(args) => review::run(context, &args),
        Command::Merge(args) => merge::run(context, &args),
        Command::Log(args) => log::run(context, args),
        Command::Blame(args) => args.run(context, &past::BLAME),
        Command::Edit(args) => edit::run(context, args),
        Command::Rename(args) => rename::run(context, args),
        Command::Move(args) => relocate::run(context, args),
        Command::Delete(args) => delete::run(context, args),
        Command::ChangeSignature(args) => change_signature::run(context, args),
        Command::Gc(args) => gc::run(context, &args),
        Command::Cache(args) => cache::run(context, &args),
        Command::Backup(args) => backup::run(context, &args),
        Command::Lsp(args) => lsp::run(context, &args),
        Command::Mcp(args) => mcp::run(context, &args),
        Command::Agents(args) => agents::run(context, &args),
        Command::Serve(args) => serve::run(context, &args),
        Command::Web(args) => serve::run_web(context, &args),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
        Command::QueryWorker => asof_surface::worker::run(),
    }
}

/// Prints what clap reports: help is an answer, everything else a usage error.
fn refuse(error: &clap::Error) -> ExitCode {
    let answer = is_help(error) || error.kind() == ClapError::DisplayVersion;
    if !answer && asks_for_json(arguments()) {
        let text = error.to_string();
        let (message, hint) = text.trim().split_once("\n\n").unwrap_or((text.trim(), ""));
        // Names of missing arguments have lines of their own.
        let lines: Vec<&str> = message.lines().map(str::trim).collect();
        let message = lines.join(" ");
        let message = message.trim_start_matches("error: ");
        return failure::report(Problem::bad_request(message, hint.trim()), Format::Json);
    }
    let _ = error.print();
    let _ = std::io::stdout().flush();
    match error.kind() {
        ClapError::DisplayHelp | ClapError::DisplayVersion => ExitCode::SUCCESS,
        _ => ExitCode::from(failure::USAGE),
    }
}

fn is_help(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ClapError::DisplayHelp | ClapError::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

/// Whether errors should be JSON, judging by arguments that did not parse.
fn asks_for_json(args: impl Iterator<Item = OsString>) -> bool {
    let args: Vec<OsString> = args.collect();
    let json = |arg: &OsString| arg == "json" || arg == "jsonl";
    let pair = |pair: &[OsString]| matches!(pair, [a, b] if a == "--format" && json(b));
    let one = |arg: &OsString| arg == "--format=json" || arg == "--format=jsonl";
    args.iter().any(one) || args.windows(2).any(pair)
}

fn report_panics_as_bugs() {
    std::panic::set_hook(Box::new(|info| {
        anstream::eprintln!("error: this is a bug in asof: {info}");
        anstream::eprintln!(
            "hint: please report it with the command that you ran; the next command \
             completes or reverts an interrupted edit"
        );
    }));
}
