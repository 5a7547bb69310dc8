//! Why a root cannot be indexed at all. Everything smaller is an issue.

use std::path::PathBuf;

/// A root that cannot be indexed.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error("`{}` does not exist", path.display())]
    NotFound { path: PathBuf },
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
    #[error("there is no Rust file in `{}`", path.display())]
    Empty { path: PathBuf },
    #[error("no commit named `{name}` in this repository")]
    NoCommit { name: String },
    #[error("git: {what} cannot be read: {reason}")]
    Git { what: String, reason: String },
}

impl WorkspaceError {
    /// What the user can do about it, in one sentence.
    pub fn hint(&self) -> String {
        match self {
            Self::NotFound { .. } => "check the spelling of the path".to_owned(),
            Self::NotAFolder { path } => match path.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => {
                    format!("name a folder, such as `{}`", parent.display())
                }
                _ => "name a folder".to_owned(),
            },
            Self::Unreadable { path, .. } => {
                format!("check the permissions of `{}`", path.display())
            }
            Self::RootManifest { .. } => {
                "fix the manifest (`cargo metadata --no-deps` shows the place), or index a folder \
                 below it"
                    .to_owned()
            }
            Self::NoCommit { .. } => {
                "name a branch, a tag, a commit or a range `A..B`; `git log --oneline` lists them"
                    .to_owned()
            }
            Self::Git { .. } => {
                "`git fsck` shows what is wrong with the repository; `asof index --history A..B` \
                 imports commits that do not need it"
                    .to_owned()
            }
            Self::Empty { .. } => "name a folder that contains `.rs` files; files that \
                 `.gitignore` or `.ignore` exclude and hidden folders do not count"
                .to_owned(),
        }
    }
}
