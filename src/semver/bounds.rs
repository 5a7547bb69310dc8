//! Bounds of generic parameters.

use std::collections::BTreeSet;

use super::tokens::{Names, Tokens, plain, split, top};

/// Adds the bounds of a predicate, each `left: bound`.
pub(super) fn take_bounds(
    bounds: &mut BTreeSet<String>,
    predicate: &Tokens<'_>,
    names: &Names<'_>,
) {
    let Some(colon) = top(predicate, ":") else { return };
    let left = plain(predicate.get(..colon).unwrap_or_default(), names);
    for bound in split(predicate.get(colon + 1..).unwrap_or_default(), "+") {
        bounds.insert(format!("{left}: {}", plain(bound, names)));
    }
}

/// Puts `Sized` in the place of its absence: each of so many parameters has this bound unless
/// `?Sized` relaxes it (Reference, "Trait and lifetime bounds").
pub(super) fn take_sized(bounds: &mut BTreeSet<String>, count: usize, mark: char) {
    for at in 0..count {
        if !bounds.remove(&format!("{mark}{at}: ? Sized")) {
            bounds.insert(format!("{mark}{at}: Sized"));
        }
    }
}
