//! A workspace that a client has open: its database, and caches between requests.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use asof_engine::{Database, Snapshot, StartFrom, Unsaved, UnsavedText};
use asof_model::{Micros, RawHash};

use super::source::Source;
use asof_surface::problem::Problem;
use asof_surface::workspace::{Index, Workspace};

/// Texts with their names that are kept.
const KEPT: usize = 64;

/// See the module.
#[derive(Debug)]
pub struct Folder {
    /// As the client names it.
    pub root: PathBuf,
    /// The same with links resolved.
    pub real: PathBuf,
    pub workspace: Workspace,
    sources: Mutex<VecDeque<(String, Micros, Arc<Source>)>>,
    unsaved: Mutex<Option<KeptUnsaved>>,
}

/// Unsaved texts by path and hash, and the newest revision that they were resolved with.
type Key = (Micros, Vec<(String, RawHash)>);

struct KeptUnsaved {
    key: Key,
    unsaved: Arc<Unsaved>,
}

impl std::fmt::Debug for KeptUnsaved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("KeptUnsaved").field(&self.key).finish()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Folder {
    /// The workspace that a folder, or the folder of a file, belongs to.
    pub fn around(folder: &Path, start: StartFrom, tell: fn(&str)) -> Self {
        let root = Database::root_of(folder);
        let real = std::fs::canonicalize(&root).unwrap_or_else(|_| root.clone());
        let workspace = Workspace::new(real.clone(), Index::IfMissing, start, tell);
        let (sources, unsaved) = (Mutex::default(), Mutex::default());
        Self { root, real, workspace, sources, unsaved }
    }

    /// A path within the workspace, as the database has it.
    pub fn relative(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(&self.root).or_else(|_| path.strip_prefix(&self.real));
        let parts: Option<Vec<&str>> = inside.ok()?.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }

    /// What the names of an indexed file mean.
    pub fn source(&self, snapshot: &Snapshot<'_>, path: &str) -> Result<Arc<Source>, Problem> {
        let at = snapshot.at();
        let is_it = |kept: &(String, Micros, Arc<Source>)| kept.0 == path && kept.1 == at;
        if let Some((_, _, source)) = locked(&self.sources).iter().find(|kept| is_it(kept)) {
            return Ok(Arc::clone(source));
        }
        let source = Arc::new(Source::new(snapshot.file_source(path)?));
        let mut sources = locked(&self.sources);
        sources.retain(|kept| !is_it(kept));
        sources.push_front((path.to_owned(), at, Arc::clone(&source)));
        sources.truncate(KEPT);
        Ok(source)
    }

    /// Unsaved texts with their names resolved, all of them together.
    pub fn unsaved(
        &self,
        database: &Database,
        at: Micros,
        mut texts: Vec<UnsavedText>,
    ) -> Result<Arc<Unsaved>, Problem> {
        texts.sort_by(|a, b| a.path().cmp(b.path()));
        let key = (at, texts.iter().map(|one| (one.path().to_owned(), one.raw_hash())).collect());
        if let Some(kept) = locked(&self.unsaved).as_ref().filter(|kept| kept.key == key) {
            return Ok(Arc::clone(&kept.unsaved));
        }
        let unsaved = Arc::new(database.unsaved(texts)?);
        *locked(&self.unsaved) = Some(KeptUnsaved { key, unsaved: Arc::clone(&unsaved) });
        Ok(unsaved)
    }
}
