//! Databases of commits that are not imported, kept for the next question about them. The last few
//! stay; `asof gc` removes all.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::handle::{Database, STATE_DIR};
use crate::error::EngineError;
use asof_files::state::{self, Folder};
use asof_query::Queries;
use asof_store::{Store, StoreError};

/// The folder of these databases, in the state folder.
const COMMITS: &str = "commits";

/// How many are kept.
const KEPT: usize = 3;

/// Files of a database; the lock is removed last.
const PIECES: [&str; 4] = ["", "-wal", "-shm", ".lock"];

/// The database of a commit, if it is kept and resolving its names again would give the same.
pub(crate) fn find(known: &Database, commit: &str) -> Option<Store> {
    let path = path_of(known, commit)?;
    let store = match Store::open_read_only(&path) {
        Ok(store) => store,
        Err(StoreError::Missing { .. }) => return None,
        // It is damaged, or of another version.
        Err(_) => {
            remove(&path);
            return None;
        }
    };
    // One transaction writes all of it.
    let is_whole = matches!(Queries::first_revision(&store), Ok(Some(_)));
    let is_current = is_whole && !has_new_sources(known, &store).ok()?;
    if !is_current {
        drop(store);
        remove(&path);
        return None;
    }
    // The least recently used one is removed first. Without this, it is the oldest.
    let _ = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
    Some(store)
}

/// An empty database for a commit; `None` if none can be kept, as in a workspace that is read-only.
pub(crate) fn create(known: &Database, commit: &str) -> Option<Store> {
    let path = path_of(known, commit)?;
    let folder = Folder::open(&known.root()?.join(STATE_DIR)).ok()??;
    let folder = folder.make_sub(COMMITS).ok()?;
    prune(&folder, KEPT - 1);
    Store::create(&path).ok()
}

/// Removes the databases of all commits.
pub(super) fn clear(root: &Path) {
    if let Ok(Some(folder)) = Folder::open(&root.join(STATE_DIR))
        && let Ok(Some(folder)) = folder.sub(COMMITS)
    {
        prune(&folder, 0);
    }
}

/// Its name tells what the names in it were resolved with.
fn path_of(known: &Database, commit: &str) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    asof_index::names_version().hash(&mut hasher);
    let name = format!("{commit}-{:016x}.db", hasher.finish());
    Some(known.root()?.join(STATE_DIR).join(COMMITS).join(name))
}

/// Whether sources of dependencies can be read now that were missing then.
fn has_new_sources(known: &Database, commit: &Store) -> Result<bool, EngineError> {
    let newest = |store: &Store| -> Result<_, EngineError> {
        let Some(newest) = Queries::newest_revision(store)? else { return Ok(Vec::new()) };
        Ok(Queries::at(store, newest.at).dependencies()?)
    };
    let now = newest(known.store())?;
    let is_found = |name: &str, version: &str| {
        now.iter().any(|one| one.is_known && one.name == name && one.version == version)
    };
    let then = newest(commit)?;
    Ok(then.iter().any(|one| !one.is_known && is_found(&one.name, &one.version)))
}

/// Removes all but the last few databases that were used. One in use stays.
fn prune(folder: &Folder, kept: usize) {
    let names = folder.names().unwrap_or_default();
    let mut all: Vec<(SystemTime, PathBuf)> = names
        .iter()
        .map(|name| folder.path().join(name))
        .filter(|path| path.extension().is_some_and(|extension| extension == "db"))
        .map(|path| {
            let used = path.symlink_metadata().and_then(|meta| meta.modified());
            (used.unwrap_or(SystemTime::UNIX_EPOCH), path)
        })
        .collect();
    all.sort();
    let surplus = all.len().saturating_sub(kept);
    for (_, path) in all.into_iter().take(surplus) {
        remove(&path);
    }
}

fn remove(path: &Path) {
    let beside = |piece: &str| {
        let mut file = path.as_os_str().to_owned();
        file.push(piece);
        PathBuf::from(file)
    };
    // Another process may be writing it.
    if let Ok(_lock) = state::acquire(&beside(".lock"), Duration::ZERO) {
        for piece in PIECES {
            let _ = std::fs::remove_file(beside(piece));
        }
    }
}
