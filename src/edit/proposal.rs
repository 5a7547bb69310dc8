//! A planned edit, as stored and shown.

use serde::{Deserialize, Serialize};

use super::patch::Patch;
use asof_model::{Micros, NodeId, NodeKind, RawHash, RevisionId, Span};
use asof_wire::{ConfigurationRequest, EditRequest, FileOp, Proof, ProposalStatus};

/// A stored proposal.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// 12 hexadecimal digits.
    pub id: String,
    pub status: ProposalStatus,
    pub created: Micros,
    /// When it was last applied, denied or undone.
    pub decided: Option<Micros>,
    pub actor: Option<String>,
    pub reason: Option<String>,
    /// Newest revision when it was planned.
    pub basis: Option<RevisionId>,
    pub basis_at: Micros,
    /// The revision in which it was last applied or undone.
    pub revision: Option<RevisionId>,
    pub request: EditRequest,
    pub plan: Plan,
}

/// The planned edits of a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub files: Vec<PlannedFile>,
    pub edits: Vec<PlannedEdit>,
    pub warnings: Vec<String>,
    pub rustfmt: bool,
    pub allow_broken: bool,
    /// The configuration that says which of several definitions a path means.
    #[serde(default, skip_serializing_if = "is_default")]
    pub configuration: ConfigurationRequest,
    /// What is known of every name, if an edit changes the uses of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// Items that have another id afterwards: old, new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub renamed: Vec<(NodeId, NodeId)>,
}

fn is_default(configuration: &ConfigurationRequest) -> bool {
    *configuration == ConfigurationRequest::default()
}

impl Plan {
    /// Sorts the warnings; each is told once.
    pub fn tidy_warnings(&mut self) {
        self.warnings.sort();
        self.warnings.dedup();
    }

    /// The plan without the texts that are needed only for applying and undoing it.
    pub fn without_texts(&self) -> Self {
        let mut plan = self.clone();
        for file in &mut plan.files {
            file.after = None;
        }
        for edit in &mut plan.edits {
            edit.expected = Expected { id: edit.expected.id, ..Expected::default() };
        }
        plan
    }
}

/// Changes to one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedFile {
    pub file_path: String,
    pub op: FileOp,
    /// `None` for a file that does not exist yet.
    pub before_hash: Option<RawHash>,
    /// `None` for a file that will be removed.
    pub after_hash: Option<RawHash>,
    /// The new text; also `None` once it is no longer needed.
    pub after: Option<String>,
    /// Which bytes are replaced, if known.
    #[serde(default)]
    pub patch: Option<Patch>,
    /// Unified.
    pub diff: String,
}

/// One planned edit of the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedEdit {
    /// Canonical path of the item; the file's path if there is no item.
    pub path: String,
    /// Canonical path of the item afterwards, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_after: Option<String>,
    pub kind: Option<NodeKind>,
    pub mode: String,
    pub file_path: String,
    pub span_before: Option<Span>,
    pub span_after: Option<Span>,
    /// Whether its target had moved since the request was made.
    pub moved: bool,
    /// Whether the code is already there.
    pub same: bool,
    pub expected: Expected,
}

/// What must be unchanged for the edit to be written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    pub id: Option<NodeId>,
    /// The bytes that are replaced, splice by splice.
    pub replaced: Vec<String>,
    /// The item's own text; `None` if only its name matters.
    pub own_text: Option<String>,
    /// First byte of the item. If it has changed, the edit followed the item.
    #[serde(default)]
    pub start: Option<u32>,
}
