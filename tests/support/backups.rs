//! Ready databases: a test begins where an index run would end.

use std::fs;
use std::path::{Path, PathBuf};

use asof::Database;
use serde_json::Value as Json;
use tempfile::TempDir;

use super::tempdir;

/// A fixture's database under a root of its own, without its files.
#[allow(dead_code, reason = "each test uses its own part")]
pub struct Restored {
    pub database: Database,
    pub root: PathBuf,
    _folder: TempDir,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("backups")
}

pub fn registry() -> Vec<Json> {
    let text = fs::read_to_string(folder().join("registry.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Opens a copy of a fixture's database. The backup is unpacked and checked once, and then
/// copied: that takes milliseconds.
pub fn restored(fixture: &str) -> Restored {
    let registry = registry();
    let entry = registry.iter().find(|e| e["fixture"] == fixture).unwrap();
    let hash = entry["content_hash"].as_str().unwrap();
    let ready = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{fixture}-{hash}.db"));
    if !ready.exists() {
        let work = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let unpacked = work.path().join("database");
        let backup = folder().join(entry["file"].as_str().unwrap());
        asof_store::backup::restore(&backup, &unpacked).unwrap();
        // Of several tests that begin at once, any may be the last: the bytes are the same.
        fs::rename(&unpacked, &ready).unwrap();
    }
    let work = tempdir();
    let root = work.path().to_owned();
    let path = Database::path_of(&root);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::copy(&ready, &path).unwrap();
    Restored { database: Database::open(&root).unwrap(), root, _folder: work }
}
