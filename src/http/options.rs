//! Options of the server, and the events that it reports.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use asof_wire::IndexReport;

use asof_surface::workspace::Workspace;

/// How to serve.
#[derive(Debug)]
pub struct Options {
    pub workspace: Arc<Workspace>,
    /// The API beside MCP, with the database kept up to date.
    pub api: Option<Api>,
    /// What MCP offers, and the trace of API and MCP.
    pub mcp: asof_mcp::Options,
    pub address: SocketAddr,
    pub access: Access,
    /// Names that the server has besides `localhost`.
    pub names: Vec<String>,
}

/// What the API offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    Reading,
    /// Edits, too.
    Edits,
}

/// Who may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Whoever knows the token.
    Token,
    /// Everybody who reaches the address, which must be loopback.
    Everybody,
}

/// What a server reports.
#[derive(Debug)]
pub enum Event {
    /// It accepts requests.
    Listening {
        address: SocketAddr,
        token: Option<PathBuf>,
        /// Address that signs a browser in, once; none if the server has no pages.
        page: Option<String>,
    },
    /// The files changed, and there is a new revision.
    Updated(Box<IndexReport>),
    /// A failure that may pass.
    Warning(String),
    /// It accepts no more requests, and waits for those that are running.
    Stopping,
}
