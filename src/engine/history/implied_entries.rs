//! Entries of a difference that another entry implies.

use std::collections::{BTreeMap, BTreeSet};

use super::difference::Difference;
use super::expansions::{Makers, changed_calls};
use asof_item_tracking::{Class, ItemState};
use asof_model::{NodeId, NodeKind};

/// Removes entries that another one implies: containers where only nested items or the blanks
/// between them changed, items added, removed or moved with their container, an impl of a type itself
/// and macro calls whose items are listed, `use` declarations, and all but one of the items that a
/// macro makes. Returns their number.
pub(super) fn fold(found: &mut Vec<Difference>, made_by: &Makers) -> usize {
    let all = found.len();
    let calls = changed_calls(found);
    // One id may stand for two items: one that moved away, and one that replaced it.
    let side = |of: fn(&Difference) -> Option<&ItemState>| -> BTreeMap<NodeId, Above> {
        let sides = found.iter().filter_map(|d| {
            let item = of(d)?;
            Some((item.id, Above { classes: d.classes.clone(), is_whole: is_whole(item) }))
        });
        sides.collect()
    };
    let (earlier, later) = (side(Difference::earlier), side(Difference::later));
    let came_or_went =
        |d: &Difference| matches!(d.classes.as_slice(), [Class::Added | Class::Removed]);
    let parents = found.iter().filter(|d| came_or_went(d)).filter_map(|d| d.shown().parent_id);
    let listed: BTreeSet<NodeId> = parents.collect();
    // What a call makes has names, and says more than the call.
    let made =
        |d: &Difference| d.classes != [Class::Contents] && d.shown().kind != NodeKind::Import;
    let sides = found.iter().filter(|d| made(d)).flat_map(|d| [d.earlier(), d.later()]);
    let makers: BTreeSet<NodeId> = sides.flatten().filter_map(|item| item.parent_id).collect();
    found.retain(|difference| {
        let item = difference.shown();
        let mut sides = [difference.earlier(), difference.later()].into_iter().flatten();
        if item.kind == NodeKind::MacroCall && sides.any(|side| makers.contains(&side.id)) {
            return false;
        }
        if item.kind == NodeKind::Import || difference.classes == [Class::Contents] {
            return false;
        }
        if item.kind == NodeKind::Module && difference.classes == [Class::Format] {
            return false;
        }
        let is_own_impl = item.kind == NodeKind::Impl && !is_whole(item);
        if is_own_impl && came_or_went(difference) && listed.contains(&item.id) {
            return false;
        }
        let by_id = if difference.later().is_some() { &later } else { &earlier };
        let above = item.parent_id.and_then(|parent| by_id.get(&parent));
        let Some(above) = above else { return true };
        let has = |class: Class| above.classes.contains(&class);
        match difference.classes.as_slice() {
            [Class::Added] => !has(Class::Added) || !above.implies(item.kind),
            [Class::Removed] => !has(Class::Removed) || !above.implies(item.kind),
            [Class::Moved] => !has(Class::Moved) && !has(Class::Renamed),
            _ => true,
        }
    });
    let implied = all - found.len();
    implied + made_by.fold(found, &calls)
}

/// What is known of a container.
struct Above {
    classes: Vec<Class>,
    is_whole: bool,
}

impl Above {
    /// Whether an item comes and goes with it, as a part of it rather than an item of its own.
    fn implies(&self, kind: NodeKind) -> bool {
        self.is_whole || matches!(kind, NodeKind::Field | NodeKind::Variant)
    }
}

/// Whether all its items are what it consists of: a trait, or the impl of one.
fn is_whole(item: &ItemState) -> bool {
    item.kind == NodeKind::Trait || item.kind == NodeKind::Impl && item.is_of_trait()
}
