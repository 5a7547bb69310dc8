//! `asof lsp`: starts the language server.

use clap::Args;

use super::context::Context;
use super::start::StartArgs;
use asof_lsp::End;

/// Serve an editor: definitions, references, hover, history, over standard input and output
///
/// A language server (LSP 3.18) for use beside rust-analyzer: completion, diagnostics and inlay hints
/// stay its own. A workspace without a database is indexed first. Settings, as
/// `initializationOptions`: `lenses` (uses, tests, last change above items) and `guesses` (references
/// that may be others), both off.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof lsp            for any editor; docs/lsp.md has working configurations
  asof lsp --stdio    the same: some clients add this option by themselves")]
pub struct LspArgs {
    /// Accepted because clients give it: there is no other way to connect
    #[arg(long)]
    stdio: bool,
    #[command(flatten)]
    start: StartArgs,
}

pub fn run(_: &Context, args: &LspArgs) -> anyhow::Result<()> {
    let end = asof_lsp::serve(std::io::stdin(), std::io::stdout(), args.start.start())?;
    match end {
        End::Orderly => Ok(()),
        // As the specification asks.
        End::Abrupt => std::process::exit(1),
    }
}
