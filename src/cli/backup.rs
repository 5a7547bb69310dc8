//! `asof backup`: writes, verifies and restores backups of a database.

use std::path::PathBuf;

use asof::{Database, inspect_backup, verify_backup};
use clap::{Args, Subcommand};

use super::context::Context;
use super::status;
use asof_surface::text::state::{BackupStep, backup};

/// Create, verify, inspect and restore backups of the database
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
    /// Write the database to a new file
    Create { file: PathBuf },
    /// Verify a backup in full: lengths, hash, every page, row counts
    Verify { file: PathBuf },
    /// Show the manifest of a backup without verifying the rest
    Inspect { file: PathBuf },
    /// Replace the database of this workspace (see `--root`) with a backup
    Restore {
        file: PathBuf,
        /// Who restores it; recorded with the revision
        #[arg(long)]
        actor: Option<String>,
    },
}

pub fn run(context: &Context, args: &BackupArgs) -> anyhow::Result<()> {
    let (step, file, manifest) = match &args.command {
        BackupCommand::Create { file } => {
            let database = context.database()?;
            // A backup contains NOW, so the database is updated first, as for any answer.
            context.snapshot(&database)?;
            (BackupStep::Created, file, database.backup(file)?)
        }
        BackupCommand::Verify { file } => (BackupStep::Verified, file, verify_backup(file)?),
        BackupCommand::Inspect { file } => (BackupStep::Inspected, file, inspect_backup(file)?),
        BackupCommand::Restore { file, actor } => {
            let manifest = Database::restore(file, &context.root(), actor.as_deref())?;
            (BackupStep::Restored, file, manifest)
        }
    };
    status::print(context, &manifest, backup(step, &file.display().to_string(), &manifest))
}
