//! Errors as answers, with hints.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit::StaleTarget;
use crate::model::{NodeId, NodeKind};

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

/// The answer to a request that failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorAnswer {
    /// The error.
    pub error: ErrorReport,
}

/// An error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorReport {
    /// Class of the error.
    pub kind: ErrorKind,
    /// What went wrong.
    pub message: String,
    /// What to do next, in the words of the interface; empty if there is nothing to do.
    pub hint: String,
    /// Errors that caused this one, nearest first.
    pub causes: Vec<String>,
    /// The present state of the edit's target, if it is stale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<StaleTarget>,
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

/// Why a list of uses may be incomplete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Caveat {
    /// Uses of the bare name are unresolved.
    UnresolvedUses,
    /// The request filters uses out.
    Filtered,
    /// So many uses that are less than half certain are left out.
    Guesses(usize),
    /// Only calls are listed, and so many uses are not calls. A function that is passed as a value
    /// may be called indirectly.
    OtherUses(usize),
    /// The name is not defined in the workspace: any item with that name may be meant.
    UnknownName(String),
    /// The item implements an item of a trait, and calls through the trait use that one.
    TraitItem,
    /// So many uses of items that implement the item are not listed.
    ImplementationUses(usize),
    /// This file does not parse, so its uses are not all known.
    Unparsed(String),
}

/// What the user can do about an error. Interfaces put it into their own words: the names of
/// their commands, options and fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Hint {
    /// Advice that needs no command.
    Advice(String),
    /// Names that are similar to the one that was not found, best first.
    DidYouMean(Vec<String>),
    /// Narrow the request to one of the matches.
    Narrow(Filter),
    /// Narrow an edit to one of the matches, by a field of the request.
    NarrowField(Filter),
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
