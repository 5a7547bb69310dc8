//! The database that questions are asked of: opened at the first one, kept for the next, opened
//! again where another process replaced it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use asof::wire::{ErrorKind, Hint};
use asof::{Database, EngineError, IndexOptions, Refresh, Snapshot, When};

use super::Index;
use super::progress::Notifier;
use crate::surface::problem::Problem;

/// A call of a tool, apart from its arguments.
pub struct Call {
    pub workspace: Arc<Workspace>,
    /// Whether the answer has a structured form.
    pub structured: bool,
    /// Set when the client no longer wants the answer.
    pub stop: Arc<AtomicBool>,
    pub notifier: Notifier,
    /// Name of the client's program.
    pub client: String,
}

/// How long a refresh with progress waits for another process that writes.
const SHORT: Duration = Duration::from_millis(250);

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

    /// The database, opened or made.
    ///
    /// # Errors
    /// If there is none and none is to be made.
    pub fn database(&self, call: &Call) -> Result<Arc<Database>, Problem> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(database) = open.as_ref().filter(|database| database.is_in_place()) {
            return Ok(Arc::clone(database));
        }
        *open = None;
        let is_there = Database::path_of(&self.root).symlink_metadata().is_ok();
        let database = match (is_there, self.index) {
            (true, _) => Database::open(&self.root)?,
            (false, Index::IfMissing) => self.make(call)?,
            (false, Index::Never) => return Err(self.not_indexed()),
        };
        let database = Arc::new(database);
        *open = Some(Arc::clone(&database));
        Ok(database)
    }

    fn make(&self, call: &Call) -> Result<Database, EngineError> {
        let database = Database::create_or_open(&self.root)?;
        let options = IndexOptions { stop: Arc::clone(&call.stop), ..IndexOptions::default() };
        database.refresh(&options, &call.notifier)?;
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

/// The moment of an argument `at`.
pub fn when(at: Option<&str>) -> Result<When, EngineError> {
    Ok(at.map_or(Ok(When::Now), When::parse)?)
}

/// The database at a moment. NOW is brought up to date first.
pub fn snapshot<'d>(
    call: &Call,
    database: &'d Database,
    at: Option<&str>,
) -> Result<Snapshot<'d>, EngineError> {
    let when = when(at)?;
    if when == When::Now && call.notifier.is_asked_for() {
        let stop = Arc::clone(&call.stop);
        let options = IndexOptions { stop, lock_wait: SHORT, ..IndexOptions::default() };
        match database.refresh(&options, &call.notifier) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            // The snapshot makes the same refresh: it reports what is wrong.
            Ok(_) | Err(_) => {}
        }
    }
    database.snapshot(&when, Refresh::IfFree)
}
