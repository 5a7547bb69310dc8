//! Answers of planning and applying.

use asof_edit::{Plan, Proposal};
use asof_wire::{
    Basis, EditStatus, EditSummary, EditedFile, EditedItem, ProposalRow, ProposalStatus,
};

/// The row of a proposal in a list.
pub(super) fn proposal_row(proposal: &Proposal) -> ProposalRow {
    ProposalRow {
        proposal_id: proposal.id.clone(),
        status: proposal.status,
        created: proposal.created.to_string(),
        decided: proposal.decided.map(|at| at.to_string()),
        actor: proposal.actor.clone(),
        reason: proposal.reason.clone(),
        edits: proposal.plan.edits.iter().map(|e| format!("{} {}", e.mode, e.path)).collect(),
        files: proposal.plan.files.iter().map(|f| f.file_path.clone()).collect(),
        revision: proposal.revision,
    }
}

/// The summary of a plan in this state.
pub(super) fn summary(plan: &Plan, status: ProposalStatus, basis: Basis) -> EditSummary {
    let files = plan.files.iter().map(|file| EditedFile {
        file_path: file.file_path.clone(),
        op: file.op.clone(),
        before_hash: file.before_hash,
        after_hash: file.after_hash,
        diff: file.diff.clone(),
    });
    let edits = plan.edits.iter().map(|edit| EditedItem {
        path: edit.path.clone(),
        path_after: edit.path_after.clone(),
        mode: edit.mode.clone(),
        kind: edit.kind,
        file_path: edit.file_path.clone(),
        span_before: edit.span_before,
        span_after: edit.span_after,
        status: match status {
            _ if edit.same => EditStatus::Unchanged,
            ProposalStatus::Planned | ProposalStatus::Applied if edit.moved => EditStatus::Rebased,
            status => status.into(),
        },
    });
    EditSummary {
        ok: true,
        proposal_id: None,
        applied: status == ProposalStatus::Applied,
        status,
        revision: None,
        files: files.collect(),
        edits: edits.collect(),
        warnings: plan.warnings.clone(),
        proof: plan.proof.clone(),
        basis,
        phases: Vec::new(),
        ms: 0.0,
    }
}
