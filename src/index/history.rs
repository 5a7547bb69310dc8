//! Commits as revisions: the files of each become the state of the store at the time of the
//! commit.

use std::path::Path;

use super::changed_definitions::Touched;
use super::error::IndexError;
use super::near_state::NearState;
use super::options::{Cause, Options, Progress, Silent};
use super::refresh::refresh_from;
use super::revision::{RevisionMeta, record};
use super::state::{self, NAMESPACE, ROOT, SELECTED};
use asof_model::{Micros, Namespace, NodeId};
use asof_store::{Batch, HistorySeam, Params, Relation, RowsOf, Store, Value, WriteLock};
use asof_wire::IndexReport;
use asof_workspace::{Commit, GitRef, SourceTree, WorkspaceError};

/// Result of importing a commit.
#[derive(Debug)]
pub struct Imported {
    pub at: Micros,
    /// When it was committed, as Git has it.
    pub committed: Micros,
    /// Why its files could not be indexed (the revision then has the previous ones), or that its
    /// date is impossible.
    pub problem: Option<String>,
    /// Whether the files could not be indexed because of their root manifest.
    pub unreadable: bool,
    pub report: IndexReport,
}

/// Adds a revision with the files of a commit, `tree`, at `at` or just after the newest revision. A
/// commit that changes no fact gets a revision too. `near`: what to begin an empty store with.
///
/// # Errors
/// See [`IndexError`]; nothing is written then. A commit whose files are not a workspace (a
/// manifest that does not parse, no Rust file) is not an error, but a problem of that commit.
pub fn import_commit(
    lock: &WriteLock<'_>,
    store: &Store,
    tree: &dyn SourceTree,
    commit: &Commit,
    at: Micros,
    options: &Options,
    near: Option<NearState<'_>>,
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
    let mut unreadable = false;
    let (report, problem) = match index_from(lock, store, tree, &options, &Silent, near) {
        Ok(report) => (report, None),
        Err(IndexError::Workspace(
            error @ (WorkspaceError::Empty { .. } | WorkspaceError::RootManifest { .. }),
        )) => {
            unreadable = matches!(error, WorkspaceError::RootManifest { .. });
            (IndexReport::default(), Some(problem(&error)))
        }
        Err(error) => return Err(error),
    };
    let at = match (report.revision, report.at) {
        (Some(_), Some(at)) => at,
        _ => {
            let said = RevisionMeta {
                actor: options.actor.as_deref(),
                message: options.message.as_deref(),
                commit: options.commit.as_deref(),
            };
            record(lock, store, Cause::Commit, Some(at), said)?.1
        }
    };
    let committed = micros(commit.committed);
    let problem = if committed == committed.clamped() {
        problem
    } else {
        let date = match commit.committed {
            i64::MAX => "its date cannot be read".to_owned(),
            seconds => format!("its date is impossible: {seconds} seconds after 1970"),
        };
        Some(problem.map_or(date.clone(), |problem| format!("{problem}; {date}")))
    };
    let mut batch = Batch::new();
    batch.put("git_commit", commit_row(commit, at, problem.as_deref()))?;
    lock.commit(batch)?;
    Ok(Imported { at, committed, problem, unreadable, report })
}

/// [`refresh_from`] of a store that may be empty, which begins with a near state if there is one.
///
/// # Errors
/// As [`refresh_from`], and of [`NearState::fill`].
pub fn index_from(
    lock: &WriteLock<'_>,
    store: &Store,
    tree: &dyn SourceTree,
    options: &Options,
    progress: &dyn Progress,
    near: Option<NearState<'_>>,
) -> Result<IndexReport, IndexError> {
    match near.map(|near| near.fill(store, lock, tree, options, progress)).transpose()?.flatten() {
        Some(report) => Ok(report),
        None => refresh_from(lock, store, tree, options, progress),
    }
}

/// The row of a commit whose revision is at a time. `problem`: why it does not have its files.
pub(super) fn commit_row(commit: &Commit, at: Micros, problem: Option<&str>) -> [Value; 6] {
    [
        commit.hash.as_str().into(),
        at.into(),
        micros(commit.committed).into(),
        micros(commit.authored).into(),
        commit.email.as_str().into(),
        problem.into(),
    ]
}

/// Seconds since 1970 as microseconds. Dates that a float cannot represent exactly, more than 285
/// years from 1970, are clamped: they are certainly wrong.
pub(super) fn micros(seconds: i64) -> Micros {
    let end = Micros::END.0 - 1;
    Micros(seconds.saturating_mul(1_000_000).clamp(-end, end))
}

/// The cause, without the folder, which does not exist on disk.
fn problem(error: &WorkspaceError) -> String {
    match error {
        WorkspaceError::RootManifest { message, .. } => {
            format!("the root manifest cannot be used: {message}")
        }
        WorkspaceError::Empty { .. } => "there is no Rust file".to_owned(),
        other => other.to_string(),
    }
}

/// Gives a store the identity of the project below a root before its first revision.
pub fn name_project(lock: &WriteLock<'_>, root: &Path) -> Result<(), IndexError> {
    let (layout, _) = asof_workspace::layout(root, &asof_workspace::walk(root)?)?;
    let project = layout.name.as_str();
    let mut batch = Batch::new();
    batch.put("meta", [NAMESPACE.into(), Namespace::of_project(project).to_string().into()])?;
    batch.put("meta", ["project".into(), project.into()])?;
    batch.put("meta", ["tool_version".into(), env!("CARGO_PKG_VERSION").into()])?;
    lock.commit(batch)?;
    Ok(())
}

/// Gives a store the identity of the project that another store is of.
pub fn name_like(lock: &WriteLock<'_>, other: &Store) -> Result<(), IndexError> {
    let mut batch = Batch::new();
    for key in [NAMESPACE, "project", "tool_version"] {
        if let Some(value) = state::meta(other, key)? {
            batch.put("meta", [key.into(), value.into()])?;
        }
    }
    lock.commit(batch)?;
    Ok(())
}

/// Records in the database of an import how many commits it will have.
pub fn keep_selected(lock: &WriteLock<'_>, commits: usize) -> Result<(), IndexError> {
    let mut batch = Batch::new();
    batch.put("meta", [SELECTED.into(), commits.to_string().into()])?;
    lock.commit(batch)?;
    Ok(())
}

/// How many commits the database of an import will have.
pub fn selected(store: &Store) -> Result<Option<usize>, IndexError> {
    Ok(state::meta(store, SELECTED)?.and_then(|count| count.parse().ok()))
}

/// Records which commit has no parent, so that the contents of its revision are attributed to its
/// author. It matters only if that revision is the oldest.
pub fn keep_root(lock: &WriteLock<'_>, commit: &Commit) -> Result<(), IndexError> {
    let mut batch = Batch::new();
    batch.put("meta", [ROOT.into(), commit.hash.as_str().into()])?;
    lock.commit(batch)?;
    Ok(())
}

/// Stores the names of commits.
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

/// The rows to write where a store, whose oldest revision is at `first`, is joined to its past,
/// all of which is earlier:
/// facts that only the past has are retracted, and the revision records what it touched, as if it
/// had been made after the past.
pub fn seam(store: &Store, first: Micros, past: &Store) -> Result<HistorySeam, IndexError> {
    let mut batch = Batch::new();
    let mut touched = Touched::default();
    let (mut files, mut rows) = (0, 0);
    for relation in Relation::all().filter(|relation| relation.versioned) {
        for fact in store.differences(past, relation, first)? {
            rows += 1;
            let id = match fact.key.first() {
                Some(Value::Uuid(id)) => Some(NodeId(*id)),
                _ => None,
            };
            match (relation.name, id, &fact.after) {
                ("node", Some(id), Some(_)) => touched.touch(id, fact.before.is_some()),
                ("node", Some(id), None) => touched.remove(id),
                ("file" | "document", ..) => {
                    // The first value is the hash of the bytes.
                    let hash = |values: &Option<Vec<Value>>| values.as_ref()?.first().cloned();
                    files += usize::from(hash(&fact.before) != hash(&fact.after));
                }
                _ => {}
            }
            if let (None, Some(values)) = (fact.after, fact.before) {
                batch.retract(relation.name, first, fact.key, values)?;
            }
        }
    }
    touched.write(&mut batch, first)?;
    let [files, rows] = [files, rows].map(|count: usize| count as i64);
    let params = Params::new().with("times", Value::list([first]));
    for said in asof_query::run(store, "history/revisions_at", params)?.iter() {
        let mut row: Vec<Value> = vec![first.into()];
        for column in ["id", "cause", "actor", "message", "commit"] {
            row.push(said.get(column)?);
        }
        let clock: Value = said.get("clock")?;
        batch.put("revision", row.into_iter().chain([files.into(), rows.into(), clock]))?;
    }
    Ok(HistorySeam { at: first, batch })
}

/// Prepares a store to be the past of another: removes its mirrors of NOW.
pub fn clear_now_mirrors(past: &Store) -> Result<(), IndexError> {
    let lock = past.write_lock(std::time::Duration::from_secs(5))?;
    for relation in Relation::all().filter(|relation| relation.rows == Some(RowsOf::Now)) {
        past.clear(&lock, relation.name)?;
    }
    Ok(())
}
