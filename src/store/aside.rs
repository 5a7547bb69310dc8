//! Sets aside a database that cannot be used, with all of its files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::database::Store;
use super::error::StoreError;
use super::{file, lock};
use asof_files::FileIdentity;

/// SQLite's files of a database, in the order in which they go. The log goes before the database:
/// a log that was left alone would be removed when the next database is created, and with it
/// commits that are nowhere else.
const SUFFIXES: [&str; 4] = ["-wal", "-shm", "-journal", ""];

impl Store {
    /// Renames a database and SQLite's files beside it under the write lock, whatever is in them, to
    /// a name that is free: `<db>.old`, `<db>.old-2` and so on. Returns where the database is now;
    /// `None` if there is none, or another process replaced it meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if another process still writes after `wait`.
    pub fn set_aside(path: &Path, wait: Duration) -> Result<Option<PathBuf>, StoreError> {
        if path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let before = FileIdentity::at(path);
        let _lock = lock::acquire(path, wait)?;
        if path.symlink_metadata().is_err() || FileIdentity::at(path) != before {
            return Ok(None);
        }
        let old = free_name(path);
        for suffix in SUFFIXES {
            let from = file::beside(path, suffix);
            if from.symlink_metadata().is_err() {
                continue;
            }
            asof_files::state::publish(&from, &file::beside(&old, suffix))
                .map_err(|error| StoreError::io("set aside", &from, error))?;
        }
        Ok(Some(old))
    }
}

/// A name that no file of an earlier database has.
fn free_name(path: &Path) -> PathBuf {
    let first = file::beside(path, ".old");
    let is_taken = |name: &Path| {
        SUFFIXES.iter().any(|suffix| file::beside(name, suffix).symlink_metadata().is_ok())
    };
    let mut name = first.clone();
    let mut number = 2;
    while is_taken(&name) {
        name = file::beside(&first, &format!("-{number}"));
        number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, Params, Value};
    use std::fs;

    const NO_WAIT: Duration = Duration::ZERO;

    /// A database with a row that is only in its log: a process that was killed leaves such files.
    fn with_log(folder: &Path, row: &str) -> PathBuf {
        let (live, path) = (folder.join("live.db"), folder.join("asof.db"));
        let store = Store::create(&live).unwrap();
        let mut batch = Batch::new();
        batch.put("meta", ["row", row].map(Value::from)).unwrap();
        store.commit(batch).unwrap();
        for suffix in ["", "-wal", "-shm"] {
            fs::copy(file::beside(&live, suffix), file::beside(&path, suffix)).unwrap();
        }
        drop(store);
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let _ = fs::remove_file(file::beside(&live, suffix));
        }
        assert!(fs::metadata(file::beside(&path, "-wal")).unwrap().len() > 0);
        path
    }

    fn row(path: &Path) -> Vec<String> {
        let store = Store::open(path).unwrap();
        let rows = store.run("?[value] := *meta{key: 'row', value}", &Params::new()).unwrap();
        rows.column("value").unwrap()
    }

    #[test]
    fn commits_that_are_only_in_the_log_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = with_log(folder.path(), "one");
        // Without the log, the row is lost: the test would show it.
        let alone = folder.path().join("alone.db");
        fs::copy(&path, &alone).unwrap();
        assert_eq!(row(&alone), Vec::<String>::new());
        let old = Store::set_aside(&path, NO_WAIT).unwrap().unwrap();
        assert_eq!(old, folder.path().join("asof.db.old"));
        for suffix in ["", "-wal", "-shm"] {
            assert!(!file::beside(&path, suffix).exists(), "{suffix}");
        }
        assert_eq!(row(&old), ["one"]);
    }

    #[test]
    fn no_earlier_database_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let mut kept = Vec::new();
        for text in ["one", "two", "three"] {
            let path = with_log(folder.path(), text);
            kept.push(Store::set_aside(&path, NO_WAIT).unwrap().unwrap());
        }
        let names = ["asof.db.old", "asof.db.old-2", "asof.db.old-3"];
        assert_eq!(kept, names.map(|name| folder.path().join(name)));
        let rows: Vec<String> = kept.iter().flat_map(|old| row(old)).collect();
        assert_eq!(rows, ["one", "two", "three"]);
    }

    #[test]
    fn the_name_of_a_log_without_its_database_is_not_free() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join("asof.db.old-wal");
        fs::write(&left, "left by a process that was killed").unwrap();
        let path = with_log(folder.path(), "one");
        let old = Store::set_aside(&path, NO_WAIT).unwrap().unwrap();
        assert_eq!(old, folder.path().join("asof.db.old-2"));
        assert_eq!(fs::read_to_string(left).unwrap(), "left by a process that was killed");
    }

    #[test]
    fn a_held_lock_refuses() {
        let folder = tempfile::tempdir().unwrap();
        let path = with_log(folder.path(), "one");
        let held = lock::acquire(&path, NO_WAIT).unwrap();
        let error = Store::set_aside(&path, NO_WAIT).unwrap_err();
        assert!(matches!(error, StoreError::Locked { .. }), "{error:?}");
        drop(held);
        assert_eq!(row(&path), ["one"]);
        assert!(!folder.path().join("asof.db.old").exists());
    }

    #[test]
    fn nothing_is_set_aside_where_nothing_is() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Store::set_aside(&folder.path().join("asof.db"), NO_WAIT).unwrap(), None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
