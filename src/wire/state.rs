//! The database as a whole: status, refresh, import, verification, dropping old versions.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Basis;
use asof_model::{Micros, RevisionId};

/// Version of answers as JSON: it rises when a stable field goes or means something else.
pub const JSON_VERSION: u32 = 1;

/// State of a database.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    /// Root of the workspace.
    pub root: Option<String>,
    /// The database file.
    pub database: Option<String>,
    /// Version of the schema.
    pub schema_version: String,
    /// Version of answers as JSON, see docs/json.md.
    pub json_version: u32,
    /// Size of the database file, in bytes.
    pub bytes: u64,
    /// The snapshot that the counts are based on.
    pub basis: Basis,
    /// An edit whose process died, if there is one: some of its files may be old and some new until
    /// a command that may write restores them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted_edit: Option<String>,
    /// An import of Git history that runs or was stopped; its commits can be asked about once it is
    /// done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history_import: Option<HistoryImport>,
    /// Seconds by which the newest revision is later than the clock, if it is: the clock was wrong
    /// when it was written, or is wrong now. Moments given by their age may be unknown then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead_of_clock_s: Option<i64>,
    /// Number of imported commits whose revisions have a time other than Git's date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_commits: Option<usize>,
    /// What made the newest revision.
    pub cause: Option<String>,
    /// Number of revisions.
    pub revisions: usize,
    /// Number of files.
    pub files: u64,
    /// Number of definitions.
    pub definitions: u64,
    /// Number of issues: what could not be read or parsed.
    pub issues: u64,
    /// Number of crates outside of the workspace whose declarations names are resolved with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependencies_known: Option<usize>,
    /// Number of those whose sources are not there, or too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependencies_missing: Option<usize>,
}

/// An import of Git history that is not done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryImport {
    /// Number of commits that are imported.
    pub imported: usize,
    /// Number of commits to import; null if a process was killed before it was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected: Option<usize>,
    /// Whether a process is importing; if not, the next import continues here.
    pub is_running: bool,
}

/// The cache of dependencies' declarations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CacheReport {
    /// The folder; none if the user has no home.
    pub folder: Option<String>,
    /// Number of crates in it.
    pub crates: usize,
    /// Their size, in bytes.
    pub bytes: u64,
    /// Size beyond which crates that were not used for long are removed, in bytes.
    pub limit: u64,
    /// Number of crates that were removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<usize>,
}

/// A phase of indexing.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Manifests and folders.
    Walk,
    /// Reading, parsing, hashing.
    Parse,
    /// Ids, paths, edges.
    Resolve,
    /// Comparing with what is stored.
    Diff,
    /// The transaction.
    Write,
    /// Commits of Git, one step each.
    History,
    /// Vectors of items.
    Embed,
    /// The database of another worktree, or of a bundle.
    Copy,
    /// The rows of a bundle.
    Verify,
}

/// Report of a refresh.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IndexReport {
    /// The new revision; null if nothing changed.
    pub revision: Option<RevisionId>,
    /// Time of the newest revision, in microseconds since 1970.
    pub at: Option<Micros>,
    /// Number of Rust files.
    pub files: usize,
    /// Number of documents: Markdown files.
    #[serde(default)]
    pub documents: usize,
    /// Number of files that were read and parsed.
    pub parsed: usize,
    /// Files that were added, documents included.
    pub added: Vec<String>,
    /// Files that changed.
    pub changed: Vec<String>,
    /// Files that were removed.
    pub removed: Vec<String>,
    /// Number of lines of the parsed files.
    pub lines: u64,
    /// Number of items of the parsed files, by kind.
    pub items: BTreeMap<String, usize>,
    /// Number of rows written, by relation.
    pub rows: BTreeMap<String, usize>,
    /// Number of issues in the database.
    pub issues: usize,
    /// Phases with their wall times, in milliseconds.
    pub phases: Vec<(Phase, f64)>,
    /// Root of the worktree whose database this one was copied from in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<String>,
    /// The bundle that the database began with in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<BundleStart>,
}

/// A commit that could not be imported unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommitProblem {
    /// Hash of the commit.
    pub commit: String,
    /// What is wrong with it.
    pub message: String,
}

/// Report of an import of Git history.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryReport {
    /// Number of commits in the range.
    pub selected: usize,
    /// Number of commits that this run imported.
    pub imported: usize,
    /// Number of new revisions; a commit that changes no fact makes none.
    pub revisions: usize,
    /// Number of commits that were imported before.
    pub known: usize,
    /// Number of commits that were left out because they lie between imported ones: they would
    /// change answers about the past.
    pub skipped: usize,
    /// Number of commits that were left out because they are older than what the database keeps.
    pub below_floor: usize,
    /// Number of imported commits whose date is out of order, in the future or impossible: their
    /// revisions follow those of their parents.
    pub moved: usize,
    /// Commits whose files are not a workspace, or whose date is impossible.
    pub problems: Vec<CommitProblem>,
    /// Number of branches and tags.
    pub refs: usize,
    /// Median time of a commit, in milliseconds.
    pub median_ms: f64,
    /// Longest time of a commit, in milliseconds.
    pub max_ms: f64,
    /// Wall time of all of it, in milliseconds.
    pub ms: f64,
}

/// Report of dropping old versions, or of a dry run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GcReport {
    /// Time of the oldest revision that is kept, RFC 3339.
    pub floor: String,
    /// Whether versions were only counted.
    pub dry_run: bool,
    /// Number of dropped rows, by relation.
    pub versions: BTreeMap<String, usize>,
    /// Number of texts that no kept version uses; 0 in a dry run.
    pub texts: usize,
    /// Number of edits that can no longer be undone; 0 in a dry run.
    pub edits: usize,
    /// Number of files of imported indexes whose text no kept version has; 0 in a dry run.
    #[serde(default)]
    pub imports: usize,
    /// Size of the database before, in bytes.
    pub bytes_before: u64,
    /// Size of the database after, in bytes.
    pub bytes_after: u64,
    /// Wall time, in milliseconds.
    pub ms: f64,
}

/// Report of verifying the whole database.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// Whether the database is intact.
    pub sound: bool,
    /// Size of the database file, in bytes.
    pub bytes: u64,
    /// Number of rows that were read, all versions counted.
    pub rows: u64,
    /// Number of texts whose hash was computed again.
    pub texts: u64,
    /// Files that differ from what was indexed. This is not damage: the next command reads them.
    pub stale_files: Vec<String>,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// Something wrong with a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The check that found it: `pages`, `rows`, `times`, `mirrors` or `texts`.
    pub check: String,
    /// A relation, or the database file.
    pub subject: String,
    /// What is wrong.
    pub message: String,
}

/// How a file differs from what was indexed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// It has other bytes.
    Changed,
    /// It was not indexed.
    New,
    /// It no longer exists.
    Gone,
    /// It can no longer be read.
    Unreadable,
}

/// A file that differs from what was indexed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct FileDifference {
    /// The file, relative to the root.
    pub file_path: String,
    /// How it differs.
    pub state: FileState,
    /// Raw hash that was indexed.
    pub indexed_hash: Option<String>,
    /// Raw hash of the bytes on disk.
    pub found_hash: Option<String>,
}

/// The manifest of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupManifest {
    /// Version of the file's layout.
    pub format: u32,
    /// Version of the database's schema.
    pub schema_version: String,
    /// Version of the program that made it.
    pub tool_version: Option<String>,
    /// Namespace of the project, which does not depend on its folder.
    pub namespace: Option<String>,
    /// Name of the project.
    pub project: Option<String>,
    /// Time of the newest revision, in microseconds since 1970; null for an empty database.
    pub created_from_revision: Option<i64>,
    /// Number of rows of each relation, all versions counted.
    pub row_counts: BTreeMap<String, u64>,
    /// Size of the database, in bytes.
    pub database_len: u64,
    /// Format of the payload: `zstd`.
    pub payload: String,
    /// Size of the payload, in bytes.
    pub payload_len: u64,
    /// BLAKE3 hash of the payload, in hexadecimal.
    pub content_hash: String,
    /// The commit that the database is the index of; only in a bundle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<Bundle>,
}

/// What a bundle is the index of, and what its rows depend on beside the files of that commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bundle {
    /// Hash of the commit.
    pub commit: String,
    /// Git's hash of the root's folder in the commit.
    pub tree: String,
    /// From the top of the repository to the root, `/` between names; empty at the top.
    pub folder: String,
    /// The standard library and the rules that names were resolved with.
    pub rules: String,
    /// Number of crates outside of the workspace whose declarations names were resolved with.
    pub dependencies_known: usize,
    /// Number of those whose sources were missing where the bundle was made.
    pub dependencies_missing: usize,
}

/// Report of making a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BundleReport {
    /// The file.
    pub file: String,
    /// Whether this run wrote it; else it was there.
    pub is_new: bool,
    /// Bundles of the same folder that were removed.
    pub removed: Vec<String>,
    /// Its manifest.
    pub manifest: BackupManifest,
}

/// The bundle that a database began with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BundleStart {
    /// The file.
    pub file: String,
    /// Hash of its commit.
    pub commit: String,
    /// Steps from HEAD back to the commit along the shortest way; 0 if it has the same files.
    pub distance: usize,
    /// Number of files that were parsed again and have the same rows.
    pub verified: usize,
}
