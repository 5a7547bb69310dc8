//! Entries of a difference that another entry implies.

use std::collections::BTreeMap;

use super::difference::Difference;
use crate::item_tracking::{Class, ItemState};
use crate::model::{NodeId, NodeKind};

/// Removes entries that another one implies: containers where only nested items or the blanks
/// between them changed, items added, removed or moved with their container, and `use`
/// declarations. Returns their number.
pub(super) fn fold(found: &mut Vec<Difference>) -> usize {
    let all = found.len();
    // One id may stand for two items: one that moved away, and one that replaced it.
    let side = |of: fn(&Difference) -> Option<&ItemState>| -> BTreeMap<NodeId, Vec<Class>> {
        let sides = found.iter().filter_map(|d| Some((of(d)?.id, d.classes.clone())));
        sides.collect()
    };
    let (earlier, later) = (side(Difference::earlier), side(Difference::later));
    found.retain(|difference| {
        let item = difference.shown();
        if item.kind == NodeKind::Import || difference.classes == [Class::Contents] {
            return false;
        }
        if item.kind == NodeKind::Module && difference.classes == [Class::Format] {
            return false;
        }
        let by_id = if difference.later().is_some() { &later } else { &earlier };
        let above = item.parent_id.and_then(|parent| by_id.get(&parent));
        let Some(above) = above else { return true };
        let has = |class: Class| above.contains(&class);
        match difference.classes.as_slice() {
            [Class::Added] => !has(Class::Added) || !goes_with(item.kind),
            [Class::Removed] => !has(Class::Removed) || !goes_with(item.kind),
            [Class::Moved] => !has(Class::Moved) && !has(Class::Renamed),
            _ => true,
        }
    });
    all - found.len()
}

/// Whether an item is a part of its container rather than an item of its own.
fn goes_with(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Field | NodeKind::Variant)
}
