//! The endpoints, one table. Each is a command of `asof --help` and answers with the same JSON.

mod context;
mod edits;
mod inspect;
mod items;
mod oracle;
mod past;
mod quality;
mod queries;
mod search;
mod target;
mod uses;

use super::endpoint::{Effect, Endpoint};

/// All endpoints, in the order of the OpenAPI document.
pub fn every() -> Vec<Endpoint> {
    [
        items::endpoints(),
        search::endpoints(),
        context::endpoints(),
        uses::endpoints(),
        quality::endpoints(),
        oracle::endpoints(),
        past::endpoints(),
        inspect::endpoints(),
        queries::endpoints(),
        edits::endpoints(),
    ]
    .concat()
}

/// The endpoints that a server offers.
pub fn offered(edits: bool) -> Vec<Endpoint> {
    let mut endpoints = every();
    endpoints.retain(|endpoint| edits || endpoint.effect == Effect::Reads);
    endpoints
}
