//! State that all requests share: the workspace, limits, metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use asof_model::{ErrorKind, Hint};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::metrics::Metrics;
use asof_surface::problem::Problem;
use asof_surface::trace::Trace;
use asof_surface::workspace::Workspace;

/// How long a request may wait for others, and may be worked on.
const WAIT: Duration = Duration::from_secs(30);
const WORK: Duration = Duration::from_secs(75);

/// What requests share.
pub struct Shared {
    pub workspace: Arc<Workspace>,
    /// Requests that are worked on at a time; MCP's count, too.
    pub free: Arc<Semaphore>,
    pub metrics: Metrics,
    /// Gets each request with the tokens of its answer.
    pub trace: Option<Arc<Trace>>,
}

impl Shared {
    /// Does the work of a request on a thread of its own, within the limits. Its flag is set when
    /// nobody waits for the result any more.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Arc<AtomicBool>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let Ok(permit) = timeout(WAIT, Arc::clone(&self.free).acquire_owned()).await else {
            let hint = Hint::advice("try again when fewer requests are running");
            return Err(Problem::new(ErrorKind::Locked, "too many requests are running", hint));
        };
        let permit = permit.map_err(Problem::internal)?;
        let stop = Arc::new(AtomicBool::new(false));
        let _stop = StopOnDrop(Arc::clone(&stop));
        let working = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if nobody waits for it any more.
            let _permit = permit;
            work(stop)
        });
        match timeout(WORK, working).await {
            Ok(done) => done.map_err(Problem::internal)?,
            Err(_) => {
                let message = format!("the request took longer than {WORK:?}");
                Err(Problem::new(ErrorKind::Limit, message, "ask for less"))
            }
        }
    }
}

/// Sets its flag when the request is answered, or its client has left.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
