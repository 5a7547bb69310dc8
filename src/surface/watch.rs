//! Keeps a database up to date while files change: of `asof watch`, and of a server.

use std::fs::Metadata;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use asof_edit::files::is_temporary;
use asof_engine::{Database, EmbedOptions, EngineError, STATE_DIR};
use asof_files::FileIdentity;
use asof_index::Silent;
use asof_index::{IndexError, Memory, Options};
use asof_model::ErrorKind;
use asof_query::QueryError;
use asof_store::StoreError;
use asof_wire::IndexReport;
use notify_debouncer_full::notify::{Config, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{
    DebounceEventResult, DebouncedEvent, RecommendedCache, new_debouncer_opt,
};

use super::problem::Problem;
use super::workspace::Workspace;

/// How long files must be unchanged before they are read.
const REST: Duration = Duration::from_millis(100);
/// How often Ctrl-C, the folder and the database are checked.
const LOOK: Duration = Duration::from_millis(100);
/// How long to wait after a temporary failure: a lock, a full disk.
const RETRY: Duration = Duration::from_secs(1);
/// Number of checks after which a missing database counts as replaced, or as removed.
const REPLACED: u32 = 2;
const REMOVED: u32 = 10;
/// Hint when watching has ended.
const AGAIN: &str = "start it again";

/// What a watcher reports.
#[derive(Debug)]
pub enum Event<'a> {
    /// The first update, before which nothing else is reported.
    Started { root: &'a Path, report: &'a IndexReport },
    /// A new revision.
    Updated(&'a IndexReport),
    /// A failure that may pass; watching goes on.
    Warning(&'a str),
}

/// What to watch.
#[derive(Debug)]
pub struct Watched<'a> {
    pub workspace: &'a Workspace,
    /// Set to end watching.
    pub stop: Arc<AtomicBool>,
    /// Makes what is kept from one update to the next, for each database that is opened; the
    /// database's own if it gives none.
    pub memory: fn() -> Option<Memory>,
}

/// Updates the database until `stop` is set.
///
/// # Errors
/// The first update fails, the folder is removed or replaced, the database cannot be used any
/// more, or `tell` fails.
pub fn watch(
    watched: &Watched<'_>,
    tell: &mut dyn FnMut(Event<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let database = watched.workspace.open_or_create()?;
    let root = database.root().unwrap_or(watched.workspace.root()).to_owned();
    let database = Arc::downgrade(&database);
    let place = folder(&root);

    let (send, receive) = mpsc::channel();
    let listen = move |events: DebounceEventResult| {
        // The receiver is gone only at the very end.
        let _ = send.send(events);
    };
    // A link may lead out of the root, to the whole disk.
    let config = Config::default().with_follow_symlinks(false);
    let cache = RecommendedCache::new();
    let mut debouncer =
        new_debouncer_opt::<_, RecommendedWatcher, _>(REST, None, listen, cache, config)
            .map_err(|error| cannot_watch(&root, &error))?;
    debouncer
        .watch(&root, RecursiveMode::Recursive)
        .map_err(|error| cannot_watch(&root, &error))?;

    let memory = (watched.memory)();
    let mut watch =
        Watch { watched, database, memory, tell, retry: None, told: None, without_vectors: false };
    watch.begin(&root)?;
    let mut missing = 0;
    while !watched.stop.load(Ordering::Relaxed) {
        let changed = match receive.recv_timeout(LOOK) {
            Ok(Ok(events)) => events.iter().any(|event| counts(&root, event)),
            Ok(Err(errors)) => {
                for error in errors {
                    watch.warn(&error.to_string())?;
                }
                // The missed events are unknown.
                true
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => {
                let message = format!("{} is no longer watched", root.display());
                return Err(Problem::new(ErrorKind::Failure, message, AGAIN).into());
            }
        };
        // The folder itself is watched, not its path: a new folder there would send no events.
        if place.is_none() || folder(&root) != place {
            let message = format!("{} was removed or replaced", root.display());
            return Err(Problem::new(ErrorKind::Failure, message, AGAIN).into());
        }
        // Replacing a database may move the old one away first, and removing the folder may begin
        // with the database.
        missing = if watch.is_in_place() { 0 } else { missing + 1 };
        let patience = if Database::path_of(&root).exists() { REPLACED } else { REMOVED };
        if missing >= patience {
            missing = 0;
            watch.reopen()?;
        } else if missing == 0 && (changed || watch.is_due()) {
            watch.update()?;
        } else if changed {
            watch.retry = Some(Instant::now());
        }
    }
    Ok(())
}

fn folder(root: &Path) -> Option<FileIdentity> {
    let meta = std::fs::metadata(root).ok().filter(Metadata::is_dir)?;
    Some(FileIdentity::new(&meta))
}

/// What to do after a failed update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    /// The next change may fix it.
    Change,
    /// It is temporary: try again later.
    Retry,
    /// The command ends.
    End,
}

struct Watch<'a> {
    watched: &'a Watched<'a>,
    /// The workspace holds it: a connection to a file that was replaced must not outlive it.
    database: Weak<Database>,
    memory: Option<Memory>,
    tell: &'a mut dyn FnMut(Event<'_>) -> anyhow::Result<()>,
    /// When to try again after a temporary failure.
    retry: Option<Instant>,
    /// The failure that was reported last.
    told: Option<String>,
    /// Whether vectors cannot be made; it was reported.
    without_vectors: bool,
}

impl Watch<'_> {
    fn is_due(&self) -> bool {
        self.retry.is_some_and(|at| at <= Instant::now())
    }

    fn is_in_place(&self) -> bool {
        self.database.upgrade().is_some_and(|database| database.is_in_place())
    }

    fn warn(&mut self, text: &str) -> anyhow::Result<()> {
        (self.tell)(Event::Warning(text))
    }

    fn refresh(&self, database: &Database) -> Result<IndexReport, EngineError> {
        let stop = Arc::clone(&self.watched.stop);
        let options = Options { stop, memory: self.memory.clone(), ..Options::default() };
        database.refresh(&options, &Silent)
    }

    /// The first update. Any failure ends watching.
    fn begin(&mut self, root: &Path) -> anyhow::Result<()> {
        let database = self.watched.workspace.open_or_create()?;
        let report = self.refresh(&database)?;
        (self.tell)(Event::Started { root, report: &report })?;
        self.embed(&database)
    }

    /// Makes the vectors of what changed, if there are vectors.
    fn embed(&mut self, database: &Database) -> anyhow::Result<()> {
        let stop = Arc::clone(&self.watched.stop);
        let options = EmbedOptions { stop, ..EmbedOptions::default() };
        let done = database.has_vectors().and_then(|has_vectors| {
            if has_vectors { database.embed(&options, &Silent).map(drop) } else { Ok(()) }
        });
        match done {
            Err(EngineError::Index(IndexError::Interrupted)) => {}
            Err(error) if !self.without_vectors => {
                self.without_vectors = true;
                self.warn(&format!("vectors are not kept up to date: {error}"))?;
            }
            Err(_) => {}
            Ok(()) => self.without_vectors = false,
        }
        Ok(())
    }

    /// Opens the database that is now at the path, and updates it.
    fn reopen(&mut self) -> anyhow::Result<()> {
        self.database = Arc::downgrade(&self.watched.workspace.open_or_create()?);
        // The cached state belongs to the database that is gone.
        self.memory = (self.watched.memory)();
        self.warn("the database was replaced or removed, and was reopened")?;
        self.update()
    }

    fn update(&mut self) -> anyhow::Result<()> {
        self.retry = None;
        let Some(database) = self.database.upgrade() else {
            self.retry = Some(Instant::now());
            return Ok(());
        };
        match self.refresh(&database) {
            Ok(report) => {
                self.told = None;
                if report.revision.is_some() {
                    (self.tell)(Event::Updated(&report))?;
                    self.embed(&database)?;
                }
                Ok(())
            }
            Err(error) => {
                // Removed while it was written: the next check reopens it.
                let after = if database.is_in_place() { after(&error) } else { After::Retry };
                if after == After::End {
                    return Err(error.into());
                }
                self.retry = (after == After::Retry).then(|| Instant::now() + RETRY);
                let message = error.to_string();
                let known = self.told.replace(message.clone());
                if known.as_ref() == Some(&message) { Ok(()) } else { self.warn(&message) }
            }
        }
    }
}

fn after(error: &EngineError) -> After {
    let store = match error {
        EngineError::Store(error)
        | EngineError::Index(IndexError::Store(error))
        | EngineError::Query(QueryError::Store(error)) => Some(error),
        _ => None,
    };
    match (error, store) {
        (_, Some(StoreError::Locked { .. } | StoreError::Full { .. } | StoreError::Io { .. })) => {
            After::Retry
        }
        (EngineError::Io { .. } | EngineError::Index(IndexError::Unstable { .. }), _) => {
            After::Retry
        }
        // Another process is editing, or the disk is full.
        (EngineError::Edit(_), _) => After::Retry,
        (EngineError::Workspace(_) | EngineError::Index(IndexError::Workspace(_)), _) => {
            After::Change
        }
        _ => After::End,
    }
}

fn cannot_watch(root: &Path, error: &notify_debouncer_full::notify::Error) -> Problem {
    let message = format!("cannot watch {}: {error}", root.display());
    let hint = "there may be too many folders; see the sysctl `fs.inotify.max_user_watches`";
    Problem::new(ErrorKind::Failure, message, hint)
}

/// Whether an event may change an answer.
fn counts(root: &Path, event: &DebouncedEvent) -> bool {
    !matches!(event.kind, EventKind::Access(_))
        && (event.need_rescan() || event.paths.iter().any(|path| path_counts(root, path)))
}

fn path_counts(root: &Path, path: &Path) -> bool {
    let Ok(inside) = path.strip_prefix(root) else { return false };
    let ours = |part: &std::ffi::OsStr| part == STATE_DIR || part == ".git";
    let staged = inside.file_name().and_then(|name| name.to_str()).is_some_and(is_temporary);
    if staged || inside.iter().any(ours) {
        return false;
    }
    let folders = inside.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    !folders.map(|folder| root.join(folder)).any(|folder| folder.join("CACHEDIR.TAG").exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_state_git_and_caches_are_no_change() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join("target/debug")).unwrap();
        assert!(path_counts(root, &root.join("target/debug/x.rs")));
        std::fs::write(root.join("target/CACHEDIR.TAG"), "").unwrap();
        assert!(!path_counts(root, &root.join("target/debug/x.rs")));
        assert!(!path_counts(root, &root.join(".asof/asof.db")));
        assert!(!path_counts(root, &root.join("a/.git/index")));
        assert!(!path_counts(root, &root.join("src/.asof-0f-1.part")));
        assert!(path_counts(root, &root.join("src/lib.rs")));
        assert!(!path_counts(root, Path::new("/elsewhere/lib.rs")));
    }
}
