//! Options of the server, and the tools that it offers.

use std::sync::Arc;

use rmcp::model::MetaObject;

use asof_surface::trace::Trace;
use asof_surface::workspace::Workspace;

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

/// Whether answers have a structured form beside their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structured {
    With,
    Without,
}

/// The mark, in `_meta`, of text that may contain text of the repository: a client can tell its model
/// that it is data. The protocol has no mark of its own for this.
pub(super) fn untrusted() -> MetaObject {
    let mut meta = MetaObject::new();
    meta.0.insert("asof/untrusted".to_owned(), true.into());
    meta
}
