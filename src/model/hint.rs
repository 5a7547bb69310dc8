//! Classes of errors, and what the user can do about one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::id::NodeId;
use super::kind::NodeKind;

/// Class of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The request is valid, and nothing matches it.
    NoMatch,
    /// Several matches where one is needed.
    Ambiguous,
    /// The request is invalid.
    BadRequest,
    /// Another process holds the write lock.
    Locked,
    /// A file, the disk or the database failed.
    Failure,
    /// A limit of time, memory or rows was reached.
    Limit,
    /// Stopped by the user.
    Interrupted,
    /// The code has changed since the edit was made.
    Stale,
    /// The check of an edit failed.
    Check,
}

/// A filter that leaves one of several matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// Items of this kind.
    Kind(NodeKind),
    /// Items of this file.
    FilePath(String),
    /// The item with this canonical path.
    Path(String),
    /// The item with this id, if the items differ only in `cfg` or not at all.
    Id(NodeId),
}

/// What the user can do about an error. Interfaces put it into their own words: the names of
/// their commands, options and fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Hint {
    /// Advice that needs no command.
    Advice(String),
    /// Names that are similar to the one that was not found, best first.
    DidYouMean(Vec<String>),
    /// Narrow the request to one of the matches, each by its filter.
    Narrow(Vec<Filter>),
    /// Narrow an edit to one of the matches, by a field of the request.
    NarrowField(Vec<Filter>),
    /// Give the id of one of the matches.
    NarrowById,
    /// Give a text that only one of the matches contains.
    NarrowByText,
    /// List what a module or file contains.
    ListOutline,
    /// List what a file contains, with lines.
    OutlineOf(String),
    /// Describe what a query can read; contains the available names.
    DescribeSources(String),
    /// List the revisions.
    ListRevisions,
    /// List the indexed files.
    ListFiles,
    /// List the proposals.
    ListProposals,
    /// List the named queries.
    ListQueries,
    /// Ask what is known about a file.
    DescribeFile,
    /// Import Git commits; contains the name of a commit, branch or tag, if one was requested.
    ImportHistory(Option<String>),
    /// Check the repository, or import commits that do not need the object.
    ImportOtherCommits,
    /// Index the files without the history of Git.
    IndexWithoutHistory,
    /// Create a database by indexing.
    Index,
    /// Create a database by indexing, or restore a backup.
    IndexOrRestore,
    /// Index from scratch.
    Rebuild,
    /// Restore a backup, or index from scratch.
    RestoreOrRebuild,
    /// The database belongs to another version of the program: use that one, or index from
    /// scratch.
    OtherVersion,
    /// Try again; if it fails again, index from scratch and report the error.
    RetryOrRebuild,
    /// Move the database away and index from scratch: the clock was wrong.
    StartOver,
    /// Use fewer threads.
    FewerThreads,
    /// Check the backup.
    VerifyBackup,
    /// Index without a bundle, or make one.
    NoBundle,
    /// The query is too expensive: bind more columns, look at its plan, raise the time limit.
    CheaperQuery,
    /// The query needed more memory than its limit: ask for less, or raise the limit.
    MemoryLimit,
    /// The system may have had less memory than the limit of the query: lower it, or ask for
    /// less.
    MemoryExhausted,
    /// Queries only read; request the plan of a query instead.
    QueriesOnlyRead,
    /// Give parameters as name and value.
    QueryParameters,
    /// Show the shapes of a request to edit.
    RequestShapes,
    /// Write files that do not parse.
    AllowBroken,
    /// Copy text from the item's source.
    CopyFromSource,
    /// Take byte offsets from the item's span.
    TakeSpan,
    /// Look at the item's source as it is now, and plan the edit again.
    PlanAgain,
    /// Look at the places that may use an item, or delete it all the same.
    DeleteWithGuesses,
    /// The check failed, and every file is as it was: fix the code, raise the time limit, or
    /// leave out the check.
    FixOrSkipCheck,
    /// The check changed files: use one that does not, and format in another way. Contains the
    /// folder where its versions of the files are kept, if any.
    CheckOnlyLooks(Option<String>),
    /// Install rustfmt, or edit without it.
    InstallRustfmt,
    /// Undo keeps a limited number of edits: plan an edit that reverts this one.
    NotKept,
    /// Deny the proposal and plan it again.
    DenyProposal,
    /// Name the folder of an embedding model.
    ChooseModel,
    /// Embed the items.
    Embed,
    /// Import an index.
    ImportIndex,
    /// Name the moment whose texts the index was made of.
    IndexedMoment,
    /// Name one of the tools whose indexes are imported.
    NameTool,
    /// Edits of these actors are applied: undo one by its id, or those of an actor.
    UndoOf(Vec<String>),
}

impl Hint {
    /// Advice that needs no command.
    pub fn advice(text: impl Into<String>) -> Self {
        Self::Advice(text.into())
    }
}

impl From<&str> for Hint {
    fn from(text: &str) -> Self {
        Self::advice(text)
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Self {
        Self::Advice(text)
    }
}
