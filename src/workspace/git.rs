//! The history of a workspace in git: commits along first parents, and names of commits. The
//! only user of gix. It reads objects and references; it runs no program and no hook, and reads
//! no configuration but the repository's own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gix::ObjectId;

use super::error::WorkspaceError;

/// A repository, as seen from the root of a workspace within it.
pub struct Git {
    pub(super) repository: gix::Repository,
    /// From the top of the work tree to the root of the workspace, `/` between names.
    pub(super) prefix: String,
}

impl std::fmt::Debug for Git {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Git").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// 40 hexadecimal digits (64 with SHA-256).
    pub hash: String,
    pub author: String,
    pub email: String,
    /// When it was committed, seconds since 1970; [`i64::MAX`] where that cannot be read.
    pub committed: i64,
    /// When it was written, seconds since 1970; as committed where that cannot be read.
    pub authored: i64,
    pub message: String,
    /// Whether it has no parent, neither here nor in the repository that a shallow clone is of.
    pub is_root: bool,
}

/// Which commits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// `A..B`: those of B that are not before A; `B`: those of B. HEAD if none.
    pub range: Option<String>,
    /// Not before this, seconds since 1970.
    pub since: Option<i64>,
    /// At most so many, the newest.
    pub max: Option<usize>,
}

/// What a name of a commit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefKind {
    Head,
    Branch,
    RemoteBranch,
    Tag,
}

impl RefKind {
    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Branch => "branch",
            Self::RemoteBranch => "remote_branch",
            Self::Tag => "tag",
        }
    }
}

/// A name of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitRef {
    /// Short: `main`, `v1.2.0`, `origin/main`, `HEAD`.
    pub name: String,
    pub kind: RefKind,
    pub hash: String,
}

impl Git {
    /// The repository around a root; none if there is none.
    ///
    /// # Errors
    /// If there is one and it cannot be read.
    pub fn find(root: &Path) -> Result<Option<Self>, WorkspaceError> {
        let root = std::fs::canonicalize(root)
            .map_err(|source| WorkspaceError::Unreadable { path: root.to_owned(), source })?;
        let Some(top) = root.ancestors().find(|dir| dir.join(".git").exists()) else {
            return Ok(None);
        };
        let options = gix::open::Options::isolated();
        let mut repository = gix::open_opts(top, options).map_err(|e| unreadable(&root, &e))?;
        repository.object_cache_size(32 << 20);
        let inside: PathBuf = root.strip_prefix(top).unwrap_or(Path::new("")).to_owned();
        let names = inside.components().map(|c| c.as_os_str().to_string_lossy().into_owned());
        Ok(Some(Self { repository, prefix: names.collect::<Vec<_>>().join("/") }))
    }

    /// The commits of a selection along first parents, the oldest first.
    ///
    /// # Errors
    /// If a name means nothing, or an object is missing (a shallow clone ends the line without
    /// an error).
    pub fn commits(&self, selection: &Selection) -> Result<Vec<Commit>, WorkspaceError> {
        let range = selection.range.as_deref().unwrap_or("HEAD");
        let (from, to) = match range.split_once("..") {
            Some((from, to)) => (Some(from), to.trim_start_matches('.')),
            None => (None, range),
        };
        let tip = self.id_of(if to.is_empty() { "HEAD" } else { to })?;
        let hidden = match from {
            Some(from) => Some(self.id_of(if from.is_empty() { "HEAD" } else { from })?),
            None => None,
        };
        let before: std::collections::BTreeSet<ObjectId> = match hidden {
            Some(id) => self.line(id, None, None)?.into_iter().collect(),
            None => Default::default(),
        };
        let line = self.line(tip, selection.since, selection.max.filter(|_| before.is_empty()))?;
        let mut wanted: Vec<ObjectId> =
            line.into_iter().take_while(|id| !before.contains(id)).collect();
        wanted.truncate(selection.max.unwrap_or(usize::MAX));
        wanted.reverse();
        wanted.into_iter().map(|id| self.commit(id)).collect()
    }

    /// First parents from a commit on, the newest first.
    fn line(
        &self,
        tip: ObjectId,
        since: Option<i64>,
        max: Option<usize>,
    ) -> Result<Vec<ObjectId>, WorkspaceError> {
        let mut line = Vec::new();
        let mut next = Some(tip);
        while let Some(id) = next {
            let Ok(commit) = self.repository.find_commit(id) else {
                // The end of a shallow clone.
                if line.is_empty() {
                    return Err(self.no_commit(&id.to_string()));
                }
                break;
            };
            let committed = commit.time().map_or(i64::MAX, |time| time.seconds);
            if since.is_some_and(|since| committed < since)
                || max.is_some_and(|max| line.len() >= max)
            {
                break;
            }
            line.push(id);
            next = commit.parent_ids().next().map(|id| id.detach());
        }
        Ok(line)
    }

    fn commit(&self, id: ObjectId) -> Result<Commit, WorkspaceError> {
        let hash = id.to_string();
        let commit = self.repository.find_commit(id).map_err(|e| self.bad(&hash, &e))?;
        let author = commit.author().map_err(|e| self.bad(&hash, &e))?;
        // A date beyond all numbers is wrong like others, and no damage.
        let committed = commit.time().map_or(i64::MAX, |time| time.seconds);
        let authored = author.time().map_or(committed, |time| time.seconds);
        Ok(Commit {
            author: author.name.to_string().trim().to_owned(),
            email: author.email.to_string().trim().to_owned(),
            committed,
            authored,
            message: commit.message_raw_sloppy().to_string().trim().to_owned(),
            is_root: commit.parent_ids().next().is_none(),
            hash,
        })
    }

    /// Branches, tags and HEAD, sorted by name.
    pub fn refs(&self) -> Result<Vec<GitRef>, WorkspaceError> {
        let mut refs: BTreeMap<String, GitRef> = BTreeMap::new();
        let platform = self.repository.references().map_err(|e| self.bad("references", &e))?;
        let all = platform.all().map_err(|e| self.bad("references", &e))?;
        for one in all.flatten() {
            let mut one = one;
            let name = one.name().as_bstr().to_string();
            let kinds = [
                ("refs/heads/", RefKind::Branch),
                ("refs/tags/", RefKind::Tag),
                ("refs/remotes/", RefKind::RemoteBranch),
            ];
            let known = kinds.iter().find_map(|(p, kind)| Some((name.strip_prefix(p)?, *kind)));
            let Some((short, kind)) = known else { continue };
            // A tag of a tree or a broken reference names no commit.
            let Ok(commit) = one.peel_to_commit() else { continue };
            let (name, hash) = (short.to_owned(), commit.id().to_string());
            refs.entry(name.clone()).or_insert(GitRef { name, kind, hash });
        }
        if let Ok(head) = self.repository.head_id() {
            let (name, hash) = ("HEAD".to_owned(), head.to_string());
            refs.insert(name.clone(), GitRef { name, kind: RefKind::Head, hash });
        }
        Ok(refs.into_values().collect())
    }

    /// Hash of the commit that a name means to git; none if it means nothing.
    pub fn hash_of(&self, name: &str) -> Option<String> {
        self.id_of(name).ok().map(|id| id.to_string())
    }

    fn id_of(&self, name: &str) -> Result<ObjectId, WorkspaceError> {
        let peeled = format!("{name}^{{commit}}");
        let found = self.repository.rev_parse_single(peeled.as_str());
        Ok(found.map_err(|_| self.no_commit(name))?.detach())
    }

    fn no_commit(&self, name: &str) -> WorkspaceError {
        WorkspaceError::NoCommit { name: name.to_owned() }
    }

    pub(super) fn bad(&self, what: &str, error: &dyn std::fmt::Display) -> WorkspaceError {
        WorkspaceError::Git { what: what.to_owned(), reason: error.to_string() }
    }
}

fn unreadable(root: &Path, error: &dyn std::fmt::Display) -> WorkspaceError {
    WorkspaceError::Git { what: root.display().to_string(), reason: error.to_string() }
}
