//! States of a repository's files that no database has: commits that were not imported, and the
//! files on disk. Two of them are indexed in memory, so that they can be compared; nothing is
//! written.

use std::path::Path;
use std::time::Duration;

use super::database::Database;
use super::error::EngineError;
use super::named::repository;
use super::timeline::{self, Window};
use crate::index::{self, FactSet, Memory, Options, Progress};
use crate::model::Micros;
use crate::store::Store;
use crate::wire::{Hint, When};
use crate::workspace::{Commit, Commits, Git, Selection};

/// A state of the files of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilesAt {
    /// Those of a commit: a hash, branch, tag, or an expression such as `HEAD~3`.
    Commit(String),
    /// Those on disk.
    Disk,
}

impl FilesAt {
    /// The files that a moment means without a database; `None` for times, ages and revisions, which
    /// only a database has.
    pub fn of(when: &When) -> Option<Self> {
        match when {
            When::Now | When::Newest => Some(Self::Disk),
            When::Named(name) => Some(Self::Commit(name.clone())),
            When::At(_) | When::Ago(_) | When::Revision(_) => None,
        }
    }
}

/// Two states of a repository's files in a database in memory.
#[derive(Debug)]
pub struct Unimported {
    pub database: Database,
    pub earlier: When,
    pub later: When,
}

/// What a state is indexed from.
enum Source {
    Commit(Commit),
    Disk,
}

impl Database {
    /// A moment of this database, a name as the revision that it means now; `None` for a commit that
    /// is not imported.
    ///
    /// # Errors
    /// A moment that neither the database nor Git has, or a failure of one of them.
    pub fn imported(&self, when: &When) -> Result<Option<When>, EngineError> {
        let error = match self.revision(when) {
            Ok((Some(id), _)) if matches!(when, When::Named(_)) => {
                return Ok(Some(When::Revision(id)));
            }
            Ok(_) => return Ok(Some(when.clone())),
            Err(error) => error,
        };
        if let (EngineError::NoRevision { .. }, When::Named(name), Some(root)) =
            (&error, when, &self.root)
            && let Some(git) = Git::find(root)?
            && git.hash_of(name)?.is_some()
        {
            return Ok(None);
        }
        Err(error)
    }

    /// Indexes two states of the files of a workspace in memory, items without their uses, the
    /// earlier one first. Items have the ids that they have in `known`, the workspace's database.
    ///
    /// # Errors
    /// The root is not in a Git repository, the repository has no such commit, an object is missing
    /// or damaged, or the root manifest of a commit is not one.
    pub fn compare_files(
        root: &Path,
        known: Option<&Self>,
        (earlier, later): (&FilesAt, &FilesAt),
        progress: &dyn Progress,
    ) -> Result<Unimported, EngineError> {
        let git = repository(root)?;
        let sources = [source(&git, earlier)?, source(&git, later)?];
        let now = Micros::now();
        let dates = sources.each_ref().map(|source| match source {
            Source::Commit(commit) => commit.committed,
            Source::Disk => now.0.div_euclid(1_000_000),
        });
        let times = timeline::times(&dates, Window { after: None, until: now });
        let store = Store::in_memory()?;
        let lock = store.write_lock(Duration::ZERO)?;
        match known {
            Some(known) => index::name_like(&lock, &known.store)?,
            None => index::name_project(&lock, root)?,
        }
        let options = Options {
            facts: FactSet::Items,
            memory: Some(Memory::with_parsed()),
            ..Options::default()
        };
        let trees = Commits::new(&git, root)?;
        let mut moments = Vec::new();
        for (source, at) in sources.iter().zip(times) {
            let at = match source {
                Source::Commit(commit) => {
                    let tree = trees.tree(&commit.hash)?;
                    let done = index::import_commit(&lock, &store, &tree, commit, at, &options)?;
                    if let Some(reason) = done.problem.filter(|_| done.unreadable) {
                        return Err(EngineError::BadRequest {
                            what: format!("commit {} cannot be compared: {reason}", commit.hash),
                            hint: "name a commit before or after it".into(),
                        });
                    }
                    Some(done.at)
                }
                Source::Disk => {
                    let options = Options { at: Some(at), ..options.clone() };
                    index::refresh_under(&lock, &store, root, &options, progress)?.at
                }
            };
            moments.push(at.map_or(When::Newest, When::At));
        }
        drop(lock);
        let mut moments = moments.into_iter();
        let earlier = moments.next().unwrap_or_default();
        let later = moments.next().unwrap_or_default();
        Ok(Unimported { database: Self::of(store, None), earlier, later })
    }
}

fn source(git: &Git, files: &FilesAt) -> Result<Source, EngineError> {
    let FilesAt::Commit(name) = files else { return Ok(Source::Disk) };
    let unknown = || EngineError::NoRevision {
        text: name.clone(),
        reason: "no Git commit, branch or tag has this name".to_owned(),
        hint: Hint::ListRevisions,
    };
    let hash = git.hash_of(name)?.ok_or_else(unknown)?;
    let selection = Selection { range: Some(hash), max: Some(1), ..Selection::default() };
    git.commits(&selection)?.pop().map(Source::Commit).ok_or_else(unknown)
}
