//! The database of a server: opened at the first question, kept for the next, opened again if
//! another process replaced it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use asof_engine::{Database, EngineError, Origin, StartFrom};
use asof_index::{Options as IndexOptions, Progress, Silent};
use asof_model::ErrorKind;
use asof_wire::When;

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
    start: StartFrom,
    /// Gets what is worth knowing about a new database.
    tell: fn(&str),
    open: Mutex<Option<Arc<Database>>>,
    /// The files of the commit that was asked about last, of those that are not imported.
    commit: Mutex<Option<OfCommit>>,
}

/// What the files of a commit say, in memory.
#[derive(Debug)]
struct OfCommit {
    hash: String,
    database: Arc<Database>,
}

impl Workspace {
    /// A workspace; `tell` gets what is worth knowing about a new database, in a line.
    pub fn new(root: PathBuf, index: Index, start: StartFrom, tell: fn(&str)) -> Self {
        Self { root, index, start, tell, open: Mutex::default(), commit: Mutex::default() }
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

    /// The database for questions about code at a moment: for a commit that is not imported, one in
    /// memory of its files. The last of those is kept.
    ///
    /// # Errors
    /// As [`Self::database`], and if the commit cannot be read.
    pub fn database_at(
        &self,
        when: &When,
        stop: &Arc<AtomicBool>,
        progress: &dyn Progress,
    ) -> Result<Arc<Database>, Problem> {
        let known = self.database(stop, progress)?;
        let When::Named(name) = when else { return Ok(known) };
        if known.imported(when)?.is_some() {
            return Ok(known);
        }
        let Some(hash) = known.commit_hash(name)? else { return Ok(known) };
        let mut kept = self.commit.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref().filter(|kept| kept.hash == hash) {
            return Ok(Arc::clone(&kept.database));
        }
        let found = Database::of_commit(&self.root, Some(&known), &hash, progress)?;
        let Some(found) = found.map(Arc::new) else { return Ok(known) };
        *kept = Some(OfCommit { hash, database: Arc::clone(&found) });
        Ok(found)
    }

    fn make(
        &self,
        stop: &Arc<AtomicBool>,
        progress: &dyn Progress,
    ) -> Result<Database, EngineError> {
        let database = self.create(progress)?;
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
        let database = Arc::new(self.create(&Silent)?);
        *open = Some(Arc::clone(&database));
        Ok(database)
    }

    fn create(&self, progress: &dyn Progress) -> Result<Database, EngineError> {
        let (database, origin) = Database::create_or_open_from(&self.root, self.start, progress)?;
        described(&origin).iter().for_each(|line| (self.tell)(line));
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
        Problem::new(ErrorKind::Failure, message, advice)
    }
}

/// Where a new database comes from, and why it is not a copy if that was tried.
pub fn described(origin: &Origin) -> Vec<String> {
    match origin {
        Origin::Existing => Vec::new(),
        Origin::Copy { of } => {
            vec![format!("started from the database of the worktree {}", of.display())]
        }
        Origin::Empty { reasons } => reasons
            .iter()
            .map(|reason| format!("cannot start from another worktree: {reason}"))
            .collect(),
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let path = path.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "/._-+@:".contains(c);
    if path.chars().all(plain) {
        path.into_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}
