//! Commits as revisions: the files of each, in a folder, become the state of the store at the
//! time of the commit.

use std::collections::BTreeSet;
use std::path::Path;

use super::error::IndexError;
use super::options::{Cause, Options, Report, Silent};
use super::refresh::refresh_under;
use super::revise::{Said, record};
use super::state::NAMESPACE;
use crate::model::{Micros, Namespace};
use crate::store::{Batch, Column, Relation, Row, Store, StoreError, Value, WriteLock};
use crate::workspace::{Commit, GitRef, WorkspaceError};

/// What became of a commit.
#[derive(Debug)]
pub struct Imported {
    pub at: Micros,
    /// Why its files could not be indexed: the revision has those of before.
    pub problem: Option<String>,
    pub report: Report,
}

/// Makes the files in `folder` the revision of a commit, at `at` or just after the newest
/// revision. A commit that changes no fact gets its revision too.
///
/// # Errors
/// See [`IndexError`]; nothing is written then. A commit whose files are no workspace (a manifest
/// that does not parse, no Rust file) is no error, but a problem of that commit.
pub fn import_commit(
    lock: &WriteLock<'_>,
    store: &Store,
    folder: &Path,
    commit: &Commit,
    at: Micros,
    options: &Options,
) -> Result<Imported, IndexError> {
    let options = Options {
        cause: Cause::Commit,
        actor: Some(commit.author.clone()),
        message: Some(commit.message.clone()),
        commit: Some(commit.hash.clone()),
        at: Some(at),
        rebuild: false,
        ..options.clone()
    };
    let (report, problem) = match refresh_under(lock, store, folder, &options, &Silent) {
        Ok(report) => (report, None),
        Err(IndexError::Workspace(
            error @ (WorkspaceError::Empty { .. } | WorkspaceError::RootManifest { .. }),
        )) => (Report::default(), Some(problem(&error))),
        Err(error) => return Err(error),
    };
    let at = match (report.revision, report.at) {
        (Some(_), Some(at)) => at,
        _ => {
            let said = Said {
                actor: options.actor.as_deref(),
                message: options.message.as_deref(),
                commit: options.commit.as_deref(),
            };
            record(lock, store, Cause::Commit, Some(at), said)?.1
        }
    };
    let mut batch = Batch::new();
    let row: [Value; 6] = [
        commit.hash.as_str().into(),
        at.into(),
        commit.committed.saturating_mul(1_000_000).into(),
        commit.authored.saturating_mul(1_000_000).into(),
        commit.email.as_str().into(),
        problem.as_deref().into(),
    ];
    batch.put("git_commit", row)?;
    lock.commit(batch)?;
    Ok(Imported { at, problem, report })
}

/// The cause without the folder, which nobody knows.
fn problem(error: &WorkspaceError) -> String {
    match error {
        WorkspaceError::RootManifest { message, .. } => {
            format!("the root manifest cannot be used: {message}")
        }
        WorkspaceError::Empty { .. } => "there is no Rust file".to_owned(),
        other => other.to_string(),
    }
}

/// Gives a store the identity of a project before its first revision.
pub fn name_project(lock: &WriteLock<'_>, project: &str) -> Result<(), IndexError> {
    let mut batch = Batch::new();
    batch.put("meta", [NAMESPACE.into(), Namespace::of_project(project).to_string().into()])?;
    batch.put("meta", ["project".into(), project.into()])?;
    batch.put("meta", ["tool_version".into(), env!("CARGO_PKG_VERSION").into()])?;
    lock.commit(batch)?;
    Ok(())
}

/// Keeps the names of commits.
pub fn keep_refs(lock: &WriteLock<'_>, store: &Store, refs: &[GitRef]) -> Result<(), IndexError> {
    store.clear(lock, "git_ref")?;
    let mut batch = Batch::new();
    for one in refs {
        let row: [Value; 3] =
            [one.name.as_str().into(), one.kind.as_str().into(), one.hash.as_str().into()];
        batch.put("git_ref", row)?;
    }
    lock.commit(batch)?;
    Ok(())
}

/// Makes what a store holds from its newest revision on the past of another store, whose oldest
/// revision is at `first`: what the past had and that revision has not is retracted there. Then
/// the rows of the past enter in one transaction.
pub fn join_past(
    lock: &WriteLock<'_>,
    store: &Store,
    first: Option<Micros>,
    past: &Store,
    past_end: Micros,
) -> Result<(), IndexError> {
    if let Some(first) = first {
        let mut batch = Batch::new();
        for relation in Relation::all().filter(|relation| relation.versioned) {
            let now: BTreeSet<String> = store
                .rows_at(relation.name, first)?
                .iter()
                .map(|row| key_of(relation, &row))
                .collect::<Result<_, _>>()?;
            for row in past.rows_at(relation.name, past_end)?.iter() {
                if now.contains(&key_of(relation, &row)?) {
                    continue;
                }
                let cells = |columns: &[Column]| {
                    columns.iter().map(|c| row.get::<Value>(c.name)).collect::<Result<Vec<_>, _>>()
                };
                batch.retract(
                    relation.name,
                    first,
                    cells(&relation.key)?,
                    cells(&relation.values)?,
                )?;
            }
        }
        lock.commit(batch)?;
    }
    let past_lock = past.write_lock(std::time::Duration::from_secs(5))?;
    for plain in ["meta", "face", "mark", "file_stat", "git_ref", "proposal"] {
        // After the first revision these tell of NOW, and NOW is not of the past.
        if first.is_some() {
            past.clear(&past_lock, plain)?;
        }
    }
    Ok(())
}

fn key_of(relation: &Relation, row: &Row<'_>) -> Result<String, StoreError> {
    let cells = relation.key.iter().map(|column| row.get::<Value>(column.name));
    let cells: Vec<Value> = cells.collect::<Result<_, _>>()?;
    Ok(format!("{cells:?}"))
}
