//! Rows of revisions, and revisions without facts: restores, copies, dropped history.

use super::error::IndexError;
use super::options::Cause;
use super::state::{self, NEWEST, State};
use asof_model::{Micros, Namespace, RevisionId};
use asof_store::{Batch, Store, Value, WriteLock};

/// How long to wait for another writer.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

/// Metadata of a revision.
#[derive(Debug, Clone, Copy, Default)]
pub struct RevisionMeta<'a> {
    pub actor: Option<&'a str>,
    pub message: Option<&'a str>,
    pub commit: Option<&'a str>,
}

/// Records that the database was restored from a backup.
pub fn record_restore(store: &Store, actor: Option<&str>) -> Result<RevisionId, IndexError> {
    let lock = store.write_lock(PATIENCE)?;
    Ok(add(
        &lock,
        store,
        Batch::new(),
        "restore",
        None,
        RevisionMeta { actor, ..RevisionMeta::default() },
    )?
    .0)
}

/// Adapts a copy of the database of another worktree. Its proposals concern the files there, and
/// every file here has to be compared with what is stored.
///
/// # Errors
/// The database has no revision: its first index is not done.
pub fn begin_from_copy(copy: &Store) -> Result<RevisionId, IndexError> {
    let state = State::load(copy)?;
    if state.at.is_none() {
        let reason = "it has no revision yet".to_owned();
        return Err(IndexError::State { what: "database", reason });
    }
    let lock = copy.write_lock(PATIENCE)?;
    copy.clear(&lock, "proposal")?;
    let mut batch = Batch::new();
    for (path, stat) in &state.stats {
        batch.put("file_stat", state::stat_row(path, &stat.clone().unsettled()))?;
    }
    let message = Some("a copy of the database of another worktree");
    let said = RevisionMeta { message, ..RevisionMeta::default() };
    Ok(add(&lock, copy, batch, "copy", None, said)?.0)
}

/// Key of `meta`: time before which versions were dropped.
const FLOOR: &str = "floor";

/// The oldest moment that can be queried; `None` if nothing was dropped.
pub fn floor(store: &Store) -> Result<Option<Micros>, IndexError> {
    Ok(state::meta(store, FLOOR)?.and_then(|text| text.parse().ok()).map(Micros))
}

/// Sets the oldest moment that can be queried, and records this as a revision.
pub fn set_floor(lock: &WriteLock<'_>, store: &Store, at: Micros) -> Result<(), IndexError> {
    if floor(store)? == Some(at) {
        return Ok(());
    }
    let mut batch = Batch::new();
    batch.put("meta", [FLOOR.into(), at.0.to_string().into()])?;
    let message = format!("versions before {at} were dropped");
    let said = RevisionMeta { message: Some(&message), ..RevisionMeta::default() };
    add(lock, store, batch, Cause::Gc.as_str(), None, said)?;
    Ok(())
}

/// Records an operation that changes no fact, at this time or just after the newest revision.
pub fn record(
    lock: &WriteLock<'_>,
    store: &Store,
    cause: Cause,
    at: Option<Micros>,
    said: RevisionMeta<'_>,
) -> Result<(RevisionId, Micros), IndexError> {
    add(lock, store, Batch::new(), cause.as_str(), at, said)
}

fn add(
    lock: &WriteLock<'_>,
    store: &Store,
    mut batch: Batch,
    cause: &str,
    at: Option<Micros>,
    said: RevisionMeta<'_>,
) -> Result<(RevisionId, Micros), IndexError> {
    let last = State::newest(store)?;
    let namespace = state::namespace(store)?.unwrap_or(Namespace::of_project(""));
    let stamp = Stamp::new(at, last)?;
    let id = revision(&mut batch, namespace, stamp, cause, said, [0, 0])?;
    lock.commit(batch)?;
    Ok((id, stamp.at))
}

/// The time of a revision, and the clock's when it was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stamp {
    pub at: Micros,
    /// None if the time was given.
    clock: Option<Micros>,
}

impl Stamp {
    /// The given time, or that of the clock; right after the newest revision if that is later.
    pub fn new(given: Option<Micros>, last: Option<Micros>) -> Result<Self, IndexError> {
        let clock = Micros::now();
        match (Micros::next(given.unwrap_or(clock), last), last) {
            (Some(at), _) => Ok(Self { at, clock: given.is_none().then_some(clock) }),
            (None, last) => Err(IndexError::NoTimeLeft { at: last.unwrap_or(Micros::END) }),
        }
    }

    /// The clock's time, if it is not the revision's.
    fn clock(&self) -> Option<Micros> {
        self.clock.filter(|clock| *clock != self.at)
    }
}

/// Adds the row of a revision: its cause, its metadata, and the numbers of `[files, rows]`.
pub(super) fn revision(
    batch: &mut Batch,
    namespace: Namespace,
    stamp: Stamp,
    cause: &str,
    said: RevisionMeta<'_>,
    [files, rows]: [usize; 2],
) -> Result<RevisionId, IndexError> {
    let at = stamp.at;
    let id = RevisionId::at(namespace, at.0);
    let row: [Value; 9] = [
        at.into(),
        id.into(),
        cause.into(),
        said.actor.into(),
        said.message.into(),
        said.commit.into(),
        (files as i64).into(),
        (rows as i64).into(),
        stamp.clock().into(),
    ];
    batch.put("revision", row)?;
    batch.put("meta", [NEWEST.into(), at.0.to_string().into()])?;
    Ok(id)
}
