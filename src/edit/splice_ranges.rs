//! What the splices of edits replace, before and after.

use super::change::{Change, Inner, Reach};
use super::splice::{Range, Splice, image};
use asof_model::{FileFacts, ItemFacts, NodeKind};

/// A range that an edit replaced, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    pub before: (u32, u32),
    pub after: (u32, u32),
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
    places: &[Range],
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
            before: (splice.start, splice.end),
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
pub(super) fn tops(facts: &FileFacts, range: (u32, u32)) -> Vec<&ItemFacts> {
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

pub(super) fn lie(item: &ItemFacts, (start, end): (u32, u32)) -> Lie {
    let (from, to) = (item.span.start_byte, item.span.end_byte);
    if start <= from && to <= end {
        Lie::Inside
    } else if to <= start || end <= from {
        Lie::Apart
    } else if from <= start && end <= to {
        Lie::Around
    } else {
        Lie::Cut
    }
}
