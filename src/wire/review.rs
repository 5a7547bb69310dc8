//! Which changed items are proven to be the same code, and which are left to read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AffectedTests, AnswerSource, Basis, PackageApi, Patch};
use asof_model::{Class, NodeId, NodeKind};
use clap::Args;

/// A request for a review of the differences between two moments.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct ReviewRequest {
    /// Whether items to read have a diff of their text, the earlier side with the new names.
    #[command(flatten)]
    pub patch: Patch,
}

asof_model::named! {
    /// What became of an item whose code is proven to be the same.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum SameCode {
        /// It has another name.
        Renamed => "renamed",
        /// It is in another module, item or file.
        Moved => "moved",
        /// Its head is written in another way.
        Signature => "signature",
        /// What it uses has another name or place, and it writes that.
        Adapted => "adapted",
        /// Only blanks, trailing commas and the like differ.
        Reformatted => "reformatted",
    }
}

asof_model::named! {
    /// Why an item has to be read.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum ReadReason {
        /// It is new.
        Added => "added",
        /// It is gone.
        Removed => "removed",
        /// Its tokens differ by more than names.
        Code => "code",
        /// A name means something else.
        Meaning => "meaning",
        /// A name is not resolved with certainty, and what it may mean differs.
        Uncertain => "uncertain",
        /// A method is called on a receiver of unknown type, and other traits are in scope.
        Traits => "traits",
        /// It is visible elsewhere.
        Visibility => "visibility",
        /// It is compiled under another condition.
        Condition => "condition",
        /// It is in another impl, trait or type.
        Container => "container",
        /// It is in another crate, which has features and an edition of its own.
        Crate => "crate",
        /// A macro or attribute that may read the text of its tokens gets another text.
        Macro => "macro",
        /// Its name is a part of what it does: a derive, a linked symbol or the entry point.
        Name => "name",
        /// It asks for its place: its line, file or module, or for a name of a type.
        Place => "place",
        /// It reads a file that is named relative to its own.
        File => "file",
        /// It has documentation that a derive or another attribute may read.
        Documentation => "documentation",
        /// A text of it does not parse, or lies in a file that no module has once.
        Unread => "unread",
    }
}

/// A reason to read an item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct ReasonToRead {
    /// Its class.
    pub reason: ReadReason,
    /// What differs, in a few words.
    pub what: String,
    /// Line of the place in the later file, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Line of the place in the earlier file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_line: Option<u32>,
}

/// A changed item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct ReviewedItem {
    /// Canonical path at the later moment; of a removed item, at the earlier one.
    pub path: String,
    /// The path at the earlier moment, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_path: Option<String>,
    /// Kind of the item.
    pub kind: NodeKind,
    /// File of the item at the moment of `path`.
    pub file_path: String,
    /// The file at the earlier moment, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_file_path: Option<String>,
    /// First line in that file, from 1.
    pub line: u32,
    /// Id at the moment of `path`.
    pub id: NodeId,
    /// The id at the earlier moment, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_id: Option<NodeId>,
    /// What changed, as `diff` says it; empty if only what its names mean changed.
    pub classes: Vec<Class>,
    /// Whether it is test code.
    pub in_test: bool,
}

/// An item whose code is proven to be the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProvenItem {
    #[serde(flatten)]
    pub item: ReviewedItem,
    /// What became of it; never empty.
    pub what: Vec<SameCode>,
}

/// An item that has to be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemToRead {
    #[serde(flatten)]
    pub item: ReviewedItem,
    /// Why; never empty.
    pub reasons: Vec<ReasonToRead>,
    /// Unified diff of its text against the earlier one with the new names and paths, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
}

/// Numbers of items.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewCounts {
    /// Items that changed, without those of which only documentation or comments did.
    pub changed: usize,
    /// Of these, those that are proven to be the same code.
    pub proven: usize,
    /// Those that are left to read.
    pub read: usize,
}

/// What a review says in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewSummary {
    /// All items but those of test code.
    #[serde(flatten)]
    pub code: ReviewCounts,
    /// Proven items that have another name.
    pub renamed: usize,
    /// Proven items that are elsewhere, and have the name that they had.
    pub moved: usize,
    /// Proven items whose head is written in another way, at their place.
    pub signature: usize,
    /// Proven items that only follow what they use.
    pub adapted: usize,
    /// Proven items of which only the formatting differs.
    pub reformatted: usize,
    /// Items of test code.
    pub tests: ReviewCounts,
    /// Items whose documentation differs, whatever else does.
    pub documentation: usize,
    /// Items of which only comments differ.
    pub comments: usize,
    /// `use` declarations that differ. What they give a name to is compared at each use.
    pub imports: usize,
}

/// Which changed items are proven to be the same code, and which are left to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// The earlier moment.
    pub from: Basis,
    /// The later moment.
    pub basis: Basis,
    /// Where the later state comes from: `NOW`, `AS_OF` or `FILE`.
    pub source: AnswerSource,
    /// Numbers of items.
    pub summary: ReviewSummary,
    /// Items to read, by file and line.
    pub read: Vec<ItemToRead>,
    /// Items that are proven to be the same code, by path.
    pub proven: Vec<ProvenItem>,
    /// Files other than Rust's that differ, and are not judged: manifests, data, documents. Null if
    /// they are not known.
    pub other_files: Option<Vec<String>>,
    /// Libraries whose public interface differs, with the semver level of each change.
    pub api: Vec<PackageApi>,
    /// Tests that may run what is to be read.
    pub tests: AffectedTests,
    /// Commands that make the proven renames and moves, then other parameters, in their order.
    pub commands: Vec<String>,
    /// Wall time of the answer, in milliseconds.
    pub ms: f64,
}
