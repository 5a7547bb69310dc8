//! An edit with its target.

use super::target::Loaded;
use crate::edit::{Change, Edit, Expected, Part, Splice};
use crate::wire::Item;

/// One edit with its result.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    pub file_path: String,
    /// Of the item in the facts of the file; `None` for bytes and whole files.
    pub index: Option<u32>,
    pub item: Option<Item>,
    pub change: Change,
    pub moved: bool,
    pub expected: Expected,
}

impl Resolved {
    /// The replacement of bytes of a file.
    pub fn of_bytes(file_path: String, loaded: &Loaded, splice: Splice, moved: bool) -> Self {
        let (start, end) = (splice.start as usize, splice.end as usize);
        let replaced = vec![loaded.text.get(start..end).unwrap_or_default().to_owned()];
        let expected = Expected { replaced, ..Expected::default() };
        let change = Change::of_bytes(vec![splice]);
        Self { file_path, index: None, item: None, change, moved, expected }
    }

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
