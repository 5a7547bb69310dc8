//! `asof backup`.

use std::path::PathBuf;

use asof::{Database, inspect_backup, verify_backup};
use clap::{Args, Subcommand};

use super::context::Context;
use super::output;

/// Write, check, read and restore backups of the database
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof backup create before.backup
  asof backup verify before.backup
  asof backup inspect before.backup --format json
  asof backup restore before.backup")]
pub struct BackupArgs {
    #[command(subcommand)]
    command: BackupCommand,
}

#[derive(Debug, Subcommand)]
enum BackupCommand {
    /// Write the database into a new file
    Create { file: PathBuf },
    /// Check a backup in full: lengths, hash, every page, row counts
    Verify { file: PathBuf },
    /// Tell what a backup holds, without checking it
    Inspect { file: PathBuf },
    /// Put a backup in the place of the database of this workspace (see `--root`)
    Restore {
        file: PathBuf,
        /// Who restores, for the log of revisions
        #[arg(long)]
        actor: Option<String>,
    },
}

pub fn run(context: &Context, args: &BackupArgs) -> anyhow::Result<()> {
    let manifest = match &args.command {
        BackupCommand::Create { file } => {
            let database = context.database()?;
            // What is backed up is NOW, so it is brought up to date like any answer.
            context.snapshot(&database)?;
            database.backup(file)?
        }
        BackupCommand::Verify { file } => verify_backup(file)?,
        BackupCommand::Inspect { file } => inspect_backup(file)?,
        BackupCommand::Restore { file, actor } => {
            Database::restore(file, &context.root(), actor.as_deref())?
        }
    };
    output::record(context, &manifest)
}
