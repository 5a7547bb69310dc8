//! `asof completions`.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::args::Cli;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof completions bash > ~/.local/share/bash-completion/completions/asof
  asof completions fish > ~/.config/fish/completions/asof.fish")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "asof", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(())
}
