//! Pairs the macro calls of two states. They have no name of their own: an id counts the calls of a
//! macro in one place, so a call that is inserted has the id of the one that it comes before. What is
//! written decides instead.

use std::collections::BTreeMap;

use super::readded_items::{End, Ends, Pair};
use asof_item_tracking::{Bag, ItemState};
use asof_model::{NodeKind, TextHash};

/// Least similarity of the tokens of a call that was changed.
const ALIKE: f64 = 0.5;

/// Pairs of calls of one macro up to which their tokens are compared.
const MAX_COMPARED: usize = 100_000;

/// Calls that differ, by file and macro.
#[derive(Default)]
pub(super) struct MacroCalls(BTreeMap<(String, String), Sides>);

#[derive(Default)]
struct Sides {
    old: Vec<End>,
    new: Vec<End>,
}

impl MacroCalls {
    /// Takes the calls that differ out of pairs that have an id in common, and of items on one side.
    /// Those whose tokens are the same are paired again.
    pub fn take(pairs: &mut Vec<Pair>, gone: &mut Ends, come: &mut Ends) -> Self {
        let mut calls = MacroCalls::default();
        let is_call = |item: &ItemState| item.kind == NodeKind::MacroCall;
        let differs = |pair: &mut Pair| {
            is_call(&pair.old) && pair.old.tracking_hash != pair.new.tracking_hash
        };
        for Pair { old, new, .. } in pairs.extract_if(.., differs) {
            calls.sides(&old).old.push(End { item: old, step: 0, other: None });
            calls.sides(&new).new.push(End { item: new, step: 0, other: None });
        }
        for (_, end) in gone.extract_if(.., |_, end| is_call(&end.item)) {
            calls.sides(&end.item).old.push(end);
        }
        for (_, end) in come.extract_if(.., |_, end| is_call(&end.item)) {
            calls.sides(&end.item).new.push(end);
        }
        for sides in calls.0.values_mut() {
            pairs.extend(sides.pair_equal());
        }
        calls
    }

    /// Texts that [`Self::pair`] asks for.
    pub fn texts(&self) -> impl Iterator<Item = TextHash> {
        let compared = self.0.values().filter(|sides| sides.is_compared());
        let ends = compared.flat_map(|sides| sides.old.iter().chain(&sides.new));
        ends.filter_map(|end| end.item.text_hash)
    }

    /// Pairs those that are alike, the most similar first, then those with one id. The others are on
    /// one side.
    pub fn pair<'t>(
        self,
        pairs: &mut Vec<Pair>,
        gone: &mut Ends,
        come: &mut Ends,
        text: &dyn Fn(&TextHash) -> Option<&'t str>,
    ) {
        for mut sides in self.0.into_values() {
            pairs.extend(sides.pair_alike(text));
            pairs.extend(sides.pair_by(|item| item.id));
            gone.extend(sides.old.into_iter().map(|end| (end.item.id, end)));
            come.extend(sides.new.into_iter().map(|end| (end.item.id, end)));
        }
    }

    fn sides(&mut self, item: &ItemState) -> &mut Sides {
        self.0.entry((item.file_path.clone(), item.name.clone())).or_default()
    }
}

impl Sides {
    fn pair_equal(&mut self) -> Vec<Pair> {
        self.pair_by(|item| item.tracking_hash)
    }

    /// Pairs items that have the same key, in their order.
    fn pair_by<K: Ord>(&mut self, key: impl Fn(&ItemState) -> K) -> Vec<Pair> {
        let mut by_key: BTreeMap<K, Vec<End>> = BTreeMap::new();
        for end in self.old.drain(..).rev() {
            by_key.entry(key(&end.item)).or_default().push(end);
        }
        let mut pairs = Vec::new();
        for end in std::mem::take(&mut self.new) {
            match by_key.get_mut(&key(&end.item)).and_then(Vec::pop) {
                Some(old) => pairs.push(Pair::new(old.item, end.item, None)),
                None => self.new.push(end),
            }
        }
        self.old = by_key.into_values().flat_map(|ends| ends.into_iter().rev()).collect();
        pairs
    }

    fn is_compared(&self) -> bool {
        let count = self.old.len().saturating_mul(self.new.len());
        count > 0 && count <= MAX_COMPARED
    }

    fn pair_alike<'t>(&mut self, text: &dyn Fn(&TextHash) -> Option<&'t str>) -> Vec<Pair> {
        if !self.is_compared() {
            return Vec::new();
        }
        let bags = |ends: &[End]| -> Vec<Bag> {
            let text = |end: &End| end.item.text_hash.as_ref().and_then(text).unwrap_or_default();
            ends.iter().map(|end| Bag::parse(text(end), &end.item.name)).collect()
        };
        let (old, new) = (bags(&self.old), bags(&self.new));
        let mut alike = Vec::new();
        for (at, bag) in old.iter().enumerate() {
            for (other, with) in new.iter().enumerate() {
                let similarity = bag.similarity(with);
                if similarity >= ALIKE {
                    alike.push((similarity, at, other));
                }
            }
        }
        alike.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut ends: [Vec<Option<End>>; 2] =
            [&mut self.old, &mut self.new].map(|side| side.drain(..).map(Some).collect());
        let [olds, news] = &mut ends;
        let mut pairs = Vec::new();
        for (_, at, other) in alike {
            if let (Some(old @ Some(_)), Some(new @ Some(_))) =
                (olds.get_mut(at), news.get_mut(other))
                && let (Some(old), Some(new)) = (old.take(), new.take())
            {
                pairs.push(Pair::new(old.item, new.item, None));
            }
        }
        let [olds, news] = ends;
        self.old = olds.into_iter().flatten().collect();
        self.new = news.into_iter().flatten().collect();
        pairs
    }
}
