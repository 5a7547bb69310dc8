//! An edit with its target.

use crate::edit::{Change, Edit, Expected, Part};
use crate::wire::Item;

/// One edit with its result.
#[derive(Debug)]
pub(super) struct Resolved {
    pub file_path: String,
    pub item: Option<Item>,
    pub change: Change,
    pub moved: bool,
    pub expected: Expected,
}

impl Resolved {
    /// Whether the new bytes equal the old ones.
    pub fn is_same(&self) -> bool {
        let new = self.change.splices.iter().map(|splice| splice.text.as_str());
        new.eq(self.expected.replaced.iter().map(String::as_str))
    }
}

/// The part of the item that an edit targets.
pub(super) fn part_of(edit: &Edit) -> Part {
    match edit {
        Edit::Canonical { part, .. } => *part,
        _ => Part::Whole,
    }
}
