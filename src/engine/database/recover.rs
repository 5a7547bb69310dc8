//! Recovers edits of processes that died: afterwards the files are all old or all new, and the
//! proposal says which.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::handle::{Database, STATE_DIR};
use super::note::{undo_id, unsettled};
use crate::error::EngineError;
use asof_edit::files::{self, FilesError, Outcome};
use asof_edit::{EditError, ProposalStatus};
use asof_files::state::Folder;
use asof_index::Cause;
use asof_model::RawHash;
use asof_store::{StoreError, WriteLock};
use asof_wire::FileOp;

/// Marker file that names the proposal being written; without it there is nothing to recover.
const MARK: &str = "edit.pending";
/// Length of a marker in bytes: an id.
const MOST: u64 = 256;

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);

impl Database {
    /// Recovers the edits of processes that died: afterwards their files are all old or all new.
    /// Without any, this only lists a folder.
    pub fn recover_edits(&self) -> Result<Vec<files::Recovered>, EngineError> {
        let Some(state) = self.root.as_ref().map(|root| root.join(STATE_DIR)) else {
            return Ok(Vec::new());
        };
        if !self.is_marked() && !files::unfinished(&state).map_err(EditError::from)? {
            return Ok(Vec::new());
        }
        // A live process holds the lock while it is editing.
        let lock = self.store.write_lock(PATIENCE)?;
        let recovered = files::recover(self.need_root()?, &state).map_err(EditError::from)?;
        if self.is_marked() {
            let id = self.marked()?;
            match asof_edit::find(&self.store, id.trim()) {
                Ok(proposal) => self.catch_up(&lock, proposal)?,
                Err(EditError::NoProposal { .. } | EditError::ManyProposals { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            self.unmark();
        }
        Ok(recovered)
    }

    /// The write lock, after the edits of processes that died are recovered: whoever writes begins
    /// with files and proposals that are whole.
    pub(crate) fn lock_to_write(&self, wait: Duration) -> Result<WriteLock<'_>, EngineError> {
        self.recover_edits()?;
        Ok(self.store.write_lock(wait)?)
    }

    /// Whether a process died, or is working, between writing files and database.
    pub(super) fn has_pending_edit(&self) -> bool {
        let Some(state) = self.root.as_ref().map(|root| root.join(STATE_DIR)) else {
            return false;
        };
        self.is_marked() || files::unfinished(&state).unwrap_or(true)
    }

    /// The edit of a process that died, without recovering it; none while a process is editing.
    pub(super) fn interrupted_edit(&self) -> Result<Option<String>, EngineError> {
        if !self.has_pending_edit() {
            return Ok(None);
        }
        let state = self.need_root()?.join(STATE_DIR);
        if files::is_editing(&state).map_err(EditError::from)? || self.store.is_locked()? {
            return Ok(None);
        }
        let id = self.marked()?;
        let id = if id.is_empty() { "one without a proposal".to_owned() } else { id };
        // It may have ended since.
        Ok(self.has_pending_edit().then_some(id))
    }

    /// Sets the status of a proposal from the journal.
    fn catch_up(
        &self,
        lock: &WriteLock<'_>,
        mut proposal: asof_edit::Proposal,
    ) -> Result<(), EngineError> {
        let state = self.need_root()?.join(STATE_DIR);
        let finished = |id: &str| match files::previous(&state, id) {
            Ok(_) => Ok(true),
            Err(FilesError::Unknown { .. }) => Ok(false),
            Err(error) => Err(EditError::from(error)),
        };
        let (actor, reason) = (proposal.actor.clone(), proposal.reason.clone());
        match proposal.status {
            ProposalStatus::Applying if finished(&proposal.id)? => {
                as_written(&state, &mut proposal).map_err(EditError::from)?;
                self.settle(
                    lock,
                    &mut proposal,
                    ProposalStatus::Applied,
                    Cause::Edit,
                    actor,
                    reason,
                )
                .map_err(|error| unsettled(&proposal, "applied", error))?;
            }
            ProposalStatus::Applying => {
                proposal.status = ProposalStatus::Planned;
                self.store_proposal(lock, &proposal)?;
            }
            ProposalStatus::Undoing if finished(&undo_id(&proposal.id))? => {
                let message = Some(format!("undo of {}", proposal.id));
                self.settle(
                    lock,
                    &mut proposal,
                    ProposalStatus::Undone,
                    Cause::Undo,
                    None,
                    message,
                )
                .map_err(|error| unsettled(&proposal, "undone", error))?;
            }
            ProposalStatus::Undoing => {
                proposal.status = ProposalStatus::Applied;
                self.store_proposal(lock, &proposal)?;
            }
            ProposalStatus::Planned
            | ProposalStatus::Applied
            | ProposalStatus::Denied
            | ProposalStatus::Undone => {}
        }
        Ok(())
    }

    /// None for a database without its files: nothing is edited there.
    fn mark_path(&self) -> Option<PathBuf> {
        Some(self.root.as_ref()?.join(STATE_DIR).join(MARK))
    }

    fn is_marked(&self) -> bool {
        self.mark_path().is_some_and(|path| path.symlink_metadata().is_ok())
    }

    /// The proposal that was about to be written; empty if the marker is incomplete.
    fn marked(&self) -> Result<String, EngineError> {
        let folder = Folder::open(&self.need_root()?.join(STATE_DIR)).map_err(StoreError::from)?;
        let read = folder.map(|folder| folder.read(MARK, MOST)).transpose();
        let bytes = read.map_err(StoreError::from)?.flatten().unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Marks a proposal as about to be written. The marker must be on disk before the status:
    /// otherwise a process that dies in between leaves a status that is never resolved.
    pub(super) fn mark(&self, id: &str) -> Result<(), EngineError> {
        let path = self.need_root()?.join(STATE_DIR);
        let folder = Folder::create(&path).map_err(StoreError::from)?;
        let mut file = folder.replace_file(MARK).map_err(StoreError::from)?;
        file.write_all(id.as_bytes()).and_then(|()| file.sync_all()).map_err(|source| {
            EditError::from(FilesError::io("write", &path.join(MARK), source)).into()
        })
    }

    pub(super) fn unmark(&self) {
        if let Some(path) = self.mark_path() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Gives the files of a proposal the hashes and differences of its journal: an edit that is carried
/// over while it is written was noted before.
fn as_written(state: &Path, proposal: &mut asof_edit::Proposal) -> Result<(), FilesError> {
    for file in proposal.plan.files.iter_mut().filter(|file| file.op == FileOp::Modify) {
        let texts = files::texts(state, &proposal.id, &file.file_path)?;
        let (Some(before), Some(after)) = (texts.before, texts.after) else { continue };
        let hashes = (Some(RawHash::hash(&before)), Some(RawHash::hash(&after)));
        if hashes == (file.before_hash, file.after_hash) {
            continue;
        }
        (file.before_hash, file.after_hash) = hashes;
        let name = Some(file.file_path.as_str());
        let (old, new) = (String::from_utf8_lossy(&before), String::from_utf8_lossy(&after));
        file.diff = asof_edit::unified(name, &old, name, &new);
        file.patch = texts.patch;
    }
    Ok(())
}

/// Whether a recovery needs the user's attention.
pub fn needs_attention(recovered: &files::Recovered) -> bool {
    matches!(recovered.outcome, Outcome::Conflict { .. } | Outcome::Damaged { .. })
}
