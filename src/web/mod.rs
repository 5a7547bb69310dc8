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

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use asof::wire::{ErrorKind, Hint};
use asof::{Database, Refresh, Snapshot, When};

use crate::surface::problem::Problem;
use address::Links;

pub use address::decoded;
pub use layout::problem_page;

/// Bytes of a page at most, before compression; longer lists and files are cut into several pages.
pub const MAX_PAGE: usize = 200_000;

/// A request for a page.
#[derive(Debug, Clone)]
pub struct Request {
    /// Path of the address, decoded.
    pub path: String,
    /// The query string, without `at`.
    pub query: Vec<(String, String)>,
    /// The moment as written in the address; none for NOW.
    pub at: Option<String>,
}

/// What a server lets its users do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    Reading,
    /// Applying, denying and undoing edits, too.
    Edits,
}

/// A request with what answers it.
#[derive(Debug)]
pub struct Visit<'a> {
    pub database: &'a Arc<Database>,
    pub snapshot: &'a Snapshot<'a>,
    pub request: &'a Request,
    pub allowed: Allowed,
    /// Set when nobody waits for the answer any more.
    pub stop: &'a AtomicBool,
}

/// An answer.
#[derive(Debug)]
pub enum Content {
    Page(String),
    /// A table to be saved.
    File {
        kind: &'static str,
        name: &'static str,
        text: String,
    },
    /// Another address has it.
    Redirect(String),
}

/// An action of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Apply,
    Deny,
    Undo,
}

impl Action {
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "apply" => Self::Apply,
            "deny" => Self::Deny,
            "undo" => Self::Undo,
            _ => return None,
        })
    }
}

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
    "/search",
];

impl Request {
    /// Reads an address.
    pub fn new(path: &str, query: Vec<(String, String)>) -> Self {
        let (at, query): (Vec<_>, Vec<_>) = query.into_iter().partition(|(name, _)| name == "at");
        let at = at.into_iter().map(|(_, at)| at).find(|at| !at.trim().is_empty());
        let at = at.filter(|at| !at.trim().eq_ignore_ascii_case("now"));
        Self { path: decoded(path), query, at }
    }

    /// The moment.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn when(&self) -> Result<When, Problem> {
        let at = self.at.as_deref().map_or(Ok(When::Now), When::parse);
        Ok(at.map_err(asof::EngineError::from)?)
    }

    /// The value of a parameter that is not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(known, _)| known == name)?;
        Some(found.1.as_str()).filter(|value| !value.trim().is_empty())
    }

    /// A number; none if it is missing or no number.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.get(name)?.trim().parse().ok()
    }

    fn links(&self) -> Links {
        Links::new(self.at.clone())
    }
}

impl Visit<'_> {
    fn links(&self) -> Links {
        self.request.links()
    }

    /// The newest revision, without a refresh: `snapshot` has made one if it is needed.
    fn newest(&self) -> Result<Snapshot<'_>, Problem> {
        Ok(self.database.snapshot(&When::Newest, Refresh::Skip)?)
    }

    /// Another moment of the request.
    fn moment(&self, text: &str) -> Result<Snapshot<'_>, Problem> {
        let when = When::parse(text).map_err(asof::EngineError::from)?;
        Ok(self.database.snapshot(&when, Refresh::Skip)?)
    }
}

/// Whether the page at an address depends on more than its revision and the newest one: on proposals,
/// queries of the user, or a second moment.
pub fn depends_on_more(request: &Request) -> bool {
    let path = &request.path;
    let more = ["/proposals", "/query", "/diff"];
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
        _ => Err(Problem::new(ErrorKind::NoMatch, "no such page", Hint::advice(""))),
    }
}

/// Does what a form asks for, and says where to go then.
///
/// # Errors
/// No such proposal, or it cannot be applied, denied or undone.
pub fn act(database: &Database, id: &str, action: Action) -> Result<String, Problem> {
    pages::proposals::act(database, id, action)
}
