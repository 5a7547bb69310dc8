//! What edits do to text: before, request, after.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod alone;
mod compare;
mod delete;
mod fitting;
mod insert;
mod parts;
mod real_files;
mod splices;

use super::change::{Change, ItemEdit, changes};
use super::error::EditError;
use super::splice::{Splice, compose, settle};
use super::splice_ranges::touched;
use super::verify::compare;
use super::view::FileView;
use super::{CanonicalEdit, DeleteEdit, Edit, InsertEdit, Part, Position, SpliceEdit};
use asof_model::Hint;
use asof_model::{ByteRange, FileFacts};
use asof_syntax::parse_file_isolated;

const PATH: &str = "src/lib.rs";

/// Index of the item with this name; `kind name` where the name is not enough, empty for the
/// file itself.
fn index(facts: &FileFacts, target: &str) -> u32 {
    if target.is_empty() {
        return 0;
    }
    let is = |item: &asof_model::ItemFacts| {
        item.name == target || format!("{} {}", item.kind, item.name) == target
    };
    let at = facts.items.iter().skip(1).position(is);
    at.unwrap_or_else(|| panic!("there is no `{target}`")) as u32 + 1
}

/// The text after edits of these items, checked as a plan checks it.
fn apply(text: &str, edits: &[(&str, Edit)]) -> Result<String, EditError> {
    let facts = parse_file_isolated(PATH, text.as_bytes());
    let view = FileView::new(PATH, text, &facts);
    let find = |(target, edit): &(&str, Edit)| (index(&facts, target), edit.clone());
    try_apply(&view, &edits.iter().map(find).collect::<Vec<_>>())
}

/// The same of items by their index.
fn try_apply(view: &FileView<'_>, edits: &[(u32, Edit)]) -> Result<String, EditError> {
    let (new, splices, places, all) = composed(view, edits)?;
    let after = parse_file_isolated(PATH, new.as_bytes());
    let name = |number: usize| view.facts.items[edits[number].0 as usize].name.as_str();
    let touched = touched(&splices, &places, |number| Some((&all[number], name(number))));
    compare(view, &FileView::new(PATH, &new, &after), &touched)?;
    Ok(new)
}

type Composed = (String, Vec<Splice>, Vec<ByteRange>, Vec<Change>);

/// The new text, not checked.
fn composed(view: &FileView<'_>, edits: &[(u32, Edit)]) -> Result<Composed, EditError> {
    let mut splices = Vec::new();
    let mut all = Vec::new();
    for (number, (index, edit)) in edits.iter().enumerate() {
        let change = changes_of(view, *index, edit, number)?;
        splices.extend(change.splices.iter().cloned());
        all.push(change);
    }
    settle(PATH, &mut splices, |number| all[number].manner)?;
    let (new, places) = compose(PATH, view.text, &mut splices)?;
    Ok((new, splices, places, all))
}

/// The change of an edit of an item or of bytes.
fn changes_of(
    view: &FileView<'_>,
    index: u32,
    edit: &Edit,
    number: usize,
) -> Result<Change, EditError> {
    match edit {
        Edit::Splice(SpliceEdit { start_byte, end_byte, replacement, .. }) => {
            let (start, end, text) = (*start_byte, *end_byte, replacement.clone());
            Ok(Change::of_bytes(vec![Splice { start, end, text, edit: number }]))
        }
        edit => changes(view, index, ItemEdit::from_edit(edit).unwrap(), number),
    }
}

/// Checks one edit against the expected text.
fn check(before: &str, target: &str, edit: Edit, after: &str) {
    match apply(before, &[(target, edit)]) {
        Ok(found) => assert_eq!(found, after),
        Err(error) => panic!("{error}"),
    }
}

/// The error of a refused edit, with the hint.
fn refused(before: &str, target: &str, edit: Edit) -> String {
    match apply(before, &[(target, edit)]) {
        Ok(found) => panic!("it was not refused:\n{found}"),
        Err(error) => match error.hint() {
            Hint::Advice(text) => format!("{error}\n= {text}"),
            hint => format!("{error}\n= {hint:?}"),
        },
    }
}

fn part(part: Part, code: &str) -> Edit {
    Edit::Canonical(CanonicalEdit {
        file_path: None,
        path: "crate::it".to_owned(),
        kind: None,
        has: None,
        part,
        find: None,
        all: false,
        code: code.to_owned(),
        expected_tracking_hash: None,
    })
}

fn whole(code: &str) -> Edit {
    part(Part::Whole, code)
}

fn insert(position: Position, code: &str) -> Edit {
    let (anchor, code) = ("crate::it".to_owned(), code.to_owned());
    Edit::Insert(InsertEdit { anchor, position, code, file_path: None, kind: None, has: None })
}

fn delete() -> Edit {
    let path = "crate::it".to_owned();
    let (file_path, kind, has, expected_tracking_hash) = (None, None, None, None);
    Edit::Delete(DeleteEdit {
        path,
        file_path,
        kind,
        has,
        uses: None,
        with_guesses: false,
        empty_modules: false,
        expected_tracking_hash,
    })
}

fn splice(start_byte: usize, end_byte: usize, replacement: &str) -> Edit {
    Edit::Splice(SpliceEdit {
        file_path: PATH.to_owned(),
        expected_file_hash: asof_model::RawHash::hash(b""),
        start_byte: start_byte as u32,
        end_byte: end_byte as u32,
        replacement: replacement.to_owned(),
        namespace: None,
    })
}
