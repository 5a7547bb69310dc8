//! MCP over HTTP: sessions of many clients on one workspace.

use std::sync::Arc;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;

use super::Options;
use super::server::Server;

/// The service behind the address of the server: `POST` of messages, `GET` of their stream,
/// `DELETE` of a session.
pub type Sessions = StreamableHttpService<Server, LocalSessionManager>;

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
    (StreamableHttpService::new(serve, Arc::default(), config), move || token.cancel())
}
