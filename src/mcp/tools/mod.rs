//! The tools, one file each, or a file for several that ask alike.

mod calls;
mod context;
mod diff;
mod edit;
mod file;
mod history;
mod lineage;
mod oracle;
mod outline;
mod past;
mod quality;
pub mod query;
mod resolve;
mod search;
pub mod show;
mod status;
mod target;
mod where_used;

use super::options::Offer;
use super::tool::{Offered, Tool};

/// Every tool, in the order in which they are listed.
pub fn every() -> Vec<Tool> {
    vec![
        search::TOOL,
        show::TOOL,
        outline::TOOL,
        where_used::TOOL,
        context::TOOL,
        history::TOOL,
        diff::TOOL,
        query::TOOL,
        edit::PLAN,
        edit::APPLY,
        edit::UNDO,
        calls::PATH,
        lineage::TOOL,
        resolve::TOOL,
        outline::API,
        past::LOG,
        past::BLAME,
        quality::TOOL,
        oracle::VERIFY,
        oracle::AST_QUERY,
        file::TOOL,
        status::TOOL,
        edit::LIST,
        edit::DENY,
    ]
}

/// The tools that a server offers.
pub fn offered(offer: Offer) -> Vec<Tool> {
    let mut tools = every();
    tools.retain(|tool| {
        (offer.all || tool.offered == Offered::Always) && (offer.edits || !tool.writes())
    });
    tools
}
