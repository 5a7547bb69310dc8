//! The HTTP surface: an endpoint for each reading command, edits if allowed, the explorer's pages,
//! and MCP over HTTP.
//! `endpoints` is the table; router and OpenAPI document come from it. It never prints, and never
//! touches the store by itself.

mod answer;
mod endpoint;
mod endpoints;
mod guard;
mod hint;
mod metrics;
mod openapi;
mod options;
mod page;
mod pages;
mod parameters;
mod router;
mod server;
mod session;
mod shared;
mod token;

pub use options::{Access, Api, Event, Options};
pub use server::serve;
