//! The request for a page, its answers from the engine, and the response.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use asof_engine::{Database, Refresh, Snapshot};
use asof_wire::ConfigurationRequest;
use asof_wire::When;

use super::address::{Links, decoded};
use asof_surface::problem::Problem;

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
        Ok(at.map_err(asof_engine::EngineError::from)?)
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

    pub(super) fn links(&self) -> Links {
        Links::new(self.at.clone()).under(self.get("configuration").map(str::to_owned))
    }

    /// The configuration.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn configuration(&self) -> Result<ConfigurationRequest, Problem> {
        let text = self.get("configuration").unwrap_or_default();
        Ok(text.parse().map_err(asof_engine::EngineError::from)?)
    }
}

impl Visit<'_> {
    pub(super) fn links(&self) -> Links {
        self.request.links()
    }

    /// The newest revision, without a refresh: `snapshot` has made one if it is needed.
    pub(super) fn newest(&self) -> Result<Snapshot<'_>, Problem> {
        Ok(self.database.snapshot(&When::Newest, Refresh::Skip)?)
    }

    /// Another moment of the request.
    pub(super) fn moment(&self, text: &str) -> Result<Snapshot<'_>, Problem> {
        let when = When::parse(text).map_err(asof_engine::EngineError::from)?;
        Ok(self.database.snapshot(&when, Refresh::Skip)?)
    }
}
