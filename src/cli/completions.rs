//! `asof completions`.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof completions bash > ~/.local/share/bash-completion/completions/asof
  asof completions fish > ~/.config/fish/completions/asof.fish")]
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
