//! The first database of a worktree: a copy of that of another worktree of the same repository, so
//! that only what differs is indexed.

use std::path::{Path, PathBuf};

use super::handle::{Database, state_folder};
use crate::error::EngineError;
use asof_index::Progress;
use asof_store::{Params, Store, StoreError};
use asof_wire::Phase;
use asof_workspace::Git;

/// What a new database begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartFrom {
    /// The database of another worktree, if there is one.
    OtherWorktree,
    /// Nothing: every file is parsed.
    Nothing,
}

/// Where a database comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It existed.
    Existing,
    /// It is new and empty. Each reason says why another worktree's database was not used.
    Empty { reasons: Vec<String> },
    /// It is a copy of that of the worktree with this root.
    Copy { of: PathBuf },
}

impl Database {
    /// Opens the database of a workspace. If there is none, it begins as a copy of that of another
    /// worktree of the same Git repository, or empty; either way the next refresh brings it up to
    /// date. A database that is damaged, has another version, is not asof's or is behind a link is
    /// never copied.
    ///
    /// A copy has the revisions and the vectors of its source, but not its proposals.
    ///
    /// # Errors
    /// As [`Database::create_or_open`]. A source that cannot be used is not an error.
    pub fn create_or_open_from(
        root: &Path,
        start: StartFrom,
        progress: &dyn Progress,
    ) -> Result<(Self, Origin), EngineError> {
        if Self::path_of(root).symlink_metadata().is_ok() {
            return Ok((Self::open(root)?, Origin::Existing));
        }
        let mut reasons = Vec::new();
        if start == StartFrom::OtherWorktree {
            match copied(root, progress, &mut reasons)? {
                Some((database, of)) => return Ok((database, Origin::Copy { of })),
                None if Self::path_of(root).symlink_metadata().is_ok() => {
                    return Ok((Self::open(root)?, Origin::Existing));
                }
                None => {}
            }
        }
        Ok((Self::create_or_open(root)?, Origin::Empty { reasons }))
    }
}

/// A copy of the first database of another worktree that can be used, with the root there; none if
/// there is none, or if another process created a database meanwhile.
fn copied(
    root: &Path,
    progress: &dyn Progress,
    reasons: &mut Vec<String>,
) -> Result<Option<(Database, PathBuf)>, EngineError> {
    // Without a readable repository there are no worktrees; an import of history reports why.
    let Ok(Some(git)) = Git::find(root) else { return Ok(None) };
    let others = match git.other_worktrees() {
        Ok(others) => others,
        Err(error) => {
            reasons.push(error.to_string());
            return Ok(None);
        }
    };
    for other in others {
        let source = Database::path_of(&other);
        if source.symlink_metadata().is_err() {
            continue;
        }
        progress.begin(Phase::Copy, None);
        match copy(&git, &other, root) {
            Ok(database) => return Ok(Some((database, other))),
            Err(EngineError::Store(StoreError::Exists { .. })) => return Ok(None),
            Err(error) => reasons.push(format!("{}: {error}", source.display())),
        }
    }
    Ok(None)
}

fn copy(git: &Git, other: &Path, root: &Path) -> Result<Database, EngineError> {
    // A link in the place of the folder is refused.
    state_folder(other)?;
    let root = Database::prepare(root)?;
    let path = Database::path_of(&root);
    Store::create_from(&Database::path_of(other), &path, |copy| {
        asof_index::begin_from_copy(copy)?;
        if !asof_query::run(copy, "history/refs", Params::new())?.is_empty() {
            // HEAD differs between worktrees.
            let lock = copy.write_lock(std::time::Duration::ZERO)?;
            asof_index::keep_refs(&lock, copy, &git.refs()?)?;
        }
        Ok::<_, EngineError>(())
    })?;
    Database::open(&root)
}
