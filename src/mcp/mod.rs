//! The MCP surface: tools, resources and edits for agents, over standard input and output
//! or HTTP. One file a tool; the protocol is `server`, what an answer may cost is `page`.
//! It prints nothing but protocol messages, and never touches the store by itself.

mod hint;
mod page;
mod progress;
mod resources;
mod schema;
mod server;
mod sessions;
mod tool;
mod tools;
mod visible;
mod workspace;

use std::sync::Arc;

use rmcp::model::MetaObject;
pub use server::serve;
pub use sessions::{OpenSessions, Sessions, sessions};

use crate::surface::trace::Trace;
use crate::surface::workspace::Workspace;

/// How to serve.
#[derive(Debug, Clone)]
pub struct Options {
    pub workspace: Arc<Workspace>,
    /// Which tools are offered.
    pub offer: Offer,
    pub structured: Structured,
    /// Gets each call with the tokens of its answer.
    pub trace: Option<Arc<Trace>>,
}

/// Which tools are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// Those that agents seldom need, too.
    pub all: bool,
    /// Those that write source files, too.
    pub edits: bool,
}

/// The mark, in `_meta`, of text that may contain text of the repository: a client can tell its model
/// that it is data. The protocol has no mark of its own for this.
fn untrusted() -> MetaObject {
    let mut meta = MetaObject::new();
    meta.0.insert("asof/untrusted".to_owned(), true.into());
    meta
}

/// Whether answers have a structured form beside their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structured {
    With,
    Without,
}
