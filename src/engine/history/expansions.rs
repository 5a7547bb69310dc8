//! Items that macros make. What changes in a macro changes whatever its calls make, and what changes
//! in a call, all that this call makes: a list has one row for it.

use std::collections::{BTreeMap, BTreeSet};

use super::difference::Difference;
use asof_item_tracking::{Class, ItemState};
use asof_model::{NodeId, NodeKind};

/// The moment at which an item is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Earlier,
    Later,
}

/// Macro calls, as they are written, by the items that they make.
#[derive(Default)]
pub(super) struct Makers(BTreeMap<(Side, NodeId), Maker>);

#[derive(Clone)]
struct Maker {
    call: NodeId,
    macro_name: String,
}

/// What an item without text is a part of: where it leads, or that it ends there.
enum Above {
    Parent(NodeId),
    Call(Maker),
    Nothing,
}

impl Makers {
    /// The calls that make what differs. `items` gives the states of items at a moment; it is asked
    /// once for each level of nesting.
    pub fn find<E>(
        found: &[Difference],
        mut items: impl FnMut(Side, &[NodeId]) -> Result<Vec<ItemState>, E>,
    ) -> Result<Self, E> {
        let mut makers = Self::default();
        for side in [Side::Earlier, Side::Later] {
            let of_side = found.iter().filter(|difference| side_shown(difference) == side);
            let made: Vec<&ItemState> =
                of_side.map(Difference::shown).filter(|item| item.text_hash.is_none()).collect();
            let mut above: BTreeMap<NodeId, Above> = BTreeMap::new();
            let mut wanted: BTreeSet<NodeId> =
                made.iter().filter_map(|item| item.parent_id).collect();
            while !wanted.is_empty() {
                let ids: Vec<NodeId> = std::mem::take(&mut wanted).into_iter().collect();
                let states = items(side, &ids)?;
                above.extend(ids.into_iter().map(|id| (id, Above::Nothing)));
                above.extend(states.iter().map(|item| (item.id, Above::new(item))));
                let parents = states.iter().filter_map(|item| match Above::new(item) {
                    Above::Parent(parent) => Some(parent),
                    Above::Call(_) | Above::Nothing => None,
                });
                wanted.extend(parents.filter(|parent| !above.contains_key(parent)));
            }
            for item in made {
                if let Some(maker) = item.parent_id.and_then(|parent| climb(&above, parent)) {
                    makers.0.insert((side, item.id), maker.clone());
                }
            }
        }
        Ok(makers)
    }

    /// Replaces items by the first of those that come from one cause: a call that differs, or a macro.
    /// Returns how many are left out.
    pub fn fold(&self, found: &mut Vec<Difference>, calls: &BTreeSet<(Side, NodeId)>) -> usize {
        let all = found.len();
        let mut rows: BTreeMap<Cause<'_>, usize> = BTreeMap::new();
        let mut kept: Vec<Difference> = Vec::with_capacity(all);
        for difference in found.drain(..) {
            let side = side_shown(&difference);
            let Some(maker) = self.0.get(&(side, difference.shown().id)) else {
                kept.push(difference);
                continue;
            };
            let call = calls.contains(&(side, maker.call)).then_some(maker.call);
            let file_path = difference.shown().file_path.clone();
            let classes = difference.classes.clone();
            let cause = Cause { side, macro_name: &maker.macro_name, call, file_path, classes };
            match rows.get(&cause).and_then(|row| kept.get_mut(*row)) {
                Some(first) => first.add_made(&maker.macro_name),
                None => {
                    rows.insert(cause, kept.len());
                    kept.push(difference);
                }
            }
        }
        *found = kept;
        all - found.len()
    }
}

/// Why items that calls make differ.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Cause<'m> {
    side: Side,
    macro_name: &'m str,
    call: Option<NodeId>,
    file_path: String,
    classes: Vec<Class>,
}

impl Above {
    fn new(item: &ItemState) -> Self {
        match (item.text_hash, item.parent_id) {
            (None, Some(parent)) => Self::Parent(parent),
            (Some(_), _) if item.kind == NodeKind::MacroCall => {
                Self::Call(Maker { call: item.id, macro_name: item.name.clone() })
            }
            _ => Self::Nothing,
        }
    }
}

/// The written call above an item that one makes.
fn climb(above: &BTreeMap<NodeId, Above>, mut at: NodeId) -> Option<&Maker> {
    // As deep as items nest.
    for _ in 0..above.len() {
        match above.get(&at)? {
            Above::Parent(parent) => at = *parent,
            Above::Call(maker) => return Some(maker),
            Above::Nothing => return None,
        }
    }
    None
}

/// The moment of the side that an entry shows.
pub(super) fn side_shown(difference: &Difference) -> Side {
    difference.later().map_or(Side::Earlier, |_| Side::Later)
}

/// The calls whose own tokens differ.
pub(super) fn changed_calls(found: &[Difference]) -> BTreeSet<(Side, NodeId)> {
    let calls = found.iter().filter(|difference| {
        difference.shown().kind == NodeKind::MacroCall
            && !difference.classes.iter().all(|class| class.is_quiet())
    });
    calls.map(|difference| (side_shown(difference), difference.shown().id)).collect()
}
