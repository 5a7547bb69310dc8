//! Matches items that one revision removed and a later one added again. No revision matches them,
//! so they are compared at the two ends of a difference.

use std::collections::BTreeMap;

use crate::error::EngineError;
use crate::past::Past;
use asof_item_tracking::{ItemState, Rule, Steps};
use asof_model::NodeId;
use asof_wire::{Guesses, Matched};

/// A match of two ends with less similarity than this is a guess.
const GUESS: f64 = 0.5;

/// A removed or added item without a match in its revision.
pub(super) struct End {
    pub item: ItemState,
    /// Number of the revision that removed or added it.
    pub step: usize,
    /// The item that it was merged into, or split from.
    pub other: Option<NodeId>,
}

/// Two sides of an item.
pub(super) struct Pair {
    pub old: ItemState,
    pub new: ItemState,
    pub matched: Option<Matched>,
    pub similarity: Option<f64>,
}

impl Pair {
    pub fn new(old: ItemState, new: ItemState, matched: Option<Matched>) -> Self {
        Self { old, new, matched, similarity: None }
    }
}

/// Removed or added items by their ids.
pub(super) type Ends = BTreeMap<NodeId, End>;

/// Pairs items that one revision removed with items that a later one added, at the same path or by
/// similarity. Returns the number of guesses left out.
pub(super) fn match_ends(
    past: &Past<'_>,
    pairs: &mut Vec<Pair>,
    gone: &mut Ends,
    come: &mut Ends,
    guesses: Guesses,
) -> Result<usize, EngineError> {
    let again = |end: &&End| {
        let again = come.get(&end.item.id);
        again.is_some_and(|other| end.step < other.step && end.item.kind == other.item.kind)
    };
    let taken = gone.values().filter(again).map(|end| (end.item.id, end.item.id, None)).collect();
    take(pairs, gone, come, taken);

    // A field alone is too little evidence across revisions, unless its type is matched too.
    let telling = |ends: &Ends| -> (Vec<ItemState>, Vec<usize>) {
        let told = |item: &ItemState| item.parent_id.is_some_and(|id| ends.contains_key(&id));
        // The matches of merged and split items are known.
        let ends = ends.values().filter(|end| end.other.is_none() && Past::follows(&end.item));
        let ends = ends.filter(|end| !end.item.is_part() || told(&end.item));
        ends.map(|end| (end.item.clone(), end.step)).unzip()
    };
    let (mut left, removed) = telling(gone);
    let (right, added) = telling(come);
    // Containers may have another id by now.
    let now: BTreeMap<NodeId, NodeId> = pairs.iter().map(|p| (p.old.id, p.new.id)).collect();
    for item in &mut left {
        item.parent_id = item.parent_id.map(|id| now.get(&id).copied().unwrap_or(id));
    }
    let steps = Steps { removed: &removed, added: &added };
    let mut left_out = 0;
    let mut taken = Vec::new();
    for found in past.match_across(&left, &right, steps)? {
        let similarity = (found.rule == Rule::Tokens).then_some(found.confidence);
        if guesses == Guesses::LeaveOut && similarity.is_some_and(|similarity| similarity < GUESS) {
            left_out += 1;
        } else {
            taken.push((found.old, found.new, similarity));
        }
    }
    take(pairs, gone, come, taken);
    Ok(left_out)
}

/// Builds pairs of ends, from ids of the old and the new one.
fn take(
    pairs: &mut Vec<Pair>,
    gone: &mut Ends,
    come: &mut Ends,
    taken: Vec<(NodeId, NodeId, Option<f64>)>,
) {
    for (old, new, similarity) in taken {
        if let (Some(old), Some(new)) = (gone.remove(&old), come.remove(&new)) {
            let matched = Some(Matched::Ends);
            pairs.push(Pair { similarity, ..Pair::new(old.item, new.item, matched) });
        }
    }
}
