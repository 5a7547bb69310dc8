//! Revisions by name: Git commits, branches, tags, and prefixes of revision ids.

use std::path::Path;

use super::handle::Database;
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::{Micros, RevisionId};
use asof_query::Queries;
use asof_workspace::Git;

/// Minimum length of a prefix of a hash or id.
const MIN_PREFIX: usize = 4;

/// Names in an error.
const MAX_NAMES: usize = 3;

/// The names that are nearly this one, the nearest first. Remote branches also count without the
/// name of their remote.
pub(crate) fn alike(name: &str, names: Vec<String>) -> Vec<String> {
    let lower = name.to_lowercase();
    let distance = |other: &str| strsim::damerau_levenshtein(&lower, &other.to_lowercase());
    let mut near: Vec<(usize, String)> = names
        .into_iter()
        .map(|other| {
            let short = other.split_once('/').map_or(usize::MAX, |(_, short)| distance(short));
            (distance(&other).min(short), other)
        })
        .filter(|(far, _)| *far <= 1 + lower.chars().count() / 4)
        .collect();
    near.sort();
    near.into_iter().take(MAX_NAMES).map(|(_, name)| name).collect()
}

/// The repository around a root.
///
/// # Errors
/// There is none, or it cannot be read.
pub(crate) fn repository(root: &Path) -> Result<Git, EngineError> {
    Git::find(root)?.ok_or_else(|| no_repository(root))
}

pub(crate) fn no_repository(root: &Path) -> EngineError {
    EngineError::NotFound {
        what: format!("{} is not in a Git repository", root.display()),
        hint: Hint::IndexWithoutHistory,
    }
}

impl Database {
    /// The revision with a name. Git names are looked up in the repository, if it exists, so that a
    /// branch that has moved is current; else in the last import.
    pub(crate) fn named(&self, name: &str) -> Result<(RevisionId, Micros), EngineError> {
        let missing = |reason: &str, hint: Hint| EngineError::NoRevision {
            text: name.to_owned(),
            reason: reason.to_owned(),
            hint,
        };
        let git = match &self.root {
            Some(root) => Git::find(root)?,
            None => None,
        };
        let hash = git.as_ref().map(|git| git.hash_of(name)).transpose()?.flatten();
        if let Some(hash) = hash {
            let hits = Queries::git_commits_starting(&self.store, &hash)?;
            return match hits.first() {
                Some(hit) => self.revision_at(hit.at),
                None => Err(missing(
                    &format!("it is the Git commit {hash}, which is not imported"),
                    Hint::ImportHistory(Some(name.to_owned())),
                )),
            };
        }
        if let Some(known) = Queries::git_ref(&self.store, name)? {
            return match known.at {
                Some(at) => self.revision_at(at),
                None => Err(missing(
                    &format!(
                        "it was the Git commit {} at the last import, which is not imported",
                        known.hash
                    ),
                    Hint::ImportHistory(None),
                )),
            };
        }
        let digits =
            name.len() >= MIN_PREFIX && name.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
        if digits {
            let lower = name.to_ascii_lowercase();
            let commits = Queries::git_commits_starting(&self.store, &lower)?;
            let revisions = Queries::revisions_starting(&self.store, &lower)?;
            return match (commits.as_slice(), revisions.as_slice()) {
                ([hit], []) => self.revision_at(hit.at),
                ([], [revision]) => Ok((revision.id, revision.at)),
                ([], []) => Err(missing(
                    "no revision and no imported commit begins with it",
                    Hint::ListRevisions,
                )),
                _ => Err(missing("several revisions begin with it", "give more digits".into())),
            };
        }
        let alike = self.names_like(name, git.as_ref())?;
        let hint = if alike.is_empty() { Hint::ListRevisions } else { Hint::DidYouMean(alike) };
        Err(missing("no revision, Git commit, branch or tag has this name", hint))
    }

    /// Branches and tags with nearly this name, the nearest first: those of the repository, or
    /// without one of the last import.
    fn names_like(&self, name: &str, git: Option<&Git>) -> Result<Vec<String>, EngineError> {
        let names: Vec<String> = match git {
            Some(git) => git.refs()?.into_iter().map(|one| one.name).collect(),
            None => Queries::git_refs(&self.store)?.into_iter().map(|one| one.name).collect(),
        };
        Ok(alike(name, names))
    }

    fn revision_at(&self, at: Micros) -> Result<(RevisionId, Micros), EngineError> {
        let mut found = Queries::revisions_between(&self.store, at, at)?;
        found.pop().map(|revision| (revision.id, revision.at)).ok_or_else(|| EngineError::State {
            what: "revision",
            reason: format!("there is none at {at}"),
        })
    }
}
