//! The MCP surface: tools, resources and edits for agents, over standard input and output.
//! One file a tool; the protocol is `server`, what an answer may cost is `page`.
//! It prints nothing but protocol messages, and never touches the store by itself.

mod hint;
mod page;
mod progress;
mod resources;
mod schema;
mod server;
mod tool;
mod tools;
mod visible;
mod workspace;

use std::path::PathBuf;

pub use server::serve;

/// How to serve.
#[derive(Debug, Clone)]
pub struct Options {
    /// Root of the workspace.
    pub root: PathBuf,
    /// Which tools are offered.
    pub offer: Offer,
    pub structured: Structured,
    pub index: Index,
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

/// Whether a workspace without a database is indexed at the first question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    IfMissing,
    Never,
}
