//! What became of edits and proposals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Status of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalStatus {
    /// Planned; nothing is written.
    Planned,
    /// Being written; after a crash, the files show whether it was.
    Applying,
    /// Applied to the files.
    Applied,
    /// Refused for good.
    Denied,
    /// Being undone.
    Undoing,
    /// Undone.
    Undone,
}

impl ProposalStatus {
    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Applying => "applying",
            Self::Applied => "applied",
            Self::Denied => "denied",
            Self::Undoing => "undoing",
            Self::Undone => "undone",
        }
    }

    /// Reads the stored form.
    pub fn parse(text: &str) -> Option<Self> {
        const ALL: [ProposalStatus; 6] = [
            ProposalStatus::Planned,
            ProposalStatus::Applying,
            ProposalStatus::Applied,
            ProposalStatus::Denied,
            ProposalStatus::Undoing,
            ProposalStatus::Undone,
        ];
        ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// Result of one edit of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditStatus {
    /// Planned; nothing is written.
    Planned,
    /// Being written when the process died.
    Applying,
    /// Written.
    Applied,
    /// Refused for good.
    Denied,
    /// Being undone when the process died.
    Undoing,
    /// Undone.
    Undone,
    /// The item had moved unchanged, and the edit followed it.
    Rebased,
    /// The code was already there.
    Unchanged,
}

impl EditStatus {
    /// The printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Applying => "applying",
            Self::Applied => "applied",
            Self::Denied => "denied",
            Self::Undoing => "undoing",
            Self::Undone => "undone",
            Self::Rebased => "rebased",
            Self::Unchanged => "unchanged",
        }
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
