//! Kinds of items, as arguments name them.

use asof::model::NodeKind;
use asof::model::{ErrorKind, Hint};

use crate::surface::problem::Problem;

/// Reads a kind of item.
pub fn kind(text: &str) -> Result<NodeKind, Problem> {
    text.parse().map_err(|error: asof::model::UnknownKind| {
        Problem::new(ErrorKind::BadRequest, error.to_string(), Hint::advice(""))
    })
}
