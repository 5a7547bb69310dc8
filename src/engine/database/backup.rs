//! Backups of a workspace's database.

use std::path::Path;

use super::handle::Database;
use crate::error::EngineError;
use asof_store::Store;
use asof_store::backup;
use asof_wire::BackupManifest;

impl Database {
    /// Writes a backup of the committed state to a new file and returns its manifest.
    pub fn backup(&self, out: &Path) -> Result<BackupManifest, EngineError> {
        Ok(backup::create(&self.store, out)?)
    }

    /// Replaces the database of a workspace with that of a backup, and records this as a revision.
    /// The backup is verified in full first; if anything fails, the old database stays. The root
    /// may be any folder: a backup contains no absolute paths.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use asof_engine::Database;
    /// use asof_index::{Options, Silent};
    ///
    /// let (one, other) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// std::fs::write(one.path().join("lib.rs"), "pub struct Policy;")?;
    /// let database = Database::create_or_open(one.path())?;
    /// database.refresh(&Options::default(), &Silent)?;
    /// let file = one.path().join("policy.backup");
    /// database.backup(&file)?;
    ///
    /// std::fs::copy(one.path().join("lib.rs"), other.path().join("lib.rs"))?;
    /// Database::restore(&file, other.path(), None)?;
    /// let restored = Database::open(other.path())?;
    /// let report = restored.refresh(&Options::default(), &Silent)?;
    /// assert!(report.changed.is_empty() && report.added.is_empty());
    /// # Ok(()) }
    /// ```
    pub fn restore(
        backup: &Path,
        root: &Path,
        actor: Option<&str>,
    ) -> Result<BackupManifest, EngineError> {
        backup::inspect(backup)?;
        let root = Self::prepare(root)?;
        let target = Self::path_of(&root);
        let manifest = backup::restore(backup, &target)?;
        let store = Store::open(&target)?;
        asof_index::record_restore(&store, actor)?;
        Ok(manifest)
    }
}

/// Verifies a backup in full: lengths, hash, every page of the database, row counts.
pub fn verify_backup(path: &Path) -> Result<BackupManifest, EngineError> {
    Ok(backup::verify(path)?)
}

/// Reads the manifest of a backup without verifying its payload.
pub fn inspect_backup(path: &Path) -> Result<BackupManifest, EngineError> {
    Ok(backup::inspect(path)?)
}
