//! Git commits and their names.

use super::error::QueryError;
use super::typed::{Queries, Revision, rows};
use crate::model::Micros;
use crate::store::{FromRow, Row, Store, StoreError};

rows! {
    /// An imported commit with the time of its revision.
    CommitRow {
        hash: String,
        at: Micros,
        committed: Micros,
        authored: Micros,
        email: String,
        problem: Option<String>,
    }

    /// An imported commit.
    CommitHit {
        hash: String,
        at: Micros,
    }

    /// What a branch or tag means.
    NamedCommit {
        kind: String,
        hash: String,
        at: Option<Micros>,
    }

    /// The oldest revision.
    First {
        at: Micros,
    }
}

impl Queries<'_> {
    fn whenever(store: &Store) -> Queries<'_> {
        Queries::at(store, Micros(0))
    }

    /// Imported commits, the oldest first.
    pub fn git_commits(store: &Store) -> Result<Vec<CommitRow>, QueryError> {
        Self::whenever(store).ask("history/commits", &[])
    }

    /// Imported commits whose hash begins so; three at most.
    pub fn git_commits_starting(store: &Store, prefix: &str) -> Result<Vec<CommitHit>, QueryError> {
        Self::whenever(store).ask("history/commits_starting", &[("prefix", prefix.into())])
    }

    /// The commit of a branch, tag or HEAD.
    pub fn git_ref(store: &Store, name: &str) -> Result<Option<NamedCommit>, QueryError> {
        Ok(Self::whenever(store).ask("history/ref_named", &[("name", name.into())])?.pop())
    }

    /// Revisions whose id begins so; three at most.
    pub fn revisions_starting(store: &Store, prefix: &str) -> Result<Vec<Revision>, QueryError> {
        Self::whenever(store).ask("history/revisions_starting", &[("prefix", prefix.into())])
    }

    /// Revisions from one time to another, the oldest first.
    pub fn revisions_between(
        store: &Store,
        from: Micros,
        to: Micros,
    ) -> Result<Vec<Revision>, QueryError> {
        let given = [("from", from.into()), ("to", to.into())];
        Self::whenever(store).ask("history/revisions_between", &given)
    }

    /// Time of the revision with which the history begins, if what it holds may be older.
    pub fn history_start(store: &Store) -> Result<Option<Micros>, QueryError> {
        let rows: Vec<First> = Self::whenever(store).ask("history/start", &[])?;
        Ok(rows.first().map(|row| row.at))
    }

    /// Time of the oldest revision.
    pub fn first_revision(store: &Store) -> Result<Option<Micros>, QueryError> {
        let rows: Vec<First> = Self::whenever(store).ask("history/first", &[])?;
        Ok(rows.first().map(|row| row.at))
    }
}
