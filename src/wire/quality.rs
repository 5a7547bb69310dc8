//! Quality of code: grades, the functions with the lowest scores, technical debt, changes.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::{Answer, Basis};
use super::uses::Tests;
use asof_model::{NodeId, NodeKind};

/// Which functions are measured, and which of them are listed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct QualityRequest {
    /// Only this item with its contents, this module, file or folder
    pub path: Option<String>,
    /// Only files of this package
    pub package: Option<String>,
    /// Only items of this kind: function or method
    pub kind: Option<NodeKind>,
    /// Whether test code counts.
    pub tests: Tests,
    /// List only functions beyond one of these limits.
    pub limits: QualityLimits,
    /// Most functions, markers and changes to list; all if null.
    pub limit: Option<usize>,
}

/// Limits of what is accepted; a limit that is null is not checked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct QualityLimits {
    /// List functions with a lower grade than this: A+, A, A-, B+, …, D, F
    #[arg(long, value_name = "GRADE")]
    pub min_grade: Option<String>,
    /// List functions with a higher cyclomatic complexity
    #[arg(long, value_name = "N")]
    pub max_complexity: Option<u32>,
    /// List functions with a higher cognitive complexity
    #[arg(long, value_name = "N")]
    pub max_cognitive: Option<u32>,
    /// List functions with more lines of code
    #[arg(long, value_name = "N")]
    pub max_lines: Option<u32>,
    /// List functions with deeper nesting
    #[arg(long, value_name = "N")]
    pub max_nesting: Option<u32>,
    /// List functions with more parameters, the receiver included
    #[arg(long, value_name = "N")]
    pub max_parameters: Option<u32>,
}

/// Metrics of a function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualityItem {
    /// Id of the function.
    pub id: NodeId,
    /// Canonical path.
    pub path: String,
    /// Kind of the item.
    pub kind: NodeKind,
    /// File of the function, relative to the root.
    pub file_path: String,
    /// Line of the name, from 1.
    pub line: u32,
    /// Last line of the function.
    pub end_line: u32,
    /// Whether it is test code.
    pub in_test: bool,
    /// Score from 0 to 100; higher is better.
    pub tdg_score: f64,
    /// Grade of the score.
    pub tdg_grade: String,
    /// Cyclomatic complexity.
    pub complexity: u32,
    /// Cognitive complexity.
    pub cognitive: u32,
    /// Depth of the deepest control structure.
    pub nesting: u32,
    /// Number of parameters, the receiver included.
    pub parameters: u32,
    /// Lines of the function, after documentation and attributes.
    pub loc: u32,
    /// Lines with code.
    pub code_lines: u32,
    /// Lines with a comment, documentation included.
    pub comment_lines: u32,
    /// Estimate of the running time: `O(n log n)`.
    pub big_o: String,
    /// What the estimate is based on; empty for `O(1)`.
    pub big_o_reason: String,
    /// Number of comments that admit technical debt.
    pub satd_count: u32,
    /// Parts of the score.
    pub components: Vec<QualityComponent>,
}

/// A part of a score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualityComponent {
    /// `cyclomatic`, `cognitive`, `code_lines`, `nesting`, `parameters` or `satd`.
    pub name: String,
    /// The figure; for `satd`, the points of all markers.
    pub value: u32,
    /// Points that it costs, from 0 to `weight`.
    pub penalty: f64,
    /// Most points that it can cost.
    pub weight: f64,
}

/// Counts over all measured functions, without the limit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualitySummary {
    /// Number of functions with a score.
    pub functions: usize,
    /// Number of functions whose body does not parse, so that they have none.
    pub not_parsed: usize,
    /// Grades that occur, best first.
    pub grades: Vec<GradeCount>,
    /// Mean score; null without functions.
    pub avg_score: Option<f64>,
    /// Mean cyclomatic complexity; null without functions.
    pub avg_complexity: Option<f64>,
    /// Lowest and highest cyclomatic complexity; null without functions.
    pub complexity_range: Option<[u32; 2]>,
    /// Lines with code of all functions.
    pub code_lines: u64,
    /// Number of comments that admit technical debt, those outside of functions included.
    pub total_satd: usize,
}

/// How many functions have a grade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GradeCount {
    /// The grade.
    pub grade: String,
    /// Number of functions.
    pub functions: usize,
}

/// A comment that admits technical debt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DebtMarker {
    /// `TODO`, `FIXME`, `HACK`, `XXX`, `BUG`, `WORKAROUND` or `KLUDGE`.
    pub marker: String,
    /// `low`, `medium` or `high`.
    pub severity: String,
    /// The line of the comment from the marker on.
    pub text: String,
    /// Id of the innermost item around it.
    pub id: NodeId,
    /// Canonical path of that item; its name if it has none.
    pub path: String,
    /// Kind of that item.
    pub kind: NodeKind,
    /// File of the comment, relative to the root.
    pub file_path: String,
    /// Line of the marker, from 1.
    pub line: u32,
    /// Offset of the marker in the file, in bytes.
    pub byte: u32,
}

/// Quality of the functions of a workspace, or a part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualityReport {
    /// Counts over all functions.
    pub summary: QualitySummary,
    /// Technical debt in comments, the most severe first, up to the limit.
    pub satd: Vec<DebtMarker>,
    /// What changed since an earlier moment, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<QualityChanges>,
    /// The functions, the lowest score first.
    #[serde(flatten)]
    pub answer: Answer<QualityItem>,
}

/// What became worse and better between two moments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualityChanges {
    /// The earlier moment.
    pub from: Basis,
    /// Counts over all functions at the earlier moment.
    pub summary: QualitySummary,
    /// Number of items with a lower score or more technical debt.
    pub worse_total: usize,
    /// Number of items with a higher score or less technical debt.
    pub better_total: usize,
    /// Number of items that are new.
    pub added_total: usize,
    /// Number of items that are gone.
    pub removed_total: usize,
    /// Those with the largest loss first, up to the limit.
    pub worse: Vec<QualityChange>,
    /// Those with the largest gain first, up to the limit.
    pub better: Vec<QualityChange>,
    /// Those with the lowest score first, up to the limit.
    pub added: Vec<QualityChange>,
}

/// An item whose metrics differ between two moments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualityChange {
    /// Id of the item.
    pub id: NodeId,
    /// Canonical path; the name for items without a path.
    pub path: String,
    /// The earlier path, if the item was moved or renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_path: Option<String>,
    /// Kind of the item.
    pub kind: NodeKind,
    /// File of the item, relative to the root.
    pub file_path: String,
    /// The later score less the earlier one; null if there is no score at one of them.
    pub delta: Option<f64>,
    /// Figures at the earlier moment; null for a new item.
    pub before: Option<QualityFigures>,
    /// Figures at the later moment.
    pub after: Option<QualityFigures>,
}

/// Metrics of an item, in short; null where its body does not parse or it is no function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualityFigures {
    /// Score from 0 to 100; higher is better.
    pub tdg_score: Option<f64>,
    /// Grade of the score.
    pub tdg_grade: Option<String>,
    /// Cyclomatic complexity.
    pub complexity: Option<u32>,
    /// Cognitive complexity.
    pub cognitive: Option<u32>,
    /// Number of comments that admit technical debt.
    pub satd_count: u32,
    /// Lines of the item, after documentation and attributes.
    pub loc: u32,
}
