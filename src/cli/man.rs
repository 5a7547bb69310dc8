//! `asof man`: man pages of all commands.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Command};

use asof_surface::problem::Problem;

/// Print the manual page, or write one for each command
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof man | man -l -
  asof man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write `asof.1`, `asof-index.1` and so on to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &ManArgs, command: Command) -> anyhow::Result<()> {
    match &args.out {
        Some(out) => std::fs::create_dir_all(out)
            .and_then(|()| clap_mangen::generate_to(command, out))
            .map_err(|error| Problem::io("write the pages to", out, &error).into()),
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            Ok(std::io::stdout().write_all(&page)?)
        }
    }
}
