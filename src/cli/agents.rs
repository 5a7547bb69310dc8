//! `asof agents`: prints instructions for agents, as a block or as a skill file.

use clap::Args;

use super::context::Context;
use super::output;

/// Print a block for AGENTS.md that tells agents when to use asof
///
/// The block is for a file that agents read at the beginning of a session: AGENTS.md, CLAUDE.md or
/// the like. `asof mcp install` gives them tools.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof agents >> AGENTS.md
  mkdir -p .claude/skills/asof && asof agents --skill > .claude/skills/asof/SKILL.md")]
pub struct AgentsArgs {
    /// Print a skill file (SKILL.md) instead
    #[arg(long)]
    skill: bool,
}

pub fn run(context: &Context, args: &AgentsArgs) -> anyhow::Result<()> {
    output::print_plain(context, if args.skill { asof_setup::SKILL } else { asof_setup::AGENTS })
}
