//! `asof mcp`: starts the MCP server.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Command};

use super::context::Context;
use super::diagnostics::Requests;
use super::mcp_setup::{self, Setup};
use super::output;
use super::serve::{Browser, ListenArgs};
use super::start::StartArgs;
use asof_mcp::{Offer, Options, Structured};
use asof_surface::problem::Problem;
use asof_surface::workspace::Index;

/// Serve the workspace to agents over MCP, on standard input and output or HTTP
///
/// The server only reads unless `--allow-edits` is given. It speaks the revisions 2024-11-05 to
/// 2026-07-28 of the protocol.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof mcp                               serve the workspace of this folder
  asof -C /path/to/workspace mcp         serve another one
  asof mcp --allow-edits                 with tools that plan, apply and undo edits
  asof mcp --index                       create the database at the first question if there is none
  asof mcp --http --port 7979            over HTTP, at http://127.0.0.1:7979/mcp
  asof mcp install --client claude-code  let an agent start the server by itself")]
pub struct McpArgs {
    #[command(subcommand)]
    setup: Option<Setup>,
    #[command(flatten)]
    server: ServerArgs,
}

impl McpArgs {
    /// Whether requests over HTTP are logged.
    pub fn requests(&self) -> Requests {
        self.server.listen.requests()
    }
}

/// Options of the server.
#[derive(Debug, Default, PartialEq, Eq, Args)]
struct ServerArgs {
    /// Offer the tools that write source files: plan, apply and undo edits
    #[arg(long)]
    allow_edits: bool,
    /// Offer every tool, not only the few that agents need most
    #[arg(long)]
    all_tools: bool,
    /// Add the answers as JSON (`structuredContent`) with their schemas
    #[arg(long)]
    structured: bool,
    /// Index the workspace at the first question if it has no database
    #[arg(long)]
    index: bool,
    #[command(flatten)]
    start: StartArgs,
    /// Add each call and the tokens of its answer to a file, for `asof trace`
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Serve many clients over HTTP (streamable HTTP, at `/mcp`); they need the token in
    /// `.asof/http-token`
    #[arg(long)]
    http: bool,
    #[command(flatten)]
    listen: ListenArgs,
}

/// Checks that arguments are options of the server.
fn check(options: &[String]) -> Result<(), Problem> {
    let command = Command::new("asof mcp").no_binary_name(true).disable_help_flag(true);
    let found = ServerArgs::augment_args(command).try_get_matches_from(options);
    found.map(drop).map_err(|error| {
        let message = error.to_string();
        let first = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Problem::bad_request(first, "`asof mcp --help` lists the options of the server")
    })
}

pub fn run(context: &Context, args: &McpArgs) -> anyhow::Result<()> {
    if let Some(setup) = &args.setup {
        if args.server != ServerArgs::default() {
            let hint = "write `asof mcp install --client CLIENT -- OPTIONS`";
            return Err(
                Problem::bad_request("options of the server come last, after `--`", hint).into()
            );
        }
        return mcp_setup::run(context, setup, check);
    }
    let args = &args.server;
    let index = if args.index { Index::IfMissing } else { Index::Never };
    let options = Options {
        workspace: Arc::new(args.start.workspace(context, context.root(), index)),
        offer: Offer { all: args.all_tools, edits: args.allow_edits },
        structured: if args.structured { Structured::With } else { Structured::Without },
        trace: output::trace(context, args.trace.as_deref())?,
    };
    if args.http {
        args.listen.serve(context, None, options, Browser::Leave)
    } else if args.listen != ListenArgs::default() {
        let message = "options of the HTTP server are given without `--http`";
        Err(Problem::bad_request(message, "add `--http`").into())
    } else {
        asof_mcp::serve(options)
    }
}
