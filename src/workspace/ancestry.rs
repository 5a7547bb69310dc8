//! The order of commits: by the commit graph, never by dates.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use gix::ObjectId;

use super::error::WorkspaceError;
use super::git::Git;

/// A commit and its ancestors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ancestry(HashSet<ObjectId>);

impl Ancestry {
    /// Whether this is one of them.
    pub fn has(&self, commit: &str) -> bool {
        ObjectId::from_hex(commit.as_bytes()).is_ok_and(|id| self.0.contains(&id))
    }
}

impl Git {
    /// The commit that HEAD is at; none before the first commit.
    ///
    /// # Errors
    /// HEAD, or what it names, cannot be read.
    pub fn head(&self) -> Result<Option<String>, WorkspaceError> {
        let head = self.repository.head().map_err(|e| self.bad("HEAD", &e))?;
        let id = head.try_into_peeled_id().map_err(|e| self.bad("HEAD", &e))?;
        Ok(id.map(|id| id.to_string()))
    }

    /// The commit from which two commits went separate ways: the best common ancestor.
    ///
    /// # Errors
    /// There is none, a name means no commit, or an object is damaged.
    pub(super) fn merge_base(&self, one: &str, two: &str) -> Result<ObjectId, WorkspaceError> {
        let (first, second) = (self.id_of(one)?, self.id_of(two)?);
        let found = self
            .repository
            .merge_bases_many(first, &[second])
            .map_err(|e| self.bad("the commits", &e))?;
        found
            .first()
            .map(|id| id.detach())
            .ok_or_else(|| WorkspaceError::NoMergeBase { one: one.to_owned(), two: two.to_owned() })
    }

    /// How many steps a commit is away from those of these commits that are itself or its ancestors,
    /// along the shortest way, as far as the repository has the commits between.
    ///
    /// # Errors
    /// An object is damaged.
    pub fn steps_back(
        &self,
        commit: &str,
        wanted: &BTreeSet<&str>,
    ) -> Result<BTreeMap<String, usize>, WorkspaceError> {
        let mut open: BTreeSet<ObjectId> =
            wanted.iter().filter_map(|hash| ObjectId::from_hex(hash.as_bytes()).ok()).collect();
        let mut found = BTreeMap::new();
        let Ok(start) = ObjectId::from_hex(commit.as_bytes()) else { return Ok(found) };
        let mut seen = HashSet::from([start]);
        let mut generation = vec![start];
        let mut steps = 0;
        while !generation.is_empty() && !open.is_empty() {
            let mut next = Vec::new();
            for id in generation {
                let Some(parents) = self.parents(id)? else { continue };
                if open.remove(&id) {
                    found.insert(id.to_string(), steps);
                }
                next.extend(parents.into_iter().filter(|parent| seen.insert(*parent)));
            }
            generation = next;
            steps += 1;
        }
        Ok(found)
    }

    /// Whether the repository has not all ancestors of its commits.
    ///
    /// # Errors
    /// The list of commits at its boundary cannot be read.
    pub fn is_shallow(&self) -> Result<bool, WorkspaceError> {
        let bad = |e: &dyn std::fmt::Display| self.bad("the boundary of the shallow clone", e);
        Ok(self.repository.shallow_commits().map_err(|e| bad(&e))?.is_some())
    }

    /// From the top of the repository to the root of the workspace, `/` between names.
    pub fn folder(&self) -> &str {
        &self.prefix
    }

    /// The parents of a commit; `None` if the repository does not have it: it is beyond the end of a
    /// shallow clone, or of a history that was rewritten.
    fn parents(&self, id: ObjectId) -> Result<Option<Vec<ObjectId>>, WorkspaceError> {
        let bad = |e: &dyn std::fmt::Display| self.bad(&id.to_string(), e);
        let object = self.repository.try_find_object(id).map_err(|e| bad(&e))?;
        let Some(object) = object else { return Ok(None) };
        let commit = object.try_into_commit().map_err(|e| bad(&e))?;
        Ok(Some(commit.parent_ids().map(|parent| parent.detach()).collect()))
    }

    /// The ancestors of a commit along all parents, as far as the repository has them; `None` if it
    /// does not have the commit itself.
    ///
    /// # Errors
    /// An object is damaged.
    pub fn ancestry(&self, commit: &str) -> Result<Option<Ancestry>, WorkspaceError> {
        let Ok(start) = ObjectId::from_hex(commit.as_bytes()) else { return Ok(None) };
        let mut found = HashSet::new();
        let mut waiting = vec![start];
        while let Some(id) = waiting.pop() {
            if found.contains(&id) {
                continue;
            }
            let Some(parents) = self.parents(id)? else { continue };
            waiting.extend(parents);
            found.insert(id);
        }
        Ok(found.contains(&start).then_some(Ancestry(found)))
    }
}
