//! State that all requests share: the workspace, limits, metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::metrics::Metrics;
use asof_surface::trace::Trace;
use asof_surface::workspace::Workspace;

/// How long a request may wait for others, and may be worked on.
pub const WAIT: Duration = Duration::from_secs(30);
pub const WORK: Duration = Duration::from_secs(75);

/// What requests share.
pub struct Shared {
    pub workspace: Arc<Workspace>,
    /// Requests that are worked on at a time; MCP's count, too.
    pub free: Arc<Semaphore>,
    pub metrics: Metrics,
    /// Gets each request with the tokens of its answer.
    pub trace: Option<Arc<Trace>>,
}

/// Sets its flag when the request is answered, or its client has left.
pub struct StopOnDrop(pub Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
