//! The order of the members of a merged container.

use super::pieces::Key;

/// The members of a side, in its order.
pub(super) type Order = Vec<Key>;

/// The order of the merged members: that of the side that changed it, with what only the other side
/// has behind what it follows there; what our side adds at one place comes first. None if both sides
/// changed the order of what the base has, and differently.
pub(super) fn merged_order(base: &Order, ours: &Order, theirs: &Order) -> Option<Order> {
    let common = |side: &Order| -> Vec<Key> {
        let both = |key: &&Key| base.contains(key) && ours.contains(key) && theirs.contains(key);
        side.iter().filter(both).cloned().collect()
    };
    let (before, our, their) = (common(base), common(ours), common(theirs));
    if their == before || our == their {
        Some(inserted(ours, theirs, Added::Behind))
    } else if our == before {
        Some(inserted(theirs, ours, Added::Before))
    } else {
        None
    }
}

/// Where something is put that another side has at the place at which there is something new.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Added {
    Before,
    Behind,
}

fn inserted(order: &Order, other: &Order, added: Added) -> Order {
    let mut found = order.clone();
    let mut last: Option<usize> = None;
    for key in other {
        if let Some(at) = found.iter().position(|one| one == key) {
            last = Some(at);
            continue;
        }
        let mut at = last.map_or(0, |at| at + 1);
        let is_new = |key: &Key| !other.contains(key);
        while added == Added::Behind && found.get(at).is_some_and(is_new) {
            at += 1;
        }
        found.insert(at, key.clone());
        last = Some(at);
    }
    found
}
