//! What the merge of two states would be.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request for what a merge would be.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields)]
pub struct MergeRequest {
    /// What would be merged into the current state: a branch, tag or commit, or the folder of
    /// another worktree of the repository, with what is not committed there.
    #[arg(skip)]
    pub theirs: String,
    /// What it would be merged into, instead of the files on disk: a branch, tag or commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[arg(long = "into", value_name = "COMMIT")]
    pub ours: Option<String>,
}

asof_model::named! {
    /// How a file would be merged.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum MergeOutcome {
        /// By lines, as Git merges it.
        Clean => "clean",
        /// By items: Git has a conflict.
        Resolved => "resolved",
        /// It has conflicts.
        Conflict => "conflict",
    }
}

asof_model::named! {
    /// What does not fit together, though the lines do.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum MergeConflictKind {
        /// One side uses what the other one deletes, or renames and changes.
        Lost => "lost",
        /// A name means something else than on the side that it is from.
        Meaning => "meaning",
        /// Two items have one name in one scope.
        Duplicate => "duplicate",
        /// An item of an impl implements nothing of a trait any more.
        Override => "override",
        /// A `match` that named all variants lacks a new one.
        Exhaustiveness => "exhaustiveness",
        /// An impl lacks an item that its trait now requires.
        Required => "required",
        /// A call has another number of arguments than the function has parameters.
        Arguments => "arguments",
    }
}

/// A file that the merge changes on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MergedFile {
    /// Relative to the root.
    pub file_path: String,
    /// How it would be merged.
    pub outcome: MergeOutcome,
    /// Conflicts in its text.
    pub conflicts: usize,
    /// What is in conflict, or why items could not be merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A side of a merge.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum MergeFrom {
    /// The state that is merged into.
    Ours,
    /// The state that is merged.
    Theirs,
}

/// A use that one side adds, with the name that the other side gives to what it means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct AdaptedUse {
    /// Relative to the root.
    pub file_path: String,
    /// Line in the merged file, from 1.
    pub line: u32,
    /// The side that adds the use.
    pub side: MergeFrom,
    /// The name there.
    pub before: String,
    /// The name in the merge.
    pub after: String,
    /// What it means, by its path in the merge.
    pub path: String,
}

/// Something that does not fit together, though the lines do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SemanticConflict {
    /// Relative to the root.
    pub file_path: String,
    /// Line in the merged file, from 1.
    pub line: u32,
    /// Its class.
    pub kind: MergeConflictKind,
    /// The name, or the item.
    pub name: String,
    /// The side that the text is from.
    pub side: MergeFrom,
    /// What it means or is on that side.
    pub was: String,
    /// What it means or is in the merge.
    pub is: String,
}

/// What a prediction says in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MergeSummary {
    /// Files that one side changes, or both in the same way.
    pub one_sided: usize,
    /// Files that both sides change, and that Git merges.
    pub clean: usize,
    /// Files with conflicts of Git that are merged by items.
    pub resolved: usize,
    /// Files with conflicts.
    pub conflicts: usize,
    /// Uses of one side that follow a rename of the other.
    pub adapted: usize,
    /// Conflicts of names in files that are merged.
    pub semantic: usize,
}

/// What a merge would be. Nothing is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MergePrediction {
    /// The side that is merged into, as it is named.
    pub ours: String,
    /// The side that is merged, as it is named.
    pub theirs: String,
    /// Hashes of the commits that both come from. If they are several, the base is their merge.
    pub bases: Vec<String>,
    /// Numbers of files and conflicts.
    pub summary: MergeSummary,
    /// Files that both sides change, or one deletes and the other changes; by path.
    pub files: Vec<MergedFile>,
    /// Uses that follow renames.
    pub adapted: Vec<AdaptedUse>,
    /// What does not fit together, though the lines do; by file and line.
    pub semantic: Vec<SemanticConflict>,
    /// Wall time of the answer, in milliseconds.
    pub ms: f64,
}

impl MergePrediction {
    /// Whether nothing is left to decide.
    pub fn is_clean(&self) -> bool {
        self.summary.conflicts == 0 && self.semantic.is_empty()
    }
}
