//! Temporary folders, removed by the next run if their process was killed.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::error::StateError;
use super::folder::Folder;
use super::lock;

/// What a temporary folder is for; part of its name.
const PURPOSES: [&str; 5] = ["backup", "create", "read", "restore", "verify"];
/// Locked by the live process that created the folder.
const OWNER: &str = "owner";
/// Names of files in our temporary folders.
const NAMES: [&str; 7] =
    ["database", "database-journal", "database-shm", "database-wal", "finished", OWNER, "payload"];
/// A folder without an owner was left by an earlier version, unless it is being created now.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// A temporary folder, removed when this is dropped, or by [`sweep`] after the process was killed.
#[derive(Debug)]
pub struct Scratch {
    dir: TempDir,
    _owner: File,
}

impl Scratch {
    /// Creates a temporary folder in a folder, after removing those of killed processes.
    pub fn new(folder: &Path, purpose: &'static str) -> Result<Self, StateError> {
        debug_assert!(PURPOSES.contains(&purpose), "{purpose} would never be swept");
        sweep(folder);
        loop {
            let dir = tempfile::Builder::new()
                .prefix(&prefix(purpose))
                .tempdir_in(folder)
                .map_err(|err| StateError::io("write to", folder, err))?;
            match lock::acquire(&dir.path().join(OWNER), Duration::ZERO) {
                Ok(owner) => return Ok(Self { dir, _owner: owner }),
                // Another process took it for an abandoned one and removes it: try another name.
                Err(StateError::Locked { .. }) => {}
                Err(_) if !dir.path().exists() => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// A path in the folder.
    pub fn join(&self, name: &str) -> PathBuf {
        debug_assert!(NAMES.contains(&name), "{name} would never be swept");
        self.dir.path().join(name)
    }
}

/// Removes temporary folders of processes that were killed. Best effort: what cannot be
/// checked or removed stays. Returns how many were removed.
pub fn sweep(folder: &Path) -> usize {
    // The folder may be reached through a link, as the system's temporary folder often is.
    let Ok(folder) = std::fs::canonicalize(folder) else { return 0 };
    let Ok(Some(open)) = Folder::open(&folder) else { return 0 };
    let Ok(names) = open.names() else { return 0 };
    let prefixes = PURPOSES.map(prefix);
    let ours = names.iter().filter_map(|name| name.to_str());
    let ours = ours.filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix.as_str())));
    ours.filter(|name| remove(&open, name)).count()
}

fn prefix(purpose: &str) -> String {
    format!(".asof-{purpose}-")
}

/// Removes one of them if its process is dead; true if it is gone.
fn remove(folder: &Folder, name: &str) -> bool {
    let Ok(Some(scratch)) = folder.sub(name) else { return false };
    let Ok(meta) = scratch.file().metadata() else { return false };
    let Ok(names) = scratch.names() else { return false };
    let known = names.iter().all(|name| NAMES.iter().any(|known| name == known));
    if !known || meta.uid() != rustix::process::geteuid().as_raw() {
        return false;
    }
    if scratch.has(OWNER) {
        // Held until the folder is gone, so that nobody starts to use it.
        match lock::acquire(&folder.path().join(name).join(OWNER), Duration::ZERO) {
            Ok(_owner) => folder.remove_sub(name).is_ok(),
            Err(_) => false,
        }
    } else {
        let age = meta.modified().ok().and_then(|time| time.elapsed().ok());
        age.is_some_and(|age| age > OLD) && folder.remove_sub(name).is_ok()
    }
}
