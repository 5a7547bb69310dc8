//! `asof mcp`.

use clap::Args;

use super::context::Context;
use crate::mcp::{self, Index, Offer, Options, Structured};

/// Serve the workspace to agents over MCP, on standard input and output
///
/// The server only reads unless `--allow-edits` is given. It speaks the revisions 2024-11-05 to
/// 2026-07-28 of the protocol.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof mcp                               serve the workspace of this folder
  asof -C /path/to/workspace mcp         serve another one
  asof mcp --allow-edits                 with tools that plan, apply and undo edits
  asof mcp --index                       create the database at the first question if there is none")]
pub struct McpArgs {
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
}

pub fn run(context: &Context, args: &McpArgs) -> anyhow::Result<()> {
    mcp::serve(Options {
        root: context.root(),
        offer: Offer { all: args.all_tools, edits: args.allow_edits },
        structured: if args.structured { Structured::With } else { Structured::Without },
        index: if args.index { Index::IfMissing } else { Index::Never },
    })
}
