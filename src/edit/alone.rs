//! Checks that the new text of a part is one such part and no more: a body that closes its item and
//! opens another one parses in its place, but is no body.

use super::change::{Inner, Reach};
use super::error::EditError;
use super::splice_ranges::{Touched, tops};
use super::view::FileView;
use asof_model::{ByteRange, ItemFacts, NodeKind};
use asof_syntax::{Anatomy, Scan, is_closed};
use asof_wire::Part;

/// Bytes of a token, or of several.
type Tokens = std::ops::Range<u32>;

/// Refuses code that closes what it did not open, or the reverse. It needs only the code, so it
/// holds for files that do not parse as well.
pub(super) fn closed(old: &FileView<'_>, new: &FileView<'_>, t: &Touched) -> Result<(), EditError> {
    let code = new.slice(t.after.start, t.after.end);
    let one_group = |inner: &Inner| {
        let braces =
            inner.part == Part::Body && old.slice(t.before.start, t.before.end).starts_with('{');
        inner.index == 0 || !braces || Scan::new(code.trim()).is_one_group()
    };
    let alone = match &t.inner {
        // A text to find may be any stretch of the part.
        Some((inner, _)) if inner.range.is_some() => true,
        Some((inner, _)) => is_closed(code) && one_group(inner),
        None => t.reach == Reach::Cut || is_closed(code),
    };
    if alone { Ok(()) } else { Err(refused(t)) }
}

/// Refuses an edit of a part after which that part of the item is not its new text.
pub(super) fn same_part(
    old: &FileView<'_>,
    new: &FileView<'_>,
    t: &Touched,
) -> Result<(), EditError> {
    let Some((was, now)) = &t.inner else {
        let alone = t.reach == Reach::Cut || is_items(new, t.after);
        return if alone { Ok(()) } else { Err(refused(t)) };
    };
    let (before, after) = (was.range.unwrap_or(t.before), now.range.unwrap_or(t.after));
    let Some(at) = item_at(old, new, was, now) else { return Err(refused(t)) };
    let parts = new.anatomy(at);
    let trimmed = trim(new, after);
    let is = |range: Tokens| trimmed == Some(range.into());
    let code = new.slice(after.start, after.end);
    let alone = match was.part {
        // The item was found where the old one was.
        Part::Whole | Part::Declaration => true,
        Part::Body if at == 0 => true,
        Part::Body => parts.body.is_some_and(is) && is_closed(code),
        Part::Signature => is(parts.signature) && is_closed(code),
        Part::Docs | Part::Attributes => {
            let (own, others) = split(new, after, &parts, was.part);
            let none = own == 0 && was.range.is_none() && !code.trim().is_empty();
            let (_, kept) = split(old, before, &old.anatomy(was.index), was.part);
            !none && others == kept && is_closed(code)
        }
    };
    if alone { Ok(()) } else { Err(refused(t)) }
}

fn refused(t: &Touched) -> EditError {
    let part = match t.inner.map(|(inner, _)| inner.part) {
        Some(Part::Body) => "one body",
        Some(Part::Signature) => "one signature",
        Some(Part::Docs) => "documentation",
        Some(Part::Attributes) => "attributes",
        Some(Part::Whole | Part::Declaration) => "one item",
        None if t.becomes.is_some() => "one item",
        None => "items",
    };
    EditError::NotAlone { subject: t.subject.clone(), part }
}

/// Whether a range has only items, and commas between members: no statement of the function around
/// them, and no inner attribute of the module.
fn is_items(new: &FileView<'_>, range: ByteRange) -> bool {
    let tops = tops(new.facts, range);
    let member = |item: &&ItemFacts| matches!(item.kind, NodeKind::Field | NodeKind::Variant);
    let members = tops.iter().any(member);
    let mut tokens = new.scan.tokens_from(range.start).take_while(|token| token.start < range.end);
    tokens.all(|token| {
        let within =
            |i: &&ItemFacts| i.span.start_byte <= token.start && token.end <= i.span.end_byte;
        members && new.slice(token.start, token.end) == "," || tops.iter().any(within)
    })
}

/// The item of which a part is edited, in the new text: exactly the tokens that its range became.
fn item_at(old: &FileView<'_>, new: &FileView<'_>, was: &Inner, now: &Inner) -> Option<u32> {
    if was.index == 0 {
        return Some(0);
    }
    let range = trim(new, now.item)?;
    let kind = old.item(was.index)?.kind;
    let same = |i: &&(usize, &ItemFacts)| i.1.span.bytes() == range;
    let all = || new.facts.items.iter().enumerate().skip(1);
    let found = all().find(|i| same(&i) && i.1.kind == kind).or_else(|| all().find(|i| same(&i)));
    found.map(|(at, _)| at as u32)
}

/// From the first token that begins in a range to the last that ends in it.
fn trim(view: &FileView<'_>, range: ByteRange) -> Option<ByteRange> {
    let start = view.scan.token_behind(range.start)?.0.start;
    let end = view.scan.token_before(range.end)?.0.end;
    (start < end).then_some(ByteRange::new(start, end))
}

/// Number of the tokens of a range that belong to the documentation or the attributes of an item,
/// and the other tokens.
fn split<'v>(
    view: &FileView<'v>,
    range: ByteRange,
    parts: &Anatomy,
    part: Part,
) -> (usize, Vec<&'v str>) {
    let ranges = if part == Part::Docs { &parts.docs } else { &parts.attributes };
    let mine = |token: &Tokens| {
        let within = |all: &Tokens| all.start <= token.start && token.end <= all.end;
        token.end <= range.end && ranges.iter().any(within)
    };
    let tokens = view.scan.tokens_from(range.start).take_while(|token| token.start < range.end);
    let (own, others): (Vec<_>, Vec<_>) = tokens.partition(mine);
    (own.len(), others.iter().map(|token| view.slice(token.start, token.end)).collect())
}

/// Refuses an edit that changes a token outside of what the request names: an item around the
/// target, whose statements a comment has swallowed.
pub(super) fn same_rest(
    old: &FileView<'_>,
    new: &FileView<'_>,
    touched: &[Touched],
) -> Result<(), EditError> {
    // A splice of bytes may cut tokens and join them with others.
    if touched.iter().any(|t| t.reach == Reach::Cut) {
        return Ok(());
    }
    let range = |inner: Option<Inner>, place| inner.and_then(|i| i.range).unwrap_or(place);
    let before = touched.iter().map(|t| range(t.inner.map(|i| i.0), t.before));
    let after = touched.iter().map(|t| range(t.inner.map(|i| i.1), t.after));
    let (before, after) = (joined(before), joined(after));
    let (mut olds, mut news) = (outside(old, &before), outside(new, &after));
    loop {
        let (was, now) = (olds.next(), news.next());
        let same = match (&was, &now) {
            (None, None) => return Ok(()),
            (Some(was), Some(now)) => {
                old.slice(was.start, was.end) == new.slice(now.start, now.end)
            }
            _ => false,
        };
        if same {
            continue;
        }
        let at = now.map_or(new.text.len() as u32, |token| token.start);
        let nearest = touched.iter().min_by_key(|t| t.after.start.abs_diff(at));
        let mut items = new.facts.items.iter().skip(1);
        let around = items.rfind(|i| i.span.start_byte <= at && at < i.span.end_byte);
        let around = around
            .map_or_else(|| "the file".to_owned(), |item| format!("{} `{}`", item.kind, item.name));
        let subject = nearest.map(|t| t.subject.clone()).unwrap_or_default();
        return Err(EditError::ChangesOthers { subject, items: vec![around] });
    }
}

/// Ranges in order; those that meet as one.
fn joined(ranges: impl Iterator<Item = ByteRange>) -> Vec<ByteRange> {
    let mut ranges: Vec<ByteRange> = ranges.collect();
    ranges.sort_unstable();
    let mut out: Vec<ByteRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// The tokens that are not within one of these ranges, which are in order.
fn outside<'s>(
    view: &'s FileView<'_>,
    ranges: &'s [ByteRange],
) -> impl Iterator<Item = Tokens> + 's {
    let within = |token: &Tokens| {
        let at = ranges.partition_point(|range| range.end < token.end);
        ranges.get(at).is_some_and(|range| range.start <= token.start)
    };
    view.scan.tokens_from(0).filter(move |token| !within(token))
}
