//! Options of a run, its progress, and its report.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::dependencies::DependencySources;
use super::memory::Memory;
use asof_model::Micros;
use asof_wire::Phase;
use asof_workspace::SourceTree;

asof_model::named! {
    /// Cause of a revision, as recorded.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Cause {
        /// Files that somebody changed.
        #[default]
        Scan => "scan",
        /// A proposal that was applied.
        Edit => "edit",
        /// A proposal that was undone.
        Undo => "undo",
        /// A Git commit.
        Commit => "commit",
        /// Old versions that were dropped.
        Gc => "gc",
    }
}

/// Which files are read whatever their metadata. Others are read only if their metadata differs
/// from when they were last read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reread {
    /// The files at these paths.
    Files(BTreeSet<String>),
    /// The files at these paths; they are parsed even if their bytes are the same, and all of their
    /// rows are compared with the stored ones.
    Rows(BTreeSet<String>),
    All,
}

impl Default for Reread {
    fn default() -> Self {
        Self::Files(BTreeSet::new())
    }
}

impl Reread {
    /// Whether files are read only if their metadata differs.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Files(paths) if paths.is_empty())
    }

    /// Whether rows of files are compared, whatever their bytes.
    pub(super) fn compares_rows(&self) -> bool {
        matches!(self, Self::Rows(_))
    }
}

/// Which facts are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FactSet {
    #[default]
    All,
    /// No references, documents or terms for search: for a database in memory that is only compared.
    Items,
}

/// How to index.
#[derive(Debug, Clone)]
pub struct Options {
    /// Recorded with the revision.
    pub cause: Cause,
    /// Parse every file, whatever its size, time and hash.
    pub rebuild: bool,
    pub facts: FactSet,
    /// Files that are read and hashed whatever their metadata.
    pub reread: Reread,
    /// Number of parser threads; `None` for the number of cores.
    pub threads: Option<usize>,
    /// Recorded with the revision.
    pub actor: Option<String>,
    /// Recorded with the revision.
    pub message: Option<String>,
    /// The Git commit of the files; recorded with the revision.
    pub commit: Option<String>,
    /// Time of the revision, if it is after the newest one; `None` for the clock's time.
    pub at: Option<Micros>,
    /// How long to wait for another process that writes.
    pub lock_wait: Duration,
    /// Set by the caller to stop at the next safe point.
    pub stop: Arc<AtomicBool>,
    /// State reused from the last run, and passed to the next.
    pub memory: Option<Memory>,
    /// Where declarations of dependencies come from; `None` for where the tree is.
    pub dependencies: Option<DependencySources>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cause: Cause::Scan,
            rebuild: false,
            facts: FactSet::All,
            reread: Reread::default(),
            threads: None,
            actor: None,
            message: None,
            commit: None,
            at: None,
            lock_wait: Duration::from_secs(30),
            stop: Arc::default(),
            memory: None,
            dependencies: None,
        }
    }
}

impl Options {
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn sources(&self, tree: &dyn SourceTree) -> DependencySources {
        self.dependencies.clone().unwrap_or_else(|| DependencySources::from_tree(tree))
    }
}

/// Observes a run. Every method has an empty default.
pub trait Progress: Sync {
    /// A phase begins; `total` is the number of its steps, if known.
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
