//! Which finished transactions are kept for undo, and for how long.

use std::path::Path;

use super::error::FilesError;
use super::journal::{Journal, State};
use super::lock;

/// Which finished transactions are kept. The others can no longer be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// At most this many of the newest.
    pub count: usize,
    /// Of these, the newest whose saved bytes together take at most this many on disk…
    pub bytes: u64,
    /// …but at least this many of the newest, whatever their size.
    pub least: usize,
    /// Of these, only those that were prepared at this time or later: microseconds since 1970.
    pub since: i64,
}

impl Default for Retention {
    /// The default after every edit: 256 transactions, at most 64 MiB, and never less than 16.
    fn default() -> Self {
        Self { count: 256, bytes: 64 << 20, least: 16, since: i64::MIN }
    }
}

/// Deletes finished transactions beyond the limits. Unfinished, conflicting and damaged ones stay.
/// Returns how many were deleted.
///
/// # Errors
/// [`FilesError::Locked`] if another process is editing for too long.
pub fn prune(state_dir: &Path, keep: &Retention) -> Result<usize, FilesError> {
    let journal = Journal::open(state_dir)?;
    if surplus(&journal, keep)?.is_empty() {
        return Ok(0);
    }
    let _lock = lock::acquire(state_dir, lock::PATIENCE)?;
    let gone = surplus(&journal, keep)?;
    for id in &gone {
        journal.delete(id, State::Finished)?;
    }
    Ok(gone.len())
}

/// Finished transactions beyond the limits.
fn surplus(journal: &Journal, keep: &Retention) -> Result<Vec<String>, FilesError> {
    let all = journal.finished()?;
    let total: u64 = all.iter().map(|(_, size)| size).sum();
    // The usual case: the ages need not be read.
    if all.len() <= keep.count && total <= keep.bytes && keep.since == i64::MIN {
        return Ok(Vec::new());
    }
    let aged = all.into_iter().map(|(id, size)| (journal.age(&id), size, id));
    let mut aged: Vec<(i64, u64, String)> = aged.collect();
    aged.sort_by(|a, b| b.cmp(a));
    let mut bytes = 0_u64;
    let mut gone = Vec::new();
    for (rank, (at, size, id)) in aged.into_iter().enumerate() {
        bytes = bytes.saturating_add(size);
        let fits = rank < keep.least || bytes <= keep.bytes;
        if rank >= keep.count || !fits || at < keep.since {
            gone.push(id);
        }
    }
    Ok(gone)
}
