//! Bundles: the index of a commit as a file, made on one machine and used on others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::handle::{Database, STATE_DIR};
use super::named::repository;
use crate::error::EngineError;
use asof_files::state::Scratch;
use asof_index::{DependencySources, Options, PROJECT, Progress, RowCheck};
use asof_query::Queries;
use asof_store::{Store, StoreError, backup};
use asof_wire::{BackupManifest, Bundle, BundleReport, BundleStart, Phase};
use asof_workspace::{Commit, Commits, Git, SourceTree};

/// What the names of bundles in a folder end with.
const EXTENSION: &str = "bundle";
/// Bundles that an error names.
const NAMED: usize = 5;
/// How long to wait for another process that writes.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

/// What is compared before a database that began with a bundle is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BundleCheck {
    /// Nothing but the hash of the file.
    Nothing,
    /// The rows of a sample of the files.
    Sample,
    /// The rows of all files.
    All,
}

/// Which bundles of a folder stay beside a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptBundles {
    All,
    /// This many, the new one among them: those whose commits are the fewest steps away. None that
    /// this program would not use.
    Nearest(usize),
}

impl Database {
    /// Writes the index of a commit to a new file or, if `out` is a folder, to a file in it that is
    /// named by the commit, unless that is there. Two bundles of a commit are equal byte for byte,
    /// whenever and wherever they are made, if the same sources of dependencies are there.
    ///
    /// The rows of `known` are used as far as the commit has the same files. It has no revision of
    /// the past, no vectors, proposals and imported indexes.
    ///
    /// # Errors
    /// The root is not in a Git repository, there is no such commit, or its files are not a
    /// workspace; the file exists or cannot be written.
    pub fn write_bundle(
        root: &Path,
        known: Option<&Self>,
        name: &str,
        out: &Path,
        kept: KeptBundles,
        progress: &dyn Progress,
    ) -> Result<BundleReport, EngineError> {
        let git = repository(root)?;
        let hash = git.hash_of(name)?.ok_or_else(|| EngineError::NotFound {
            what: format!("Git has no commit `{name}`"),
            hint: "name a commit, branch or tag".into(),
        })?;
        let file = if out.is_dir() { out.join(format!("{hash}.{EXTENSION}")) } else { out.into() };
        let is_ours = out.is_dir() && backup::is_backup(&file);
        let made = is_ours.then(|| backup::inspect(&file).ok()).flatten();
        let made = made.filter(|manifest| {
            misfit(manifest).is_none() && manifest.bundle.as_ref().is_some_and(|b| b.commit == hash)
        });
        let is_new = made.is_none();
        let manifest = match made {
            Some(manifest) => manifest,
            None => {
                let folder = folder_of(&file);
                let dir = Scratch::new(folder, "backup").map_err(StoreError::from)?;
                let maker = Maker { git: &git, root, known, folder, progress };
                let (store, bundle) = maker.make(&hash, &dir)?;
                if is_ours {
                    // It is of another version, or damaged.
                    fs::remove_file(&file).map_err(|source| io("replace", &file, source))?;
                }
                backup::create_bundle(&store, &file, bundle)?
            }
        };
        let removed = match kept {
            KeptBundles::Nearest(count) if out.is_dir() => clean(&git, out, &hash, count)?,
            KeptBundles::Nearest(_) | KeptBundles::All => Vec::new(),
        };
        let file = file.display().to_string();
        Ok(BundleReport { file, is_new, removed, manifest })
    }

    /// Creates the database of a workspace from a bundle: `from`, or the best one of that folder: of
    /// the same files as HEAD, else of the nearest ancestor. The next refresh brings it up to date;
    /// then [`Database::check_bundle`] should follow.
    ///
    /// # Errors
    /// There is a database ([`StoreError::Exists`]); no bundle fits ([`EngineError::NoBundle`]) or
    /// saves anything ([`EngineError::FarBundle`]); the file is damaged, or no bundle. Nothing is
    /// written then.
    pub fn create_from_bundle(
        root: &Path,
        from: &Path,
        progress: &dyn Progress,
    ) -> Result<(Self, BundleStart), EngineError> {
        let path = Self::path_of(root);
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists { path }.into());
        }
        let git = repository(root)?;
        let chosen = choose(&git, root, from)?;
        progress.begin(Phase::Copy, None);
        let had_state = root.join(STATE_DIR).symlink_metadata().is_ok();
        let root = Self::prepare(root)?;
        let path = Self::path_of(&root);
        let created =
            backup::create_database(&chosen.file, &path, |copy| chosen.adapt(copy, &root));
        if let Err(error) = created {
            if !had_state {
                // A folder that is not a workspace must not look like one.
                Self::unprepare(&root);
            }
            return Err(error);
        }
        let start = BundleStart {
            file: chosen.file.display().to_string(),
            commit: chosen.bundle.commit,
            distance: chosen.distance,
            verified: 0,
        };
        Ok((Self::open(&root)?, start))
    }

    /// Compares rows that came from a bundle with those that the files give. Returns the number of
    /// files that were parsed and resolved again. The database is up to date.
    ///
    /// # Errors
    /// Rows differ ([`EngineError::WrongBundle`]): the database is not to be used.
    pub fn check_bundle(
        &self,
        start: &BundleStart,
        check: BundleCheck,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<usize, EngineError> {
        let rows = match check {
            BundleCheck::Nothing => return Ok(0),
            // Other files with every commit.
            BundleCheck::Sample => RowCheck::Sample { seed: &start.commit },
            BundleCheck::All => RowCheck::All,
        };
        progress.begin(Phase::Verify, None);
        let root = self.need_root()?;
        let found = asof_index::check_rows(&self.store, root, rows, options, progress)?;
        if !found.are_same {
            let path = PathBuf::from(&start.file);
            return Err(EngineError::WrongBundle { path, files: found.files });
        }
        Ok(found.files)
    }
}

/// Makes the index of a commit.
struct Maker<'a> {
    git: &'a Git,
    root: &'a Path,
    known: Option<&'a Database>,
    /// Where temporary folders are.
    folder: &'a Path,
    progress: &'a dyn Progress,
}

impl Maker<'_> {
    /// A database in a temporary folder, and what it is of.
    fn make(&self, hash: &str, dir: &Scratch) -> Result<(Store, Bundle), EngineError> {
        let (commit, _) = self.git.commit_with_parents(hash)?;
        let named = Commits::new(self.git, Path::new(PROJECT))?;
        let tree = named.tree(hash)?;
        // The package of a folder without a manifest has the name of the folder.
        let plain = match tree.look("Cargo.toml") {
            Some(_) => None,
            None => Some(Commits::new(self.git, self.root)?),
        };
        let tree = match &plain {
            Some(commits) => commits.tree(hash)?,
            None => tree,
        };
        let fresh = Store::create(&dir.join("database"))?;
        self.fill(&fresh, &commit, &tree)?;
        let newest = Queries::newest_revision(&fresh)?.map(|revision| revision.at);
        let dependencies = match newest {
            Some(at) => Queries::at(&fresh, at).dependencies()?,
            None => Vec::new(),
        };
        let known = dependencies.iter().filter(|one| one.is_known).count();
        let bundle = Bundle {
            commit: commit.hash,
            tree: tree.hash().unwrap_or_default(),
            folder: self.git.folder().to_owned(),
            rules: asof_index::names_version().to_owned(),
            dependencies_known: known,
            dependencies_missing: dependencies.len() - known,
        };
        Ok((fresh, bundle))
    }

    /// Writes the index of a commit's tree into an empty store.
    fn fill(
        &self,
        fresh: &Store,
        commit: &Commit,
        tree: &dyn SourceTree,
    ) -> Result<(), EngineError> {
        let sources = DependencySources::below(self.root);
        let namespace = asof_index::bundle_namespace(tree)?;
        if let Some(known) = self.known
            && asof_index::has_files_of(&known.store, tree, namespace, &sources)?
        {
            return Ok(asof_index::write_bundle(&known.store, commit, fresh)?);
        }
        let dir = Scratch::new(self.folder, "create").map_err(StoreError::from)?;
        let scratch = Store::create(&dir.join("database"))?;
        if let Some(known) = self.known
            && asof_index::has_namespace(&known.store, namespace)?
        {
            // Only what differs is indexed.
            asof_index::write_bundle(&known.store, commit, &scratch)?;
        }
        let options = Options { dependencies: Some(sources), ..Options::default() };
        let lock = scratch.write_lock(PATIENCE)?;
        asof_index::refresh_from(&lock, &scratch, tree, &options, self.progress)?;
        drop(lock);
        Ok(asof_index::write_bundle(&scratch, commit, fresh)?)
    }
}

/// A bundle that fits.
struct Chosen {
    file: PathBuf,
    bundle: Bundle,
    distance: usize,
}

impl Chosen {
    /// Adapts its database to a root where it is of use.
    fn adapt(&self, copy: &Store, root: &Path) -> Result<(), EngineError> {
        let commit = self.bundle.commit.as_str();
        let commits = Queries::git_commits(copy)?;
        if !commits.iter().any(|known| known.hash == commit) {
            let reason = format!("the database inside is not of the commit {commit}");
            return Err(StoreError::Backup { path: self.file.clone(), reason }.into());
        }
        if let Some(reason) = asof_index::too_far(copy, root)? {
            return Err(EngineError::FarBundle { path: self.file.clone(), reason });
        }
        Ok(asof_index::begin_from_bundle(copy, root)?)
    }
}

/// The bundle to begin with: the file, or the best one of the folder.
fn choose(git: &Git, root: &Path, from: &Path) -> Result<Chosen, EngineError> {
    let none = |reasons| EngineError::NoBundle { from: from.to_owned(), reasons };
    let files = match fs::metadata(from) {
        Err(_) => return Err(none(vec!["there is no such file or folder".to_owned()])),
        Ok(meta) if meta.is_dir() => bundles_in(from)?,
        Ok(_) => vec![from.to_owned()],
    };
    let mut reasons = Vec::new();
    let mut fitting: BTreeMap<PathBuf, Bundle> = BTreeMap::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match backup::inspect(&file) {
            Err(error) if file == from => return Err(error.into()),
            Err(error) => reasons.push(format!("{name}: {error}")),
            Ok(manifest) => match (misfit(&manifest), manifest.bundle) {
                (None, Some(bundle)) => drop(fitting.insert(file, bundle)),
                (reason, _) => reasons.extend(reason.map(|reason| format!("{name}: {reason}"))),
            },
        }
    }
    let Some(head) = git.head()? else {
        return Err(none(vec!["HEAD has no commit yet".to_owned()]));
    };
    let tree = Commits::new(git, root)?.tree(&head)?.hash();
    let wanted: BTreeSet<&str> = fitting.values().map(|bundle| bundle.commit.as_str()).collect();
    let steps = git.steps_back(&head, &wanted)?;
    let mut chosen: Option<Chosen> = None;
    for (file, bundle) in fitting {
        let distance = match steps.get(&bundle.commit) {
            _ if Some(&bundle.tree) == tree.as_ref() => 0,
            Some(steps) if bundle.folder == git.folder() => *steps,
            found => {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let reason = match found {
                    Some(_) => format!("it is of the folder `{}`", bundle.folder),
                    None => no_ancestor(git, &bundle.commit)?,
                };
                reasons.push(format!("{name}: {reason}"));
                continue;
            }
        };
        if chosen.as_ref().is_none_or(|best| distance < best.distance) {
            chosen = Some(Chosen { file, bundle, distance });
        }
    }
    if reasons.is_empty() && chosen.is_none() {
        reasons.push(format!("no file in it ends with `.{EXTENSION}`"));
    }
    chosen.ok_or_else(|| {
        let more = reasons.len().saturating_sub(NAMED);
        reasons.truncate(NAMED);
        reasons.extend((more > 0).then(|| format!("and {more} more")));
        none(reasons)
    })
}

fn no_ancestor(git: &Git, commit: &str) -> Result<String, EngineError> {
    let short: String = commit.chars().take(12).collect();
    Ok(if git.is_shallow()? {
        format!("the shallow clone does not lead from HEAD to its commit {short}; fetch more of it")
    } else if git.hash_of(commit)?.is_some() {
        format!("its commit {short} is not an ancestor of HEAD")
    } else {
        format!("the repository does not have its commit {short}")
    })
}

/// Why this program does not use a bundle, whatever commit it is of.
fn misfit(manifest: &BackupManifest) -> Option<String> {
    let Some(bundle) = &manifest.bundle else {
        return Some("it is a backup of a database, not a bundle".to_owned());
    };
    let (rules, version) = (asof_index::names_version(), env!("CARGO_PKG_VERSION"));
    match &manifest.tool_version {
        Some(made) if made == version => {}
        made => {
            let made = made.as_deref().unwrap_or("an unknown version");
            return Some(format!("it was made by asof {made}, and this is {version}"));
        }
    }
    (bundle.rules != rules).then(|| {
        format!("its names were resolved with `{}`, and now are with `{rules}`", bundle.rules)
    })
}

/// Files in a folder that may be bundles, by name.
fn bundles_in(folder: &Path) -> Result<Vec<PathBuf>, EngineError> {
    let failed = |source| io("read", folder, source);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_named = entry.path().extension().is_some_and(|end| end == EXTENSION);
        if is_named && entry.file_type().map_err(failed)?.is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// Removes bundles of a folder that are of no use, or farther from a commit than `count` others. What
/// does not begin as a backup stays.
fn clean(git: &Git, folder: &Path, commit: &str, count: usize) -> Result<Vec<String>, EngineError> {
    let files = bundles_in(folder)?.into_iter().filter(|file| backup::is_backup(file));
    let usable = |file: PathBuf| {
        let manifest = backup::inspect(&file).ok().filter(|manifest| misfit(manifest).is_none());
        (file, manifest.and_then(|manifest| manifest.bundle).map(|bundle| bundle.commit))
    };
    let files: Vec<(PathBuf, Option<String>)> = files.map(usable).collect();
    let wanted = files.iter().filter_map(|(_, commit)| commit.as_deref()).collect();
    let steps = git.steps_back(commit, &wanted)?;
    let mut ordered: Vec<(Option<usize>, PathBuf)> = files
        .into_iter()
        .map(|(file, commit)| (commit.and_then(|commit| steps.get(&commit).copied()), file))
        .collect();
    // Those that lead nowhere are the last.
    ordered.sort_by_key(|(steps, file)| (steps.is_none(), *steps, file.clone()));
    let mut removed = Vec::new();
    for (number, (steps, file)) in ordered.into_iter().enumerate() {
        if number >= count.max(1) || steps.is_none() {
            fs::remove_file(&file).map_err(|source| io("remove", &file, source))?;
            removed.push(file.display().to_string());
        }
    }
    Ok(removed)
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."))
}

fn io(action: &'static str, path: &Path, source: std::io::Error) -> EngineError {
    EngineError::Io { action, path: path.to_owned(), source }
}
