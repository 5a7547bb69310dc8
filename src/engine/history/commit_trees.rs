//! States of a repository's files that no database has: commits that were not imported, and the
//! files on disk. They are compared tree by tree, and only what differs is parsed. For the path of
//! an item, which has to be resolved, both are indexed for the question. Nothing of the workspace is
//! written.

use std::collections::BTreeMap;
use std::path::Path;

use super::blame::relative;
use super::file_states::{State, index_trees_into, question_store};
use super::trees::{diff_trees, file_scope};
use crate::database::cached_commits;
use crate::database::{Database, Refresh, Snapshot, alike, canonical, no_repository, repository};
use crate::error::EngineError;
use asof_index::{FactSet, IndexError, Progress};
use asof_model::Micros;
use asof_model::{Hint, OrNever};
use asof_store::Store;
use asof_syntax::MAX_FILE_BYTES;
use asof_wire::{AnswerSource, Basis, Diff, DiffRequest, Freshness, When};
use asof_workspace::{
    ChangedFiles, Commit, Commits, Disk, Git, GivenFiles, Overlay, PackageChanges, Selection,
    SourceTree, WhichFiles, WorkspaceError, changed_files, package_changes,
};

/// A state of the files of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilesAt {
    /// Those of a commit: a hash, branch, tag, or an expression such as `HEAD~3`.
    Commit(String),
    /// Those that are staged: Git's index.
    Staged,
    /// Those on disk.
    Disk,
}

impl FilesAt {
    /// The files that a moment means without a database; `None` for times, ages and revisions, which
    /// only a database has.
    pub fn from_when(when: &When) -> Option<Self> {
        match when {
            When::Now | When::Newest => Some(Self::Disk),
            When::Named(name) => Some(Self::Commit(name.clone())),
            When::At(_) | When::Ago(_) | When::Revision(_) => None,
        }
    }
}

/// Where two moments are compared.
#[derive(Debug)]
pub enum Between<'d> {
    /// In the database, which has both.
    Stored { earlier: Box<Snapshot<'d>>, later: Box<Snapshot<'d>> },
    /// In the files of commits and on disk, because the database does not have a commit.
    Files { earlier: FilesAt, later: FilesAt },
}

/// What a state is read from.
enum Source {
    Commit(Commit),
    Staged,
    Disk,
    /// Those on disk with these contents; `None` for a file that is gone.
    Edited(BTreeMap<String, Option<Vec<u8>>>),
}

impl Source {
    fn open(git: &Git, files: &FilesAt) -> Result<Self, EngineError> {
        let name = match files {
            FilesAt::Commit(name) => name,
            FilesAt::Staged => return Ok(Self::Staged),
            FilesAt::Disk => return Ok(Self::Disk),
        };
        let found = match git.hash_of(name)? {
            Some(hash) => {
                let range = Some(hash);
                git.commits(&Selection { range, max: Some(1), ..Selection::default() })?.pop()
            }
            None => None,
        };
        if let Some(commit) = found {
            return Ok(Self::Commit(commit));
        }
        let alike = alike(name, git.refs()?.into_iter().map(|one| one.name).collect());
        Err(EngineError::NoRevision {
            text: name.clone(),
            reason: "no Git commit, branch or tag has this name".to_owned(),
            hint: if alike.is_empty() { Hint::ListRevisions } else { Hint::DidYouMean(alike) },
        })
    }

    fn tree<'c>(
        &self,
        repository: Option<(&Git, &'c Commits)>,
        root: &Path,
    ) -> Result<Box<dyn SourceTree + 'c>, EngineError> {
        let repository = || repository.ok_or_else(|| no_repository(root));
        Ok(match self {
            Self::Commit(commit) => Box::new(repository()?.1.tree(&commit.hash)?),
            Self::Staged => {
                let (git, commits) = repository()?;
                Box::new(commits.staged(git)?)
            }
            Self::Disk => Box::new(Disk::open(root)?),
            Self::Edited(files) => Box::new(Overlay::open(root, files.clone())?),
        })
    }

    /// A basis without a revision, because no database has the state.
    fn basis(&self, now: Micros) -> Basis {
        match self {
            Self::Commit(commit) => {
                let at = Micros(commit.committed.saturating_mul(1_000_000)).clamped();
                Basis::unknown(None, Some(at))
            }
            Self::Staged | Self::Disk | Self::Edited(_) => {
                Basis { freshness_state: Freshness::Fresh, ..Basis::unknown(None, Some(now)) }
            }
        }
    }
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

    /// The hash of the commit that a name means to Git.
    ///
    /// # Errors
    /// The root is in no Git repository, or Git's files cannot be read.
    pub fn commit_hash(&self, name: &str) -> Result<Option<String>, EngineError> {
        Ok(repository(self.need_root()?)?.hash_of(name)?)
    }

    /// Two moments, the earlier one first: from this database if it has both, else from files. This is
    /// the only place that chooses.
    ///
    /// # Errors
    /// As [`Self::imported`], or one moment is a commit that is not imported and the other one that
    /// only a database has.
    pub fn between(
        &self,
        from: &When,
        to: &When,
        refresh: Refresh,
    ) -> Result<Between<'_>, EngineError> {
        if let (Some(from), Some(to)) = (self.imported(from)?, self.imported(to)?) {
            let later = Box::new(self.snapshot(&to, refresh)?);
            // The earlier moment comes second: NOW is brought up to date once.
            let earlier = Box::new(self.snapshot(&from, Refresh::Skip)?);
            return Ok(Between::Stored { earlier, later });
        }
        match FilesAt::from_when(from).zip(FilesAt::from_when(to)) {
            Some((earlier, later)) => Ok(Between::Files { earlier, later }),
            None => {
                let what = format!(
                    "`{from}` and `{to}`: one is a commit that is not imported, the other a moment of the database"
                );
                Err(EngineError::BadRequest { what, hint: "name two commits".into() })
            }
        }
    }

    /// The differences between two moments, the earlier one first; of commits that are not imported
    /// by their files.
    ///
    /// # Errors
    /// As [`Self::between`], [`Snapshot::diff`] and [`Self::diff_files`].
    pub fn diff_between(
        &self,
        from: &When,
        to: &When,
        refresh: Refresh,
        request: &DiffRequest,
        progress: &dyn Progress,
    ) -> Result<Diff, EngineError> {
        match self.between(from, to, refresh)? {
            Between::Stored { earlier, later } => later.diff(&earlier, request),
            Between::Files { earlier, later } => {
                let root = self.need_root()?;
                Self::diff_files(root, Some(self), &earlier, &later, request, progress)
            }
        }
    }

    /// What the files of a commit say; `None` if Git has no commit of this name. Every question has
    /// only this moment. The last few are kept beside the database, if there is one.
    ///
    /// # Errors
    /// The root is in no Git repository, an object is missing or damaged, or the root manifest is
    /// not one.
    pub fn of_commit(
        root: &Path,
        known: Option<&Self>,
        name: &str,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, EngineError> {
        let git = repository(root)?;
        let Some(hash) = git.hash_of(name)? else { return Ok(None) };
        if let Some(store) = known.and_then(|known| cached_commits::find(known, &hash)) {
            let mut database = Self::from_store(store, None);
            database.commit = Some(hash);
            return Ok(Some(database));
        }
        let commits = Commits::new(&git, root)?;
        let sources = [Source::open(&git, &FilesAt::Commit(hash.clone()))?];
        let repository = Some((&git, &commits));
        let store = match known.and_then(|known| cached_commits::create(known, &hash)) {
            Some(store) => store,
            None => Store::in_memory()?,
        };
        let states = States { root, known, repository, sources: &sources, facts: FactSet::All };
        let mut database = states.index_into(store, progress)?.database;
        database.commit = Some(hash);
        Ok(Some(database))
    }

    /// The differences between two states of the files of a workspace, the earlier one first. Items
    /// have the ids that a database has for them.
    ///
    /// # Errors
    /// The root is not in a Git repository, the repository has no such commit, an object is missing
    /// or damaged, the root manifest of a state is not one, or the path names nothing.
    pub fn diff_files(
        root: &Path,
        known: Option<&Self>,
        earlier: &FilesAt,
        later: &FilesAt,
        request: &DiffRequest,
        progress: &dyn Progress,
    ) -> Result<Diff, EngineError> {
        let git = repository(root)?;
        let commits = Commits::new(&git, root)?;
        let sources = [Source::open(&git, earlier)?, Source::open(&git, later)?];
        let [old, new] = sources.each_ref().map(|source| source.tree(Some((&git, &commits)), root));
        let trees = asof_index::compare_trees([&*old?, &*new?]).map_err(unusable)?;
        let now = Micros::now();
        let (from, to) = (sources[0].basis(now), sources[1].basis(now));
        let origin = match sources[1] {
            Source::Commit(_) => AnswerSource::AsOf,
            Source::Staged | Source::Disk | Source::Edited(_) => AnswerSource::File,
        };
        let full = canonical(root)?;
        let scope = match &request.path {
            Some(path) => file_scope(&trees, &relative(Some(&full), path)).map(Some),
            None => Some(None),
        };
        if let Some(scope) = scope {
            return Ok(diff_trees(&trees, from, to, origin, request, scope.as_ref()));
        }
        drop(trees);
        let indexed =
            index_files(root, known, Some((&git, &commits)), &sources, FactSet::Items, progress)?;
        let later = indexed.database.snapshot(&indexed.later, Refresh::Skip)?;
        let earlier = indexed.database.snapshot(&indexed.earlier, Refresh::Skip)?;
        later.diff(&earlier, request)
    }

    /// The differences between two files, of which one may be missing. `path` is the name of both,
    /// relative to any folder, with `/` between its parts: it gives the crate its name.
    ///
    /// # Errors
    /// A file is not a regular file, is too large, or cannot be read.
    pub fn diff_two_files(
        path: &str,
        [old, new]: [Option<&Path>; 2],
        request: &DiffRequest,
    ) -> Result<Diff, EngineError> {
        let read = |place| GivenFiles::read(path, place, MAX_FILE_BYTES as u64);
        Self::diff_given([&read(old)?, &read(new)?], request)
    }

    /// The differences between files whose texts are given, by path. Without a manifest among them,
    /// each is a crate of its own unless another declares it as a module.
    ///
    /// # Errors
    /// A path is not relative, or leaves the root.
    pub fn diff_texts(
        [old, new]: [BTreeMap<String, Vec<u8>>; 2],
        request: &DiffRequest,
    ) -> Result<Diff, EngineError> {
        Self::diff_given([&GivenFiles::new(old)?, &GivenFiles::new(new)?], request)
    }

    fn diff_given(
        [old, new]: [&GivenFiles; 2],
        request: &DiffRequest,
    ) -> Result<Diff, EngineError> {
        let trees = asof_index::compare_trees([old, new])?;
        let basis = Source::Disk.basis(Micros::now());
        Ok(diff_trees(&trees, basis.clone(), basis, AnswerSource::File, request, None))
    }
}

/// The files other than Rust's that differ between two states.
pub(crate) fn changed_between(
    root: &Path,
    earlier: &FilesAt,
    later: &FilesAt,
) -> Result<ChangedFiles, EngineError> {
    with_both(root, earlier, later, |old, new| Ok(changed_files(old, new, WhichFiles::Others)))
}

/// Which packages the differences between two states concern, before anything is known about items.
pub(crate) fn package_changes_between(
    root: &Path,
    earlier: &FilesAt,
    later: &FilesAt,
) -> Result<PackageChanges, EngineError> {
    with_both(root, earlier, later, |old, new| Ok(package_changes(old, new)?))
}

/// Compares the trees of two states, and checks that both could be read.
pub(crate) fn with_both<T>(
    root: &Path,
    earlier: &FilesAt,
    later: &FilesAt,
    compare: impl FnOnce(&dyn SourceTree, &dyn SourceTree) -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let git = repository(root)?;
    let commits = Commits::new(&git, root)?;
    let [old, new] = [Source::open(&git, earlier)?, Source::open(&git, later)?];
    let repository = Some((&git, &commits));
    let (old, new) = (old.tree(repository, root)?, new.tree(repository, root)?);
    let found = compare(&*old, &*new)?;
    old.check()?;
    new.check()?;
    Ok(found)
}

/// Two states of the files of a workspace in a database of their own, with their moments.
pub(crate) fn index_states(
    root: &Path,
    known: Option<&Database>,
    earlier: &FilesAt,
    later: &FilesAt,
    facts: FactSet,
    progress: &dyn Progress,
) -> Result<(Database, When, When), EngineError> {
    let git = repository(root)?;
    let commits = Commits::new(&git, root)?;
    let sources = [Source::open(&git, earlier)?, Source::open(&git, later)?];
    let repository = Some((&git, &commits));
    let indexed = index_files(root, known, repository, &sources, facts, progress)?;
    Ok((indexed.database, indexed.earlier, indexed.later))
}

/// The files on disk and those with an edit in a database of their own, with their moments, and the
/// files other than Rust's that the edit changes.
pub(crate) fn index_edited(
    root: &Path,
    known: &Database,
    files: BTreeMap<String, Option<Vec<u8>>>,
    progress: &dyn Progress,
) -> Result<(Database, When, When, ChangedFiles), EngineError> {
    let changed =
        changed_files(&Disk::open(root)?, &Overlay::open(root, files.clone())?, WhichFiles::Others);
    let sources = [Source::Disk, Source::Edited(files)];
    let indexed = index_files(root, Some(known), None, &sources, FactSet::All, progress)?;
    Ok((indexed.database, indexed.earlier, indexed.later, changed))
}

/// States in a database of their own: the first and the last.
struct Indexed {
    database: Database,
    earlier: When,
    later: When,
}

/// Indexes states of the files of a workspace in a database of their own.
fn index_files(
    root: &Path,
    known: Option<&Database>,
    repo: Option<(&Git, &Commits)>,
    sources: &[Source],
    facts: FactSet,
    progress: &dyn Progress,
) -> Result<Indexed, EngineError> {
    let states = States { root, known, repository: repo, sources, facts };
    let (store, folder) = question_store(known, facts)?;
    let mut indexed = states.index_into(store, progress)?;
    indexed.database.folder = folder;
    Ok(indexed)
}

/// States of the files of a workspace, and what of them is indexed.
struct States<'a> {
    root: &'a Path,
    known: Option<&'a Database>,
    repository: Option<(&'a Git, &'a Commits)>,
    sources: &'a [Source],
    facts: FactSet,
}

impl States<'_> {
    /// Indexes them one after the other, all with the same sources of dependencies.
    fn index_into(&self, store: Store, progress: &dyn Progress) -> Result<Indexed, EngineError> {
        let Self { root, known, repository: repo, sources, facts } = *self;
        let trees = sources.iter().map(|source| source.tree(repo, root));
        let trees = trees.collect::<Result<Vec<_>, _>>()?;
        let states: Vec<State<'_>> = sources
            .iter()
            .zip(&trees)
            .map(|(source, tree)| State {
                tree: &**tree,
                commit: match source {
                    Source::Commit(commit) => Some(commit),
                    Source::Staged | Source::Disk | Source::Edited(_) => None,
                },
            })
            .collect();
        let mut moments = index_trees_into(&store, root, known, &states, facts, progress)?;
        let earlier = moments.first().cloned().or_never("both moments are indexed");
        let later = moments.pop().or_never("both moments are indexed");
        Ok(Indexed { database: Database::from_store(store, None), earlier, later })
    }
}

/// A root manifest that cannot be used is a fault of the request.
fn unusable(error: IndexError) -> EngineError {
    match error {
        IndexError::Workspace(WorkspaceError::RootManifest { path, message }) => {
            EngineError::BadRequest {
                what: format!(
                    "the files cannot be compared: the root manifest {} cannot be used: {message}",
                    path.display()
                ),
                hint: "name a commit before or after it".into(),
            }
        }
        error => error.into(),
    }
}
