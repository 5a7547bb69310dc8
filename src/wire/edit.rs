//! Edits: requests, proposals and their results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::edit_modes::{
    CanonicalEdit, ChangeSignatureEdit, CreateFileEdit, DeleteEdit, DeleteFileEdit, InsertEdit,
    ManifestEdit, MoveEdit, RenameEdit, RenameFileEdit, SpliceEdit,
};
use super::edit_status::{EditStatus, ProposalStatus};
use super::envelope::Basis;
use super::refactor::Proof;
use asof_model::{NodeKind, RawHash, RevisionId, Span};

/// Edits that are applied all or nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditRequest {
    /// The edits, in any order; they must not overlap.
    pub edits: Vec<Edit>,
}

/// One edit.
///
/// An unknown field is an error: a misspelled guard must not go unchecked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "mode", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    Canonical(CanonicalEdit),
    Splice(SpliceEdit),
    Insert(InsertEdit),
    Delete(DeleteEdit),
    Rename(RenameEdit),
    Move(MoveEdit),
    ChangeSignature(ChangeSignatureEdit),
    CreateFile(CreateFileEdit),
    RenameFile(RenameFileEdit),
    DeleteFile(DeleteFileEdit),
    Manifest(ManifestEdit),
}

macro_rules! edits {
    ($($mode:ident: $edit:ident,)*) => {
        $(
            impl From<$edit> for Edit {
                fn from(edit: $edit) -> Self {
                    Self::$mode(edit)
                }
            }

            impl From<$edit> for EditRequest {
                fn from(edit: $edit) -> Self {
                    Self { edits: vec![edit.into()] }
                }
            }
        )*
    };
}

edits! {
    Canonical: CanonicalEdit,
    Splice: SpliceEdit,
    Insert: InsertEdit,
    Delete: DeleteEdit,
    Rename: RenameEdit,
    Move: MoveEdit,
    ChangeSignature: ChangeSignatureEdit,
    CreateFile: CreateFileEdit,
    RenameFile: RenameFileEdit,
    DeleteFile: DeleteFileEdit,
    Manifest: ManifestEdit,
}

impl Edit {
    /// Every mode.
    pub const MODES: [&'static str; 11] = [
        "canonical", "splice", "insert", "delete", "rename", "move", "change_signature",
        "create_file", "rename_file", "delete_file", "manifest",
    ];

    /// What the edit is about, in a word or path.
    pub fn subject(&self) -> &str {
        match self {
            Self::Canonical(CanonicalEdit { path, .. })
            | Self::Delete(DeleteEdit { path, .. })
            | Self::Rename(RenameEdit { path, .. })
            | Self::Move(MoveEdit { path, .. })
            | Self::ChangeSignature(ChangeSignatureEdit { path, .. }) => path,
            Self::Insert(InsertEdit { anchor, .. }) => anchor,
            Self::Splice(SpliceEdit { file_path, .. })
            | Self::CreateFile(CreateFileEdit { file_path, .. })
            | Self::DeleteFile(DeleteFileEdit { file_path, .. })
            | Self::Manifest(ManifestEdit { file_path, .. }) => file_path,
            Self::RenameFile(RenameFileEdit { file_path, path, to, .. }) => {
                file_path.as_deref().or(path.as_deref()).unwrap_or(to)
            }
        }
    }

    /// The canonical path that the item at a canonical path has afterwards, if it is another one.
    pub fn path_after(&self, path: &str) -> Option<String> {
        let Self::Rename(RenameEdit { to, local: None, .. }) = self else { return None };
        let above = path.rsplit_once("::").map_or("", |(above, _)| above);
        Some(format!("{above}::{}", to.strip_prefix("r#").unwrap_or(to)))
    }

    /// The form of the request.
    pub const fn mode(&self) -> &'static str {
        match self {
            Self::Canonical(_) => "canonical",
            Self::Splice(_) => "splice",
            Self::Insert(_) => "insert",
            Self::Delete(_) => "delete",
            Self::Rename(_) => "rename",
            Self::Move(_) => "move",
            Self::ChangeSignature(_) => "change_signature",
            Self::CreateFile(_) => "create_file",
            Self::RenameFile(_) => "rename_file",
            Self::DeleteFile(_) => "delete_file",
            Self::Manifest(_) => "manifest",
        }
    }

    /// Whether it changes every use of an item, and is proven before it is written.
    pub const fn is_refactoring(&self) -> bool {
        matches!(
            self,
            Self::Rename(_)
                | Self::Move(_)
                | Self::ChangeSignature(_)
                | Self::Delete(DeleteEdit { uses: Some(_), .. })
        )
    }
}

impl EditRequest {
    /// Whether an edit of it changes every use of an item.
    pub fn refactors(&self) -> bool {
        self.edits.iter().any(Edit::is_refactoring)
    }
}

/// Operation on a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileOp {
    /// Its contents change.
    Modify,
    /// It is new.
    Create,
    /// It is removed.
    Delete,
    /// It moves to another path.
    RenameTo {
        /// The new path.
        to: String,
    },
    /// It comes from another path.
    RenameFrom {
        /// The old path.
        from: String,
    },
}

/// Result of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EditSummary {
    /// Whether the request was carried out.
    pub ok: bool,
    /// Id of the proposal; null for a dry run, which stores nothing.
    pub proposal_id: Option<String>,
    /// Whether the files contain the edit.
    pub applied: bool,
    /// State of the proposal.
    pub status: ProposalStatus,
    /// The revision of the written files.
    pub revision: Option<RevisionId>,
    /// The files that change.
    pub files: Vec<EditedFile>,
    /// The edits of the request, in its order.
    pub edits: Vec<EditedItem>,
    /// What to check before or after applying it.
    pub warnings: Vec<String>,
    /// What is known of every name, if an edit changes the uses of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// The snapshot that the edit is based on.
    pub basis: Basis,
    /// Phases with their wall times, in milliseconds.
    pub phases: Vec<(String, f64)>,
    /// Total wall time, in milliseconds.
    pub ms: f64,
}

/// A file that changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EditedFile {
    /// The file, relative to the root.
    pub file_path: String,
    /// What is done to it.
    pub op: FileOp,
    /// Raw hash before; null for a new file.
    pub before_hash: Option<RawHash>,
    /// Raw hash after; null for a removed file.
    pub after_hash: Option<RawHash>,
    /// Unified diff.
    pub diff: String,
}

/// An edit of a request, with its target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EditedItem {
    /// Canonical path of the item; the path of the file for edits of bytes and files.
    pub path: String,
    /// Canonical path of the item afterwards, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_after: Option<String>,
    /// Form of the edit, as in the request.
    pub mode: String,
    /// Kind of the item; null for edits of bytes and files.
    pub kind: Option<NodeKind>,
    /// File of the item.
    pub file_path: String,
    /// Bytes and lines that the edit replaces.
    pub span_before: Option<Span>,
    /// Bytes and lines of the new code.
    pub span_after: Option<Span>,
    /// Result of the edit.
    pub status: EditStatus,
}

/// A proposal in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposalRow {
    /// Id of the proposal: 12 hexadecimal digits.
    pub proposal_id: String,
    /// State of the proposal.
    pub status: ProposalStatus,
    /// When it was planned, RFC 3339.
    pub created: String,
    /// When it was last applied, denied or undone.
    pub decided: Option<String>,
    /// Who planned it.
    pub actor: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// Mode and path of each edit.
    pub edits: Vec<String>,
    /// Files that change.
    pub files: Vec<String>,
    /// The revision in which it was last applied or undone.
    pub revision: Option<RevisionId>,
}

/// Proposals, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposalList {
    /// Number of proposals without the limit.
    pub total: usize,
    /// Whether there are more than `items` lists.
    pub truncated: bool,
    /// The proposals.
    pub items: Vec<ProposalRow>,
}

/// A proposal with its files and edits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposalDetails {
    /// The proposal, as in lists.
    pub proposal: ProposalRow,
    /// Its files and edits.
    pub summary: EditSummary,
}

/// A target that has changed since the edit was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StaleTarget {
    /// Path of the item or file.
    pub subject: String,
    /// The file, relative to the root.
    pub file_path: String,
    /// What is different, in words.
    pub reason: String,
    /// Present place of the item; null if it is gone.
    pub span: Option<Span>,
    /// Present tracking hash of the item.
    pub tracking_hash: Option<String>,
    /// Present raw hash of the file; null if it is gone.
    pub file_hash: Option<String>,
    /// Unified diff from the expected text to the present one; empty if unknown.
    pub diff: String,
}

impl StaleTarget {
    /// The message of a stale edit: why, where the target is now, and how it differs.
    pub fn message(&self) -> String {
        let mut out = format!("stale: {} ({})", self.reason, self.subject);
        if let Some(span) = &self.span {
            let hash = self.tracking_hash.as_deref().unwrap_or("-");
            out.push_str(&format!(
                "\n  now: {}:{}-{}, bytes {}..{}, tracking hash {hash}",
                self.file_path, span.start_line, span.end_line, span.start_byte, span.end_byte
            ));
        }
        if let Some(hash) = &self.file_hash {
            out.push_str(&format!("\n  file hash now: {hash}"));
        }
        if !self.diff.is_empty() {
            out.push('\n');
            out.push_str(self.diff.trim_end());
        }
        out
    }
}
