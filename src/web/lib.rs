//! The explorer: pages for browsers, made on the server. `answer` finds the page of an address and
//! makes it from answers of the library. It knows no socket (`src/http` serves it), asks no query
//! and decides nothing about code. Whatever comes from the workspace is escaped by `maud`, or by
//! `escape` where markup is written directly.

mod address;
pub mod assets;
mod code;
mod docs;
mod graph;
mod hint;
mod layout;
pub mod login;
mod pages;
mod parts;
mod time_bar;
mod treemap;
mod versions;
mod visit;

use asof_engine::Database;
use asof_model::ErrorKind;

use asof_surface::problem::Problem;

pub use layout::problem_page;
pub use visit::{Action, Allowed, Content, MAX_PAGE, Request, Visit};

/// Patterns of the addresses of pages.
pub const ADDRESSES: &[&str] = &[
    "/",
    "/diff",
    "/diff/{*rest}",
    "/f",
    "/f/",
    "/f/{*rest}",
    "/graph/modules",
    "/graph/{kind}/{*rest}",
    "/help",
    "/hotspots",
    "/i/{*rest}",
    "/issues",
    "/log",
    "/proposals",
    "/proposals/{id}",
    "/quality",
    "/query",
    "/review/{*range}",
    "/search",
];

/// Whether the page at an address depends on more than its revision and the newest one: on proposals,
/// queries of the user, or a second moment.
pub fn depends_on_more(request: &Request) -> bool {
    let path = &request.path;
    let more = ["/proposals", "/query", "/diff", "/review"];
    more.iter().any(|page| path.starts_with(page)) || request.get("since").is_some()
}

/// Whether an address is one of the explorer.
pub fn is_page(path: &str) -> bool {
    let first = |path: &str| path.split('/').nth(1).unwrap_or_default().to_owned();
    let wanted = first(path);
    ADDRESSES.iter().any(|address| first(address) == wanted)
}

/// The page at an address.
///
/// # Errors
/// There is none, the request cannot be read, or the database failed.
pub fn answer(visit: &Visit<'_>) -> Result<Content, Problem> {
    let path = visit.request.path.as_str();
    if let Some(item) = path.strip_prefix("/i/") {
        return pages::item::page(visit, item);
    }
    if let Some(file) = path.strip_prefix("/f/") {
        return pages::file::page(visit, file);
    }
    if let Some(rest) = path.strip_prefix("/diff/") {
        return pages::diff::page(visit, rest);
    }
    if let Some(range) = path.strip_prefix("/review/") {
        return pages::review::page(visit, range);
    }
    if let Some(rest) = path.strip_prefix("/graph/").filter(|rest| *rest != "modules") {
        return pages::lineage::page(visit, rest);
    }
    if let Some(id) = path.strip_prefix("/proposals/") {
        return pages::proposals::show(visit, id);
    }
    match path {
        "/" => pages::overview::page(visit),
        "/diff" => pages::diff::form(visit),
        "/f" => pages::file::page(visit, ""),
        "/graph/modules" => pages::modules::page(visit),
        "/help" => pages::help::page(visit),
        "/hotspots" => pages::quality::hotspots(visit),
        "/issues" => pages::issues::page(visit),
        "/log" => pages::log::page(visit),
        "/proposals" => pages::proposals::list(visit),
        "/quality" => pages::quality::page(visit),
        "/query" => pages::query::page(visit),
        "/search" => pages::search::page(visit),
        _ => Err(Problem::new(ErrorKind::NoMatch, "no such page", "")),
    }
}

/// Does what a form asks for, and says where to go then.
///
/// # Errors
/// No such proposal, or it cannot be applied, denied or undone.
pub fn act(database: &Database, id: &str, action: Action) -> Result<String, Problem> {
    pages::proposals::act(database, id, action)
}
