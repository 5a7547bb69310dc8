//! Similarity of two texts: bags of weighted tokens and pairs of adjacent tokens.
//!
//! Single tokens survive scattered edits, pairs reflect the order. A word weighs 1, a keyword or a
//! name of the prelude 0.25, punctuation 0.1, a pair the mean of its tokens: two functions that
//! share no name then have a similarity of about 0.15, where an unweighted measure gives 0.5.
//! Weights are fixed and not derived from the other items of a revision, so that a match of two
//! items does not depend on a third. `benches/README.md` has the figures behind this choice.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

use asof_syntax::{TokenClass, code_tokens};

type Fixed = BuildHasherDefault<DefaultHasher>;

/// Feature → (count, weight of one).
#[derive(Debug, Clone, Default)]
pub struct Bag {
    features: HashMap<u64, (u32, f64), Fixed>,
    total: f64,
}

const WORD: f64 = 1.0;
const KEYWORD: f64 = 0.25;
const MARK: f64 = 0.1;

impl Bag {
    /// The bag of a text. `name` is the item's own: wherever it occurs, it counts as the same
    /// as any other item's, so that a rename changes nothing.
    pub fn parse(text: &str, name: &str) -> Self {
        let mut bag = Self::default();
        let mut last: Option<(u64, f64)> = None;
        for token in code_tokens(text) {
            let own = !name.is_empty() && token.text == name;
            let weight = match token.class {
                TokenClass::Word if own => KEYWORD,
                TokenClass::Word => WORD,
                TokenClass::Keyword => KEYWORD,
                TokenClass::Mark => MARK,
            };
            let hash = if own { hashed("") } else { hashed(token.text) };
            bag.add(hash, weight);
            if let Some((before, its)) = last {
                bag.add(hashed((before, hash)), f64::midpoint(weight, its));
            }
            last = Some((hash, weight));
        }
        bag
    }

    fn add(&mut self, feature: u64, weight: f64) {
        self.features.entry(feature).or_insert((0, weight)).0 += 1;
        self.total += weight;
    }

    /// Adds another bag.
    pub fn merge(&mut self, other: &Self) {
        for (feature, (count, weight)) in &other.features {
            self.features.entry(*feature).or_insert((0, *weight)).0 += count;
        }
        self.total += other.total;
    }

    /// Sum of the weights.
    pub fn weight(&self) -> f64 {
        self.total
    }

    /// This bag minus the other.
    pub fn minus(&self, other: &Self) -> Self {
        let mut rest = Self::default();
        for (feature, (count, weight)) in &self.features {
            let there = other.features.get(feature).map_or(0, |(count, _)| *count);
            let left = count.saturating_sub(there);
            if left > 0 {
                rest.features.insert(*feature, (left, *weight));
                rest.total += f64::from(left) * weight;
            }
        }
        rest
    }

    /// Weight of the intersection.
    pub fn shared(&self, other: &Self) -> f64 {
        let (few, many) =
            if self.features.len() <= other.features.len() { (self, other) } else { (other, self) };
        let mut shared: Vec<f64> = few
            .features
            .iter()
            .filter_map(|(feature, (count, weight))| {
                let (there, _) = many.features.get(feature)?;
                Some(f64::from(*count.min(there)) * weight)
            })
            .collect();
        // The sum of floats depends on their order, and hash maps have none.
        shared.sort_by(f64::total_cmp);
        shared.iter().sum()
    }

    /// Share of what both hold in what the two hold on average, 0 to 1 (Dice's coefficient of
    /// weighted bags).
    pub fn similarity(&self, other: &Self) -> f64 {
        let whole = self.total + other.total;
        if whole > 0.0 { 2.0 * self.shared(other) / whole } else { 0.0 }
    }

    /// Share of this bag that the other contains, 0 to 1.
    pub fn contained_in(&self, other: &Self) -> f64 {
        if self.total > 0.0 { self.shared(other) / self.total } else { 0.0 }
    }

    /// Whether a word is among the tokens.
    pub(super) fn has(&self, word: &str) -> bool {
        self.features.contains_key(&hashed(word))
    }

    /// Features with enough weight for an index of candidates.
    pub(super) fn telling(&self) -> impl Iterator<Item = u64> {
        let telling = |(feature, (_, weight)): (&u64, &(u32, f64))| {
            (*weight >= f64::midpoint(WORD, MARK)).then_some(*feature)
        };
        self.features.iter().filter_map(telling)
    }
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
