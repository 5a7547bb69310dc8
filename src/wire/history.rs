//! History: versions, differences, operations, last changes.

use std::collections::BTreeMap;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::{Answer, Basis};
use super::flags::flag;
use super::moment::When;
use super::resolve::ResolveRequest;
use super::uses::Guesses;
use asof_model::{Class, Micros, NodeId, NodeKind, RevisionId, Span, TrackingHash};

/// A revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Id of the revision.
    #[serde(rename = "revision")]
    pub id: RevisionId,
    /// Time of the revision, RFC 3339.
    pub at: String,
    /// What made the revision: `scan`, `rebuild`, `edit`, `commit`, `restore`, `undo` or `gc`.
    pub cause: String,
    /// Who made it; the author of a commit.
    pub actor: Option<String>,
    /// Why; the first line of a commit's message.
    pub message: Option<String>,
    /// Hash of the Git commit that was imported.
    pub commit: Option<String>,
    #[serde(skip)]
    pub time: Micros,
}

/// A commit of a merged branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BranchCommit {
    /// Its hash.
    pub commit: String,
    /// Its author.
    pub actor: String,
    /// When it was written, RFC 3339; null if its date is impossible.
    pub at: Option<String>,
    /// The first line of its message.
    pub message: String,
}

/// Whose commits an answer names for a change that came with a merge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Merges {
    /// Those of the merged branch that made the change, and the merge.
    #[default]
    Follow,
    /// The merge only.
    FirstParent,
}

/// Whether the answer includes spans.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spans {
    /// They are left out.
    #[default]
    Without,
    /// Each version has its span, which takes one more query.
    With,
}

flag!(Merges: FirstParent ("first_parent") or Follow ("follow"), "first-parent", "Name merges only, not the commits of merged branches");
flag!(Spans: With ("with") or Without ("without"), "lines", "Also show the line numbers of each version");

/// A request for the versions of an item.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryRequest {
    /// The item.
    pub item: ResolveRequest,
    /// Only the item whose id begins with this text.
    #[serde(default)]
    pub id: Option<String>,
    /// Maximum number of versions; all if null.
    #[serde(default)]
    pub limit: Option<usize>,
    /// Whether versions have their spans.
    #[serde(default)]
    pub spans: Spans,
    /// Whether merges are followed to the commits of their branches.
    #[serde(default)]
    pub merges: Merges,
}

/// A version of an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Version {
    #[serde(flatten)]
    pub event: Event,
    /// If the commit is a merge: the commits of the merged branch that changed the item, newest
    /// first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branch_commits: Vec<BranchCommit>,
    /// What changed against the version before; empty if that version is unknown, because it was
    /// dropped or is older than the history.
    pub classes: Vec<Class>,
    /// Whether the item was there when the history begins: with a first scan, or with an imported
    /// commit that is not the root of its repository. Its author and age are unknown then, and
    /// `actor`, `message` and `commit` are null.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub present_at_start: bool,
    /// Id of the item at that time.
    pub id: NodeId,
    /// Kind of the item.
    pub kind: NodeKind,
    /// Canonical path at that time; the name for items without a path.
    pub path: String,
    /// The path before, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_path: Option<String>,
    /// Of a split: the item that it was a part of. Of a merge: the items that it absorbed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// Of a removal: the item that it became, or was merged into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// File of the item at that time.
    pub file_path: String,
    /// Bytes and lines of the item at that time, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The item's head at that time.
    pub signature: String,
    /// Hash of the item's tokens at that time.
    pub tracking_hash: TrackingHash,
    /// Of a move or rename: similarity of the tokens, from 0 to 1. Of a split: the share of
    /// tokens that comes from the other item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
}

/// The versions of an item, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct History {
    /// The requested path.
    pub query: String,
    /// Whether the item exists at the time of the snapshot.
    pub present: bool,
    /// If older versions were dropped: the time from which they are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_before: Option<String>,
    /// Why merges could not be followed to the commits of their branches, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merges_not_followed: Option<String>,
    #[serde(flatten)]
    pub answer: Answer<Version>,
}

/// Which items a difference lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Items whose difference another item of the list implies are left out.
    #[default]
    Folded,
    /// All items.
    All,
}

/// Whether a difference has texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Patch {
    /// It has none.
    #[default]
    Without,
    /// Each item has a unified diff of its text.
    Unified,
}

flag!(Detail: All ("all") or Folded ("folded"), "all", "List every item that differs");
flag!(Patch: Unified ("unified") or Without ("without"), "patch", "Print the unified diff of each item's text");

/// A request for the differences between two moments.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct DiffRequest {
    /// Only this item and what it contains, or this module, file or folder.
    #[arg(skip)]
    pub path: Option<String>,
    /// Only items of this kind: function, struct, method, …
    #[arg(long)]
    pub kind: Option<NodeKind>,
    /// Maximum number of items; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
    /// Which items are listed.
    #[command(flatten)]
    pub detail: Detail,
    /// Whether items have a diff of their text.
    #[command(flatten)]
    pub patch: Patch,
    /// Whether two items that share less than half of their tokens are listed as one.
    #[command(flatten)]
    pub guesses: Guesses,
}

/// How the two sides of an item were found to be one item, where its id changed, or where it was
/// removed and added again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Matched {
    /// By the revisions in between: `history` lists each move and rename.
    Revisions,
    /// By comparing the two ends: one revision removed it, and a later one added it again.
    /// `history` does not follow such an item to another path.
    Ends,
}

/// The items that calls of a macro make and that one row of a list stands for, because they have a
/// cause in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expansion {
    /// Name of the macro, as it is called.
    #[serde(rename = "macro")]
    pub macro_name: String,
    /// Number of items, with the one that is listed.
    pub items: usize,
}

/// An item that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiffItem {
    /// What changed.
    pub classes: Vec<Class>,
    /// Kind of the item.
    pub kind: NodeKind,
    /// Canonical path at the later moment; of a removed item, at the earlier one.
    pub path: String,
    /// The path at the earlier moment, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_path: Option<String>,
    /// Of a split: the item that it was a part of. Of a merge: the item that it was merged into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// If a macro makes this item, and more that differ in the same way and for the same reason: how
    /// many. Without it, the row is about this item alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion: Option<Expansion>,
    /// File of the item at the moment of `path`.
    pub file_path: String,
    /// The file at the earlier moment, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_file_path: Option<String>,
    /// Id of the item at the moment of `path`.
    pub id: NodeId,
    /// The id at the earlier moment, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_id: Option<NodeId>,
    /// How the two sides were matched, if their ids differ or the item was removed and added
    /// again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Matched>,
    /// Of two ends that were matched by their tokens: their similarity, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The item's head at the moment of `path`.
    pub signature: String,
    /// The head at the earlier moment, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_signature: Option<String>,
    /// Hash of the item's tokens at the moment of `path`.
    pub tracking_hash: TrackingHash,
    /// The hash at the earlier moment, if it was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_tracking_hash: Option<TrackingHash>,
    /// Unified diff of the item's text, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
}

/// What differs between two moments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Diff {
    /// The earlier moment; `basis` is the later one.
    pub from: Basis,
    /// Number of items by what changed. An item counts once for each of its classes.
    pub summary: BTreeMap<Class, usize>,
    /// Number of items that are not listed because another item implies their difference.
    pub folded: usize,
    /// Number of `use` declarations that differ. They are listed only with all items.
    #[serde(default)]
    pub imports: usize,
    /// Number of pairs that are listed as removed and added because they share less than half of
    /// their tokens.
    pub guesses_left_out: usize,
    #[serde(flatten)]
    pub answer: Answer<DiffItem>,
}

/// The text of a file on both sides of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileTexts {
    /// Path relative to the root, with `/`.
    pub file_path: String,
    /// Null or absent for a new file.
    #[serde(default)]
    pub before: Option<String>,
    /// Null or absent for a removed file.
    #[serde(default)]
    pub after: Option<String>,
}

/// A request for operations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct LogRequest {
    /// Only operations that changed this file, folder or item
    #[arg(long, value_name = "FILE|PATH")]
    pub path: Option<String>,
    /// Only operations at or after this moment, given as for `at`
    #[arg(long, value_parser = When::read, value_name = "WHEN", allow_hyphen_values = true)]
    pub since: Option<When>,
    /// Only operations after this moment.
    #[arg(skip)]
    pub after: Option<When>,
    /// Only operations at or before this moment
    #[arg(long, value_parser = When::read, value_name = "WHEN", allow_hyphen_values = true)]
    pub until: Option<When>,
    /// Only operations by this actor or author
    #[arg(long)]
    pub actor: Option<String>,
    /// Only operations with this cause: scan, rebuild, edit, commit, restore, undo, gc, copy
    #[arg(long)]
    pub cause: Option<String>,
    /// Maximum number of operations; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
}

/// An operation that made a revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Operation {
    #[serde(flatten)]
    pub event: Event,
    /// Git's date of the commit, if the revision has another time because that date is out of
    /// order, in the future or impossible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committed: Option<String>,
    /// The clock's time when the revision was written, if it was behind an earlier revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Whether the history begins with this revision. Its items may be older, so they do not
    /// count as added; if a file or item was requested, `actor`, `message` and `commit` are null.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub present_at_start: bool,
    /// Whether the time of the revision is later than the clock's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_future: bool,
    /// Number of files added, changed or removed.
    pub files: u32,
    /// Number of definitions added; null if the versions before were dropped.
    pub added: Option<usize>,
    /// Number of definitions removed; null if the versions before were dropped.
    pub removed: Option<usize>,
    /// Number of definitions changed, including those with only nested changes; null if the
    /// versions before were dropped.
    pub changed: Option<usize>,
}

/// Operations, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Log {
    #[serde(flatten)]
    pub answer: Answer<Operation>,
}

/// The last change of an item's own tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Blamed {
    /// Id of the item.
    pub id: NodeId,
    /// Kind of the item.
    pub kind: NodeKind,
    /// Canonical path; the name for items without a path.
    pub path: String,
    /// File of the item.
    pub file_path: String,
    /// Bytes and lines of the item.
    pub span: Span,
    /// Number of items around it in the same file.
    pub depth: usize,
    #[serde(flatten)]
    pub event: Event,
    /// If the commit is a merge: the commit of the merged branch that made the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_commit: Option<BranchCommit>,
    /// Whether the newest Git commit does not have the item as it is now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uncommitted: bool,
    /// What that revision changed; empty if it is unknown, so that the last change may be older.
    pub classes: Vec<Class>,
    /// Whether the item is unchanged since the history begins. Then its last author is unknown,
    /// `actor`, `message` and `commit` are null, and the item is at least as old as `age_s` says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub present_at_start: bool,
    /// Seconds from that revision to now, or to the time of the snapshot.
    pub age_s: i64,
    /// If calls of a macro in this module make this item, and more whose last change is the same: how
    /// many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion: Option<Expansion>,
}

/// The last change of each item, in the order of the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Blame {
    /// The requested file or path.
    pub query: String,
    /// If older versions were dropped: the time from which they are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_before: Option<String>,
    /// Why merges could not be followed to the commits of their branches, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merges_not_followed: Option<String>,
    #[serde(flatten)]
    pub answer: Answer<Blamed>,
}

impl Event {
    /// The revision without author and commit, for items that existed before it.
    pub fn without_author(self) -> Self {
        Self { actor: None, message: None, commit: None, ..self }
    }
}
