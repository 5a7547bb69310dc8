//! Git history of a workspace: commits along first parents, and names of commits. The only user of
//! gix. It reads objects and references, runs no program and no hook, and reads only the
//! repository's own configuration.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::objs::Kind as ObjectKind;

use super::error::WorkspaceError;
use super::git_files;

/// Maximum length of a chain of tags.
const MAX_TAGS: usize = 16;
/// Bytes of a commit or tag.
pub(super) const MAX_COMMIT: u64 = 16 << 20;
/// Bytes that gix may allocate for an object: a delta of a few bytes can ask for any amount.
const ALLOC_LIMIT: &str = "gitoxide.objects.allocLimit=536870912";
/// A commit is what has its hash, whatever `git replace` puts in its place.
const NO_REPLACEMENTS: &str = "core.useReplaceRefs=false";

/// A repository, as seen from the root of a workspace within it.
pub struct Git {
    pub(super) repository: gix::Repository,
    /// The top of the work tree.
    pub(super) top: PathBuf,
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

/// A selection of commits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// `A..B`: ancestors of B that are not ancestors of A; `B`: ancestors of B; `None`: of HEAD.
    pub range: Option<String>,
    /// At or after this time, seconds since 1970.
    pub since: Option<i64>,
    /// At most this many, newest ones.
    pub max: Option<usize>,
}

asof_model::named! {
    /// Kind of a name of a commit.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RefKind {
        Head => "head",
        Branch => "branch",
        RemoteBranch => "remote_branch",
        Tag => "tag",
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
        git_files::check(&top.join(".git"))?;
        let repository = open(top)
            .map_err(|reason| WorkspaceError::Git { what: root.display().to_string(), reason })?;
        let inside: PathBuf = root.strip_prefix(top).unwrap_or(Path::new("")).to_owned();
        let names = inside.components().map(|c| c.as_os_str().to_string_lossy().into_owned());
        let top = top.to_owned();
        Ok(Some(Self { repository, top, prefix: names.collect::<Vec<_>>().join("/") }))
    }

    /// The commits of a selection along first parents, oldest first.
    ///
    /// # Errors
    /// A name is unknown, or an object is missing or damaged. A shallow clone ends without an error
    /// at the commits that `.git/shallow` names.
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

    /// First parents from a commit on, newest first.
    fn line(
        &self,
        tip: ObjectId,
        since: Option<i64>,
        max: Option<usize>,
    ) -> Result<Vec<ObjectId>, WorkspaceError> {
        let shallow = self.repository.shallow_commits();
        let shallow = shallow.map_err(|e| self.bad("the boundary of the shallow clone", &e))?;
        let is_boundary =
            |id: &ObjectId| shallow.as_ref().is_some_and(|list| list.iter().any(|end| end == id));
        let mut line = Vec::new();
        let mut next = Some(tip);
        while let Some(id) = next {
            let data = commit_bytes(&self.repository, id)?;
            let commit = parsed(id, &data)?;
            let committed = committed(&commit);
            if since.is_some_and(|since| committed < since)
                || max.is_some_and(|max| line.len() >= max)
            {
                break;
            }
            line.push(id);
            next = commit.parents().next().filter(|_| !is_boundary(&id));
        }
        Ok(line)
    }

    fn commit(&self, id: ObjectId) -> Result<Commit, WorkspaceError> {
        let hash = id.to_string();
        let data = commit_bytes(&self.repository, id)?;
        let commit = parsed(id, &data)?;
        let author = commit.author().map_err(|e| bad_commit(id, e))?;
        let committed = committed(&commit);
        let authored = author.time().map_or(committed, |time| time.seconds);
        Ok(Commit {
            author: author.name.to_string().trim().to_owned(),
            email: author.email.to_string().trim().to_owned(),
            committed,
            authored,
            is_root: commit.parents().next().is_none(),
            message: commit.message.to_string().trim().to_owned(),
            hash,
        })
    }

    /// A commit by its hash, and the hashes of its parents that the repository has.
    ///
    /// # Errors
    /// There is no such commit, or it is damaged.
    pub fn commit_with_parents(&self, hash: &str) -> Result<(Commit, Vec<String>), WorkspaceError> {
        let id = ObjectId::from_hex(hash.as_bytes()).map_err(|_| self.no_commit(hash))?;
        let shallow = self.repository.shallow_commits();
        let shallow = shallow.map_err(|e| self.bad("the boundary of the shallow clone", &e))?;
        let is_boundary = shallow.is_some_and(|list| list.iter().any(|end| *end == id));
        let data = commit_bytes(&self.repository, id)?;
        let commit = parsed(id, &data)?;
        let parents = commit.parents().filter(|_| !is_boundary);
        Ok((self.commit(id)?, parents.map(|parent| parent.to_string()).collect()))
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

    /// Hash of the commit with this Git name; `None` if the name is unknown.
    ///
    /// # Errors
    /// The object is missing or damaged.
    pub fn hash_of(&self, name: &str) -> Result<Option<String>, WorkspaceError> {
        match self.id_of(name) {
            Ok(id) => Ok(Some(id.to_string())),
            Err(WorkspaceError::NoCommit { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The commit with a name; a tag is followed to its commit.
    pub(super) fn id_of(&self, name: &str) -> Result<ObjectId, WorkspaceError> {
        if let Some((one, other)) = name.split_once("...") {
            return self.merge_base(or_head(one), or_head(other));
        }
        let Ok(found) = self.repository.rev_parse_single(name) else {
            self.check_packed_refs()?;
            return Err(self.no_commit(name));
        };
        let mut id = found.detach();
        for _ in 0..MAX_TAGS {
            let header = self.repository.find_header(id);
            let kind = header.map_err(|e| self.bad(&format!("{name} ({id})"), &e))?.kind();
            match kind {
                ObjectKind::Commit => {
                    commit_bytes(&self.repository, id)?;
                    return Ok(id);
                }
                ObjectKind::Tag => {
                    let bad = |e: &dyn std::fmt::Display| self.bad(&format!("the tag {id}"), e);
                    let read = read_object(&self.repository, id, kind, MAX_COMMIT);
                    let data = read.map_err(|e| bad(&e))?.map_err(|_| bad(&"it is too long"))?;
                    let tag = gix::objs::TagRef::from_bytes(&data, id.kind());
                    id = tag.map_err(|e| bad(&e))?.target();
                }
                _ => return Err(self.no_commit(name)),
            }
        }
        Err(self.no_commit(name))
    }

    /// Names in a damaged file would seem not to exist.
    fn check_packed_refs(&self) -> Result<(), WorkspaceError> {
        let bad = |error: &dyn std::fmt::Display| self.bad("`packed-refs`", error);
        let packed = self.repository.refs.cached_packed_buffer().map_err(|e| bad(&e))?;
        let Some(packed) = packed else { return Ok(()) };
        for one in packed.iter().map_err(|e| bad(&e))? {
            one.map_err(|e| bad(&e))?;
        }
        Ok(())
    }

    fn no_commit(&self, name: &str) -> WorkspaceError {
        WorkspaceError::NoCommit { name: name.to_owned() }
    }

    pub(super) fn bad(&self, what: &str, error: &dyn std::fmt::Display) -> WorkspaceError {
        WorkspaceError::Git { what: what.to_owned(), reason: error.to_string() }
    }
}

fn commit_name(id: ObjectId) -> String {
    format!("the commit {id}")
}

pub(super) fn bad_commit(id: ObjectId, reason: impl std::fmt::Display) -> WorkspaceError {
    WorkspaceError::Git { what: commit_name(id), reason: reason.to_string() }
}

/// The bytes of a commit, which have its hash.
fn commit_bytes(repository: &gix::Repository, id: ObjectId) -> Result<Vec<u8>, WorkspaceError> {
    let read = read_object(repository, id, ObjectKind::Commit, MAX_COMMIT);
    let read = read.map_err(|reason| bad_commit(id, reason))?;
    read.map_err(|len| bad_commit(id, format!("it has {len} bytes")))
}

fn parsed(id: ObjectId, data: &[u8]) -> Result<gix::objs::CommitRef<'_>, WorkspaceError> {
    gix::objs::CommitRef::from_bytes(data, id.kind()).map_err(|error| bad_commit(id, error))
}

/// When a commit was made, seconds since 1970. A date that does not fit a number is a wrong
/// date and not damage: [`i64::MAX`].
fn committed(commit: &gix::objs::CommitRef<'_>) -> i64 {
    let time = commit.committer().ok().and_then(|committer| committer.time().ok());
    time.map_or(i64::MAX, |time| time.seconds)
}

/// The tree of a commit with these bytes.
pub(super) fn tree_of(id: ObjectId, data: &[u8]) -> Result<ObjectId, WorkspaceError> {
    Ok(parsed(id, data)?.tree())
}

/// Opens the repository with this work tree, or gives the reason why not.
pub(super) fn open(top: &Path) -> Result<gix::Repository, String> {
    let options = gix::open::Options::isolated().config_overrides([ALLOC_LIMIT, NO_REPLACEMENTS]);
    let mut repository = gix::open_opts(top, options).map_err(|error| chain(&error))?;
    if repository
        .config_snapshot()
        .string("extensions.refStorage")
        .is_some_and(|storage| storage.as_slice() == b"reftable")
    {
        let reason = "its references are in a reftable, which cannot be read; `git refs migrate` \
                      makes files of them";
        return Err(reason.to_owned());
    }
    repository.object_cache_size(32 << 20);
    Ok(repository)
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let _ = write!(text, ": {cause}");
        next = cause.source();
    }
    text
}

/// The bytes of an object, which have its hash; its length if that is above `cap`.
///
/// # Errors
/// The reason, if the object is missing, damaged or of another kind.
pub(super) fn read_object(
    repository: &gix::Repository,
    id: ObjectId,
    kind: ObjectKind,
    cap: u64,
) -> Result<Result<Vec<u8>, u64>, String> {
    let failed = |error: &dyn std::fmt::Display| error.to_string();
    let header = repository.find_header(id).map_err(|e| failed(&e))?;
    if header.kind() != kind {
        return Err(format!("it is a {}", header.kind()));
    }
    if header.size() > cap {
        return Ok(Err(header.size()));
    }
    let object = repository.find_object(id).map_err(|e| failed(&e))?;
    let found = gix::objs::compute_hash(id.kind(), object.kind, &object.data);
    let found = found.map_err(|e| failed(&e))?;
    if found != id {
        return Err(format!("its bytes have the hash {found}"));
    }
    Ok(Ok(object.detach().data))
}

/// A side of `A...B`; what is omitted is HEAD.
fn or_head(side: &str) -> &str {
    if side.is_empty() { "HEAD" } else { side }
}
