//! Selects the differences that a request asks for, and counts them.

use std::collections::BTreeMap;

use super::difference::Difference;
use super::expansions::{Makers, Side};
use super::implied_entries::fold;
use super::scope::Scope;
use asof_item_tracking::{Class, ItemState};
use asof_model::{NodeId, NodeKind};
use asof_wire::{Detail, DiffRequest};

/// The differences that a request selects, by path.
pub(super) struct Selected {
    pub found: Vec<Difference>,
    /// Number of items by what changed.
    pub summary: BTreeMap<Class, usize>,
    /// Number of items that another one implies.
    pub folded: usize,
    /// Number of `use` declarations, listed or not.
    pub imports: usize,
}

impl Selected {
    /// `items` gives the states of items at a moment.
    pub fn new<E>(
        mut found: Vec<Difference>,
        request: &DiffRequest,
        scope: Option<&Scope>,
        items: impl FnMut(Side, &[NodeId]) -> Result<Vec<ItemState>, E>,
    ) -> Result<Self, E> {
        if let Some(scope) = scope {
            let inside = |item: Option<&ItemState>| item.is_some_and(|i| scope.holds(i));
            found.retain(|d| inside(d.earlier()) || inside(d.later()));
        }
        let imports = found.iter().filter(|d| d.shown().kind == NodeKind::Import).count();
        found.retain(|d| request.kind.is_none_or(|kind| d.shown().kind == kind));
        found.sort_by(|a, b| {
            let key = |d: &Difference| (d.shown().label().to_owned(), d.shown().id);
            key(a).cmp(&key(b))
        });
        let folded = match (request.detail, request.kind) {
            (Detail::Folded, None) => {
                let makers = Makers::find(&found, items)?;
                fold(&mut found, &makers)
            }
            _ => 0,
        };
        let mut summary = BTreeMap::new();
        for class in found.iter().flat_map(|d| &d.classes) {
            *summary.entry(*class).or_default() += 1;
        }
        Ok(Selected { found, summary, folded, imports })
    }

    /// Those up to the limit, and one more that shows whether there are more.
    pub fn shown(&self, request: &DiffRequest) -> impl Iterator<Item = &Difference> {
        let shown = request.limit.map_or(self.found.len(), |limit| limit.saturating_add(1));
        self.found.iter().take(shown)
    }
}
