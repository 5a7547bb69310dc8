//! A step from one state to the next: where each added item comes from, and where each removed
//! one went.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::bag::Bag;
use super::flow::{Flow, PartialMatch};
use super::matching::{Matching, Rule};
use super::state::ItemState;
use crate::model::{NodeId, TextHash};

/// Reads texts by their addresses; a text that there is none of is left out.
type Fetch<'a, E> = dyn FnMut(&[TextHash]) -> Result<Vec<(TextHash, String)>, E> + 'a;

/// Texts as they are asked for, and what they consist of.
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

    /// Reads those that were not read yet, at once.
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

/// What an added item was before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ItemMatch {
    pub from: NodeId,
    pub rule: Rule,
    /// Likeness of the tokens, 0 to 1.
    pub similarity: f64,
}

/// Version of the judgement: raise it with every rule or threshold, so that what was stored by
/// earlier ones is judged anew.
pub const MATCH_RULES_VERSION: i64 = 1;

/// Item matches as they are stored; shares and similarities bit by bit, so that an answer out of it is
/// the answer that was judged.
#[derive(Serialize, Deserialize)]
struct Stored {
    origins: Vec<(NodeId, NodeId, Rule, u64)>,
    splits: Vec<(NodeId, NodeId, u64)>,
    merges: Vec<(NodeId, NodeId, u64)>,
}

/// What became of the items of a step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ItemMatches {
    /// Of added items that were another before.
    pub origins: BTreeMap<NodeId, ItemMatch>,
    /// The other way: what removed items became.
    pub fates: BTreeMap<NodeId, NodeId>,
    /// Of added items that were made of a part of another: which, and how much of it is from
    /// there, 0 to 1.
    pub splits: BTreeMap<NodeId, PartialMatch>,
    /// Of removed items that went into another: which, and how much of it is there.
    pub merges: BTreeMap<NodeId, PartialMatch>,
}

impl ItemMatches {
    /// Judges a step that removed and added these items. `changed` gives those that it changed,
    /// old and new; it is asked only if items are left that may be parts of others.
    pub fn of<E>(
        removed: &[ItemState],
        added: &[ItemState],
        changed: impl FnOnce() -> Result<Vec<(ItemState, ItemState)>, E>,
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        let matching = Matching::of(removed, added, texts)?;
        let flow = match Flow::is_called_for(&matching) {
            true => Flow::of(&matching, &changed()?, texts)?,
            false => Flow::default(),
        };
        Ok(Self::new(matching.origins().collect(), flow.splits, flow.merges))
    }

    fn new(
        origins: BTreeMap<NodeId, ItemMatch>,
        splits: BTreeMap<NodeId, PartialMatch>,
        merges: BTreeMap<NodeId, PartialMatch>,
    ) -> Self {
        let fates = origins.iter().map(|(new, origin)| (origin.from, *new)).collect();
        Self { origins, fates, splits, merges }
    }

    /// The stored form (JSON, zstd).
    pub fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let streams = |streams: &BTreeMap<NodeId, PartialMatch>| {
            streams.iter().map(|(id, s)| (*id, s.other, s.share.to_bits())).collect()
        };
        let origin = |(id, o): (&NodeId, &ItemMatch)| (*id, o.from, o.rule, o.similarity.to_bits());
        let stored = Stored {
            origins: self.origins.iter().map(origin).collect(),
            splits: streams(&self.splits),
            merges: streams(&self.merges),
        };
        zstd::bulk::compress(&serde_json::to_vec(&stored)?, 1)
    }

    /// Reads the stored form.
    pub fn from_bytes(bytes: &[u8]) -> std::io::Result<Self> {
        let stored: Stored = serde_json::from_slice(&zstd::stream::decode_all(bytes)?)?;
        let streams = |list: Vec<(NodeId, NodeId, u64)>| {
            let stream =
                |(id, other, share)| (id, PartialMatch { other, share: f64::from_bits(share) });
            list.into_iter().map(stream).collect()
        };
        let origin = |(id, from, rule, similarity)| {
            (id, ItemMatch { from, rule, similarity: f64::from_bits(similarity) })
        };
        let origins = stored.origins.into_iter().map(origin).collect();
        Ok(Self::new(origins, streams(stored.splits), streams(stored.merges)))
    }
}
