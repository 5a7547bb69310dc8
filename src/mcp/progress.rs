//! Progress of long work, as notifications.

use std::fmt;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use asof_index::Progress;
use asof_wire::Phase;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use tokio::runtime::Handle;

use asof_surface::phase::name;

/// Notifications are at least so far apart.
const PAUSE: Duration = Duration::from_millis(100);

/// Notifies the client of progress, if it asked for that.
pub struct Notifier {
    to: Option<(Peer<RoleServer>, ProgressToken, Handle)>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Steps of all phases so far: progress only grows.
    done: u64,
    /// Steps after this phase, if they are known.
    total: Option<u64>,
    phase: Option<Phase>,
    last: Option<Instant>,
}

impl fmt::Debug for Notifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notifier").field("asked_for", &self.to.is_some()).finish()
    }
}

impl Notifier {
    /// For a request; `handle` is the runtime that sends.
    pub fn new(context: &RequestContext<RoleServer>, handle: Handle) -> Self {
        let token = context.meta.get_progress_token();
        let to = token.map(|token| (context.peer.clone(), token, handle));
        Self { to, state: Mutex::default() }
    }

    /// Whether the client wants to know.
    pub fn is_asked_for(&self) -> bool {
        self.to.is_some()
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let Some((peer, token, handle)) = &self.to else { return };
        let message = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let before = state.phase;
            change(&mut state);
            let is_new = before != state.phase;
            if !is_new && state.last.is_some_and(|last| last.elapsed() < PAUSE) {
                return;
            }
            state.last = Some(Instant::now());
            let mut param = ProgressNotificationParam::new(token.clone(), state.done as f64);
            if let Some(total) = state.total {
                param = param.with_total(total as f64);
            }
            param.with_message(state.phase.map_or("", name))
        };
        // Of a client that has left, the answer itself will fail.
        let _ = handle.block_on(peer.notify_progress(message));
    }
}

impl Progress for Notifier {
    fn begin(&self, phase: Phase, total: Option<u64>) {
        self.change(|state| {
            state.done += 1;
            state.phase = Some(phase);
            state.total = total.map(|total| state.done + total);
        });
    }

    fn step(&self) {
        self.change(|state| state.done += 1);
    }
}
