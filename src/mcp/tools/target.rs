//! Kinds of items, as arguments name them.

use asof_model::NodeKind;

use asof_surface::problem::Problem;

/// Reads a kind of item.
pub fn kind(text: &str) -> Result<NodeKind, Problem> {
    text.parse()
        .map_err(|error: asof_model::UnknownKind| Problem::bad_request(error.to_string(), ""))
}
