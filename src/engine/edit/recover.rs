//! What became of an edit whose process died: its files are old or new again, and the proposal
//! says which.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use super::apply::unsettled;
use super::undo::undo_id;
use crate::edit::files::{self, FilesError, Outcome};
use crate::edit::{self, EditError, ProposalStatus};
use crate::engine::database::{Database, STATE_DIR};
use crate::engine::error::EngineError;
use crate::index::Cause;
use crate::state::Folder;
use crate::store::StoreError;

/// Names the proposal that is being written: without it nothing is looked for.
const MARK: &str = "edit.pending";
/// Bytes of a mark: an id.
const MOST: u64 = 256;

/// How long to wait for another process that writes.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

impl Database {
    /// Finishes what a process that died while it was editing has left: afterwards its files are
    /// all old or all new. Without such a process it costs a look at a folder.
    pub fn recover_edits(&self) -> Result<Vec<files::Recovered>, EngineError> {
        let Some(state) = self.root.as_ref().map(|root| root.join(STATE_DIR)) else {
            return Ok(Vec::new());
        };
        let pending = || self.mark_path().symlink_metadata().is_ok();
        if !pending() && !files::unfinished(&state).map_err(EditError::from)? {
            return Ok(Vec::new());
        }
        // A living process holds the lock while it is at it.
        let lock = self.store.write_lock(PATIENCE)?;
        let recovered = files::recover(self.need_root()?, &state).map_err(EditError::from)?;
        if pending() {
            let id = self.marked()?;
            match edit::find(&self.store, id.trim()) {
                Ok(proposal) => self.catch_up(&lock, proposal)?,
                Err(EditError::NoProposal { .. } | EditError::ManyProposals { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            self.unmark();
        }
        Ok(recovered)
    }

    /// Whether a process died, or is busy, between files and database.
    pub(in crate::engine) fn has_pending_edit(&self) -> bool {
        let Some(state) = self.root.as_ref().map(|root| root.join(STATE_DIR)) else {
            return false;
        };
        self.mark_path().symlink_metadata().is_ok() || files::unfinished(&state).unwrap_or(true)
    }

    /// Gives a proposal the status that the journal tells.
    fn catch_up(
        &self,
        lock: &crate::store::WriteLock<'_>,
        mut proposal: edit::Proposal,
    ) -> Result<(), EngineError> {
        let state = self.need_root()?.join(STATE_DIR);
        let finished = |id: &str| match files::previous(&state, id) {
            Ok(_) => Ok(true),
            Err(FilesError::Unknown { .. }) => Ok(false),
            Err(error) => Err(EditError::from(error)),
        };
        let said = (proposal.actor.clone(), proposal.reason.clone());
        match proposal.status {
            ProposalStatus::Applying if finished(&proposal.id)? => {
                self.settle(lock, &mut proposal, ProposalStatus::Applied, Cause::Edit, said)
                    .map_err(|error| unsettled(&proposal, "applied", error))?;
            }
            ProposalStatus::Applying => {
                proposal.status = ProposalStatus::Planned;
                self.store_proposal(lock, &proposal)?;
            }
            ProposalStatus::Undoing if finished(&undo_id(&proposal.id))? => {
                let said = (None, Some(format!("undo of {}", proposal.id)));
                self.settle(lock, &mut proposal, ProposalStatus::Undone, Cause::Undo, said)
                    .map_err(|error| unsettled(&proposal, "taken back", error))?;
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

    fn mark_path(&self) -> PathBuf {
        self.root.clone().unwrap_or_default().join(STATE_DIR).join(MARK)
    }

    /// The proposal that was about to be written; empty if the mark was not written whole.
    fn marked(&self) -> Result<String, EngineError> {
        let folder = Folder::open(&self.need_root()?.join(STATE_DIR)).map_err(StoreError::from)?;
        let read = folder.map(|folder| folder.read(MARK, MOST)).transpose();
        let bytes = read.map_err(StoreError::from)?.flatten().unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Says that a proposal is about to be written: on disk before its status is, or a process
    /// that dies in between leaves a status that nobody settles.
    pub(super) fn mark(&self, id: &str) -> Result<(), EngineError> {
        let folder = self.need_root()?.join(STATE_DIR);
        let folder = Folder::create(&folder).map_err(StoreError::from)?;
        let mut file = folder.replace_file(MARK).map_err(StoreError::from)?;
        file.write_all(id.as_bytes()).and_then(|()| file.sync_all()).map_err(|source| {
            EditError::from(FilesError::io("write", &self.mark_path(), source)).into()
        })
    }

    pub(super) fn unmark(&self) {
        let _ = fs::remove_file(self.mark_path());
    }
}

/// Whether a recovery left something for the user to look at.
pub fn needs_attention(recovered: &files::Recovered) -> bool {
    matches!(recovered.outcome, Outcome::Conflict { .. } | Outcome::Damaged { .. })
}
