//! Any JSON as a request for edits: refused or planned, and no file changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use asof::{Database, EditOptions};
use asof_edit::EditRequest;
use asof_index::{Options, Silent};
use tempfile::TempDir;

use super::world;

struct Workspace {
    database: Database,
    folder: TempDir,
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// All files but those of the database.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = world::tree(folder);
    files.retain(|path, _| !path.components().any(|c| c.as_os_str() == ".asof"));
    files
}

pub fn run(data: &[u8]) {
    static WORKSPACE: OnceLock<Mutex<Workspace>> = OnceLock::new();
    let workspace = WORKSPACE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        world::write_files(&root);
        world::write_files(&folder.path().join("outside"));
        let database = Database::create_or_open(&root).unwrap();
        database.refresh(&Options::default(), &Silent).unwrap();
        let files = files(folder.path());
        Mutex::new(Workspace { database, folder, files })
    });
    let Ok(request) = serde_json::from_slice::<EditRequest>(data) else { return };
    let workspace = workspace.lock().unwrap_or_else(PoisonError::into_inner);
    if let Ok(summary) = workspace.database.try_edit(&request, &EditOptions::default()) {
        for file in &summary.files {
            let plain = Path::new(&file.file_path).components();
            let plain = plain.into_iter().all(|c| matches!(c, std::path::Component::Normal(_)));
            assert!(plain, "{} is not below the root", file.file_path);
        }
    }
    assert!(workspace.files == files(workspace.folder.path()), "planning changed a file");
}
