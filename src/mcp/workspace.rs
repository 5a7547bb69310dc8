//! Context of a tool call: the workspace, and the client that waits for the answer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use asof_engine::{Database, EngineError, Refresh, Snapshot};
use asof_index::Options as IndexOptions;
use asof_model::ErrorKind;
use asof_wire::When;

use super::progress::Notifier;
use asof_surface::problem::Problem;
use asof_surface::workspace;

/// A call of a tool, apart from its arguments.
pub struct Call {
    pub workspace: Workspace,
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
#[derive(Debug, Clone)]
pub struct Workspace(pub Arc<workspace::Workspace>);

impl Workspace {
    /// The database, opened or created.
    ///
    /// # Errors
    /// If there is none and none is to be created.
    pub fn database(&self, call: &Call) -> Result<Arc<Database>, Problem> {
        self.0.database(&call.stop, &call.notifier)
    }

    /// The database for questions about code at a moment; for a commit that is not imported, one of
    /// its files.
    ///
    /// # Errors
    /// As [`Self::database`], a moment that cannot be read, or a commit that cannot.
    pub fn database_at(&self, call: &Call, at: Option<&str>) -> Result<Arc<Database>, Problem> {
        self.0.database_at(&when(at)?, &call.stop, &call.notifier)
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
    refresh(call, database, &when)?;
    database.snapshot(&when, Refresh::IfFree)
}

/// Brings NOW up to date with progress, if the client asked for it.
pub fn refresh(call: &Call, database: &Database, when: &When) -> Result<(), EngineError> {
    if *when == When::Now && call.notifier.is_asked_for() {
        let stop = Arc::clone(&call.stop);
        let options = IndexOptions { stop, lock_wait: SHORT, ..IndexOptions::default() };
        match database.refresh(&options, &call.notifier) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            // The snapshot makes the same refresh: it reports what is wrong.
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}
