//! The endpoints, one table. Each is a command of `asof --help` and answers with the same JSON.

mod between;
mod context;
mod edits;
mod queries;

use super::endpoint::{Effect, Endpoint};
use asof_surface::questions::{inspect, items, past, quality, search, syntax, uses};

/// All endpoints, in the order of the OpenAPI document.
pub fn every() -> Vec<Endpoint> {
    let questions = vec![
        Endpoint::of(&items::RESOLVE),
        Endpoint::of(&items::SHOW),
        Endpoint::of(&items::OUTLINE),
        Endpoint::of(&items::API),
        Endpoint::of(&items::FILE),
        Endpoint::of(&search::SEARCH),
        Endpoint::of(&search::SEARCH_FILES),
        Endpoint::of(&search::SEARCH_DOCS),
        Endpoint::of(&uses::REFS),
        Endpoint::of(&uses::CALLERS),
        Endpoint::of(&uses::CALLEES),
        Endpoint::of(&uses::PATH),
        Endpoint::of(&uses::LINEAGE),
        Endpoint::of(&uses::IMPACT),
        Endpoint::of(&quality::QUALITY),
        Endpoint::of(&past::HOTSPOTS),
        Endpoint::of(&past::PAIRS),
        Endpoint::of(&past::OWNERS),
        Endpoint::of(&search::VERIFY),
        Endpoint::of(&syntax::AST_QUERY),
        Endpoint::of(&past::HISTORY),
        Endpoint::of(&past::LOG),
        Endpoint::of(&past::BLAME),
        Endpoint::of(&inspect::CONDITIONS),
        Endpoint::of(&inspect::MODULES),
        Endpoint::of(&inspect::NODES),
        Endpoint::of(&inspect::COUNTS),
        Endpoint::of(&inspect::KINDS),
        Endpoint::of(&inspect::ISSUES),
        Endpoint::of(&inspect::UNRESOLVED),
        Endpoint::of(&inspect::AROUND),
    ];
    [
        questions,
        context::endpoints(),
        between::endpoints(),
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
