//! Claims about code, and what checking them gave.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::{AnswerSource, Basis};

/// A question about the code with a claimed answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// The question, in words
    #[arg(long, allow_hyphen_values = true)]
    pub query: String,
    /// The claimed answer
    #[arg(long, allow_hyphen_values = true)]
    pub answer: String,
    /// Only this file: a path, the end of one, or a glob pattern
    #[serde(default)]
    #[arg(long = "file", value_name = "FILE")]
    pub file_path: Option<String>,
    /// The item that the question is about, if its own words are not clear
    #[serde(default)]
    #[arg(long, value_name = "PATH")]
    pub path: Option<String>,
}

/// What a question asks for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ClaimClass {
    /// Lines of text that match a pattern; checked by a text search.
    Pattern,
    /// Facts about items; checked by queries.
    Structural,
    /// An explanation, or nothing that can be checked.
    Semantic,
}

/// How a claimed answer compares with the truth. Truth comes from the question and the code only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Verdict {
    /// The answer is right.
    ExactMatch,
    /// The answer is right, in another order.
    UnorderedMatch,
    /// Everything claimed is true; the question did not ask for everything.
    SubsetMatch {
        /// True entries that are not claimed.
        missing: Vec<String>,
    },
    /// Everything true is claimed, and more.
    HasFalsePositives {
        /// Claimed entries that are not true.
        extra: Vec<String>,
    },
    /// Everything claimed is true, but not all that was asked for.
    HasFalseNegatives {
        /// True entries that are not claimed.
        missing: Vec<String>,
    },
    /// Something claimed is not true, and something true is not claimed.
    Mismatch {
        /// Claimed entries that are not true.
        extra: Vec<String>,
        /// True entries that are not claimed.
        missing: Vec<String>,
    },
    /// The question cannot be checked, or the facts are not sure enough to refute the answer.
    CannotVerify {
        /// Why.
        reason: String,
    },
}

impl Verdict {
    /// Name of the verdict.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ExactMatch => "ExactMatch",
            Self::UnorderedMatch => "UnorderedMatch",
            Self::SubsetMatch { .. } => "SubsetMatch",
            Self::HasFalsePositives { .. } => "HasFalsePositives",
            Self::HasFalseNegatives { .. } => "HasFalseNegatives",
            Self::Mismatch { .. } => "Mismatch",
            Self::CannotVerify { .. } => "CannotVerify",
        }
    }

    /// Whether the answer is right and complete.
    pub const fn is_golden(&self) -> bool {
        matches!(self, Self::ExactMatch | Self::UnorderedMatch)
    }

    /// Whether the answer is wrong or incomplete.
    pub const fn is_refuted(&self) -> bool {
        !self.is_golden() && !matches!(self, Self::CannotVerify { .. } | Self::SubsetMatch { .. })
    }
}

/// A claim that was checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedClaim {
    /// The snapshot that the claim was checked against; of a question that names a moment, that of
    /// the moment.
    pub basis: Basis,
    /// Where the truth comes from.
    pub source: AnswerSource,
    /// The question.
    pub query: String,
    /// What the question asks for.
    pub class: ClaimClass,
    /// How the answer compares with the truth.
    pub verdict: Verdict,
    /// Whether the answer is right and complete.
    pub golden: bool,
    /// The true answer, up to 50 entries; empty if there is none, or it is not known.
    pub truth: Vec<String>,
    /// Number of entries of the true answer.
    pub truth_total: usize,
    /// How the truth was found: `text search`, or the question as it was understood.
    pub verification_method: String,
    /// What else the asker should know, such as when a refuted answer was still true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Wall time, in milliseconds.
    pub ms: f64,
}

/// Counts of a batch of claims.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimStatistics {
    /// Number of claims.
    pub total: u64,
    /// Number of right and complete ones.
    pub golden: u64,
    /// Share of right and complete ones, from 0 to 1; 0 without claims.
    pub golden_rate: f64,
    /// Number of claims by class.
    pub by_class: std::collections::BTreeMap<ClaimClass, u64>,
    /// Number of claims by verdict.
    pub by_verdict: std::collections::BTreeMap<String, u64>,
    /// Lines that could not be read as claims.
    pub malformed: u64,
    /// The first of these, with their numbers and what is wrong.
    pub malformed_lines: Vec<MalformedLine>,
    /// Wall time, in milliseconds.
    pub ms: f64,
}

/// A line that is not a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MalformedLine {
    /// Number of the line, from 1.
    pub line: u64,
    /// What is wrong.
    pub problem: String,
}
