//! Uses of items, and what depends on what.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::{Answer, Freshness};
use super::error::Caveat;
use super::flags::flag;
use super::resolve::{ItemRef, Snippet, Symbol};
use asof_model::{NodeId, RefKind};

/// Default number of steps to follow.
pub const DEFAULT_DEPTH: u32 = 64;

/// Whether test code is included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tests {
    /// Include test code.
    #[default]
    Include,
    /// Only code outside `#[test]`, `#[cfg(test)]` and `tests/`.
    Exclude,
}

/// Whether items carry the source lines around their place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Snippets {
    /// No lines.
    #[default]
    None,
    /// Five lines: the place, two before and two after.
    Lines,
}

/// Whether matches that are more likely wrong than right are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Guesses {
    /// Leave them out, and count them.
    #[default]
    LeaveOut,
    /// List them.
    Show,
}

/// Whether uses of the items that implement an item of a trait count as uses of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Implementations {
    /// Leave them out, and count them.
    #[default]
    LeaveOut,
    /// List them.
    Show,
}

flag!(Tests: Exclude ("exclude") or Include ("include"), "exclude-tests", "Leave out test code: #[test], #[cfg(test)] and tests/");
flag!(Snippets: Lines ("lines") or None ("none"), "snippets", "Show the source lines around each result");
flag!(Guesses: Show ("show") or LeaveOut ("leave_out"), "guesses", "Also list calls on receivers of unknown type, which may mean this item or another one of the same name; at best one in ten is right");
flag!(Implementations: Show ("show") or LeaveOut ("leave_out"), "implementations", "Of a trait's method: also list uses of the methods that implement it");

/// Filter of uses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct UseRequest {
    /// Only uses of these kinds: call, method_call, value, field, pattern, type, bound, path, use,
    /// macro, attribute, overrides, mention, implicit (an operator, `[]`, `for`, `.await`); and
    /// keyword (`self`, `super`, `crate`), which is left out otherwise
    #[arg(long = "kind", value_delimiter = ',', value_name = "KIND")]
    pub use_kinds: Vec<RefKind>,
    /// Only uses with at least this confidence, from 0 to 1
    #[arg(long, value_parser = share, value_name = "SHARE", default_value = "0", hide_default_value = true)]
    pub min_confidence: f64,
    /// Whether test code is included.
    #[serde(alias = "exclude_tests")]
    #[command(flatten)]
    pub tests: Tests,
    /// Whether items carry the source lines around their place.
    #[command(flatten)]
    pub snippets: Snippets,
    /// Maximum number of items; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
    /// Whether to list calls on a receiver of unknown type, which may call this item or another
    /// one with the same name.
    #[arg(skip)]
    pub guesses: Guesses,
    /// Of an item of a trait: whether to list uses of the items that implement it too.
    #[arg(skip)]
    pub implementations: Implementations,
}

/// Reads a share: `0.9` or `90%`.
///
/// # Errors
/// A text that is no number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse(),
    };
    let is_share = |share: &f64| (0.0..=1.0).contains(share);
    share.ok().filter(is_share).ok_or_else(|| format!("`{text}` is not a number from 0 to 1"))
}

/// A place where an item is used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Use {
    /// File of the place, relative to the root.
    pub file_path: String,
    /// Line of the place, from 1.
    pub line: u32,
    /// Column of the place, from 1, in bytes.
    pub column: u32,
    /// Offset of the place in the file, in bytes.
    pub byte: u32,
    /// How the item is used there.
    pub use_kind: RefKind,
    /// Number of steps from the item: always 1.
    pub depth: u32,
    /// Confidence, from 0 to 1: the share of such references that are correct.
    pub confidence: f64,
    /// Name of the rule that resolved the reference.
    pub provenance: String,
    /// Condition under which the use holds, if the configuration of the question does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_condition: Option<String>,
    /// Whether the place is in test code.
    pub in_test: bool,
    /// The item around the place.
    pub item: ItemRef,
    /// Id of the symbol that is used.
    pub target: NodeId,
    /// The lines around the place, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Snippet>,
}

/// The uses of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WhereUsedResult {
    /// The first of `symbols`.
    pub symbol: Symbol,
    /// The symbols that the path means.
    pub symbols: Vec<Symbol>,
    #[serde(flatten)]
    pub answer: Answer<Use>,
    /// As in `basis`.
    pub freshness_state: Freshness,
    /// Number of files with uses, without the limit.
    pub files: usize,
    /// Number of uses that were left out because they are guesses.
    pub guesses_left_out: usize,
    /// Number of uses that hold under other conditions than the configuration has. They come last.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub other_conditions: usize,
    #[serde(flatten)]
    pub certainty: Certainty,
}

/// How many uses symbols have in each file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UseSummary {
    /// The symbols that the path means.
    pub symbols: Vec<Symbol>,
    /// Number of uses in all files.
    pub uses: usize,
    #[serde(flatten)]
    pub answer: Answer<UsesOfFile>,
    /// Number of uses that were left out because they are guesses.
    pub guesses_left_out: usize,
    #[serde(flatten)]
    pub certainty: Certainty,
}

/// The uses in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsesOfFile {
    /// Its package; null for a file without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Number of uses in all files of the package.
    pub uses_in_package: usize,
    /// The file, relative to the root.
    pub file_path: String,
    /// Number of uses.
    pub uses: usize,
    /// Number of those in test code.
    pub uses_in_tests: usize,
}

/// Whether a list of uses is complete.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Certainty {
    /// Number of uses of the bare name that are unresolved, macro bodies included.
    pub unresolved_uses: u64,
    /// Whether the workspace has no other use: nothing was filtered out, no use of the name is
    /// unresolved, every file parsed, and the item is not called through a trait.
    pub proven: bool,
    /// Of an item of a trait: number of uses of the items that implement it, which are not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub implementation_uses: usize,
    /// Why it is not proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caveat: Option<Caveat>,
    /// Hint on what to do, in the words of the interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

pub(super) fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Direction of a lineage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// What the item depends on.
    Upstream,
    /// What depends on the item.
    #[default]
    Downstream,
    /// What calls the item: `downstream`, following only calls.
    Callers,
    /// What the item calls: `upstream`, following only calls.
    Callees,
}

impl Direction {
    /// Whether it leads to dependents of the item.
    pub const fn to_dependents(self) -> bool {
        matches!(self, Self::Downstream | Self::Callers)
    }

    /// Whether only calls are followed.
    pub const fn calls_only(self) -> bool {
        matches!(self, Self::Callers | Self::Callees)
    }
}

/// A text that is not a direction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no direction `{0}`; directions are: upstream, downstream, callers, callees")]
pub struct UnknownDirection(pub String);

impl std::str::FromStr for Direction {
    type Err = UnknownDirection;

    fn from_str(text: &str) -> Result<Self, UnknownDirection> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "upstream" => Self::Upstream,
            "downstream" => Self::Downstream,
            "callers" => Self::Callers,
            "callees" => Self::Callees,
            _ => return Err(UnknownDirection(text.to_owned())),
        })
    }
}

/// A lineage to follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineageRequest {
    /// The direction.
    pub direction: Direction,
    /// Maximum number of steps.
    #[serde(default = "default_depth")]
    pub depth: u32,
    /// Maximum number of items below one item, highest confidence first; all if null.
    #[serde(default)]
    pub breadth: Option<usize>,
    /// Filter of the uses to follow.
    #[serde(default)]
    pub uses: UseRequest,
}

fn default_depth() -> u32 {
    DEFAULT_DEPTH
}

impl LineageRequest {
    /// All steps in a direction.
    pub fn new(direction: Direction) -> Self {
        Self { direction, depth: DEFAULT_DEPTH, breadth: None, uses: UseRequest::default() }
    }
}

/// An item that a lineage reaches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reached {
    /// Number of steps from the symbol.
    pub depth: u32,
    /// The item.
    pub item: ItemRef,
    /// File of its definition; null for names that the workspace does not define.
    pub file_path: Option<String>,
    /// Line of its name, from 1.
    pub line: Option<u32>,
    /// How the item of the last step uses it, or is used by it.
    pub use_kind: RefKind,
    /// Confidence of the last step, from 0 to 1.
    pub confidence: f64,
    /// Product of the confidences of all steps, halved with each step after the first.
    pub score: f64,
    /// Id of the previous item.
    pub via: NodeId,
    /// Paths of the items from the symbol to this one, both included.
    pub route: Vec<String>,
    /// Condition under which it is reached, if the configuration of the question does not have it:
    /// that of the first such step of the route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_condition: Option<String>,
    /// Whether the workspace does not define it.
    pub external: bool,
    /// Whether it is test code.
    pub in_test: bool,
    /// The lines around its name, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Snippet>,
}

/// A step of a lineage: `source` uses `target`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Id of the item that uses the other.
    pub source: NodeId,
    /// Id of the item that is used.
    pub target: NodeId,
    /// How it is used.
    pub use_kind: RefKind,
    /// Confidence of the reference, from 0 to 1.
    pub confidence: f64,
    /// As in the items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_condition: Option<String>,
}

/// What depends on a symbol, or what it depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LineageResult {
    /// The first of `symbols`.
    pub symbol: Symbol,
    /// The symbols that the path means.
    pub symbols: Vec<Symbol>,
    /// The requested direction.
    pub direction: Direction,
    #[serde(flatten)]
    pub answer: Answer<Reached>,
    /// As in `basis`.
    pub freshness_state: Freshness,
    /// Every step on a shortest path between the listed items.
    pub edges: Vec<Step>,
    /// Number of items that are reached under other conditions than the configuration has. They
    /// come last.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub other_conditions: usize,
    /// For dependents: whether the uses of the symbols are complete.
    #[serde(flatten)]
    pub certainty: Option<Certainty>,
}

/// The items affected by a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImpactResult {
    #[serde(flatten)]
    pub lineage: LineageResult,
    /// Counts over all affected items, without the limit.
    pub summary: ImpactSummary,
}

/// Counts of affected items.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImpactSummary {
    /// Items that use the symbol.
    pub direct: usize,
    /// Items reached in two or more steps.
    pub transitive: usize,
    /// Affected items that are test code.
    pub in_tests: usize,
    /// Files with affected items.
    pub files: usize,
    /// The largest number of steps.
    pub deepest: u32,
}

impl UseRequest {
    /// Whether the request leaves uses out.
    pub fn is_filtered(&self) -> bool {
        !self.use_kinds.is_empty() || self.min_confidence > 0.0 || self.tests == Tests::Exclude
    }
}

impl LineageRequest {
    /// A `use` declaration or the first segments of a path are not dependencies by themselves; the
    /// last segment is.
    pub fn kinds(&self) -> Vec<RefKind> {
        if self.direction.calls_only() {
            return RefKind::CALLS.to_vec();
        }
        let names_only =
            |kind: &RefKind| matches!(kind, RefKind::Use | RefKind::Path | RefKind::Mention);
        RefKind::LISTED.iter().filter(|kind| !names_only(kind)).copied().collect()
    }
}
