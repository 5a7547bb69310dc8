//! What planning and applying tell.

use serde::Serialize;

use crate::edit::{FileOp, Plan, Proposal, Status};
use crate::engine::answer::Basis;
use crate::model::{NodeKind, RawHash, RevisionId, Span};

/// What a request came to (mission, 3.7).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditSummary {
    /// Whether what was asked for was done.
    pub ok: bool,
    /// None for a dry run: nothing is stored then.
    pub proposal_id: Option<String>,
    /// Whether the files hold the edit.
    pub applied: bool,
    pub status: Status,
    /// The revision that holds what was written.
    pub revision: Option<RevisionId>,
    pub files: Vec<EditedFile>,
    pub edits: Vec<EditedItem>,
    pub warnings: Vec<String>,
    pub basis: Basis,
    /// Wall time by phase, milliseconds.
    pub phases: Vec<(&'static str, f64)>,
    pub ms: f64,
}

/// A file with its change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditedFile {
    pub file_path: String,
    pub op: FileOp,
    pub before_hash: Option<RawHash>,
    pub after_hash: Option<RawHash>,
    /// Unified.
    pub diff: String,
}

/// An edit with what it resolved to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditedItem {
    pub canon: String,
    pub mode: String,
    pub node_type: Option<NodeKind>,
    pub file_path: String,
    pub span_before: Option<Span>,
    pub span_after: Option<Span>,
    /// `planned`, `applied` or `undone`; `rebased` where the item had moved, unchanged, and the
    /// edit was carried over to its new place; `unchanged` where the code stands there already.
    pub status: &'static str,
}

/// A proposal in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProposalRow {
    pub proposal_id: String,
    pub status: Status,
    /// RFC 3339.
    pub created: String,
    pub decided: Option<String>,
    pub actor: Option<String>,
    pub reason: Option<String>,
    /// What it is about: items and files.
    pub edits: Vec<String>,
    pub files: Vec<String>,
    pub revision: Option<RevisionId>,
}

impl From<&Proposal> for ProposalRow {
    fn from(proposal: &Proposal) -> Self {
        Self {
            proposal_id: proposal.id.clone(),
            status: proposal.status,
            created: proposal.created.to_string(),
            decided: proposal.decided.map(|at| at.to_string()),
            actor: proposal.actor.clone(),
            reason: proposal.reason.clone(),
            edits: proposal.plan.edits.iter().map(|e| format!("{} {}", e.mode, e.canon)).collect(),
            files: proposal.plan.files.iter().map(|f| f.file_path.clone()).collect(),
            revision: proposal.revision,
        }
    }
}

impl EditSummary {
    /// The summary of a plan in this state.
    pub(super) fn new(plan: &Plan, status: Status, basis: Basis) -> Self {
        let files = plan.files.iter().map(|file| EditedFile {
            file_path: file.file_path.clone(),
            op: file.op.clone(),
            before_hash: file.before_hash,
            after_hash: file.after_hash,
            diff: file.diff.clone(),
        });
        let edits = plan.edits.iter().map(|edit| EditedItem {
            canon: edit.canon.clone(),
            mode: edit.mode.clone(),
            node_type: edit.node_type,
            file_path: edit.file_path.clone(),
            span_before: edit.span_before,
            span_after: edit.span_after,
            status: match status {
                _ if edit.same => "unchanged",
                Status::Planned | Status::Applied if edit.moved => "rebased",
                status => status.as_str(),
            },
        });
        Self {
            ok: true,
            proposal_id: None,
            applied: status == Status::Applied,
            status,
            revision: None,
            files: files.collect(),
            edits: edits.collect(),
            warnings: plan.warnings.clone(),
            basis,
            phases: Vec::new(),
            ms: 0.0,
        }
    }
}
