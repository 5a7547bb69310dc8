//! The endpoints, one table. Each is a command of `asof --help` and answers with the same JSON.

mod between;
mod context;
mod edits;
mod queries;

use super::endpoint::{Effect, Endpoint};
use asof_surface::questions::{
    dependencies, inspect, items, past, quality, reach, search, syntax, uses,
};

/// All endpoints, in the order of the OpenAPI document.
pub fn every() -> Vec<Endpoint> {
    let questions = vec![
        Endpoint::from_question(&items::RESOLVE),
        Endpoint::from_question(&items::SHOW),
        Endpoint::from_question(&items::OUTLINE),
        Endpoint::from_question(&items::API),
        Endpoint::from_question(&items::FILE),
        Endpoint::from_question(&search::SEARCH),
        Endpoint::from_question(&search::SEARCH_FILES),
        Endpoint::from_question(&search::SEARCH_DOCS),
        Endpoint::from_question(&uses::REFS),
        Endpoint::from_question(&uses::CALLERS),
        Endpoint::from_question(&uses::CALLEES),
        Endpoint::from_question(&uses::PATH),
        Endpoint::from_question(&uses::LINEAGE),
        Endpoint::from_question(&uses::IMPACT),
        Endpoint::from_question(&quality::QUALITY),
        Endpoint::from_question(&uses::SUMMARY),
        Endpoint::from_question(&uses::IMPLEMENTATIONS),
        Endpoint::from_question(&uses::UNUSED),
        Endpoint::from_question(&reach::REACH),
        Endpoint::from_question(&dependencies::DEPENDENCIES),
        Endpoint::from_question(&past::HOTSPOTS),
        Endpoint::from_question(&past::PAIRS),
        Endpoint::from_question(&past::OWNERS),
        Endpoint::from_question(&search::VERIFY),
        Endpoint::from_question(&syntax::AST_QUERY),
        Endpoint::from_question(&past::HISTORY),
        Endpoint::from_question(&past::LOG),
        Endpoint::from_question(&past::BLAME),
        Endpoint::from_question(&inspect::CONDITIONS),
        Endpoint::from_question(&inspect::MODULES),
        Endpoint::from_question(&inspect::NODES),
        Endpoint::from_question(&inspect::COUNTS),
        Endpoint::from_question(&inspect::KINDS),
        Endpoint::from_question(&inspect::ISSUES),
        Endpoint::from_question(&inspect::UNRESOLVED),
        Endpoint::from_question(&inspect::AROUND),
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
