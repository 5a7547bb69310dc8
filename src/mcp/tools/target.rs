//! From the arguments that name an item to the item.

use asof::model::{NodeId, NodeKind};
use asof::wire::{ErrorKind, Hint, Item, Resolution, ResolveRequest, Symbol};
use asof::{EngineError, Snapshot};

use crate::mcp::hint;
use crate::surface::problem::Problem;

/// The arguments that name an item.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    pub path: &'a str,
    pub kind: Option<&'a str>,
    pub file_path: Option<&'a str>,
    pub id: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// A path alone.
    pub fn new(path: &'a str) -> Self {
        Self { path, kind: None, file_path: None, id: None }
    }

    fn request(&self) -> Result<ResolveRequest, Problem> {
        Ok(ResolveRequest {
            path: self.path.to_owned(),
            kind: self.kind.map(kind).transpose()?,
            file_path: self.file_path.map(str::to_owned),
            package: None,
        })
    }

    fn is_meant(&self, id: NodeId) -> bool {
        self.id.is_none_or(|text| id.to_string().starts_with(&text.to_ascii_lowercase()))
    }

    /// The definitions that are meant.
    pub fn resolve(&self, snapshot: &Snapshot<'_>) -> Result<Resolution, Problem> {
        let mut found = snapshot.resolve(&self.request()?)?;
        if self.id.is_some() {
            found.answer.items.retain(|item| self.is_meant(item.id));
            found.answer.total = found.answer.items.len();
        }
        Ok(found)
    }

    /// The symbols that are meant: one, unless `all` are wanted or the path ends in `*`.
    pub fn symbols(&self, snapshot: &Snapshot<'_>, all: bool) -> Result<Vec<Symbol>, Problem> {
        let request = self.request()?;
        let mut symbols = snapshot.symbols(&request)?;
        symbols.retain(|symbol| self.is_meant(symbol.id));
        match symbols.as_slice() {
            [] => {
                let message = format!("no match of `{}` has this id", self.path);
                Err(Problem::new(ErrorKind::NoMatch, message, Hint::advice("leave out `id`")))
            }
            [_] => Ok(symbols),
            _ if all || self.path.trim().ends_with('*') => Ok(symbols),
            many => {
                let found = snapshot.resolve(&request)?;
                let candidates = match found.items() {
                    [] => many.iter().map(|symbol| symbol.path.clone()).collect(),
                    items => items.iter().map(candidate).collect(),
                };
                let filter = found.disambiguator.as_ref().map(hint::argument);
                let filter = filter.map_or_else(String::new, |filter| format!("{filter}, or "));
                Err(EngineError::Ambiguous {
                    what: format!("`{}` means {} definitions", self.path, many.len()),
                    hint: format!("{filter}add `\"all\": true` for all of them").into(),
                    candidates,
                }
                .into())
            }
        }
    }
}

/// A candidate in a line, with its id.
pub fn candidate(item: &Item) -> String {
    format!("{} id {}", Resolution::line(item), item.id)
}

/// Reads a kind of item.
pub fn kind(text: &str) -> Result<NodeKind, Problem> {
    text.parse().map_err(|error: asof::model::UnknownKind| {
        Problem::new(ErrorKind::BadRequest, error.to_string(), Hint::advice(""))
    })
}

/// The parts of `FILE:LINE` and `FILE:LINE:COLUMN`.
pub fn file_and_line(text: &str) -> Option<(&str, u32)> {
    let (file, rest) = text.split_once(".rs:")?;
    let line = rest.split(':').next()?.parse().ok()?;
    Some((text.get(..file.len() + 3)?, line))
}

/// Whether a path is that of a file.
pub fn is_file(path: &str) -> bool {
    path.ends_with(".rs") && !path.contains("::")
}
