//! Revisions without facts of their own.

use super::error::IndexError;
use super::state::{self, NEWEST, State};
use super::stats::now_ns;
use crate::model::{Micros, Namespace, RevisionId};
use crate::store::{Batch, Store, Value};

/// How long to wait for another writer.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

/// Records that the database was restored from a backup.
pub fn record_restore(store: &Store, actor: Option<&str>) -> Result<RevisionId, IndexError> {
    let lock = store.write_lock(PATIENCE)?;
    let last = State::load(store)?.at;
    let namespace = state::namespace(store)?.unwrap_or(Namespace::of_project(""));
    let at = Micros::next(Micros(now_ns() / 1_000), last);
    let mut batch = Batch::new();
    let id = revision(&mut batch, namespace, at, "restore", [actor, None], [0, 0])?;
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
