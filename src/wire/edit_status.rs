//! States of edits and proposals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

asof_model::named! {
    /// Status of a proposal.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ProposalStatus {
        /// Planned; nothing is written.
        Planned => "planned",
        /// Being written; after a crash, the files show whether it was.
        Applying => "applying",
        /// Applied to the files.
        Applied => "applied",
        /// Refused for good.
        Denied => "denied",
        /// Being undone.
        Undoing => "undoing",
        /// Undone.
        Undone => "undone",
    }
}

asof_model::named! {
    /// Result of one edit of a request.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum EditStatus {
        /// Planned; nothing is written.
        Planned => "planned",
        /// Being written when the process died.
        Applying => "applying",
        /// Written.
        Applied => "applied",
        /// Refused for good.
        Denied => "denied",
        /// Being undone when the process died.
        Undoing => "undoing",
        /// Undone.
        Undone => "undone",
        /// The item had moved unchanged, and the edit followed it.
        Rebased => "rebased",
        /// The code was already there.
        Unchanged => "unchanged",
    }
}

impl From<ProposalStatus> for EditStatus {
    fn from(status: ProposalStatus) -> Self {
        match status {
            ProposalStatus::Planned => Self::Planned,
            ProposalStatus::Applying => Self::Applying,
            ProposalStatus::Applied => Self::Applied,
            ProposalStatus::Denied => Self::Denied,
            ProposalStatus::Undoing => Self::Undoing,
            ProposalStatus::Undone => Self::Undone,
        }
    }
}
