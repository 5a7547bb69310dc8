//! `asof watch`.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

use asof::index::{IndexError, Memory, Options, Silent};
use asof::query::QueryError;
use asof::store::StoreError;
use asof::wire::IndexReport;
use asof::{Database, EmbedOptions, EngineError, STATE_DIR};
use clap::Args;
use notify_debouncer_full::notify::{Config, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{
    DebounceEventResult, DebouncedEvent, RecommendedCache, new_debouncer_opt,
};

use super::context::Context;
use super::failure::{Failure, Kind};
use super::globals::Format;
use super::index;
use super::interrupt;
use super::output;

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
const AGAIN: &str = "run `asof watch` again";

/// Keep the database up to date while files change, until Ctrl-C
///
/// Prints one line per revision. Changes in `.asof`, `.git` and folders with a CACHEDIR.TAG are
/// ignored. If the database is replaced or removed, it is reopened or created again; if the
/// folder itself is removed, the command ends with an error.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof watch
  asof watch ~/src/tokio --format json")]
pub struct WatchArgs {
    /// Folder of a Cargo workspace, a package, or Rust files
    path: Option<PathBuf>,
}

pub fn run(context: &Context, args: &WatchArgs) -> anyhow::Result<()> {
    let root = args.path.clone().unwrap_or_else(|| {
        let root = context.root();
        context.note_root(&root);
        root
    });
    let stop = interrupt::flag();
    let database = Database::create_or_open(&root)?;
    let root = database.root().unwrap_or(&root).to_owned();
    let place = WatchedFolder::of(&root);

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

    let mut watch = Watch {
        context,
        database,
        options: options(&stop),
        retry: None,
        told: None,
        without_vectors: false,
    };
    watch.update(true)?;
    context.note(&format!("watching {}; Ctrl-C stops", root.display()));
    let mut missing = 0;
    while !stop.load(Ordering::Relaxed) {
        let changed = match receive.recv_timeout(LOOK) {
            Ok(Ok(events)) => events.iter().any(|event| counts(&root, event)),
            Ok(Err(errors)) => {
                for error in errors {
                    output::warn(context, &error.to_string());
                }
                // The missed events are unknown.
                true
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => {
                let message = format!("{} is no longer watched", root.display());
                return Err(Failure::new(Kind::Failure, message, AGAIN).into());
            }
        };
        // The folder itself is watched, not its path: a new folder there would send no events.
        if place.is_none() || WatchedFolder::of(&root) != place {
            let message = format!("{} was removed or replaced", root.display());
            return Err(Failure::new(Kind::Failure, message, AGAIN).into());
        }
        // Replacing a database may move the old one away first, and removing the folder may begin
        // with the database.
        missing = if watch.database.is_in_place() { 0 } else { missing + 1 };
        let patience = if Database::path_of(&root).exists() { REPLACED } else { REMOVED };
        if missing >= patience {
            missing = 0;
            watch = watch.reopened(&stop)?;
        } else if missing == 0 && (changed || watch.is_due()) {
            watch.update(false)?;
        } else if changed {
            watch.retry = Some(Instant::now());
        }
    }
    Ok(())
}

/// Identity of a folder, independent of its path.
#[derive(Debug, PartialEq, Eq)]
struct WatchedFolder {
    number: (u64, u64),
    born: Option<SystemTime>,
}

impl WatchedFolder {
    fn of(root: &Path) -> Option<Self> {
        let meta = std::fs::metadata(root).ok().filter(Metadata::is_dir)?;
        Some(Self { number: number(&meta), born: meta.created().ok() })
    }
}

#[cfg(unix)]
fn number(meta: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> (u64, u64) {
    (0, 0)
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
    context: &'a Context,
    database: Database,
    options: Options,
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

    /// Opens the database that is now at the path, and updates it.
    fn reopened(mut self, stop: &Arc<AtomicBool>) -> anyhow::Result<Self> {
        self.database = self.database.reopen()?;
        // The cached state belongs to the database that is gone.
        self.options = options(stop);
        output::warn(self.context, "the database was replaced or removed, and was reopened");
        self.update(false)?;
        Ok(self)
    }

    /// Makes the vectors of what changed, if there are vectors.
    fn embed(&mut self) {
        let embed =
            EmbedOptions { stop: Arc::clone(&self.options.stop), ..EmbedOptions::default() };
        let done = self.database.has_vectors().and_then(|has_vectors| match has_vectors {
            true => self.database.embed(&embed, &Silent).map(drop),
            false => Ok(()),
        });
        match done {
            Err(EngineError::Index(IndexError::Interrupted)) => {}
            Err(error) if !self.without_vectors => {
                output::warn(self.context, &format!("vectors are not kept up to date: {error}"));
                self.without_vectors = true;
            }
            Err(_) => {}
            Ok(()) => self.without_vectors = false,
        }
    }

    /// Updates the database. Any failure of the first run ends the command.
    fn update(&mut self, first: bool) -> anyhow::Result<()> {
        self.retry = None;
        match self.database.refresh(&self.options, &Silent) {
            Ok(report) => {
                self.told = None;
                if report.revision.is_some() || first {
                    tell(self.context, &report, first)?;
                    self.embed();
                }
                Ok(())
            }
            Err(error) => {
                // Removed while it was written: the next check reopens it.
                let after = match self.database.is_in_place() {
                    true => after(&error),
                    false => After::Retry,
                };
                if first || after == After::End {
                    return Err(error.into());
                }
                self.retry = (after == After::Retry).then(|| Instant::now() + RETRY);
                let message = error.to_string();
                if self.told.as_ref() != Some(&message) {
                    output::warn(self.context, &message);
                }
                self.told = Some(message);
                Ok(())
            }
        }
    }
}

fn options(stop: &Arc<AtomicBool>) -> Options {
    let memory = Some(Memory::with_parsed());
    Options { stop: Arc::clone(stop), memory, ..Options::default() }
}

fn tell(context: &Context, report: &IndexReport, first: bool) -> anyhow::Result<()> {
    if context.format() == Format::Json {
        return output::print_plain(&format!("{}\n", serde_json::to_string(report)?));
    }
    let total: f64 = report.phases.iter().map(|(_, ms)| ms).sum();
    let mut names = report.added.clone();
    names.extend(report.changed.iter().chain(&report.removed).cloned());
    let line = index::headline(report);
    output::print(&match names.is_empty() || first {
        true => format!("{line}; {total:.1} ms\n"),
        false => format!("{line}; {total:.1} ms: {}\n", output::some(&names)),
    })
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

fn cannot_watch(root: &Path, error: &notify_debouncer_full::notify::Error) -> Failure {
    let message = format!("cannot watch {}: {error}", root.display());
    let hint = "there may be too many folders; see the sysctl `fs.inotify.max_user_watches`";
    Failure::new(Kind::Failure, message, hint)
}

/// Whether an event may change an answer.
fn counts(root: &Path, event: &DebouncedEvent) -> bool {
    !matches!(event.kind, EventKind::Access(_))
        && (event.need_rescan() || event.paths.iter().any(|path| path_counts(root, path)))
}

fn path_counts(root: &Path, path: &Path) -> bool {
    let Ok(inside) = path.strip_prefix(root) else { return false };
    let ours = |part: &std::ffi::OsStr| part == STATE_DIR || part == ".git";
    if inside.iter().any(ours) {
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
        assert!(path_counts(root, &root.join("src/lib.rs")));
        assert!(!path_counts(root, Path::new("/elsewhere/lib.rs")));
    }
}
