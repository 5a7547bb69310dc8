//! The byte ranges that the splices of each edit replace, in the old text and in the new one.

use super::change::{Change, Inner, Reach};
use super::splice::{Splice, image};
use asof_model::{ByteRange, FileFacts, ItemFacts, NodeKind};

/// A range that an edit replaced, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    pub before: ByteRange,
    pub after: ByteRange,
    /// Kind that the one item in the range must have.
    pub becomes: Option<NodeKind>,
    pub reach: Reach,
    /// The part that the edit changes, before and after. Changes of the documentation and
    /// attributes of its item, and of those of its items next to the range, belong to the edit.
    pub inner: Option<(Inner, Inner)>,
    /// Subject of the edit, for messages.
    pub subject: String,
}

/// What the splices of some edits replace. `places` are those of the splices in the new text, `of`
/// is an edit with its subject.
pub fn touched<'c>(
    splices: &[Splice],
    places: &[ByteRange],
    of: impl Fn(usize) -> Option<(&'c Change, &'c str)>,
) -> Vec<Touched> {
    let inner_of = |edit: usize| of(edit).and_then(|(change, _)| change.inner);
    let both = splices.iter().zip(places);
    both.filter_map(|(splice, after)| {
        let (change, subject) = of(splice.edit)?;
        let inner = change.inner.map(|inner| {
            let mine = |other: &Splice| {
                inner.index == 0 || inner_of(other.edit).is_some_and(|i| i.index == inner.index)
            };
            let item = image(inner.item, splices, places, mine);
            let range = inner.range.map(|range| image(range, splices, places, |_| false));
            (inner, Inner { item, range, ..inner })
        });
        Some(Touched {
            before: ByteRange::new(splice.start, splice.end),
            after: *after,
            becomes: change.becomes,
            reach: change.reach,
            inner,
            subject: subject.to_owned(),
        })
    })
    .collect()
}

/// The outermost items within a range.
pub(super) fn tops(facts: &FileFacts, range: ByteRange) -> Vec<&ItemFacts> {
    let within = |item: &ItemFacts| lie(item, range) == Lie::Inside;
    let items = facts.items.iter().skip(1).filter(|item| within(item));
    items
        .filter(|item| {
            let parent = facts.items.get(item.parent as usize);
            item.parent == 0 || parent.is_none_or(|parent| !within(parent))
        })
        .collect()
}

/// Position of an item relative to the ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lie {
    Inside,
    Around,
    Cut,
    Apart,
}

pub(super) fn lie(item: &ItemFacts, range: ByteRange) -> Lie {
    let own = item.span.bytes();
    if range.covers(own) {
        Lie::Inside
    } else if own.end <= range.start || range.end <= own.start {
        Lie::Apart
    } else if own.covers(range) {
        Lie::Around
    } else {
        Lie::Cut
    }
}
