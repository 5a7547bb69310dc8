//! Replaces the documentation or attributes in front of an item.

use std::ops::Range;

use super::fit::{fit, indent_at};
use super::splice::Splice;
use super::view::FileView;
use asof_model::OrNever;
use asof_syntax::Anatomy;

/// From the first of these ranges to the last.
pub(super) fn around(ranges: &[Range<u32>]) -> Option<Range<u32>> {
    Some(ranges.first()?.start..ranges.last()?.end)
}

/// Replaces the documentation; an empty text removes it.
pub(super) fn docs(
    view: &FileView<'_>,
    index: u32,
    parts: &Anatomy,
    code: &str,
    number: usize,
) -> Vec<Splice> {
    let start = match index {
        0 => parts.inside.as_ref().map_or(0, |inside| inside.start),
        _ => view.item(index).map_or(0, |item| item.span.start_byte),
    };
    let comment = comment(code, if index == 0 { "//!" } else { "///" });
    let gap = if index == 0 { view.newline().repeat(2) } else { view.newline().to_owned() };
    replace(view, &parts.docs, start, &gap, &comment, number)
}

/// Replaces the attributes; an empty text removes them. Documentation stays.
pub(super) fn attributes(
    view: &FileView<'_>,
    index: u32,
    parts: &Anatomy,
    code: &str,
    number: usize,
) -> Vec<Splice> {
    let newline = view.newline();
    if index == 0
        && parts.attributes.is_empty()
        && let (Some(docs), false) = (parts.docs.last(), code.trim().is_empty())
    {
        let text = format!("{newline}{newline}{}", fit(code, "", newline));
        return vec![Splice { start: docs.end, end: docs.end, text, edit: number }];
    }
    let gap = if index == 0 { newline.repeat(2) } else { newline.to_owned() };
    replace(view, &parts.attributes, parts.head, &gap, code.trim_end(), number)
}

/// Replaces the first range with the code and removes the others. If there is no range, the code
/// is inserted with a gap after it.
fn replace(
    view: &FileView<'_>,
    old: &[Range<u32>],
    place: u32,
    gap: &str,
    code: &str,
    number: usize,
) -> Vec<Splice> {
    let splice = |start, end, text| Splice { start, end, text, edit: number };
    let remove = |range: &Range<u32>| {
        splice(range.start, behind_blanks(view.text, range.end), String::new())
    };
    if code.trim().is_empty() {
        return old.iter().map(remove).collect();
    }
    let at = old.first().map_or(place, |first| first.start);
    let indent = indent_at(view.text, at);
    let text = fit(code, indent, view.newline());
    match old.split_first() {
        Some((first, others)) => std::iter::once(splice(first.start, first.end, text))
            .chain(others.iter().map(remove))
            .collect(),
        None => vec![splice(at, at, format!("{text}{gap}{indent}"))],
    }
}

/// Text as documentation comments; text that already is one stays as it is.
fn comment(text: &str, mark: &str) -> String {
    let text = text.trim_end();
    if text.trim().is_empty() {
        return String::new();
    }
    let begins = text.trim_start();
    let block = if mark == "//!" { "/*!" } else { "/**" };
    // `/**/`, `/***` and `////` begin other comments.
    let is = |text: &str, mark: &str, no: [char; 2]| {
        text.strip_prefix(mark).is_some_and(|rest| mark.ends_with('!') || !rest.starts_with(no))
    };
    let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty());
    if is(begins, block, ['*', '/']) || lines.all(|line| is(line, mark, ['/', '/'])) {
        return text.to_owned();
    }
    let line =
        |line: &str| if line.is_empty() { mark.to_owned() } else { format!("{mark} {line}") };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Skips one line break and the leading spaces of the next line.
fn behind_blanks(text: &str, byte: u32) -> u32 {
    let rest = text.get(byte as usize..).or_never("a place in a text lies between characters");
    let after = rest.trim_start_matches([' ', '\t', '\r']);
    let after = match after.strip_prefix('\n') {
        Some(next) => next.trim_start_matches([' ', '\t']),
        None => after,
    };
    byte + (rest.len() - after.len()) as u32
}
