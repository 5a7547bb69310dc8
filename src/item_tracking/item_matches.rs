//! What became of the items between two consecutive states: where each added item comes from, and
//! where each removed one went.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::bag::Bag;
use super::call_sites::CallSites;
use super::flow::Flow;
use super::matching::{Matching, Rule};
use super::state::ItemState;
use crate::model::{NodeId, TextHash};

/// Reads texts by their hashes; missing ones are left out.
type Fetch<'a, E> = dyn FnMut(&[TextHash]) -> Result<Vec<(TextHash, String)>, E> + 'a;

/// Texts and their bags of tokens, read on demand.
#[allow(missing_debug_implementations, reason = "holds a function")]
pub struct Texts<'a, E> {
    fetch: &'a mut Fetch<'a, E>,
    known: BTreeMap<TextHash, Option<String>>,
    bags: BTreeMap<(TextHash, String), Rc<Bag>>,
}

impl<'a, E> Texts<'a, E> {
    /// Texts that `fetch` reads.
    pub fn new(fetch: &'a mut Fetch<'a, E>) -> Self {
        Self { fetch, known: BTreeMap::new(), bags: BTreeMap::new() }
    }

    /// Reads those that were not read yet, in one batch.
    pub fn load(&mut self, wanted: impl IntoIterator<Item = TextHash>) -> Result<(), E> {
        let missing: BTreeSet<TextHash> =
            wanted.into_iter().filter(|hash| !self.known.contains_key(hash)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let missing: Vec<TextHash> = missing.into_iter().collect();
        let found = (self.fetch)(&missing)?;
        self.known.extend(missing.into_iter().map(|hash| (hash, None)));
        self.known.extend(found.into_iter().map(|(hash, text)| (hash, Some(text))));
        Ok(())
    }

    /// A text that was loaded.
    pub fn get(&self, hash: &TextHash) -> Option<&str> {
        self.known.get(hash)?.as_deref()
    }

    /// The bag of an item's own text.
    pub(super) fn bag(&mut self, item: &ItemState) -> Result<Option<Rc<Bag>>, E> {
        let Some(hash) = item.text_hash else { return Ok(None) };
        let key = (hash, item.name.clone());
        if let Some(bag) = self.bags.get(&key) {
            return Ok(Some(Rc::clone(bag)));
        }
        self.load([hash])?;
        let Some(text) = self.get(&hash) else { return Ok(None) };
        let bag = Rc::new(Bag::of(text, &item.name));
        self.bags.insert(key, Rc::clone(&bag));
        Ok(Some(bag))
    }
}

/// How two items belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MatchKind {
    /// The old one became the new one, under its name.
    Moved,
    /// The old one became the new one, under another name.
    Renamed,
    /// The new one was made of a part of the old one.
    Split,
    /// The old one went into the new one.
    Merged,
}

impl MatchKind {
    const ALL: [Self; 4] = [Self::Moved, Self::Renamed, Self::Split, Self::Merged];

    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Renamed => "renamed",
            Self::Split => "split",
            Self::Merged => "merged",
        }
    }

    /// Reads the stored form; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Whether the new item is the old one.
    pub const fn is_same_item(self) -> bool {
        matches!(self, Self::Moved | Self::Renamed)
    }
}

/// What an added item was before, or a part of which other item it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ItemMatch {
    pub old: NodeId,
    pub new: NodeId,
    pub kind: MatchKind,
    /// Similarity of the tokens; of a split or merge, the share of the smaller body that is in
    /// the other. 0 to 1.
    pub confidence: f64,
    pub rule: Rule,
}

/// Version of the rules: raise it with every rule or threshold that changes, so that what earlier
/// ones matched is not taken for what these would.
pub const MATCH_RULES_VERSION: i64 = 4;

/// The matches of one step, ordered by the new item.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ItemMatches(Vec<ItemMatch>);

impl ItemMatches {
    /// Matches the items that a step removed with those that it added. `changed` gives those that
    /// it changed, old and new; it is called only if items are left that may be parts of others.
    pub fn of<E>(
        removed: &[ItemState],
        added: &[ItemState],
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
        let mut matching = Matching::certain(&removed, &added, texts)?;
        let flow = if matching.is_open() || Flow::is_called_for(&matching) {
            let changed = changed()?;
            let (old, new) = matching.open_names();
            let calls = CallSites::of((&old, &new), &changed, texts)?;
            matching.similar(&calls, texts)?;
            let mut flow = Flow::of(&matching, &changed, texts)?;
            if matching.take_mutual(&flow) {
                matching.by_shape(texts)?;
                flow = Flow::of(&matching, &changed, texts)?;
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
