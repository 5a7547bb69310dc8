//! Records an edit in the database before its files are written, and its outcome afterwards.

use asof_edit::{EditError, Plan, Proposal};
use std::collections::BTreeSet;

use super::handle::Database;
use crate::error::EngineError;
use asof_index::{Cause, Options, Reread, Silent};
use asof_model::{Micros, RevisionId};
use asof_store::{Batch, WriteLock};
use asof_wire::ProposalStatus;

impl Database {
    /// Records that the files of a proposal are about to be written. If that fails, nothing is
    /// recorded.
    pub(crate) fn begin(
        &self,
        lock: &WriteLock<'_>,
        proposal: &mut Proposal,
        status: ProposalStatus,
    ) -> Result<(), EngineError> {
        let before = std::mem::replace(&mut proposal.status, status);
        let noted = self.mark(&proposal.id).and_then(|()| self.store_proposal(lock, proposal));
        if noted.is_err() {
            proposal.status = before;
            self.unmark();
        }
        noted
    }

    /// After a failed write, restores the status of the proposal. If even that fails, the mark
    /// stays, and the next command does it.
    pub(crate) fn give_up(
        &self,
        lock: &WriteLock<'_>,
        proposal: &mut Proposal,
        status: ProposalStatus,
    ) {
        proposal.status = status;
        if self.store_proposal(lock, proposal).is_ok() {
            self.unmark();
        }
    }

    /// Updates NOW and the proposal after the files were written.
    pub(crate) fn settle(
        &self,
        lock: &WriteLock<'_>,
        proposal: &mut Proposal,
        status: ProposalStatus,
        cause: Cause,
        actor: Option<String>,
        message: Option<String>,
    ) -> Result<RevisionId, EngineError> {
        let reread = Reread::Files(planned_paths(&proposal.plan));
        let options = Options { cause, actor, message, reread, ..self.own_options() };
        let root = self.need_root()?;
        let report = asof_index::refresh_under(lock, &self.store, root, &options, &Silent)?;
        if let (Some(_), Some(at)) = (report.revision, report.at) {
            let renamed = &proposal.plan.renamed;
            match status {
                ProposalStatus::Undone => {
                    let back: Vec<_> = renamed.iter().map(|(old, new)| (*new, *old)).collect();
                    self.judge_told(lock, at, &back)?;
                }
                _ => self.judge_told(lock, at, renamed)?,
            }
        }
        let revision = match report.revision {
            Some(revision) => revision,
            // The files have no facts, or another process was faster.
            None => {
                let (actor, message) = (options.actor.as_deref(), options.message.as_deref());
                let said = asof_index::RevisionMeta { actor, message, commit: None };
                asof_index::record(lock, &self.store, cause, None, said)?.0
            }
        };
        proposal.status = status;
        proposal.decided = Some(Micros::now());
        proposal.revision = Some(revision);
        self.store_proposal(lock, proposal)?;
        self.unmark();
        Ok(revision)
    }

    pub(crate) fn store_proposal(
        &self,
        lock: &WriteLock<'_>,
        proposal: &Proposal,
    ) -> Result<(), EngineError> {
        let mut batch = Batch::new();
        asof_edit::save(&mut batch, proposal)?;
        lock.commit(batch)?;
        Ok(())
    }
}

/// Paths of the files to write.
pub(crate) fn planned_paths(plan: &Plan) -> BTreeSet<String> {
    plan.files.iter().map(|file| file.file_path.clone()).collect()
}

/// Suffix of the id of a transaction that reverts another.
pub(crate) const UNDO: &str = "-undo";

/// Id of the transaction that reverts a proposal.
pub(crate) fn undo_id(id: &str) -> String {
    format!("{id}{UNDO}")
}

/// The files are written, but the database could not record it.
pub(crate) fn unsettled(
    proposal: &Proposal,
    done: &'static str,
    error: EngineError,
) -> EngineError {
    let id = proposal.id.clone();
    EditError::Unsettled { id, done, cause: Box::new(error) }.into()
}
