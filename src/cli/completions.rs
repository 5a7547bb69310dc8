//! `asof completions`: completion scripts for shells.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof completions bash > asof         for ~/.local/share/bash-completion/completions
  asof completions fish > asof.fish    for ~/.config/fish/completions")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub fn run(args: &CompletionsArgs, mut command: Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "asof", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(())
}
