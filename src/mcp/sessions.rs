//! MCP over HTTP: sessions of many clients on one workspace.

use std::sync::Arc;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;

use super::options::Options;
use super::server::Server;

/// The service behind the address of the server: `POST` of messages, `GET` of their stream,
/// `DELETE` of a session.
type Service = StreamableHttpService<Server, LocalSessionManager>;

/// A service, and the sessions that it has.
#[derive(Clone)]
#[expect(missing_debug_implementations, reason = "the service of the library has none")]
pub struct Sessions {
    pub service: Service,
    pub open: OpenSessions,
}

/// The sessions of a service.
#[derive(Debug, Clone)]
pub struct OpenSessions(Arc<LocalSessionManager>);

impl OpenSessions {
    /// Number of sessions that have not ended.
    pub async fn count(&self) -> usize {
        self.0.sessions.read().await.len()
    }
}

/// Serves each session on the same workspace, and a call that ends every session. `free` limits
/// the calls that are worked on at a time. A message may have at most `max_bytes`.
///
/// Clients of revisions before 2026-07-28 have a session, which ends after five minutes without a
/// message; later ones have none. The caller checks token, Host and Origin.
pub fn sessions(
    options: Options,
    free: Arc<Semaphore>,
    max_bytes: usize,
) -> (Sessions, impl FnOnce()) {
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(max_bytes);
    let token = config.cancellation_token.clone();
    let serve = move || Ok(Server::new(options.clone(), Arc::clone(&free)));
    let open = OpenSessions(Arc::default());
    let service = StreamableHttpService::new(serve, Arc::clone(&open.0), config);
    (Sessions { service, open }, move || token.cancel())
}
