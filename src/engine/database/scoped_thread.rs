//! Threads that end before what they borrow.

use std::thread::Scope;

use asof_index::IndexError;

/// Begins a thread with a name.
///
/// # Errors
/// The system has none.
pub(super) fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() + Send + 'scope,
) -> Result<(), IndexError> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    let spawned = thread.spawn_scoped(scope, work);
    spawned.map(drop).map_err(|error| IndexError::Threads { reason: error.to_string() })
}
