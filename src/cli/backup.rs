//! `asof backup`: writes, verifies and restores backups of a database.

use std::path::PathBuf;

use asof::{Database, KeptBundles, inspect_backup, verify_backup};
use clap::{Args, Subcommand};

use super::context::Context;
use super::progress::Bars;
use super::status;
use asof_surface::text::state::{BackupStep, backup, bundle};

/// Create, verify, inspect and restore backups of the database
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof backup create before.backup
  asof backup verify before.backup
  asof backup inspect before.backup --format json
  asof backup restore before.backup
  asof backup bundle ../bundles --keep 3    for `asof index --from ../bundles`")]
pub struct BackupArgs {
    #[command(subcommand)]
    command: BackupCommand,
}

#[derive(Debug, Subcommand)]
enum BackupCommand {
    /// Write the database to a new file
    Create { file: PathBuf },
    /// Write the index of a commit: the same bytes wherever and whenever it is made
    ///
    /// A bundle has no history. `asof index --from` begins a database with it, on any machine. In a
    /// folder, the file is named by the commit, and nothing is done if it is there. Only committed
    /// files count; the database of the workspace, if there is one, saves parsing them.
    Bundle {
        /// The new file, or an existing folder
        #[arg(value_name = "FILE|DIR", value_hint = clap::ValueHint::AnyPath)]
        out: PathBuf,
        /// The commit
        #[arg(long, value_name = "COMMIT", default_value = "HEAD")]
        commit: String,
        /// In a folder: keep this many bundles, those nearest to the commit, and remove the others and
        /// those of other versions of asof
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        keep: Option<u16>,
    },
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
        BackupCommand::Bundle { out, commit, keep } => {
            let root = context.noted_root();
            let has_database = Database::path_of(&root).symlink_metadata().is_ok();
            let known = has_database.then(|| Database::open(&root)).transpose()?;
            let kept = keep.map_or(KeptBundles::All, |n| KeptBundles::Nearest(usize::from(n)));
            let bars = Bars::new(context.quiet());
            let report = Database::write_bundle(&root, known.as_ref(), commit, out, kept, &bars);
            bars.finish();
            let report = report?;
            return status::print(context, &report, bundle(&report));
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
