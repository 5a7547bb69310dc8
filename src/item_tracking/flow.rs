//! Splits and merges: where a part of an item's tokens went.
//!
//! What an item lost is its old bag minus its new one. An unmatched added item was split off from
//! the item whose loss contains most of its body; an unmatched removed item was merged into the item
//! whose gain contains most of its body. Heads do not count: an extracted function gets a head of
//! its own, and an inlined one loses it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::bag::Bag;
use super::class::inside;
use super::item_match::Rule;
use super::matching::Matching;
use super::state::ItemState;
use super::texts::Texts;
use asof_model::{NodeId, NodeKind};

/// Least share of a body that must be in the other item.
const PART: f64 = 0.5;
/// … of the body of the shortest.
const PART_OF_SHORT: f64 = 0.8;
/// … of a body that is across crates.
const PART_ELSEWHERE: f64 = 0.65;
/// … of a body of which another item took most already: several alike may have come from one, or
/// went into one.
const PART_AGAIN: f64 = 0.65;
/// Least weight of a body: the origin of smaller ones cannot be told.
const TELLING: f64 = 10.0;
/// … across crates: some thirty words. Smaller bodies are alike by chance in code that has nothing
/// else in common.
const TELLING_ELSEWHERE: f64 = 60.0;
/// Features of more items than this are not used to find candidates.
const COMMON: usize = 64;

/// Where a part of an item came from, or went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartialMatch {
    /// The other item.
    pub other: NodeId,
    /// Share of this item's body that is there, 0 to 1.
    pub share: f64,
}

/// Splits and merges of a step, by the id of the added or removed item.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    pub splits: BTreeMap<NodeId, PartialMatch>,
    pub merges: BTreeMap<NodeId, PartialMatch>,
}

impl Flow {
    /// Whether unmatched items are left that may be parts of others.
    pub fn is_called_for(matching: &Matching<'_>) -> bool {
        !open(matching.new, |at| matching.origin(at).is_none()).is_empty()
            || !open(matching.old, |at| matching.fate(at).is_none()).is_empty()
    }

    /// Finds the splits and merges of a step whose moves and renames are known. `changed` are
    /// pairs of old and new.
    pub fn compute<E>(
        matching: &Matching<'_>,
        changed: &[(ItemState, ItemState)],
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        let young: Vec<&ItemState> = open(matching.new, |at| matching.origin(at).is_none());
        let gone: Vec<&ItemState> = open(matching.old, |at| matching.fate(at).is_none());
        if young.is_empty() && gone.is_empty() {
            return Ok(Self::default());
        }
        let mut pairs: Vec<(Option<&ItemState>, Option<&ItemState>)> = changed
            .iter()
            .filter(|(old, new)| old.text_hash != new.text_hash)
            .map(|(old, new)| (Some(old), Some(new)))
            .collect();
        pairs.extend(matching.pairs().map(|p| (matching.old.get(p.old), matching.new.get(p.new))));
        let both = |pair: &(Option<&ItemState>, Option<&ItemState>)| {
            let [old, new] = [pair.0, pair.1].map(|i| i.map(|i| (i.text_hash, i.name.as_str())));
            old != new
        };
        pairs.retain(both);
        pairs.extend(gone.iter().map(|item| (Some(*item), None)));
        pairs.extend(young.iter().map(|item| (None, Some(*item))));
        let items = pairs.iter().flat_map(|(old, new)| [*old, *new]).flatten();
        let items: Vec<&ItemState> = items.filter(|item| holds_code(item)).collect();
        texts.load(items.iter().filter_map(|item| item.text_hash))?;

        let (mut lost, mut gained) = (Vec::new(), Vec::new());
        for (old, new) in &pairs {
            let [before, after] = [bag(*old, texts)?, bag(*new, texts)?];
            if let (Some(item), Some(before), false) = (*old, &before, young.is_empty()) {
                lost.push(Difference::new(item, before, after.as_ref()));
            }
            if let (Some(item), Some(after), false) = (*new, &after, gone.is_empty()) {
                gained.push(Difference::new(item, after, before.as_ref()));
            }
        }
        Ok(Self { splits: streams(&young, &lost, texts), merges: streams(&gone, &gained, texts) })
    }

    /// Items of which one went into the other, and the other came from the one: old, new, and the
    /// lesser of both shares. They are one item, or copies, but no parts.
    pub fn mutual(&self) -> Vec<(NodeId, NodeId, f64)> {
        let mutual = self.merges.iter().filter_map(|(old, into)| {
            let from = self.splits.get(&into.other).filter(|from| from.other == *old)?;
            Some((*old, into.other, into.share.min(from.share)))
        });
        mutual.collect()
    }

    /// The flow without such items.
    pub fn without_mutual(mut self) -> Self {
        for (old, new, _) in self.mutual() {
            self.merges.remove(&old);
            self.splits.remove(&new);
        }
        self
    }
}

impl Matching<'_> {
    /// Matches items whose bodies are in each other. Returns whether there are any.
    pub(super) fn take_mutual(&mut self, flow: &Flow) -> bool {
        let mut found = false;
        for (old, new, share) in flow.mutual() {
            let at = self.old_at.get(&old).copied().zip(self.new_at.get(&new).copied());
            found |= at.is_some_and(|(old, new)| self.take(old, new, Rule::Tokens, share));
        }
        found
    }
}

/// What an item has on one side and not on the other.
struct Difference<'a> {
    item: &'a ItemState,
    bag: Bag,
    side: Rc<Bag>,
    other_side: Option<Rc<Bag>>,
}

impl<'a> Difference<'a> {
    fn new(item: &'a ItemState, side: &Rc<Bag>, other_side: Option<&Rc<Bag>>) -> Self {
        let bag = other_side.map_or_else(|| (**side).clone(), |other| side.minus(other));
        Self { item, bag, side: Rc::clone(side), other_side: other_side.map(Rc::clone) }
    }

    /// Whether a name stands where the difference was: a call of what was split off, or of what was
    /// merged in.
    fn is_replaced_by(&self, name: &str) -> bool {
        self.other_side.as_ref().is_some_and(|other| other.has(name)) && !self.side.has(name)
    }
}

fn open(items: &[ItemState], is_open: impl Fn(usize) -> bool) -> Vec<&ItemState> {
    let open = items.iter().enumerate().filter(|(at, item)| is_open(*at) && holds_code(item));
    open.map(|(_, item)| item).collect()
}

/// Whether an item has a body or list of its own that parts can be taken from.
fn holds_code(item: &ItemState) -> bool {
    matches!(
        item.kind,
        NodeKind::Function
            | NodeKind::Method
            | NodeKind::Struct
            | NodeKind::Enum
            | NodeKind::Union
            | NodeKind::Const
            | NodeKind::Static
            | NodeKind::AssocConst
            | NodeKind::Macro
    )
}

fn bag<E>(item: Option<&ItemState>, texts: &mut Texts<'_, E>) -> Result<Option<Rc<Bag>>, E> {
    match item.filter(|item| holds_code(item)) {
        Some(item) => texts.bag(item),
        None => Ok(None),
    }
}

fn body(text: &str, item: &ItemState) -> Bag {
    Bag::parse(inside(text, item.kind), &item.name)
}

/// Least share of a body of a weight: half of a short one is what any code has.
fn least_share(weight: f64) -> f64 {
    const SHORT: f64 = 12.0;
    const LONG: f64 = 24.0;
    let short = ((LONG - weight) / (LONG - SHORT)).clamp(0.0, 1.0);
    PART + short * (PART_OF_SHORT - PART)
}

/// A difference that may hold the body of an item.
struct Stream<'a> {
    item: &'a ItemState,
    body: Rc<Bag>,
    /// Index of the difference.
    at: usize,
    share: f64,
    /// Whether the item's name stands there instead.
    is_named: bool,
    /// Share of the difference that the body is.
    of_difference: f64,
}

impl Stream<'_> {
    /// The better of two comes first: one whose other item names this one, then one with more of the
    /// body. Where two have about as much, that which is little else gave its whole body away, and the
    /// other only lost a part that is alike.
    fn rank(&self, other: &Self) -> Ordering {
        let tenths = |stream: &Self| (stream.share * 10.0).round();
        let named = other.is_named.cmp(&self.is_named);
        named
            .then(tenths(other).total_cmp(&tenths(self)))
            .then(other.of_difference.total_cmp(&self.of_difference))
            .then(other.share.total_cmp(&self.share))
    }
}

impl<'a> Stream<'a> {
    /// Types are parts of types only: that a function names what a type holds does not make one out
    /// of the other. The same goes for macros.
    fn new(
        item: &'a ItemState,
        body: &Rc<Bag>,
        at: usize,
        difference: &Difference<'_>,
    ) -> Option<Self> {
        let other = difference.item;
        let is_macro = |item: &ItemState| item.kind == NodeKind::Macro;
        let alike = other.is_type() == item.is_type() && is_macro(other) == is_macro(item);
        let near = other.package_folder() == item.package_folder()
            && other.crate_name() == item.crate_name();
        let is_named = near && difference.is_replaced_by(&item.name);
        let least = if !near {
            PART_ELSEWHERE
        } else if is_named {
            PART
        } else {
            least_share(body.weight())
        };
        let share = body.contained_in(&difference.bag);
        let tells = near || body.weight() >= TELLING_ELSEWHERE;
        (other.id != item.id && alike && tells && share >= least).then(|| Self {
            item,
            body: Rc::clone(body),
            at,
            share,
            is_named,
            of_difference: difference.bag.contained_in(body),
        })
    }
}

/// For each item, the other whose difference holds most of its body, the best first. What one item
/// took from a difference is there for the next only if the next is named there, or most of it was
/// there.
fn streams<E>(
    items: &[&ItemState],
    others: &[Difference<'_>],
    texts: &Texts<'_, E>,
) -> BTreeMap<NodeId, PartialMatch> {
    let mut posting: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, other) in others.iter().enumerate() {
        for feature in other.bag.telling() {
            posting.entry(feature).or_default().push(at);
        }
    }
    let mut ranked: Vec<(NodeId, Stream<'_>)> = Vec::new();
    for item in items {
        let text = item.text_hash.and_then(|hash| texts.get(&hash));
        let Some(body) = text.map(|text| Rc::new(body(text, item))) else { continue };
        if body.weight() < TELLING {
            continue;
        }
        let lists = body.telling().filter_map(|feature| posting.get(&feature));
        let candidates: BTreeSet<usize> =
            lists.filter(|list| list.len() <= COMMON).flatten().copied().collect();
        let candidates = candidates.into_iter().filter_map(|at| Some((at, others.get(at)?)));
        ranked.extend(
            candidates.filter_map(|(at, other)| {
                Some((other.item.id, Stream::new(item, &body, at, other)?))
            }),
        );
    }
    ranked.sort_by(|(one, a), (two, b)| a.rank(b).then((*one, a.item.id).cmp(&(*two, b.item.id))));
    let mut rest: BTreeMap<usize, Bag> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for (other, stream) in ranked {
        let Stream { item, body, at, share, is_named, .. } = stream;
        let Some(left) = rest.get(&at).or(others.get(at).map(|other| &other.bag)) else { continue };
        let is_there = is_named || share >= PART_AGAIN || body.contained_in(left) >= PART;
        if is_there && !found.contains_key(&item.id) {
            let left = left.minus(&body);
            rest.insert(at, left);
            found.insert(item.id, PartialMatch { other, share });
        }
    }
    found
}
