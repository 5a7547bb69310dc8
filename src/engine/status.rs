//! State of a database, and whether it is up to date.

use super::database::{Database, Refresh};
use super::error::EngineError;
use super::timeline::is_moved;
use crate::index;
use crate::model::Micros;
use crate::query::{Queries, Revision};
use crate::store::SCHEMA_VERSION;
use crate::wire::{FileDifference, Freshness, Status, When};

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
        let counts = snapshot.counts()?.items;
        let count = |name: &str| counts.iter().find(|c| c.relation == name).map_or(0, |c| c.rows);
        let path = self.store().path();
        let mut basis = snapshot.basis().clone();
        if newest.is_none() {
            basis.freshness_state = Freshness::Stale;
        }
        let ahead = newest.map_or(0, |revision| revision.at.0.saturating_sub(Micros::now().0));
        let moved = Queries::git_commits(self.store())?.into_iter();
        let moved = moved.filter(|row| row.at <= snapshot.at() && is_moved(row.at, row.committed));
        let moved = moved.count();
        Ok(Status {
            ahead_of_clock_s: (ahead > 0).then(|| (ahead / 1_000_000).max(1)),
            moved_commits: (moved > 0).then_some(moved),
            root: self.root().map(|p| p.display().to_string()),
            database: path.map(|p| p.display().to_string()),
            schema_version: SCHEMA_VERSION.to_owned(),
            bytes: path.and_then(|p| std::fs::metadata(p).ok()).map_or(0, |m| m.len()),
            basis,
            cause: newest.map(|r| r.cause.clone()),
            revisions: all.len(),
            files: count("file"),
            definitions: count("node"),
            issues: count("issue"),
        })
    }

    /// Reads and hashes every file, and returns those that differ from what was indexed, by path.
    /// Size and times are ignored. The next refresh reads these files again.
    ///
    /// # Errors
    /// The database has no files, or the store failed.
    pub fn verify_files(&self) -> Result<Vec<FileDifference>, EngineError> {
        Ok(index::verify_files(&self.store, self.need_root()?)?)
    }

    /// Files that differ from what was indexed.
    pub fn stale_files(&self) -> Result<Vec<String>, EngineError> {
        Ok(index::stale_files(&self.store, self.need_root()?)?)
    }
}
