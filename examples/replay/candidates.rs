//! The ways to change one item, and the shortest that leads to the new text.

use std::ops::Range;

use asof_edit::{Edit, FileView, ItemEdit, Part, changes, compose, fit};
use asof_model::NodeKind;
use asof_syntax::{Anatomy, Scan};

use crate::address::Address;
use crate::blocks;
use crate::derive::is_container;
use crate::tree::File;

#[derive(Debug, Clone)]
pub struct Found {
    pub edits: Vec<Edit>,
    /// Bytes of the shortest way without `find`.
    pub bytes_parts: usize,
}

pub fn bytes_of(edit: &Edit) -> usize {
    serde_json::to_string(edit).map_or(0, |text| text.len() + 1)
}

/// Code as one would write it down: its lines not indented as a whole.
pub fn flush(code: &str) -> String {
    fit(code, "", "\n")
}

/// The item at its indentation, as the first line of a text has it.
pub fn whole(to: &Address, code: &str) -> Edit {
    to.canonical(Part::Whole, None, flush(code))
}

fn anatomy(file: &File, at: usize) -> Anatomy {
    let item = file.item(at);
    Scan::new(&file.text).anatomy(&item.span, item.kind, at == 0)
}

fn text(file: &File, range: Option<Range<u32>>) -> &str {
    range.map_or("", |r| &file.text[r.start as usize..r.end as usize])
}

fn around(ranges: &[Range<u32>]) -> Option<Range<u32>> {
    Some(ranges.first()?.start..ranges.last()?.end)
}

fn stretches(file: &File, ranges: &[Range<u32>]) -> String {
    let parts: Vec<&str> = ranges.iter().map(|r| text(file, Some(r.clone()))).collect();
    parts.join("\n")
}

/// A part with its range in the old text and its new text.
pub type Head = (Part, Range<usize>, String);

/// Parts that differ, the body excluded.
pub fn heads(old: &File, a: usize, new: &File, b: usize) -> Vec<Head> {
    let (x, y) = (anatomy(old, a), anatomy(new, b));
    let start = match a {
        0 => x.inside.as_ref().map_or(0, |inside| inside.start),
        _ => old.item(a).span.start_byte,
    };
    let mut out = Vec::new();
    let mut part = |part, range: Option<Range<u32>>, place: u32, was: String, is: String| {
        if was != is {
            let range = range.unwrap_or(place..place);
            out.push((part, range.start as usize..range.end as usize, is));
        }
    };
    let (was, is) = (stretches(old, &x.docs), stretches(new, &y.docs));
    part(Part::Docs, around(&x.docs), start, was, is);
    let (was, is) = (stretches(old, &x.attributes), stretches(new, &y.attributes));
    part(Part::Attributes, around(&x.attributes), x.head, was, is);
    if a != 0 && !x.signature.is_empty() {
        let was = text(old, Some(x.signature.clone())).to_owned();
        let is = text(new, Some(y.signature.clone())).to_owned();
        part(Part::Signature, Some(x.signature), 0, was, is);
    }
    out
}

/// Edits for the heads, and the bytes of those without `find`.
pub fn head_edits(
    to: &Address,
    old: &File,
    index: usize,
    heads: &[Head],
    with_find: bool,
) -> (Vec<Edit>, usize) {
    let mut edits = Vec::new();
    let mut bytes = 0;
    for (part, range, code) in heads {
        let whole = vec![to.canonical(*part, None, flush(code))];
        let size: usize = whole.iter().map(bytes_of).sum();
        bytes += size;
        let finds = if with_find && !range.is_empty() && !code.is_empty() {
            finds(to, *part, &old.text[range.clone()], code)
        } else {
            None
        };
        let view = FileView::new(&old.path, &old.text, &old.facts);
        let applies = |edit: &Edit| {
            let edit = ItemEdit::from_edit(edit);
            edit.is_some_and(|edit| changes(&view, index as u32, edit, 0).is_ok())
        };
        let fits = |edits: &Vec<Edit>| {
            edits.iter().map(bytes_of).sum::<usize>() < size && edits.iter().all(applies)
        };
        edits.extend(finds.filter(fits).unwrap_or(whole));
    }
    (edits, bytes)
}

/// Replacements of places within a text.
fn finds(to: &Address, part: Part, scope: &str, new: &str) -> Option<Vec<Edit>> {
    let found = blocks::blocks(scope, 0, scope.len(), new);
    let one = |block| {
        let (old, new) = blocks::trim(scope, block);
        // The whole scope is no place within it.
        (blocks::once(scope, &old) && old.len() < scope.len())
            .then(|| to.canonical(part, Some(old), new))
    };
    found.into_iter().map(one).collect()
}

/// The shortest edits of an item.
pub fn best(
    old: &File,
    a: usize,
    new: &File,
    b: usize,
    to: &Address,
    with_find: bool,
) -> Option<Found> {
    let view = FileView::new(&old.path, &old.text, &old.facts);
    let target = new.text_of(b);
    let declares = old.is_declaration(a);
    let mut ways: Vec<Vec<Edit>> = Vec::new();
    let part = if declares { Part::Declaration } else { Part::Whole };
    ways.push(vec![to.canonical(part, None, flush(target))]);
    if !declares && !is_container(old, a) {
        let mut parts: Vec<Edit> = heads(old, a, new, b)
            .iter()
            .map(|(part, _, code)| to.canonical(*part, None, flush(code)))
            .collect();
        let (x, y) = (anatomy(old, a), anatomy(new, b));
        let (was, is) = (text(old, x.body), text(new, y.body));
        let member = matches!(old.item(a).kind, NodeKind::Field | NodeKind::Variant);
        if was != is && !is.is_empty() && !member {
            parts.push(to.canonical(Part::Body, None, flush(is)));
        }
        ways.push(parts);
    }
    let size = |edits: &Vec<Edit>| edits.iter().map(bytes_of).sum::<usize>();
    ways.retain(|way| !way.is_empty() && yields(&view, a, way, target));
    let bytes_parts = ways.iter().map(size).min();
    if with_find && !declares {
        let start = old.item(a).span.start_byte as usize;
        let indent = &old.text[old.text[..start].rfind('\n').map_or(0, |at| at + 1)..start];
        let there = &new.text[..new.item(b).span.start_byte as usize];
        let same = there.ends_with(indent);
        let found = finds(to, Part::Whole, old.text_of(a), target).filter(|_| same);
        ways.extend(found.filter(|way| !way.is_empty() && yields(&view, a, way, target)));
    }
    let edits = ways.into_iter().min_by_key(size)?;
    let bytes_parts = bytes_parts.unwrap_or_else(|| size(&edits));
    Some(Found { edits, bytes_parts })
}

/// Whether the edits give the item this text, blanks aside.
fn yields(view: &FileView<'_>, index: usize, edits: &[Edit], target: &str) -> bool {
    let mut splices = Vec::new();
    for (number, edit) in edits.iter().enumerate() {
        let edit = ItemEdit::from_edit(edit);
        match edit.map(|edit| changes(view, index as u32, edit, number)) {
            Some(Ok(change)) => splices.extend(change.splices),
            _ => return false,
        }
    }
    let Ok((text, _)) = compose(view.path, view.text, &mut splices) else { return false };
    let span = view.facts.items[index].span;
    let end = text.len() - (view.text.len() - span.end_byte as usize);
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let target = bare(target);
    text.get(span.start_byte as usize..end).is_some_and(|text| {
        let text = bare(text);
        text == target || text.trim_end_matches(',') == target.trim_end_matches(',')
    })
}
