//! Revisions without facts of their own.

use super::error::IndexError;
use super::options::Cause;
use super::state::{self, NEWEST, State};
use super::stats::now_ns;
use crate::model::{Micros, Namespace, RevisionId};
use crate::store::{Batch, Store, Value, WriteLock};

/// How long to wait for another writer.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

/// Records that the database was restored from a backup.
pub fn record_restore(store: &Store, actor: Option<&str>) -> Result<RevisionId, IndexError> {
    let lock = store.write_lock(PATIENCE)?;
    add(&lock, store, "restore", [actor, None])
}

/// Records a change of files that no fact tells of: `[actor, message]` with its cause.
pub fn record(
    lock: &WriteLock<'_>,
    store: &Store,
    cause: Cause,
    said: [Option<&str>; 2],
) -> Result<RevisionId, IndexError> {
    add(lock, store, cause.as_str(), said)
}

fn add(
    lock: &WriteLock<'_>,
    store: &Store,
    cause: &str,
    said: [Option<&str>; 2],
) -> Result<RevisionId, IndexError> {
    let last = State::load(store)?.at;
    let namespace = state::namespace(store)?.unwrap_or(Namespace::of_project(""));
    let at = Micros::next(Micros(now_ns() / 1_000), last);
    let mut batch = Batch::new();
    let id = revision(&mut batch, namespace, at, cause, said, [0, 0])?;
    lock.commit(batch)?;
    Ok(id)
}

/// Adds the row of a revision: its cause, `[actor, message]`, and numbers of `[files, rows]`.
pub(super) fn revision(
    batch: &mut Batch,
    namespace: Namespace,
    at: Micros,
    cause: &str,
    [actor, message]: [Option<&str>; 2],
    [files, rows]: [usize; 2],
) -> Result<RevisionId, IndexError> {
    let id = RevisionId::at(namespace, at.0);
    let row: [Value; 8] = [
        at.into(),
        id.into(),
        cause.into(),
        actor.into(),
        message.into(),
        Value::Null,
        (files as i64).into(),
        (rows as i64).into(),
    ];
    batch.put("revision", row)?;
    batch.put("meta", [NEWEST.into(), at.0.to_string().into()])?;
    Ok(id)
}
