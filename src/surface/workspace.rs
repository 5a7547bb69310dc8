//! The database of a server: opened at the first question, kept for the next, opened again if
//! another process replaced it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use asof::wire::{ErrorKind, Hint};
use asof::{Database, EngineError, IndexOptions, Progress};

use super::problem::Problem;

/// What to do if a workspace has no database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// Index it at the first question.
    IfMissing,
    /// Say how to index it.
    Never,
}

/// A workspace with its database.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    index: Index,
    open: Mutex<Option<Arc<Database>>>,
}

impl Workspace {
    pub fn new(root: PathBuf, index: Index) -> Self {
        Self { root, index, open: Mutex::default() }
    }

    /// The root, as it was given.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The database, opened or created. `stop` ends indexing.
    ///
    /// # Errors
    /// If there is none and none is to be created.
    pub fn database(
        &self,
        stop: &Arc<AtomicBool>,
        progress: &dyn Progress,
    ) -> Result<Arc<Database>, Problem> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = open.as_ref().filter(|database| database.is_in_place()) {
            return Ok(Arc::clone(database));
        }
        *open = None;
        let is_there = Database::path_of(&self.root).symlink_metadata().is_ok();
        let database = match (is_there, self.index) {
            (true, _) => Database::open(&self.root)?,
            (false, Index::IfMissing) => self.make(stop, progress)?,
            (false, Index::Never) => return Err(self.not_indexed()),
        };
        let database = Arc::new(database);
        *open = Some(Arc::clone(&database));
        Ok(database)
    }

    fn make(
        &self,
        stop: &Arc<AtomicBool>,
        progress: &dyn Progress,
    ) -> Result<Database, EngineError> {
        let database = Database::create_or_open(&self.root)?;
        let options = IndexOptions { stop: Arc::clone(stop), ..IndexOptions::default() };
        database.refresh(&options, progress)?;
        Ok(database)
    }

    /// The database that is at the path now; an empty one if there is none.
    ///
    /// # Errors
    /// The file is not a database of this version, or the workspace is gone.
    pub fn open_or_create(&self) -> Result<Arc<Database>, EngineError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = open.as_ref().filter(|database| database.is_in_place()) {
            return Ok(Arc::clone(database));
        }
        *open = None;
        let database = Arc::new(Database::create_or_open(&self.root)?);
        *open = Some(Arc::clone(&database));
        Ok(database)
    }

    fn not_indexed(&self) -> Problem {
        let root = std::path::absolute(&self.root).unwrap_or_else(|_| self.root.clone());
        let message = format!("{} is not indexed", root.display());
        let command = format!("asof -C {} index", quoted(&root));
        let advice = format!(
            "run `{command}` once in a shell, then call again; a server started as `asof mcp \
             --index` does it by itself"
        );
        Problem::new(ErrorKind::Failure, message, Hint::Advice(advice))
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let path = path.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "/._-+@:".contains(c);
    match path.chars().all(plain) {
        true => path.into_owned(),
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}
