//! From an edit and its target item to byte splices.

use super::error::EditError;
use super::fit::{deeper, fit, indent_at};
use super::insert;
use super::outer_text;
use super::splice::{Manner, Splice};
use super::view::FileView;
use asof_model::never;
use asof_model::{ByteRange, ItemFacts, NodeKind, OrNever, TrackingHash};
use asof_syntax::Scan;
use asof_wire::{CanonicalEdit, DeleteEdit, Edit, InsertEdit, Part};

/// The effect of one edit on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub splices: Vec<Splice>,
    /// Kind that the one new item must have; `None` if any number of items of any kind is allowed.
    pub becomes: Option<NodeKind>,
    pub reach: Reach,
    pub manner: Manner,
    /// The part that is changed, if it is not a whole item.
    pub inner: Option<Inner>,
}

impl Change {
    /// Bytes replaced, whatever they mean.
    pub fn of_bytes(splices: Vec<Splice>) -> Self {
        let (reach, manner) = (Reach::Cut, Manner::Bytes);
        Self { splices, becomes: None, reach, manner, inner: None }
    }
}

/// Which items an edit may change besides those within its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// None, except by [`Touched::inner`].
    Within,
    /// The same, and no item may be added.
    Beside,
    /// Those that begin or end at the range and those that it cuts: for a splice of bytes.
    Cut,
}

/// A part of an item that an edit replaces, or in which it replaces a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inner {
    /// The item: its index, and its bytes.
    pub index: u32,
    pub item: ByteRange,
    pub part: Part,
    /// The bytes of the part, if a text in it is replaced. Otherwise each splice is a part.
    pub range: Option<ByteRange>,
}

/// An edit of one item. Others are of bytes, of files, or of every use of an item.
#[derive(Debug, Clone, Copy)]
pub enum ItemEdit<'e> {
    Canonical(&'e CanonicalEdit),
    Insert(&'e InsertEdit),
    Delete(&'e DeleteEdit),
}

impl<'e> ItemEdit<'e> {
    /// `None` for an edit of something else than one item.
    pub fn from_edit(edit: &'e Edit) -> Option<Self> {
        match edit {
            Edit::Canonical(edit) => Some(Self::Canonical(edit)),
            Edit::Insert(edit) => Some(Self::Insert(edit)),
            Edit::Delete(edit) => Some(Self::Delete(edit)),
            _ => None,
        }
    }

    /// The tracking hash that the item must have.
    pub fn expected_hash(self) -> Option<&'e TrackingHash> {
        match self {
            Self::Canonical(edit) => edit.expected_tracking_hash.as_ref(),
            Self::Delete(edit) => edit.expected_tracking_hash.as_ref(),
            Self::Insert(_) => None,
        }
    }
}

/// The splices of an edit of the item `index` of the view.
pub fn changes(
    view: &FileView<'_>,
    index: u32,
    edit: ItemEdit<'_>,
    number: usize,
) -> Result<Change, EditError> {
    match edit {
        ItemEdit::Canonical(edit) => replace(view, index, edit, number),
        ItemEdit::Insert(edit) => insert(view, index, edit, number),
        ItemEdit::Delete(_) => Ok(delete(view, index, number)),
    }
}

/// An item or a part of it replaced, or a text in it.
fn replace(
    view: &FileView<'_>,
    index: u32,
    edit: &CanonicalEdit,
    number: usize,
) -> Result<Change, EditError> {
    let CanonicalEdit { path: canon, part, find, all, code, .. } = edit;
    let splice = |start, end, text| Splice { start, end, text, edit: number };
    let inner = inner(view, index, edit)?;
    let manner = if inner.is_some() { Manner::Part } else { Manner::Item };
    let change = |splices: Vec<Splice>, becomes, reach| {
        Ok(Change { splices, becomes, reach, manner, inner })
    };
    if let Some(find) = find {
        let range = range_of(view, index, *part, canon)?;
        let places = found(view, range, canon, find)?;
        if let ([_, _, ..], false) = (places.as_slice(), all) {
            return Err(EditError::FindMany {
                canon: canon.clone(),
                times: places.len(),
                file_path: view.facts.path.clone(),
                lines: places.iter().map(|place| view.line(place.start)).collect(),
            });
        }
        let code = view.with_newlines(code);
        let splices = places.into_iter().map(|place| splice(place.start, place.end, code.clone()));
        return change(splices.collect(), None, Reach::Within);
    }
    if *all {
        let reason = "`all` replaces occurrences of `find`, which is missing".to_owned();
        return Err(EditError::Malformed { reason });
    }
    let Some(item) = view.item(index) else {
        return change(Vec::new(), None, Reach::Within);
    };
    if code.trim().is_empty() && !matches!(part, Part::Docs | Part::Attributes) {
        let (mode, subject) = ("canonical", canon.clone());
        return Err(EditError::EmptyCode { mode, subject });
    }
    let parts = view.anatomy(index);
    let none = || EditError::NoPart { canon: canon.clone(), part: part.as_str() };
    match part {
        Part::Whole if index == 0 => {
            let range = parts.inside.ok_or_else(none)?;
            let text = view.with_newlines(code);
            change(vec![splice(range.start, range.end, text)], None, Reach::Within)
        }
        Part::Whole => {
            let (start, end) = (item.span.start_byte, item.span.end_byte);
            let code = without_comma(view, item, code);
            let old = view.slice(start, end);
            let text = if code.trim() == old {
                old.to_owned()
            } else {
                fit(code, indent_at(view.text, start), view.newline())
            };
            change(vec![splice(start, end, text)], Some(item.kind), Reach::Within)
        }
        Part::Signature => {
            let range = parts.signature;
            if range.is_empty() {
                return Err(none());
            }
            let text = fit(code, indent_at(view.text, range.start), view.newline());
            change(vec![splice(range.start, range.end, text)], None, Reach::Within)
        }
        Part::Body => {
            let range = parts.body.ok_or_else(none)?;
            let indent = indent_at(view.text, range.start);
            let braces = view.slice(range.start, range.start + 1) == "{";
            let text = if braces && !Scan::new(code.trim()).is_one_group() {
                in_braces(code, indent, view)
            } else {
                fit(code, indent, view.newline())
            };
            change(vec![splice(range.start, range.end, text)], None, Reach::Within)
        }
        Part::Docs => {
            change(outer_text::docs(view, index, &parts, code, number), None, Reach::Beside)
        }
        Part::Attributes => {
            change(outer_text::attributes(view, index, &parts, code, number), None, Reach::Beside)
        }
        // The caller passes the declaration as the item.
        Part::Declaration if index == 0 => Err(none()),
        Part::Declaration => {
            let (start, end) = (item.span.start_byte, item.span.end_byte);
            let text = fit(code, indent_at(view.text, start), view.newline());
            change(vec![splice(start, end, text)], Some(item.kind), Reach::Within)
        }
    }
}

/// New items beside or in the item `index`.
fn insert(
    view: &FileView<'_>,
    index: u32,
    edit: &InsertEdit,
    number: usize,
) -> Result<Change, EditError> {
    let InsertEdit { anchor, position, code, .. } = edit;
    if code.trim().is_empty() {
        let (mode, subject) = ("insert", anchor.clone());
        return Err(EditError::EmptyCode { mode, subject });
    }
    let (at, text) = insert::insertion(view, index, anchor, *position, code)?;
    let splices = vec![Splice { start: at, end: at, text, edit: number }];
    let (becomes, reach, manner) = (None, Reach::Within, Manner::Item);
    Ok(Change { splices, becomes, reach, manner, inner: None })
}

/// The item `index` removed.
pub fn delete(view: &FileView<'_>, index: u32, number: usize) -> Change {
    let lines = whole_lines(view, index);
    let ByteRange { start, end } = lines;
    let splice = Splice { start, end, text: String::new(), edit: number };
    let span = view.item(index).map_or(lines, |i| i.span.bytes());
    let (becomes, reach, manner) = (None, Reach::Within, Manner::Removal(span));
    Change { splices: vec![splice], becomes, reach, manner, inner: None }
}

/// The part that an edit changes; `None` if it does not change a part.
fn inner(
    view: &FileView<'_>,
    index: u32,
    edit: &CanonicalEdit,
) -> Result<Option<Inner>, EditError> {
    let CanonicalEdit { path, part, find, .. } = edit;
    let Some(found) = view.item(index).filter(|_| find.is_some() || *part != Part::Whole) else {
        return Ok(None);
    };
    let item = match index {
        0 => ByteRange::new(0, view.text.len() as u32),
        _ => found.span.bytes(),
    };
    let range = match find {
        Some(_) => Some(range_of(view, index, *part, path)?),
        None => None,
    };
    Ok(Some(Inner { index, item, part: *part, range }))
}

/// Bytes of a part.
fn range_of(
    view: &FileView<'_>,
    index: u32,
    part: Part,
    canon: &str,
) -> Result<ByteRange, EditError> {
    let none = || EditError::NoPart { canon: canon.to_owned(), part: part.as_str() };
    let parts = view.anatomy(index);
    let range = match part {
        Part::Whole | Part::Declaration if index == 0 => parts.inside,
        Part::Whole | Part::Declaration => {
            view.item(index).map(|item| item.span.start_byte..item.span.end_byte)
        }
        Part::Signature => Some(parts.signature).filter(|range| !range.is_empty()),
        Part::Body => parts.body,
        Part::Docs => outer_text::around(&parts.docs),
        Part::Attributes => outer_text::around(&parts.attributes),
    };
    range.map(ByteRange::from).ok_or_else(none)
}

/// The occurrences of a text between two bytes, at least one. If two overlap, both count, so that a
/// text that fits in two ways is no single place.
fn found(
    view: &FileView<'_>,
    range: ByteRange,
    canon: &str,
    find: &str,
) -> Result<Vec<ByteRange>, EditError> {
    let find = view.with_newlines(find);
    let ByteRange { start, end } = range;
    let within = view.slice(start, end);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = within.get(from..).filter(|_| !find.is_empty()).and_then(|s| s.find(&find))
    {
        let at = from + at;
        places.push(ByteRange::new(start + at as u32, start + (at + find.len()) as u32));
        from = at + within.get(at..).and_then(|s| s.chars().next()).map_or(1, char::len_utf8);
    }
    if places.is_empty() { Err(EditError::Find { canon: canon.to_owned() }) } else { Ok(places) }
}

/// Statements or items without braces, as a body.
fn in_braces(code: &str, indent: &str, view: &FileView<'_>) -> String {
    let newline = view.newline();
    let inner = deeper(indent);
    let fitted = fit(code, &inner, newline);
    if fitted.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{{newline}{inner}{fitted}{newline}{indent}}}")
    }
}

/// A field or variant without the comma that the file already has.
fn without_comma<'c>(view: &FileView<'_>, item: &ItemFacts, code: &'c str) -> &'c str {
    let member = matches!(item.kind, NodeKind::Field | NodeKind::Variant);
    let follows = view.scan.token_behind(item.span.end_byte).is_some_and(|(_, b)| b == b',');
    match code.trim_end().strip_suffix(',') {
        Some(bare) if member && follows => bare,
        _ => code,
    }
}

/// The item with the lines that contain nothing else, one blank line beside it, and the comma
/// after a field or variant.
fn whole_lines(view: &FileView<'_>, index: u32) -> ByteRange {
    let Some(item) = view.item(index) else { return ByteRange::default() };
    let (start, mut end) = (item.span.start_byte, item.span.end_byte);
    if matches!(item.kind, NodeKind::Field | NodeKind::Variant) {
        // If the last one has no comma, the comma before it stays, which is allowed.
        if let Some((range, b',')) = view.scan.token_behind(end) {
            end = range.end;
        }
    }
    lines_around(view, ByteRange::new(start, end))
}

/// The item with the comments that belong to it, and the lines to delete so that nothing is left
/// of these.
pub fn excision(view: &FileView<'_>, index: u32) -> (ByteRange, ByteRange) {
    let Some(item) = view.item(index) else {
        never!("a file has item {index}, which is to go");
        return (ByteRange::default(), ByteRange::default());
    };
    let start = insert::above_comments(view, item.span.start_byte);
    let range = ByteRange::new(start, insert::behind_comment(view, item.span.end_byte));
    (range, lines_around(view, range))
}

/// A range with the lines that contain nothing else, and one blank line beside it.
fn lines_around(view: &FileView<'_>, range: ByteRange) -> ByteRange {
    let ByteRange { mut start, mut end } = range;
    let text = view.text;
    let before = text.get(..start as usize).or_never("what is cut lies in its text");
    let behind = text.get(end as usize..).or_never("what is cut lies in its text");
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let alone_before = before.get(line_start..).unwrap_or_default().trim().is_empty();
    let line_end = behind.find('\n').map_or(behind.len(), |at| at + 1);
    let alone_behind = behind.get(..line_end).unwrap_or_default().trim().is_empty();
    if !(alone_before && alone_behind) {
        // Within a line: the spaces after it are removed too.
        let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        let closes = behind.trim_start_matches([' ', '\t']).starts_with(['}', ')']);
        if !alone_before && !closes {
            end += blanks as u32;
        } else if !alone_before {
            // With the last one, the spaces before it are removed; those before the bracket stay.
            let kept = before.trim_end_matches([' ', '\t']);
            start = kept.len() as u32;
        }
        return ByteRange::new(start, end);
    }
    start = line_start as u32;
    end += line_end as u32;
    let above = text.get(..line_start).unwrap_or_default();
    let below = text.get(end as usize..).unwrap_or_default();
    let next = below.lines().next().unwrap_or_default().trim();
    let closes = next.is_empty() || next.starts_with(['}', ')']);
    match blank_line_above(above) {
        Some(blank) if closes => start = blank as u32,
        None if next.is_empty() && (above.is_empty() || above.trim_end().ends_with(['{', '('])) => {
            end += below.find('\n').map_or(below.len(), |at| at + 1) as u32;
        }
        _ => {}
    }
    ByteRange::new(start, end)
}

/// Start of the last line, if it is blank.
fn blank_line_above(above: &str) -> Option<usize> {
    let line = above.strip_suffix('\n')?;
    let start = line.rfind('\n').map_or(0, |at| at + 1);
    line.get(start..)?.trim().is_empty().then_some(start)
}
