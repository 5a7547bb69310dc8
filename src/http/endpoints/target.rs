//! The parameters that name an item.

use asof::Snapshot;
use asof::wire::{Filter, Item, Resolution, ResolveRequest, Symbol};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::hint;
use crate::surface::problem::Problem;
use crate::surface::target::{self, Matches, Words};

/// An item, by its path.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Target {
    #[serde(flatten)]
    pub item: ResolveRequest,
    /// Only the item with this id, or whose id starts with it.
    pub id: Option<String>,
}

const WORDS: Words =
    Words { wrong_id: "leave `id` out to list the matches", candidate: Resolution::line, choose };

fn choose(filter: Option<&Filter>) -> String {
    let filter = filter.map(hint::parameter);
    let filter = filter.map_or_else(String::new, |filter| format!("{filter}, or "));
    format!("{filter}add `all=true` for all of them")
}

impl Target {
    fn target(&self) -> target::Target {
        target::Target { request: self.item.clone(), id: self.id.clone() }
    }

    /// The definitions at the path.
    pub fn resolve(&self, snapshot: &Snapshot<'_>) -> Result<Resolution, Problem> {
        Ok(self.target().resolve(snapshot)?)
    }

    /// The definitions at the path; without any in the workspace, those in its dependencies.
    pub fn resolve_anywhere(&self, snapshot: &Snapshot<'_>) -> Result<Resolution, Problem> {
        Ok(self.target().resolve_anywhere(snapshot)?)
    }

    /// One definition, or several.
    pub fn any(&self, snapshot: &Snapshot<'_>) -> Result<Vec<Item>, Problem> {
        Ok(self.resolve(snapshot)?.any()?.to_vec())
    }

    /// The symbol at the path; several only if `all` are wanted, or if the path ends in `*`.
    pub fn symbols(&self, snapshot: &Snapshot<'_>, all: bool) -> Result<Vec<Symbol>, Problem> {
        Ok(self.target().symbols(snapshot, Matches::all(all), &WORDS)?)
    }
}
