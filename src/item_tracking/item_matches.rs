//! Matches the items of two consecutive states: where each added item comes from, and where each
//! removed one went.

use super::call_sites::CallSites;
use super::flow::Flow;
use super::item_match::{ItemMatch, MatchKind, Rule};
use super::matching::Matching;
use super::state::ItemState;
use super::texts::Texts;
use asof_model::NodeId;

/// Version of the rules: raise it with every rule or threshold that changes, so that what earlier
/// ones matched is not taken for what these would.
pub const MATCH_RULES_VERSION: i64 = 5;

/// The matches of one step, ordered by the new item.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ItemMatches(Vec<ItemMatch>);

impl ItemMatches {
    /// Matches the items that a step removed with those that it added. `changed` gives those that
    /// it changed, old and new; it is called only if items are left that may be parts of others.
    pub fn compute<E>(
        removed: &[ItemState],
        added: &[ItemState],
        changed: impl FnOnce() -> Result<Vec<(ItemState, ItemState)>, E>,
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        Self::with_edited_pairs(removed, added, &[], changed, texts)
    }

    /// [`ItemMatches::compute`], where an edit tells what became of some items: old, new.
    pub fn with_edited_pairs<E>(
        removed: &[ItemState],
        added: &[ItemState],
        told: &[(NodeId, NodeId)],
        changed: impl FnOnce() -> Result<Vec<(ItemState, ItemState)>, E>,
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        // Equal candidates are taken in the order of ids, whatever the order of the input.
        let sorted = |items: &[ItemState]| {
            let mut items = items.to_vec();
            items.sort_by_key(|item| item.id);
            items
        };
        let (removed, added) = (sorted(removed), sorted(added));
        let mut matching = Matching::certain(&removed, &added, told, texts)?;
        let flow = if matching.is_open() || Flow::is_called_for(&matching) {
            let changed = changed()?;
            let (old, new) = matching.open_names();
            let calls = CallSites::compare(&old, &new, &changed, texts)?;
            matching.similar(&calls, texts)?;
            let mut flow = Flow::compute(&matching, &changed, texts)?;
            if matching.take_mutual(&flow) {
                matching.by_shape(texts)?;
                flow = Flow::compute(&matching, &changed, texts)?;
            }
            flow.without_mutual()
        } else {
            Flow::default()
        };
        let part = |kind, (old, new): (NodeId, NodeId), confidence| ItemMatch {
            old,
            new,
            kind,
            confidence,
            rule: Rule::Body,
        };
        let splits =
            flow.splits.iter().map(|(new, p)| part(MatchKind::Split, (p.other, *new), p.share));
        let merges =
            flow.merges.iter().map(|(old, p)| part(MatchKind::Merged, (*old, p.other), p.share));
        Ok(matching.matches().chain(splits).chain(merges).collect())
    }

    /// Every match.
    pub fn iter(&self) -> impl Iterator<Item = &ItemMatch> {
        self.0.iter()
    }

    /// Matches that say where an item comes from, and what went into it.
    pub fn into_item(&self, new: NodeId) -> impl Iterator<Item = &ItemMatch> {
        let start = self.0.partition_point(|found| found.new < new);
        self.0.iter().skip(start).take_while(move |found| found.new == new)
    }
}

impl FromIterator<ItemMatch> for ItemMatches {
    fn from_iter<I: IntoIterator<Item = ItemMatch>>(matches: I) -> Self {
        let mut matches: Vec<ItemMatch> = matches.into_iter().collect();
        matches.sort_by_key(|found| (found.new, found.old, found.kind));
        Self(matches)
    }
}
