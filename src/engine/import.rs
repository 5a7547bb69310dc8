//! Importing the history of git (mission, 5.3).
//!
//! Commits that are older than what the database holds are imported into a database of their
//! own, commit by commit, and enter in one transaction when the last is there: until then, and
//! if the import is stopped or killed, every answer is as it was, and the next run goes on where
//! the last one was. Commits that are newer are added after the newest revision.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::database::{Database, STATE_DIR};
use super::error::EngineError;
use super::history::keep_judgement;
use crate::index::{self, IndexError, Memory, Options, Phase, Progress, Silent};
use crate::model::Micros;
use crate::query::{CommitRow, Queries};
use crate::state::{self, StateError};
use crate::store::{Store, StoreError, WriteLock};
use crate::workspace::{Checkout, Commit, Git, Selection};

/// The database of an import that is under way, within the folder of our state.
const PAST: &str = "history.db";
/// What lies beside it; the lock goes last.
const PIECES: [&str; 4] = ["", "-wal", "-shm", ".lock"];
/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);
/// Microseconds in a second.
const SECOND: i64 = 1_000_000;

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct HistoryReport {
    /// Commits that the selection has.
    pub selected: usize,
    /// Of these, imported by this run.
    pub imported: usize,
    /// Of these, imported before.
    pub known: usize,
    /// Of these, between imported ones: they would change answers about the past.
    pub skipped: usize,
    /// Of these, older than what `asof gc` keeps: nobody could ask about them.
    pub below_floor: usize,
    /// Commits whose files are no workspace, with the reason.
    pub problems: Vec<(String, String)>,
    /// Branches and tags.
    pub refs: usize,
    /// Median and largest time of a commit, milliseconds.
    pub median_ms: f64,
    pub max_ms: f64,
    pub ms: f64,
}

impl Database {
    /// Imports commits along first parents, one revision each, then brings NOW up to date.
    ///
    /// # Errors
    /// If the root is in no git repository, the selection means nothing, or the run was stopped
    /// ([`IndexError::Stopped`]: what is imported stays, and the next run goes on).
    pub fn import_history(
        &self,
        selection: &Selection,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<HistoryReport, EngineError> {
        let started = Instant::now();
        let root = self.need_root()?;
        let git = Git::find(root)?.ok_or_else(|| EngineError::NotFound {
            what: format!("{} lies in no git repository", root.display()),
            hint: "`asof index` without `--history` indexes what is there".to_owned(),
        })?;
        let options = &Options { memory: Some(Memory::with_parsed()), ..options.clone() };
        let commits = git.commits(selection)?;
        let parts = self.split(&commits)?;
        let mut run = Run {
            git: &git,
            root,
            options,
            progress,
            times: Vec::new(),
            report: HistoryReport {
                selected: commits.len(),
                known: parts.known,
                skipped: parts.skipped,
                below_floor: parts.below_floor,
                ..HistoryReport::default()
            },
        };
        progress.begin(Phase::History, Some((parts.older.len() + parts.newer.len()) as u64));
        if !parts.older.is_empty() {
            self.import_older(&mut run, &parts.older, parts.before)?;
        }
        if !parts.newer.is_empty() {
            self.import_newer(&mut run, &parts.newer)?;
        }
        let refs = git.refs()?;
        let lock = self.store.write_lock(options.lock_wait)?;
        index::keep_refs(&lock, &self.store, &refs)?;
        if self.has_absorbed_past()? {
            self.forget_past(&lock)?;
        }
        drop(lock);
        self.refresh(options, &Silent)?;
        let mut report = run.report;
        run.times.sort_by(f64::total_cmp);
        report.median_ms = run.times.get(run.times.len() / 2).copied().unwrap_or_default();
        report.max_ms = run.times.last().copied().unwrap_or_default();
        report.refs = refs.len();
        report.ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(report)
    }

    /// Which commits go before what the database holds, and which after it.
    fn split<'c>(&self, commits: &'c [Commit]) -> Result<Parts<'c>, EngineError> {
        let known = Queries::git_commits(&self.store)?;
        let times: BTreeMap<&str, Micros> =
            known.iter().map(|row| (row.hash.as_str(), row.at)).collect();
        let first = Queries::first_revision(&self.store)?;
        let is_known = |commit: &&Commit| times.contains_key(commit.hash.as_str());
        let mut parts = Parts { before: first, ..Parts::default() };
        parts.known = commits.iter().filter(is_known).count();
        let mut ends = commits.iter().enumerate().filter(|(_, c)| is_known(c)).map(|(at, _)| at);
        match (ends.next(), first) {
            (Some(start), _) => {
                let end = ends.next_back().unwrap_or(start);
                let between = commits.get(start..end).unwrap_or_default();
                parts.skipped = between.iter().filter(|c| !is_known(c)).count();
                let (old, new) = (commits.get(..start), commits.get(end + 1..));
                // Only what comes before everything can be put before it.
                let oldest = commits.get(start).and_then(|c| times.get(c.hash.as_str()));
                match oldest == first.as_ref() {
                    true => parts.older = old.unwrap_or_default().iter().collect(),
                    false => parts.skipped += old.unwrap_or_default().len(),
                }
                parts.newer = new.unwrap_or_default().iter().collect();
            }
            (None, Some(first)) => {
                let is_older = |c: &&Commit| c.committed.saturating_mul(SECOND) < first.0;
                (parts.older, parts.newer) = commits.iter().partition(|c| is_older(c));
            }
            (None, None) => parts.older = commits.iter().collect(),
        }
        if self.floor()?.is_some() {
            parts.below_floor = std::mem::take(&mut parts.older).len();
        }
        Ok(parts)
    }

    fn import_older(
        &self,
        run: &mut Run<'_>,
        commits: &[&Commit],
        before: Option<Micros>,
    ) -> Result<(), EngineError> {
        let path = run.root.join(STATE_DIR).join(PAST);
        let times = times(commits, before);
        let past = open_past(&path, commits, &times)?;
        let lock = past.write_lock(PATIENCE)?;
        if before.is_some() {
            index::name_like(&lock, &self.store)?;
        } else if Queries::first_revision(&past)?.is_none() {
            let walk = crate::workspace::walk(run.root)?;
            let (layout, _) = crate::workspace::layout(run.root, &walk)?;
            index::name_project(&lock, &layout.name)?;
        }
        run.commits(&past, &lock, commits, &times)?;
        drop(lock);
        // The files were compared with nothing for long: another process may have written.
        let lock = self.store.write_lock(PATIENCE)?;
        let first = Queries::first_revision(&self.store)?;
        if first != before {
            return Err(IndexError::Interrupted.into());
        }
        let joint = match first.zip(times.last()) {
            Some((first, end)) => Some(index::joint(&self.store, first, &past, *end)?),
            None => None,
        };
        if joint.is_some() {
            index::cut_now(&past)?;
        }
        drop(past);
        self.store.absorb(&lock, &path, joint)?;
        drop(lock);
        forget(&path);
        Ok(())
    }

    /// Whether a process was killed between taking over the rows of an import and removing it.
    fn has_absorbed_past(&self) -> Result<bool, EngineError> {
        let path = self.need_root()?.join(STATE_DIR).join(PAST);
        if path.symlink_metadata().is_err() {
            return Ok(true);
        }
        // What cannot be read is made again by the import that needs it.
        let Ok(past) = Store::open_read_only(&path) else { return Ok(false) };
        let known = Queries::git_commits(&self.store)?;
        let known: BTreeSet<&str> = known.iter().map(|row| row.hash.as_str()).collect();
        let past = Queries::git_commits(&past)?;
        Ok(past.iter().all(|row| known.contains(row.hash.as_str())))
    }

    /// Removes the database of an import that was stopped and will never go on, or whose process
    /// was killed when its rows had entered. One in use stays.
    pub(super) fn forget_past(&self, _lock: &WriteLock<'_>) -> Result<(), EngineError> {
        let Some(root) = self.root() else { return Ok(()) };
        let path = root.join(STATE_DIR).join(PAST);
        if !PIECES.iter().any(|piece| beside(&path, piece).symlink_metadata().is_ok()) {
            return Ok(());
        }
        match state::acquire(&beside(&path, ".lock"), Duration::ZERO) {
            Ok(_lock) => forget(&path),
            Err(StateError::Locked { .. }) => {}
            Err(error) => return Err(StoreError::from(error).into()),
        }
        Ok(())
    }

    fn import_newer(&self, run: &mut Run<'_>, commits: &[&Commit]) -> Result<(), EngineError> {
        let lock = self.store.write_lock(PATIENCE)?;
        let times: Vec<Micros> =
            commits.iter().map(|c| Micros(c.committed.saturating_mul(SECOND))).collect();
        run.commits(&self.store, &lock, commits, &times)
    }
}

#[derive(Default)]
struct Parts<'c> {
    older: Vec<&'c Commit>,
    newer: Vec<&'c Commit>,
    known: usize,
    skipped: usize,
    below_floor: usize,
    /// Time of the oldest revision.
    before: Option<Micros>,
}

struct Run<'a> {
    git: &'a Git,
    root: &'a Path,
    options: &'a Options,
    progress: &'a dyn Progress,
    /// Milliseconds of each commit.
    times: Vec<f64>,
    report: HistoryReport,
}

impl Run<'_> {
    /// Imports commits into a store, those that it has left out.
    fn commits(
        &mut self,
        store: &Store,
        lock: &crate::store::WriteLock<'_>,
        commits: &[&Commit],
        times: &[Micros],
    ) -> Result<(), EngineError> {
        let known = Queries::git_commits(store)?;
        let known: BTreeSet<&str> = known.iter().map(|row| row.hash.as_str()).collect();
        let folder = tempfile::tempdir().map_err(|source| EngineError::Io {
            action: "make a folder in",
            path: std::env::temp_dir(),
            source,
        })?;
        // Without manifests the name of the folder is that of the project.
        let name = self.root.file_name().unwrap_or_else(|| std::ffi::OsStr::new("root"));
        let inside = folder.path().join(name);
        fs::create_dir(&inside).map_err(|source| EngineError::Io {
            action: "create",
            path: inside.clone(),
            source,
        })?;
        let mut checkout = Checkout::new(self.git, &inside);
        for (number, (commit, at)) in commits.iter().zip(times).enumerate() {
            let stopped = || IndexError::Stopped { done: number, total: commits.len() };
            if known.contains(commit.hash.as_str()) {
                self.report.known += 1;
                self.progress.step();
                continue;
            }
            if self.options.stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(stopped().into());
            }
            let started = Instant::now();
            checkout.move_to(&commit.hash)?;
            let done = index::import_commit(lock, store, &inside, commit, *at, self.options)
                .map_err(|error| match error {
                    IndexError::Interrupted => stopped(),
                    error => error,
                })?;
            if done.report.revision.is_some() {
                keep_judgement(store, lock, done.at, usize::MAX)?;
            }
            if let Some(problem) = done.problem {
                self.report.problems.push((commit.hash.clone(), problem));
            }
            self.report.imported += 1;
            self.times.push(started.elapsed().as_secs_f64() * 1e3);
            self.progress.step();
        }
        Ok(())
    }
}

/// Times of commits: git's, strictly increasing, all before `before`.
fn times(commits: &[&Commit], before: Option<Micros>) -> Vec<Micros> {
    let mut last = None;
    let mut times: Vec<Micros> = commits
        .iter()
        .map(|commit| {
            let at = Micros::next(Micros(commit.committed.saturating_mul(SECOND)), last);
            last = Some(at);
            at
        })
        .collect();
    let mut end = before.map_or(i64::MAX, |before| before.0);
    for at in times.iter_mut().rev() {
        at.0 = at.0.min(end.saturating_sub(1));
        end = at.0;
    }
    times
}

/// The database of an import that was cut off, if it is one of these commits at these times; else
/// a new one.
fn open_past(path: &Path, commits: &[&Commit], times: &[Micros]) -> Result<Store, EngineError> {
    if path.symlink_metadata().is_ok() {
        match Store::open(path) {
            Ok(store) => {
                let known = Queries::git_commits(&store)?;
                let begins = |(row, (commit, at)): (&CommitRow, (&&Commit, &Micros))| {
                    row.hash == commit.hash && row.at == *at
                };
                let wanted = commits.iter().zip(times);
                if known.len() <= commits.len() && known.iter().zip(wanted).all(begins) {
                    return Ok(store);
                }
            }
            Err(StoreError::Locked { path, pid, waited }) => {
                return Err(StoreError::Locked { path, pid, waited }.into());
            }
            // Made by another version, or damaged: it can be made again.
            Err(_) => {}
        }
        // Another process may be at it.
        let _lock =
            state::acquire(&beside(path, ".lock"), Duration::ZERO).map_err(StoreError::from)?;
        forget(path);
    }
    Ok(Store::create(path)?)
}

fn forget(path: &Path) {
    for piece in PIECES {
        let _ = fs::remove_file(beside(path, piece));
    }
}

fn beside(path: &Path, piece: &str) -> PathBuf {
    let mut file = path.as_os_str().to_owned();
    file.push(piece);
    PathBuf::from(file)
}
