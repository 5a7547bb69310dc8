//! What of a difference goes without saying.

use std::collections::BTreeMap;

use super::diff::Difference;
use crate::lineage::Class;
use crate::model::{NodeId, NodeKind};

/// Takes out what another entry tells already: containers of which only the contents changed,
/// what came, went or moved with the item that it stands in, and `use` declarations.
/// Returns how many.
pub(super) fn fold(found: &mut Vec<Difference>) -> usize {
    let all = found.len();
    let by_id: BTreeMap<NodeId, Vec<Class>> =
        found.iter().flat_map(|d| d.ids().map(|id| (id, d.classes.clone()))).collect();
    found.retain(|difference| {
        let item = difference.shown();
        if item.kind == NodeKind::Import || difference.classes == [Class::Contents] {
            return false;
        }
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

/// Whether an item is a part of what it stands in, rather than one of its own.
fn goes_with(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Field | NodeKind::Variant)
}
