//! From the arguments that name an item to the item.

use asof::model::NodeKind;
use asof::wire::{ErrorKind, Hint, Item, Resolution, ResolveRequest};

use crate::mcp::hint;
use crate::surface::problem::Problem;
use crate::surface::target::{Target, Words};

/// The arguments that name an item.
pub fn of(
    path: String,
    kind: Option<&str>,
    file_path: Option<String>,
    id: Option<String>,
) -> Result<Target, Problem> {
    let kind = kind.map(self::kind).transpose()?;
    Ok(Target { request: ResolveRequest { path, kind, file_path, package: None }, id })
}

/// What to do about several matches.
pub const WORDS: Words = Words {
    wrong_id: "leave out `id`",
    candidate,
    choose: |filter| {
        let filter = filter.map_or_else(String::new, |f| format!("{}, or ", hint::argument(f)));
        format!("{filter}add `\"all\": true` for all of them")
    },
};

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
