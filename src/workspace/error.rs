//! Errors for a root that cannot be indexed at all. Smaller problems are issues.

use std::path::PathBuf;

use asof_model::Hint;
use asof_model::{Issue, IssueKind};

/// A root that cannot be indexed.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error("`{}` does not exist", path.display())]
    NotFound { path: PathBuf },
    #[error("`{path}` is not a path below the root")]
    NotAPath { path: String },
    #[error("`{}` is not a folder", path.display())]
    NotAFolder { path: PathBuf },
    #[error("`{}` cannot be read", path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("the manifest `{}` cannot be used: {message}", path.display())]
    RootManifest { path: PathBuf, message: String },
    #[error("`{}` cannot be used: {message}", path.display())]
    Manifest { path: PathBuf, message: String },
    #[error("`{}` has no `Cargo.toml`, so there are no packages", path.display())]
    NoManifest { path: PathBuf },
    #[error("`{one}` and `{two}` have no commit in common")]
    NoMergeBase { one: String, two: String },
    #[error("`{}` contains no Rust file", path.display())]
    Empty { path: PathBuf },
    #[error("no commit named `{name}` in this repository")]
    NoCommit { name: String },
    #[error("git: {what} cannot be read: {reason}")]
    Git { what: String, reason: String },
}

impl WorkspaceError {
    /// What the user can do about it.
    pub fn hint(&self) -> Hint {
        match self {
            Self::NotAPath { .. } => {
                "give it relative to the root, with `/` and without `..`".into()
            }
            Self::NotFound { .. } => "check the spelling of the path".into(),
            Self::NotAFolder { path } => match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => {
                    format!("give a folder, such as `{}`", parent.display()).into()
                }
                _ => "give a folder".into(),
            },
            Self::Unreadable { path, .. } => {
                format!("check the permissions of `{}`", path.display()).into()
            }
            Self::RootManifest { .. } => {
                "fix the manifest (`cargo metadata` shows the error), or index a folder below it"
                    .into()
            }
            Self::Manifest { .. } => {
                "fix the file (`cargo metadata` shows the error), or name another commit".into()
            }
            Self::NoManifest { .. } => "give the folder of a package or workspace".into(),
            Self::NoMergeBase { .. } => {
                "name two commits as `A..B`; in a shallow clone, fetch more of the history".into()
            }
            Self::NoCommit { .. } => {
                "give a branch, a tag, a commit or a range `A..B`; `git log` lists them".into()
            }
            Self::Git { .. } => Hint::ImportOtherCommits,
            Self::Empty { .. } => {
                "give a folder that contains `.rs` files; hidden folders and files that \
                 `.gitignore` or `.ignore` exclude do not count"
                    .into()
            }
        }
    }
}

/// A smaller problem: of one file.
pub(super) fn issue(path: &str, kind: IssueKind, message: impl Into<String>) -> Issue {
    Issue { file_path: path.to_owned(), kind, message: message.into(), span: None }
}
