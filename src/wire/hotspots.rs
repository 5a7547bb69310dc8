//! What changes often: hot spots, items that change together, and who changes them.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::moment::When;
use super::uses::Tests;
use asof_model::{NodeId, NodeKind};

/// Which functions and changes count.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct HotspotRequest {
    /// Only this item with its contents, this module, file or folder
    pub path: Option<String>,
    /// Only changes after this moment, given as for `at`
    #[arg(long, value_parser = When::read, value_name = "WHEN", allow_hyphen_values = true)]
    pub since: Option<When>,
    /// Whether functions in test code count.
    #[serde(alias = "exclude_tests")]
    #[command(flatten)]
    pub tests: Tests,
    /// Most entries to list; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
}

/// A function that changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hotspot {
    /// Id of the function.
    pub id: NodeId,
    /// Canonical path.
    pub path: String,
    /// Kind of the item.
    pub kind: NodeKind,
    /// File of the function, relative to the root.
    pub file_path: String,
    /// Whether it is test code.
    pub in_test: bool,
    /// Number of revisions that changed it, under earlier paths too; that which added it does not
    /// count.
    pub changes: u32,
    /// Time of the last change, RFC 3339.
    pub last: String,
    /// Cyclomatic complexity.
    pub complexity: u32,
    /// Cognitive complexity.
    pub cognitive: u32,
    /// Lines with code.
    pub code_lines: u32,
    /// `changes` times `complexity`.
    pub score: u32,
}

/// Two functions that the same revisions changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Coupling {
    pub first: Coupled,
    pub second: Coupled,
    /// Number of revisions that changed both.
    pub together: u32,
    /// These revisions, as a share of the mean of those that changed one of them; from 0 to 1.
    pub share: f64,
}

/// One of two functions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coupled {
    /// Id of the function.
    pub id: NodeId,
    /// Canonical path.
    pub path: String,
    /// File of the function, relative to the root.
    pub file_path: String,
}

/// Somebody who changed functions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Owner {
    /// The author of commits, or the actor of edits.
    pub actor: String,
    /// Number of versions of functions that they made.
    pub versions: u32,
    /// These, as a share of all versions with a known author; from 0 to 1.
    pub share: f64,
    /// Number of functions with a version of theirs.
    pub items: u32,
    /// Time of their first version, RFC 3339.
    pub since: String,
    /// Time of their last version, RFC 3339.
    pub last: String,
}
