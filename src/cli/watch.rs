//! `asof watch`.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use asof::engine::{Database, EngineError, ErrorKind, STATE_DIR};
use asof::index::{Memory, Options, Silent};
use clap::Args;
use notify_debouncer_full::notify::{Config, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{
    DebounceEventResult, DebouncedEvent, RecommendedCache, new_debouncer_opt,
};

use super::args::Format;
use super::context::Context;
use super::failure::{Failure, Kind};
use super::index;
use super::interrupt;
use super::output;

/// How long files must rest before they are read.
const REST: Duration = Duration::from_millis(100);
/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// Keep the database up to date while files change, until Ctrl-C
///
/// One line a revision. What lies in `.asof`, `.git`, and folders with a CACHEDIR.TAG is no
/// change.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof watch
  asof watch ~/src/tokio --format json")]
pub struct WatchArgs {
    /// Folder of a Cargo workspace, a package, or Rust files
    path: Option<PathBuf>,
}

pub fn run(context: &Context, args: &WatchArgs) -> anyhow::Result<()> {
    let root = args.path.clone().unwrap_or_else(|| context.root());
    let stop = interrupt::flag();
    let options =
        Options { stop: stop.clone(), memory: Some(Memory::with_parsed()), ..Options::default() };
    let database = Database::create_or_open(&root)?;
    let root = database.root().unwrap_or(&root).to_owned();

    let (send, receive) = mpsc::channel();
    let listen = move |events: DebounceEventResult| {
        // Nobody listens any more only at the very end.
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

    update(context, &database, &options, true)?;
    output::note(context, &format!("watching {}; Ctrl-C stops", root.display()));
    while !stop.load(Ordering::Relaxed) {
        match receive.recv_timeout(LOOK) {
            Ok(Ok(events)) if events.iter().any(|event| counts(&root, event)) => {
                update(context, &database, &options, false)?;
            }
            Ok(Ok(_)) | Err(RecvTimeoutError::Timeout) => {}
            Ok(Err(errors)) => {
                for error in errors {
                    output::warn(context, &error.to_string());
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}

/// Brings the database up to date. A state that cannot be read now may be mended by the next
/// change: only the first run ends the command.
fn update(
    context: &Context,
    database: &Database,
    options: &Options,
    first: bool,
) -> anyhow::Result<()> {
    match database.refresh(options, &Silent) {
        Ok(report) if report.revision.is_some() || first => match context.format() {
            Format::Json => output::json(&report),
            _ => {
                let total: f64 = report.phases.iter().map(|(_, ms)| ms).sum();
                let mut names = report.added.clone();
                names.extend(report.changed.iter().chain(&report.removed).cloned());
                let line = index::headline(&report);
                output::print(&match names.is_empty() || first {
                    true => format!("{line}; {total:.1} ms\n"),
                    false => format!("{line}; {total:.1} ms: {}\n", output::some(&names)),
                })
            }
        },
        Ok(_) => Ok(()),
        Err(error) if !first && passing(&error) => {
            output::warn(context, &error.to_string());
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

fn passing(error: &EngineError) -> bool {
    error.kind() != ErrorKind::Interrupted
}

fn cannot_watch(root: &Path, error: &notify_debouncer_full::notify::Error) -> Failure {
    let message = format!("cannot watch {}: {error}", root.display());
    let hint = "there may be too many folders: see fs.inotify.max_user_watches";
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
