//! Writes the rows of the first refresh on a thread of its own, while others are made: there are
//! the most of them, and none to compare them with.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{Builder, ScopedJoinHandle};

use super::write::Writer;
use asof_store::{StoreError, Streamed, WriteLock, Written};

/// Batches that may wait for the thread: rows that are made faster than they are written would be
/// most of what is in memory.
const WAITING: usize = 4;

/// A thread that writes rows, in one transaction.
pub(super) struct Stream<'s> {
    sender: SyncSender<Streamed>,
    thread: ScopedJoinHandle<'s, Result<Written, StoreError>>,
}

impl Stream<'_> {
    /// Calls `run` with a stream, or with none if there is no thread to be had. If it does not
    /// commit the stream, nothing is written.
    pub fn with<T>(lock: &WriteLock<'_>, run: impl FnOnce(Option<Stream<'_>>) -> T) -> T {
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(WAITING);
            let thread = Builder::new()
                .name("write".to_owned())
                .spawn_scoped(scope, move || lock.commit_stream(&receiver));
            run(thread.ok().map(|thread| Stream { sender, thread }))
        })
    }

    /// Where rows are sent to.
    pub fn sender(&self) -> SyncSender<Streamed> {
        self.sender.clone()
    }

    /// Writes the last rows, and commits.
    pub fn commit(self, mut writer: Writer) -> Result<Written, StoreError> {
        writer.pass_on();
        // If the thread has failed, it says why.
        let _ = self.sender.send(Streamed::Commit);
        self.thread.join().unwrap_or_else(|_| {
            Err(StoreError::Engine { reason: "the thread that writes rows failed".into() })
        })
    }
}
