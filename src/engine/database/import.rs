//! Importing the history of Git.
//!
//! Commits older than the database are imported into a database of their own, commit by commit.
//! When the last one is done, their rows enter in one transaction. Until then, and if the import is
//! stopped or killed, answers do not change, and the next run continues where the last one stopped.
//! Newer commits are added after the newest revision.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use super::handle::{Database, STATE_DIR};
use super::matching::Matching;
use super::named::repository;
use super::scoped_thread::spawn;
use super::timeline::{self, Window};
use crate::error::EngineError;
use asof_files::state::{Scratch, StateError};
use asof_index::{
    DependencySources, Imported, IndexError, Lookahead, Memory, NearState, NextState, Options,
    Progress, Silent,
};
use asof_model::Micros;
use asof_query::{CommitRow, Queries};
use asof_store::{Store, StoreError, WriteLock};
use asof_wire::{CommitProblem, HistoryImport, HistoryReport, Phase};
use asof_workspace::{Ancestry, Commit, Commits, Git, Selection, SourceTree};

/// The database of a running import, in the state folder.
const PAST: &str = "history.db";
/// Files beside it; the lock is removed last.
const PIECES: [&str; 4] = ["", "-wal", "-shm", ".lock"];
/// More commits take longer than a first index, which is then made before.
const MANY: usize = 100;
/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);

impl Database {
    /// Imports commits along first parents, one revision each, then brings NOW up to date. An empty
    /// database is indexed first if there are many: questions about NOW need not wait.
    ///
    /// # Errors
    /// The root is not in a Git repository, the selection is empty or invalid, or the run was
    /// stopped ([`IndexError::Stopped`]: imported commits are kept, and the next run continues).
    pub fn import_history(
        &self,
        selection: &Selection,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<HistoryReport, EngineError> {
        let started = Instant::now();
        let root = self.need_root()?;
        let git = repository(root)?;
        self.recover_edits()?;
        let options = &Options {
            memory: Some(Memory::with_parsed()),
            dependencies: Some(DependencySources::below(root)),
            ..options.clone()
        };
        let commits = git.commits(selection)?;
        if commits.len() > MANY && Queries::first_revision(&self.store)?.is_none() {
            self.refresh(options, progress)?;
        }
        let parts = self.split(&git, &commits)?;
        let mut run = Run {
            git: &git,
            root,
            options,
            progress,
            base: None,
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
        asof_index::keep_refs(&lock, &self.store, &refs)?;
        if self.has_merged_history()? {
            self.discard_history(&lock)?;
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

    /// Which commits come before the revisions of the database, and which after them.
    ///
    /// Decided by the commit graph, never by dates. The commits before the first revision are the
    /// ancestors of its commit or, for a revision made from files, the commit that HEAD was at and
    /// its ancestors.
    fn split<'c>(&self, git: &Git, commits: &'c [Commit]) -> Result<Parts<'c>, EngineError> {
        let known = Queries::git_commits(&self.store)?;
        let known: BTreeSet<&str> = known.iter().map(|row| row.hash.as_str()).collect();
        let mut parts = Parts::default();
        let Some(first) = Queries::first_revision(&self.store)? else {
            parts.older = commits.iter().collect();
            return Ok(parts);
        };
        parts.before = Some(first);
        parts.known = commits.iter().filter(|c| known.contains(c.hash.as_str())).count();
        if parts.known == commits.len() {
            return Ok(parts);
        }
        let head = || -> Result<Option<Ancestry>, EngineError> {
            match git.head()? {
                Some(head) => Ok(git.ancestry(&head)?),
                None => Ok(None),
            }
        };
        // The commits before the first revision made from files. A commit that is gone from the
        // repository gives no order.
        let before_files = match asof_index::base_commit(&self.store)?.as_deref() {
            Some("") => None,
            Some(base) => match git.ancestry(base)? {
                Some(found) => Some(found),
                None => head()?,
            },
            // The first revision is a commit, or the past of the database is unknown.
            None => head()?.filter(|_| known.is_empty()),
        };
        let oldest = Queries::revisions_at(&self.store, &[first])?.pop();
        let before_first = match oldest.and_then(|revision| revision.commit) {
            Some(commit) => git.ancestry(&commit)?,
            None => before_files.clone(),
        };
        let is_in = |set: &Option<Ancestry>, commit: &Commit| {
            set.as_ref().is_some_and(|set| set.has(&commit.hash))
        };
        let last_known = commits.iter().rposition(|c| known.contains(c.hash.as_str()));
        for (place, commit) in commits.iter().enumerate() {
            let is_between =
                || last_known.is_some_and(|last| place < last) || is_in(&before_files, commit);
            if known.contains(commit.hash.as_str()) {
                continue;
            }
            if is_in(&before_first, commit) {
                parts.older.push(commit);
            } else if is_between() {
                parts.skipped += 1;
            } else {
                parts.newer.push(commit);
            }
        }
        if self.floor()?.is_some() {
            parts.below_floor = std::mem::take(&mut parts.older).len();
        }
        Ok(parts)
    }

    fn import_older<'a>(
        &'a self,
        run: &mut Run<'a>,
        commits: &[&Commit],
        before: Option<Micros>,
    ) -> Result<(), EngineError> {
        let path = run.root.join(STATE_DIR).join(PAST);
        let clock = Micros::now();
        let until = before.map_or(clock, |before| clock.min(Micros(before.0.saturating_sub(1))));
        let times = commit_times(commits, Window { after: None, until });
        let past = open_past(&path, commits, &times)?;
        let lock = past.write_lock(PATIENCE)?;
        if before.is_some() {
            asof_index::name_like(&lock, &self.store)?;
            asof_index::keep_selected(&lock, commits.len())?;
        } else if Queries::first_revision(&past)?.is_none() {
            asof_index::name_project(&lock, run.root)?;
        }
        if before.is_some() && Queries::first_revision(&past)?.is_none() {
            run.base = Some(&self.store);
        }
        run.commits(&past, &lock, commits, &times)?;
        drop(lock);
        run.progress.begin(Phase::Write, None);
        // The import took long: another process may have written meanwhile.
        let lock = self.store.write_lock(PATIENCE)?;
        let first = Queries::first_revision(&self.store)?;
        if first != before {
            return Err(IndexError::Interrupted.into());
        }
        let seam = first.map(|first| asof_index::seam(&self.store, first, &past)).transpose()?;
        if seam.is_some() {
            asof_index::clear_now_mirrors(&past)?;
        }
        drop(past);
        if let Some(root) = commits.first().filter(|commit| commit.is_root) {
            asof_index::keep_root(&lock, root)?;
        }
        self.store.merge_database(&lock, &path, seam)?;
        drop(lock);
        discard(&path);
        Ok(())
    }

    /// How far an import is that runs, or was stopped.
    ///
    /// # Errors
    /// Its database cannot be read.
    pub fn history_import(&self) -> Result<Option<HistoryImport>, EngineError> {
        let Some(root) = self.root() else { return Ok(None) };
        let path = root.join(STATE_DIR).join(PAST);
        let is_running =
            asof_files::state::is_held(&beside(&path, ".lock")).map_err(StoreError::from)?;
        // It may be just created, or done and removed in this moment.
        let Ok(past) = Store::open_read_only(&path) else { return Ok(None) };
        let imported = Queries::git_commits(&past)?.len();
        let selected = asof_index::selected(&past)?;
        Ok(Some(HistoryImport { imported, selected, is_running }))
    }

    /// Whether a process was killed after copying the rows of an import and before removing it.
    fn has_merged_history(&self) -> Result<bool, EngineError> {
        let path = self.need_root()?.join(STATE_DIR).join(PAST);
        if path.symlink_metadata().is_err() {
            return Ok(true);
        }
        // An unreadable one is created again by the next import.
        let Ok(past) = Store::open_read_only(&path) else { return Ok(false) };
        let known = Queries::git_commits(&self.store)?;
        let known: BTreeSet<&str> = known.iter().map(|row| row.hash.as_str()).collect();
        let past = Queries::git_commits(&past)?;
        Ok(past.iter().all(|row| known.contains(row.hash.as_str())))
    }

    /// Removes the database of an import that was stopped and will not continue, or whose process
    /// was killed after its rows were copied. One in use stays.
    pub(super) fn discard_history(&self, _lock: &WriteLock<'_>) -> Result<(), EngineError> {
        let Some(root) = self.root() else { return Ok(()) };
        let path = root.join(STATE_DIR).join(PAST);
        if !PIECES.iter().any(|piece| beside(&path, piece).symlink_metadata().is_ok()) {
            return Ok(());
        }
        match asof_files::state::acquire(&beside(&path, ".lock"), Duration::ZERO) {
            Ok(_lock) => discard(&path),
            Err(StateError::Locked { .. }) => {}
            Err(error) => return Err(StoreError::from(error).into()),
        }
        Ok(())
    }

    fn import_newer(&self, run: &mut Run<'_>, commits: &[&Commit]) -> Result<(), EngineError> {
        let lock = self.store.write_lock(PATIENCE)?;
        let after = Queries::newest_revision(&self.store)?.map(|revision| revision.at);
        let times = commit_times(commits, Window { after, until: Micros::now() });
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
    /// The database that the first commit leads to, if it is older than all of it.
    base: Option<&'a Store>,
    /// Milliseconds of each commit.
    times: Vec<f64>,
    report: HistoryReport,
}

impl Run<'_> {
    /// Imports commits into a store, except those that it already has.
    fn commits(
        &mut self,
        store: &Store,
        lock: &WriteLock<'_>,
        commits: &[&Commit],
        times: &[Micros],
    ) -> Result<(), EngineError> {
        std::thread::scope(|scope| {
            let matching = Matching::begin(scope, store)?;
            let done = self.missing_commits(store, lock, commits, times, &matching);
            // An import that stops goes on behind the revisions that are written.
            let matched = matching.finish(lock);
            done.and(matched)
        })
    }

    /// While one commit is written, what uses are resolved with is made for the next, and the names of
    /// the one after that are resolved.
    fn missing_commits(
        &mut self,
        store: &Store,
        lock: &WriteLock<'_>,
        commits: &[&Commit],
        times: &[Micros],
        matching: &Matching,
    ) -> Result<(), EngineError> {
        let known = Queries::git_commits(store)?;
        let known: BTreeSet<&str> = known.iter().map(|row| row.hash.as_str()).collect();
        let trees = &Commits::new(self.git, self.root)?;
        let mut left = Vec::with_capacity(commits.len());
        for (number, (&commit, &at)) in commits.iter().zip(times).enumerate() {
            if known.contains(commit.hash.as_str()) {
                self.report.known += 1;
                self.progress.step();
            } else {
                left.push(CommitAt { commit, at, number, total: commits.len() });
            }
        }
        let mut left = left.as_slice();
        if Queries::first_revision(store)?.is_none()
            && let Some((first, rest)) = left.split_first()
        {
            self.commit(store, lock, first, &trees.tree(&first.commit.hash)?, matching)?;
            left = rest;
        }
        let Some(mut lookahead) = Lookahead::from_store(store, self.options)? else {
            return left.iter().try_for_each(|next| {
                self.commit(store, lock, next, &trees.tree(&next.commit.hash)?, matching)
            });
        };
        let threads = self.options.threads;
        let (resolved, unprepared) = sync_channel(0);
        let (prepared, states) = sync_channel(0);
        std::thread::scope(|scope| {
            // When this function returns, the other threads end at their next state.
            let states = states;
            spawn(scope, "resolve-ahead", move || {
                for next in left {
                    let tree = trees.tree(&next.commit.hash).ok();
                    let state = tree.and_then(|tree| lookahead.next(&tree).ok());
                    if resolved.send(state).is_err() {
                        break;
                    }
                }
            })?;
            spawn(scope, "prepare-ahead", move || {
                for state in unprepared {
                    let state = state.filter(|state: &NextState| state.prepare(threads).is_ok());
                    if prepared.send(state).is_err() {
                        break;
                    }
                }
            })?;
            for next in left {
                let state = tracing::debug_span!("next_state").in_scope(|| states.recv());
                if let Some(memory) = &self.options.memory {
                    memory.expect(state.ok().flatten());
                }
                self.commit(store, lock, next, &trees.tree(&next.commit.hash)?, matching)?;
            }
            Ok(())
        })
    }

    fn commit(
        &mut self,
        store: &Store,
        lock: &WriteLock<'_>,
        next: &CommitAt<'_>,
        tree: &dyn SourceTree,
        matching: &Matching,
    ) -> Result<(), EngineError> {
        let &CommitAt { commit, number, total, .. } = next;
        let stopped = || IndexError::Stopped { done: number, total };
        if self.options.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(stopped().into());
        }
        let started = Instant::now();
        let _span = tracing::debug_span!("commit", hash = commit.hash.as_str()).entered();
        let done = self.write_commit(store, lock, next, tree).map_err(|error| match error {
            EngineError::Index(IndexError::Interrupted) => stopped().into(),
            error => error,
        })?;
        if done.report.revision.is_some() {
            self.report.revisions += 1;
            matching.ask(done.at);
        }
        matching.write(lock)?;
        if timeline::is_moved(done.at, done.committed) {
            self.report.moved += 1;
        }
        if let Some(problem) = done.problem {
            let commit = commit.hash.clone();
            self.report.problems.push(CommitProblem { commit, message: problem });
        }
        self.report.imported += 1;
        self.times.push(started.elapsed().as_secs_f64() * 1e3);
        self.progress.step();
        Ok(())
    }

    /// Adds the revision of a commit.
    fn write_commit(
        &mut self,
        store: &Store,
        lock: &WriteLock<'_>,
        next: &CommitAt<'_>,
        tree: &dyn SourceTree,
    ) -> Result<Imported, EngineError> {
        let &CommitAt { commit, at, .. } = next;
        let base = self.base.take();
        let folder = base.map(|_| Scratch::new(&self.root.join(STATE_DIR), "create"));
        let folder = folder.transpose().map_err(StoreError::from)?;
        let near = base.zip(folder.as_ref());
        let near =
            near.map(|(newest, folder)| NearState { newest, scratch: folder.join("database") });
        Ok(asof_index::import_commit(lock, store, tree, commit, at, self.options, near)?)
    }
}

/// A commit to import, and when its revision is.
struct CommitAt<'c> {
    commit: &'c Commit,
    at: Micros,
    /// Index among all that were selected.
    number: usize,
    /// How many were selected.
    total: usize,
}

/// Times of commits within a window.
fn commit_times(commits: &[&Commit], window: Window) -> Vec<Micros> {
    let dates: Vec<i64> = commits.iter().map(|commit| commit.committed).collect();
    timeline::commit_times(&dates, window)
}

/// The database of an interrupted import, if it has these commits at these times; else a new one.
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
            // It is of another version or damaged, and can be created again.
            Err(_) => {}
        }
        // Another process may be using it.
        let _lock = asof_files::state::acquire(&beside(path, ".lock"), Duration::ZERO)
            .map_err(StoreError::from)?;
        discard(path);
    }
    Ok(Store::create(path)?)
}

fn discard(path: &Path) {
    for piece in PIECES {
        let _ = fs::remove_file(beside(path, piece));
    }
}

fn beside(path: &Path, piece: &str) -> PathBuf {
    let mut file = path.as_os_str().to_owned();
    file.push(piece);
    PathBuf::from(file)
}
