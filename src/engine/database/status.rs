//! State of a database, and whether it is up to date.

use super::handle::Database;
use super::snapshot::{Refresh, Snapshot};
use super::timeline::is_moved;
use crate::error::EngineError;
use asof_model::Micros;
use asof_query::{Queries, Revision, Totals};
use asof_store::SCHEMA_VERSION;
use asof_wire::{FileDifference, Freshness, JSON_VERSION, Status, When};

impl Snapshot<'_> {
    /// Number of definitions.
    ///
    /// # Errors
    /// The store failed.
    pub fn definition_count(&self) -> Result<u64, EngineError> {
        Ok(self.totals()?.definitions)
    }

    /// Number of files, definitions and issues.
    fn totals(&self) -> Result<Totals, EngineError> {
        let newest = self.newest()? == Some(self.at());
        let cache = &self.database.totals;
        let known = cache.lock().unwrap_or_else(|e| e.into_inner()).clone();
        if let Some((at, totals)) = known
            && newest
            && at == self.at()
        {
            return Ok(totals);
        }
        let totals = Queries::at(self.store(), self.at()).totals()?;
        let totals = totals.unwrap_or(Totals { files: 0, definitions: 0, issues: 0 });
        // Another process may have written in between.
        if newest && self.newest()? == Some(self.at()) {
            *cache.lock().unwrap_or_else(|e| e.into_inner()) = Some((self.at(), totals.clone()));
        }
        Ok(totals)
    }
}

impl Database {
    /// State of the database. Reads files that look changed since they were indexed; writes
    /// nothing.
    pub fn status(&self) -> Result<Status, EngineError> {
        self.status_at(&When::Now)
    }

    /// State of the database at a moment; the file and its size are current.
    ///
    /// # Errors
    /// The moment is unknown, or the store failed.
    pub fn status_at(&self, when: &When) -> Result<Status, EngineError> {
        let snapshot = self.snapshot(when, Refresh::Skip)?;
        let all = Queries::revisions_between(self.store(), Micros(i64::MIN), snapshot.at())?;
        let newest: Option<&Revision> = all.last();
        let totals = snapshot.totals()?;
        let path = self.store().path();
        let mut basis = snapshot.basis().clone();
        if newest.is_none() {
            basis.freshness_state = Freshness::Stale;
        }
        let ahead = newest.map_or(0, |revision| revision.at.0.saturating_sub(Micros::now().0));
        let moved = Queries::git_commits(self.store())?.into_iter();
        let moved = moved.filter(|row| row.at <= snapshot.at() && is_moved(row.at, row.committed));
        let moved = moved.count();
        let dependencies = Queries::at(self.store(), snapshot.at()).dependencies()?;
        let known = dependencies.iter().filter(|one| one.is_known).count();
        let missing = dependencies.len() - known;
        Ok(Status {
            interrupted_edit: self.interrupted_edit()?,
            history_import: self.history_import()?,
            ahead_of_clock_s: (ahead > 0).then(|| (ahead / 1_000_000).max(1)),
            moved_commits: (moved > 0).then_some(moved),
            root: self.root().map(|p| p.display().to_string()),
            database: path.map(|p| p.display().to_string()),
            schema_version: SCHEMA_VERSION.to_owned(),
            json_version: JSON_VERSION,
            bytes: path.and_then(|p| std::fs::metadata(p).ok()).map_or(0, |m| m.len()),
            basis,
            cause: newest.map(|r| r.cause.clone()),
            revisions: all.len(),
            files: totals.files,
            definitions: totals.definitions,
            issues: totals.issues,
            dependencies_known: (!dependencies.is_empty()).then_some(known),
            dependencies_missing: (missing > 0).then_some(missing),
        })
    }

    /// Reads and hashes every file, and returns those that differ from what was indexed, by path.
    /// Size and times are ignored. The next refresh reads these files again.
    ///
    /// # Errors
    /// The database has no files, or the store failed.
    pub fn verify_files(&self) -> Result<Vec<FileDifference>, EngineError> {
        Ok(asof_index::verify_files(&self.store, self.need_root()?)?)
    }

    /// Files that differ from what was indexed.
    pub fn stale_files(&self) -> Result<Vec<String>, EngineError> {
        Ok(asof_index::stale_files(&self.store, self.need_root()?)?)
    }
}
