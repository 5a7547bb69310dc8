//! Reads Git objects for any thread. gix runs on one thread, which opens the repository itself: its
//! handles belong to the thread that created them. Every request gets an answer, whatever happens
//! to that thread.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use gix::ObjectId;
use gix::objs::Kind as ObjectKind;

use crate::error::WorkspaceError;
use crate::git::{open, read_object};

/// The bytes of an object, or its length if that is above a limit; or why neither is known.
pub(super) type Read = Result<Result<Vec<u8>, u64>, String>;

struct Request {
    id: ObjectId,
    kind: ObjectKind,
    cap: u64,
    answer: SyncSender<Read>,
}

/// Ends its thread when it is dropped.
pub(super) struct Reader {
    requests: Sender<Request>,
}

impl Reader {
    /// `top`: the top of the work tree.
    pub(super) fn start(top: &Path) -> Result<Self, WorkspaceError> {
        let (requests, incoming) = channel();
        let from = top.to_owned();
        let thread = std::thread::Builder::new().name("git objects".to_owned());
        let started = thread.spawn(move || serve(&from, &incoming));
        let failed = |error: std::io::Error| WorkspaceError::Git {
            what: top.display().to_string(),
            reason: format!("no thread to read with: {error}"),
        };
        started.map_err(failed).map(|_| Self { requests })
    }

    /// The bytes of an object, which have its hash, if there are at most `cap`.
    pub(super) fn read(&self, id: ObjectId, kind: ObjectKind, cap: u64) -> Read {
        let ended = || "the thread that reads objects failed".to_owned();
        let (answer, wait) = sync_channel(1);
        self.requests.send(Request { id, kind, cap, answer }).map_err(|_| ended())?;
        wait.recv().unwrap_or_else(|_| Err(ended()))
    }
}

fn serve(top: &Path, incoming: &Receiver<Request>) {
    let repository = open(top);
    while let Ok(Request { id, kind, cap, answer }) = incoming.recv() {
        let read = match &repository {
            Ok(repository) => read_object(repository, id, kind, cap),
            Err(reason) => Err(reason.clone()),
        };
        // The caller may be gone.
        let _ = answer.send(read);
    }
}
