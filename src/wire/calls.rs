//! Calls with their places, and paths of uses from one item to another.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Answer;
use super::resolve::{Snippet, Symbol};
use super::uses::{Certainty, DEFAULT_DEPTH, Direction, Reached};
use asof_model::RefKind;

/// The place of a use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Site {
    /// File of the place, relative to the root.
    pub file_path: String,
    /// Line of the place, from 1.
    pub line: u32,
    /// The lines around the place, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Snippet>,
}

/// An item that calls another or is called by it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    #[serde(flatten)]
    pub reached: Reached,
    /// The first place of the call.
    pub site: Option<Site>,
    /// The other lines with a call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_sites: Vec<Site>,
}

impl Call {
    /// The lines with a call.
    pub fn sites(&self) -> impl Iterator<Item = &Site> {
        self.site.iter().chain(&self.more_sites)
    }
}

/// Callers or callees of a symbol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallsResult {
    /// The first of `symbols`.
    pub symbol: Symbol,
    /// The symbols at the path.
    pub symbols: Vec<Symbol>,
    /// The requested direction.
    pub direction: Direction,
    /// Certain ones first, then guesses; each group nearest first.
    #[serde(flatten)]
    pub answer: Answer<Call>,
    /// Number of items reached only through guesses: calls on receivers of unknown type.
    pub guesses: usize,
    /// Number of these that were left out.
    pub guesses_left_out: usize,
    /// Number of items that are reached under other conditions than the configuration has. They
    /// come last, and are no guesses.
    #[serde(default, skip_serializing_if = "super::uses::is_zero")]
    pub other_conditions: usize,
    /// For callers: whether the list is complete.
    #[serde(flatten)]
    pub certainty: Option<Certainty>,
}

/// Paths to look for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct PathRequest {
    /// Kinds of use to follow, as of `refs`; without any: call, method_call, implicit
    #[arg(long = "kind", value_delimiter = ',', value_name = "KIND")]
    pub use_kinds: Vec<RefKind>,
    /// Maximum number of steps
    #[arg(long, default_value_t = DEFAULT_DEPTH, value_name = "N")]
    pub depth: u32,
    /// Maximum number of paths; all have the same length
    #[serde(alias = "paths")]
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
}

impl Default for PathRequest {
    fn default() -> Self {
        Self { use_kinds: Vec::new(), depth: DEFAULT_DEPTH, limit: 1 }
    }
}

/// A step of a path: `source` uses `target`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PathStep {
    /// The item that uses the other.
    pub source: Symbol,
    /// The item that is used.
    pub target: Symbol,
    /// Kind of the use; `dispatch` from a trait item to that of an impl.
    pub use_kind: String,
    /// Confidence of the reference, from 0 to 1; null for a dispatch, which may or may not happen.
    pub confidence: Option<f64>,
    /// The first place of the use.
    pub site: Option<Site>,
}

/// A path of uses from one item to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsePath {
    /// Whether no step is a guess or a dispatch.
    pub sure: bool,
    /// The steps, in order.
    pub steps: Vec<PathStep>,
}

/// Something that may hide a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathGap {
    /// `unresolved` for a use that is not resolved; `value` or `mention` for a function that is
    /// passed as a value, or mentioned in a macro.
    pub reason: String,
    /// The name as written.
    pub text: String,
    /// Path of the item that contains it.
    pub source: String,
}

/// Paths between items; no path is an answer too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PathResult {
    /// The symbols at which paths start.
    pub from: Vec<Symbol>,
    /// The symbols at which paths end.
    pub to: Vec<Symbol>,
    #[serde(flatten)]
    pub answer: Answer<UsePath>,
    /// Without a path: whether it is proven that there is none.
    pub proven: bool,
    /// Without a path: what may hide one; at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<PathGap>,
    /// Without a path: why it is not proven that there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
