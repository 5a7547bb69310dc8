//! Options of a run, its progress, and its report.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;

use super::memory::Memory;
use crate::model::{Micros, RevisionId};

/// Cause of a revision, as recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cause {
    /// Files that somebody changed.
    #[default]
    Scan,
    /// A proposal that was applied.
    Edit,
    /// A proposal that was undone.
    Undo,
    /// A Git commit.
    Commit,
    /// Old versions that were dropped.
    Gc,
}

impl Cause {
    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Edit => "edit",
            Self::Undo => "undo",
            Self::Commit => "commit",
            Self::Gc => "gc",
        }
    }
}

/// Which files are read whatever their metadata. Others are read only if their metadata differs
/// from when they were last read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reread {
    /// Those of these paths.
    Files(BTreeSet<String>),
    All,
}

impl Default for Reread {
    fn default() -> Self {
        Self::Files(BTreeSet::new())
    }
}

impl Reread {
    /// Whether every file is judged by its metadata.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Files(paths) if paths.is_empty())
    }
}

/// How to index.
#[derive(Debug, Clone)]
pub struct Options {
    /// Recorded with the revision.
    pub cause: Cause,
    /// Parse every file, whatever its size, time and hash.
    pub rebuild: bool,
    /// Files that are read and hashed whatever their metadata.
    pub reread: Reread,
    /// Threads that parse; the number of cores if none.
    pub threads: Option<usize>,
    /// Recorded with the revision.
    pub actor: Option<String>,
    /// Recorded with the revision.
    pub message: Option<String>,
    /// The Git commit of the files; recorded with the revision.
    pub commit: Option<String>,
    /// Time of the revision, if it is after the newest one; the clock's if none.
    pub at: Option<Micros>,
    /// How long to wait for another process that writes.
    pub lock_wait: Duration,
    /// Set from outside to stop at the next safe place.
    pub stop: Arc<AtomicBool>,
    /// What this run may reuse from the last one, and leaves to the next.
    pub memory: Option<Memory>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cause: Cause::Scan,
            rebuild: false,
            reread: Reread::default(),
            threads: None,
            actor: None,
            message: None,
            commit: None,
            at: None,
            lock_wait: Duration::from_secs(30),
            stop: Arc::default(),
            memory: None,
        }
    }
}

impl Options {
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Manifests and folders.
    Walk,
    /// Reading, parsing, hashing.
    Parse,
    /// Identities, paths, edges.
    Resolve,
    /// Comparing with what is stored.
    Diff,
    /// The transaction.
    Write,
    /// Commits of Git, one step each.
    History,
}

/// Observes a run. Every method has an empty default.
pub trait Progress: Sync {
    /// A phase begins; `total` counts its steps where they are known.
    fn begin(&self, phase: Phase, total: Option<u64>) {
        let _ = (phase, total);
    }
    /// One step is done.
    fn step(&self) {}
}

/// Ignores progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Report of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// The revision that was written; none if nothing had changed.
    pub revision: Option<RevisionId>,
    /// Time of the newest revision.
    pub at: Option<Micros>,
    /// Number of Rust files.
    pub files: usize,
    /// Of these, read and parsed in this run.
    pub parsed: usize,
    pub added: Vec<String>,
    pub changed: Vec<String>,
    pub removed: Vec<String>,
    /// Lines of the parsed files.
    pub lines: u64,
    /// Items of the parsed files, by kind.
    pub items: BTreeMap<String, usize>,
    /// Rows written, by relation.
    pub rows: BTreeMap<String, usize>,
    /// Number of issues.
    pub issues: usize,
    /// Wall time by phase, milliseconds.
    pub phases: Vec<(Phase, f64)>,
}
