//! From the parameters that name an item to the item.

use asof::model::NodeId;
use asof::wire::{ErrorKind, Hint, Item, Resolution, ResolveRequest, Symbol};
use asof::{EngineError, Snapshot};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::hint;
use crate::surface::problem::Problem;

/// An item, by its path.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Target {
    #[serde(flatten)]
    pub item: ResolveRequest,
    /// Only the item with this id, or whose id starts with it.
    pub id: Option<String>,
}

impl Target {
    fn is_meant(&self, id: NodeId) -> bool {
        self.id.as_ref().is_none_or(|text| id.to_string().starts_with(&text.to_ascii_lowercase()))
    }

    /// The definitions at the path.
    pub fn resolve(&self, snapshot: &Snapshot<'_>) -> Result<Resolution, Problem> {
        let mut found = snapshot.resolve(&self.item)?;
        if self.id.is_some() {
            found.answer.items.retain(|item| self.is_meant(item.id));
            found.answer.total = found.answer.items.len();
            if found.answer.items.len() < 2 {
                found.disambiguator = None;
            }
        }
        Ok(found)
    }

    /// One definition, or several.
    pub fn any(&self, snapshot: &Snapshot<'_>) -> Result<Vec<Item>, Problem> {
        let found = self.resolve(snapshot)?;
        match found.one() {
            Ok(_) | Err(EngineError::Ambiguous { .. }) => Ok(found.answer.items),
            Err(error) => Err(error.into()),
        }
    }

    /// The symbol at the path; several only if `all` are wanted, or if the path ends in `*`.
    pub fn symbols(&self, snapshot: &Snapshot<'_>, all: bool) -> Result<Vec<Symbol>, Problem> {
        let mut symbols = snapshot.symbols(&self.item)?;
        symbols.retain(|symbol| self.is_meant(symbol.id));
        match symbols.as_slice() {
            [] => {
                let message = format!("no match of `{}` has this id", self.item.path);
                let hint = Hint::advice("leave `id` out to list the matches");
                Err(Problem::new(ErrorKind::NoMatch, message, hint))
            }
            [_] => Ok(symbols),
            _ if all || self.item.path.trim().ends_with('*') => Ok(symbols),
            many => {
                let found = snapshot.resolve(&self.item)?;
                let candidates = match found.items() {
                    [] => many.iter().map(|symbol| symbol.path.clone()).collect(),
                    items => items.iter().map(Resolution::line).collect(),
                };
                let filter = found.disambiguator.as_ref().map(hint::parameter);
                let filter = filter.map_or_else(String::new, |filter| format!("{filter}, or "));
                Err(EngineError::Ambiguous {
                    what: format!("`{}` means {} definitions", self.item.path, many.len()),
                    hint: format!("{filter}add `all=true` for all of them").into(),
                    candidates,
                }
                .into())
            }
        }
    }
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
