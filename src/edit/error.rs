//! Errors of edits. No source file has changed when one of these is returned, except for
//! [`EditError::Unsettled`] and two variants of [`FilesError`], which say so.

use std::panic::Location;
use std::path::PathBuf;

use super::files::FilesError;
use asof_model::Hint;
use asof_model::NodeKind;
use asof_query::QueryError;
use asof_store::StoreError;
use asof_wire::{MalformedEdit, StaleTarget};

/// A refused edit.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("invalid request: {reason}")]
    Malformed { reason: String },
    #[error("{mode} of `{subject}`: the code is empty")]
    EmptyCode { mode: &'static str, subject: String },
    #[error("`{canon}` is a {expected}, but the code is {found}")]
    WrongKind { canon: String, expected: NodeKind, found: String },
    #[error("{file_path} does not parse with the edit: {message}{excerpt}")]
    DoesNotParse { file_path: String, message: String, excerpt: String },
    #[error("the edit of `{subject}` would change items outside of it: {}", items.join(", "))]
    ChangesOthers { subject: String, items: Vec<String> },
    #[error("the code for `{subject}` is not {part} and nothing else")]
    NotAlone { subject: String, part: &'static str },
    #[error("`{canon}` has no {part}")]
    NoPart { canon: String, part: &'static str },
    #[error("the text to find does not occur in `{canon}`")]
    Find { canon: String },
    #[error("the text to find occurs {times} times in `{canon}`: {file_path}:{}", some(lines))]
    FindMany { canon: String, times: usize, file_path: String, lines: Vec<u32> },
    /// The error of one of several edits.
    #[error("edits[{number}]: {error}")]
    InEdit { number: usize, error: Box<EditError> },
    #[error("`{anchor}` cannot have children: it is a {kind}")]
    NoChildren { anchor: String, kind: NodeKind },
    #[error("bytes {start_byte}..{end_byte} are not a valid range of {file_path}: {reason}")]
    BadRange { file_path: String, start_byte: u32, end_byte: u32, reason: String },
    #[error("edits {first} and {second} of the request overlap in {file_path}")]
    Overlap { file_path: String, first: usize, second: usize },
    #[error("edits {first} and {second} of the request both operate on the file {file_path}")]
    Conflict { file_path: String, first: usize, second: usize },
    #[error("{}", .0.message())]
    Stale(Box<StaleTarget>),
    #[error("{file_path} is not indexed")]
    NotIndexed { file_path: String },
    #[error("{file_path} already exists")]
    FileExists { file_path: String },
    #[error("{file_path} does not exist")]
    NoFile { file_path: String },
    #[error("this database belongs to the project {found}, not to {given}")]
    OtherProject { given: String, found: String },
    #[error("no proposal `{id}`")]
    NoProposal { id: String },
    #[error("`{id}` is a prefix of {} proposal ids", ids.len())]
    ManyProposals { id: String, ids: Vec<String> },
    #[error("proposal {id} is already {status}")]
    Settled { id: String, status: &'static str },
    #[error("proposal {id} is already undone{}", by.as_ref().map(|by| format!(", by {by}")).unwrap_or_default())]
    AlreadyUndone {
        id: String,
        /// The undo: its revision, time and actor.
        by: Option<String>,
    },
    #[error("proposal {id} is older than the restore of {restored}")]
    BeforeRestore { id: String, restored: String },
    #[error("{what} cannot be undone: {}", files.join(", "))]
    CannotUndo { what: String, files: Vec<String> },
    #[error("proposal {id} cannot be undone: the text that it replaced is no longer kept")]
    NotKept { id: String },
    #[error("`{path}` cannot be renamed{}: {reason}", to.as_ref().map(|to| format!(" to `{to}`")).unwrap_or_default())]
    CannotRename { path: String, to: Option<String>, reason: String },
    #[error("the signature of `{path}` cannot be changed: {reason}{}", list_places(places))]
    CannotChange { path: String, reason: String, places: Vec<String> },
    #[error("`{path}` cannot be moved to {to}: {reason}")]
    CannotMove { path: String, to: String, reason: String },
    #[error("`{path}` is used:{}", listed(places))]
    StillUsed { path: String, places: Vec<String> },
    #[error("`{path}` may be used:{}", listed(places))]
    MayBeUsed { path: String, places: Vec<String> },
    #[error("with the edit, names would mean something else:{}", listed(places))]
    ChangesMeaning { places: Vec<String> },
    #[error("the edit changes nothing: the code is already there")]
    NoChange,
    /// A bug of this program: what it takes for granted does not hold.
    #[error("internal error at {place}: {what}")]
    Internal { place: &'static Location<'static>, what: &'static str },
    #[error("`{command}` failed ({status}){output}")]
    CheckFailed { command: String, status: String, output: String },
    #[error("`{command}` was stopped")]
    CheckStopped { command: String },
    #[error(
        "`{command}` changed {}, which the edit had written{}",
        files.join(", "),
        said.as_ref().map(|said| format!("; then {said}")).unwrap_or_default()
    )]
    CheckChanged {
        command: String,
        files: Vec<String>,
        /// How it failed, if it did.
        said: Option<String>,
        /// Where its version of the files is kept.
        kept: Option<PathBuf>,
    },
    /// The only error after which the files contain the edit.
    #[error(
        "proposal {id} is {done}, and its files are written; but the database could not record it: {cause}"
    )]
    Unsettled {
        id: String,
        /// `applied` or `undone`.
        done: &'static str,
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("rustfmt cannot format the changed items: {reason}")]
    Rustfmt { reason: String },
    #[error(transparent)]
    Files(#[from] FilesError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("stored proposal {id} cannot be read: {reason}")]
    Damaged { id: String, reason: String },
}

impl From<MalformedEdit> for EditError {
    fn from(error: MalformedEdit) -> Self {
        Self::Malformed { reason: error.reason }
    }
}

/// The first lines, each once.
fn some(lines: &[u32]) -> String {
    let mut lines = lines.to_vec();
    lines.dedup();
    let more = if lines.len() > SHOWN { ",…" } else { "" };
    let shown: Vec<String> = lines.iter().take(SHOWN).map(u32::to_string).collect();
    format!("{}{more}", shown.join(","))
}

/// The first places, a line each.
fn listed(places: &[String]) -> String {
    let mut out: String = places.iter().take(SHOWN).map(|place| format!("\n  {place}")).collect();
    if places.len() > SHOWN {
        out.push_str(&format!("\n  and {} more", places.len() - SHOWN));
    }
    out
}

/// The same behind a colon, if there are some.
fn list_places(places: &[String]) -> String {
    let colon = if places.is_empty() { "" } else { ":" };
    format!("{colon}{}", listed(places))
}

/// Lines that a message names.
const SHOWN: usize = 10;

impl EditError {
    /// The error for what cannot happen, see [`asof_model::never!`]: it panics in debug builds.
    #[cold]
    #[track_caller]
    pub fn internal(what: &'static str) -> Self {
        asof_model::never!("{what}");
        Self::Internal { place: Location::caller(), what }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::Malformed { .. } => Hint::RequestShapes,
            Self::EmptyCode { .. } => "to remove an item, use the mode `delete`".into(),
            Self::WrongKind { .. } => {
                "give exactly one item of that kind; to add others use `insert`, to change the \
                 kind use `delete` and `insert` or a `splice`"
                    .into()
            }
            Self::DoesNotParse { .. } => Hint::AllowBroken,
            Self::ChangesOthers { .. } => {
                "close every bracket and comment in the code; edit the other items by their own \
                 paths"
                    .into()
            }
            Self::NotAlone { .. } => {
                "close every bracket, quote and comment that the code opens, and no other; add items \
                 with `insert`, and change other parts by their names"
                    .into()
            }
            Self::NoPart { .. } => "replace the whole item: leave out `part`".into(),
            Self::Find { .. } => Hint::CopyFromSource,
            Self::FindMany { .. } => "make it longer, so that it occurs only once, or replace all \
                                      occurrences with `\"all\": true`"
                .into(),
            Self::InEdit { error, .. } => error.hint(),
            Self::NoChildren { .. } => "use `before` or `after`".into(),
            Self::BadRange { .. } => Hint::TakeSpan,
            Self::Overlap { .. } => "join the two edits, or apply one after the other".into(),
            Self::Conflict { .. } => "use two requests, one after the other".into(),
            Self::Settled { status: "applied", .. } => {
                "undo the proposal by its id to take it back".into()
            }
            Self::AlreadyUndone { .. } => "there is nothing to do; to apply it again, plan it again".into(),
            Self::Stale(_) | Self::Settled { .. } => Hint::PlanAgain,
            Self::NotIndexed { .. } => Hint::DescribeFile,
            Self::FileExists { .. } => "edit its items, or delete it first".into(),
            Self::NoFile { .. } => Hint::ListFiles,
            Self::OtherProject { .. } => "leave out `namespace`, or use the right root".into(),
            Self::NoProposal { .. } | Self::ManyProposals { .. } => Hint::ListProposals,
            Self::BeforeRestore { .. } => {
                "the database was replaced since then; plan the edit again".into()
            }
            Self::CannotUndo { .. } => {
                "later changes overlap with this edit: undo the later edit first, fix the place by \
                 hand, or plan an edit that reverts this one"
                    .into()
            }
            Self::NotKept { .. } => Hint::NotKept,
            Self::NoChange => "there is nothing to do".into(),
            Self::Internal { .. } => {
                "nothing was written; this is a bug of asof: report it with this message".into()
            }
            Self::CannotRename { .. } | Self::CannotMove { .. } | Self::CannotChange { .. } => {
                "nothing was written".into()
            }
            Self::StillUsed { .. } => "remove these uses first".into(),
            Self::MayBeUsed { .. } => Hint::DeleteWithGuesses,
            Self::ChangesMeaning { .. } => {
                "choose another name, or rename what it would be mistaken for first".into()
            }
            Self::CheckFailed { .. } => Hint::FixOrSkipCheck,
            Self::CheckStopped { .. } => "every file is as it was before the edit".into(),
            Self::CheckChanged { kept, .. } => {
                Hint::CheckOnlyLooks(kept.as_ref().map(|kept| kept.display().to_string()))
            }
            Self::Unsettled { .. } => {
                "fix the cause (free some space, if the disk is full); the next command updates the \
                 database"
                    .into()
            }
            Self::Rustfmt { .. } => Hint::InstallRustfmt,
            Self::Files(error) => error.hint(),
            Self::Query(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::Damaged { .. } => Hint::DenyProposal,
        }
    }

    /// Whether the code has changed since the edit was made.
    pub fn is_stale(&self) -> bool {
        matches!(self.cause(), Self::Stale(_) | Self::Files(FilesError::Changed { .. }))
    }

    /// The error without the number of its edit.
    pub fn cause(&self) -> &Self {
        match self {
            Self::InEdit { error, .. } => error.cause(),
            error => error,
        }
    }

    /// The error of one of several edits of a request.
    pub fn of_edit(self, number: usize) -> Self {
        match self {
            Self::InEdit { .. } => self,
            error => Self::InEdit { number, error: Box::new(error) },
        }
    }
}
