//! The fuzz driver of edits: random requests on copies of workspaces, while another process
//! changes the same files; an oracle that shares no code with the edits judges each result.

pub mod aftermath;
pub mod chain;
pub mod code;
pub mod content;
pub mod items;
pub mod modifier;
pub mod oracle;
pub mod reasons;
pub mod requests;
pub mod session;
pub mod table;
