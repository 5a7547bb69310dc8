//! Errors of exports to tables.

use std::path::{Path, PathBuf};

use asof_query::QueryError;
use asof_store::StoreError;

/// Why tables could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A file or folder that could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io { action: &'static str, path: PathBuf, source: std::io::Error },
    /// A Parquet file that could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Parquet { action: &'static str, path: PathBuf, source: parquet::errors::ParquetError },
    /// A listing or log that another program has written, or that is damaged.
    #[error("{} is not one of our files: {reason}", path.display())]
    Foreign { path: PathBuf, reason: String },
    /// Another export of the same project was finished first.
    #[error("another export of project `{project}` was finished first")]
    Conflict { project: String },
    /// Two symbols with one key.
    #[error("two symbols have the key {key}: `{one}` and `{other}`")]
    Collision { key: i64, one: String, other: String },
    /// A stored fact that no table can represent.
    #[error("stored {what} cannot be exported: {reason}")]
    Fact { what: &'static str, reason: String },
}

impl TablesError {
    /// An error of the system, at this path.
    pub(super) fn io(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(std::io::Error) -> TablesError {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// An error of Parquet, at this path.
    pub(super) fn parquet(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(parquet::errors::ParquetError) -> TablesError {
        let path = path.to_owned();
        move |source| Self::Parquet { action, path, source }
    }
}
