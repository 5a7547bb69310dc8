//! The server's entry in a client's file: command and arguments.

use std::fmt;

/// Name of the server in every file.
pub const NAME: &str = "asof";

/// The command of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub command: String,
    pub args: Vec<String>,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}", self.command)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))?;
        write!(f, "`")
    }
}
