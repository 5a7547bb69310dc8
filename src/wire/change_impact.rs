//! What a difference between two moments affects, and which tests to run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Answer, Basis, ItemRef};
use asof_model::{Class, NodeId};

asof_model::named! {
    /// How an item is affected by the item of the step before.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum AffectedBy {
        /// It changed itself.
        Changed => "changed",
        /// It uses it.
        Use => "use",
        /// It is the item of a trait that the other implements: callers of the trait may reach it.
        Trait => "trait",
        /// It is the type of an impl that the other is in, of a trait from another crate.
        Type => "type",
        /// It contains the other, or is contained in it.
        Part => "part",
        /// It uses a name that is not resolved, and the other has that name.
        Name => "name",
        /// It is the item of the same name under another `cfg`: what uses it may mean the other.
        Alternative => "alternative",
        /// It is a static whose value can change, and the other uses it.
        Static => "static",
    }
}

/// An item that a difference affects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AffectedItem {
    /// Number of steps from a changed item; 0 for those.
    pub depth: u32,
    /// The item. Removed ones are not listed.
    pub item: ItemRef,
    /// File of its definition.
    pub file_path: String,
    /// What changed of it; empty if only what it uses means something else, and for items that did
    /// not change.
    pub classes: Vec<Class>,
    /// The last step.
    pub how: AffectedBy,
    /// Id of the item of the step before; its own for changed items.
    pub via: NodeId,
    /// Whether it is test code.
    pub in_test: bool,
}

/// A test, or all tests of a crate, that a difference may affect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AffectedTest {
    /// Name of the package.
    pub package: String,
    /// Kind of the crate: `lib`, `bin`, `test`, …
    pub target_kind: String,
    /// Name of the crate in the manifest.
    pub target: String,
    /// Name of the test as the test runner prints it, or of a module whose tests may all be
    /// affected because a macro makes them; null for all tests of the crate.
    pub name: Option<String>,
    /// Whether `name` is a module.
    pub is_module: bool,
    /// Number of steps from a changed item.
    pub depth: u32,
    /// File of the test; of the change for all tests of a crate.
    pub file_path: String,
}

/// A reason to run all tests: it is not known which of them a change affects.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Unknowable {
    /// The file or item.
    pub what: String,
    /// Why, in a few words.
    pub reason: String,
}

/// The tests that a difference may affect.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AffectedTests {
    /// Reasons to run all tests; if there are none, `selected` is all that have to run.
    pub run_everything: Vec<Unknowable>,
    /// The tests, nearest first, then by crate and name. Listed too if all tests should run.
    pub selected: Vec<AffectedTest>,
    /// Packages whose documentation tests may be affected.
    pub doc_tests: Vec<String>,
    /// Number of tests that `selected` stands for.
    pub count: usize,
    /// Number of tests of the workspace. A macro call that may define tests counts as one.
    pub total: usize,
    /// Changed files that are taken for documentation, which no test reads.
    pub ignored_files: Vec<String>,
}

/// What a difference between two moments affects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeImpact {
    /// The earlier moment; `basis` is the later one.
    pub from: Basis,
    /// Paths of items that are gone.
    pub removed: Vec<String>,
    pub tests: AffectedTests,
    #[serde(flatten)]
    pub answer: Answer<AffectedItem>,
}
