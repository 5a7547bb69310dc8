//! The MCP surface: tools, resources and edits for agents, over standard input and output
//! or HTTP. One file a tool; the protocol is `server`, what an answer may cost is `page`.
//! It prints nothing but protocol messages, and never touches the store by itself.

mod hint;
mod options;
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

pub use options::{Offer, Options, Structured};
pub use server::serve;
pub use sessions::{OpenSessions, Sessions, sessions};
