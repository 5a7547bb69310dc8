//! An edit with its target.

use std::collections::{BTreeMap, BTreeSet};

use super::target::Loaded;
use asof_edit::{CanonicalEdit, Change, Edit, Expected, Part, Splice};
use asof_index::ReplacedKind;
use asof_model::NodeId;
use asof_wire::{Item, Obligation, PlaceToLookAt};

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
    /// What else an edit of every use of an item changes.
    pub refactored: Option<Box<Refactored>>,
}

/// See [`Resolved::refactored`].
#[derive(Debug, Clone)]
pub(super) struct Refactored {
    /// What its splices are.
    pub kind: ReplacedKind,
    /// Splices of other files than that of the item.
    pub elsewhere: BTreeMap<String, Vec<Splice>>,
    /// The items that change.
    pub ids: BTreeSet<NodeId>,
    /// Files that move: from, to.
    pub moves: BTreeMap<String, String>,
    /// New files, with their texts.
    pub created: BTreeMap<String, String>,
    /// Names to be taken out of imports: by file, the first byte of each.
    pub pruned: BTreeMap<String, BTreeSet<u32>>,
    /// Texts that go to another place.
    pub carried: Vec<CarriedText>,
    pub look_at: Vec<PlaceToLookAt>,
    /// What would not mean the same: the edit is refused with these places.
    pub wrong: Vec<String>,
    /// Number of places that were checked, by obligation.
    pub checked: BTreeMap<Obligation, usize>,
    pub warnings: Vec<String>,
    /// Number of places that change, if it is not that of the splices.
    pub places: Option<usize>,
    /// Whether values get other types, so that members of them may be others.
    pub retypes: bool,
}

/// A text that goes to another place, whole.
#[derive(Debug, Clone)]
pub(super) struct CarriedText {
    /// The file that it is in, and its bytes.
    pub from: (String, u32, u32),
    /// What is replaced in it.
    pub replaced: Vec<Splice>,
    /// The file that it goes to; a new one, or one with a splice that has it.
    pub to: String,
    /// First byte of that splice; 0 in a new file.
    pub at: u32,
    /// The text as it is written there.
    pub text: String,
}

impl Refactored {
    /// Adds to what was checked for an obligation.
    pub fn check(&mut self, obligation: Obligation, count: usize) {
        *self.checked.entry(obligation).or_default() += count;
    }

    pub fn new(kind: ReplacedKind) -> Self {
        Self {
            kind,
            elsewhere: BTreeMap::new(),
            ids: BTreeSet::new(),
            moves: BTreeMap::new(),
            created: BTreeMap::new(),
            pruned: BTreeMap::new(),
            carried: Vec::new(),
            look_at: Vec::new(),
            wrong: Vec::new(),
            checked: BTreeMap::new(),
            warnings: Vec::new(),
            places: None,
            retypes: false,
        }
    }
}

impl Resolved {
    /// The replacement of bytes of a file.
    pub fn of_bytes(file_path: String, loaded: &Loaded, splice: Splice, moved: bool) -> Self {
        let (start, end) = (splice.start as usize, splice.end as usize);
        let replaced = vec![loaded.text.get(start..end).unwrap_or_default().to_owned()];
        let expected = Expected { replaced, ..Expected::default() };
        let change = Change::of_bytes(vec![splice]);
        Self { file_path, index: None, item: None, change, moved, expected, refactored: None }
    }

    /// A change of every use of an item. What it `replaced` in the file of the item, and the byte where
    /// that begins, must still be there when it is written.
    pub fn of_refactored(
        item: Item,
        file_path: String,
        replaced: Vec<String>,
        mut refactored: Refactored,
    ) -> Self {
        let own = refactored.elsewhere.remove(&file_path).unwrap_or_default();
        let start = Some(item.span.start_byte);
        let expected = Expected { id: Some(item.id), replaced, own_text: None, start };
        Self {
            file_path,
            index: None,
            item: Some(item),
            change: Change::of_bytes(own),
            moved: false,
            expected,
            refactored: Some(Box::new(refactored)),
        }
    }

    /// What the edit replaces in a file.
    pub fn splices_in(&self, path: &str) -> &[Splice] {
        if self.file_path == path {
            return &self.change.splices;
        }
        let elsewhere = self.refactored.as_ref().and_then(|all| all.elsewhere.get(path));
        elsewhere.map_or(&[], Vec::as_slice)
    }

    /// The files in which the edit replaces something.
    pub fn spliced_files(&self) -> impl Iterator<Item = &str> {
        let own = (!self.change.splices.is_empty()).then_some(self.file_path.as_str());
        let elsewhere = self.refactored.iter().flat_map(|all| all.elsewhere.keys());
        own.into_iter().chain(elsewhere.map(String::as_str))
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
        Edit::Canonical(CanonicalEdit { part, .. }) => *part,
        _ => Part::Whole,
    }
}
