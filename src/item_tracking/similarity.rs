//! Matches by similarity: removed and added items whose tokens are alike enough for what else they
//! share. The best pairs are taken first.

use std::collections::{BTreeSet, HashMap};

use super::bag::Bag;
use super::call_sites::CallSites;
use super::class::inside;
use super::item_match::Rule;
use super::matching::{Matching, TELLING, comparable};
use super::state::{Family, ItemState};
use super::texts::{Texts, bags};
use asof_model::{NodeKind, identifier_parts};

/// Least similarity of two items of the same name and kind. This and the next three come from a
/// sweep over crates that no rule was made with; benches/README.md has the table. Of items of which
/// up to 40 % of the tokens were edited, 99 to 100 % stay above it.
const SAME_NAME: f64 = 0.30;
/// … two items of the same container with different names. Of items edited by up to 20 %, 98 to
/// 100 % stay above it; of random pairs of siblings, 20 to 30 % are.
const SAME_PLACE: f64 = 0.45;
/// … two items of the same container, if one name is the other with more words, or if calls changed
/// from one name to the other.
const NAMED: f64 = 0.38;
/// … two items that share neither, or whose name means little without its type. The name of a
/// method is no evidence across types: methods of the same name are similar by chance more often
/// than others.
const ELSEWHERE: f64 = 0.60;
/// … the same, if both are large: large items are less often similar by chance, 7 % of those added
/// with 20 others removed, against 12 % of small ones at [`ELSEWHERE`].
const ELSEWHERE_LARGE: f64 = 0.50;
/// … two types. What small types share is mostly their form.
const ELSEWHERE_TYPE: f64 = 0.70;
/// Least weight of two items that share neither place nor name: setters, getters and the like are
/// alike wherever they are.
const TELLING_ELSEWHERE: f64 = 15.0;
/// Least weight of a large item: some thirty words.
const LARGE: f64 = 60.0;
/// Added to similarity when pairs compete.
const BONUS: f64 = 0.15;
/// … for the same name in another type, where it only decides between equals.
const NAME_BONUS: f64 = 0.01;
/// Least score of the pairs that are taken first.
const FIRST: f64 = 0.80;
/// Features of more items than this are not used to find candidates.
const COMMON: usize = 64;

/// Two items that may be one, by indices.
pub(super) struct Likeness {
    old: usize,
    new: usize,
    similarity: f64,
    /// Of the lighter one.
    weight: f64,
    /// Similarity of the values of constants and statics; 1 for other items.
    value: f64,
}

/// What two items that may be one need, and have.
struct Evidence {
    /// Least similarity.
    similarity: f64,
    /// Least weight.
    weight: f64,
    /// Least similarity of values.
    value: f64,
    /// Added to the similarity when pairs compete.
    bonus: f64,
}

/// What a pass over the likenesses takes. What was taken is evidence for the next one, through
/// containers and types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// The likeliest, without types of another name: those go with what they have.
    First,
    /// The others without such types.
    Members,
    All,
}

impl Matching<'_> {
    /// Open items that are alike enough for the strongest evidence.
    pub(super) fn likenesses<E>(&self, texts: &mut Texts<'_, E>) -> Result<Vec<Likeness>, E> {
        let old: Vec<usize> =
            self.open_old().filter(|(_, i)| comparable(i)).map(|(n, _)| n).collect();
        let new: Vec<usize> =
            self.open_new().filter(|(_, i)| comparable(i)).map(|(n, _)| n).collect();
        if old.is_empty() || new.is_empty() {
            return Ok(Vec::new());
        }
        let old = bags(self.old, &old, texts)?;
        let new = bags(self.new, &new, texts)?;
        let mut posting: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, bag) in &old {
            for feature in bag.telling() {
                posting.entry(feature).or_default().push(*at);
            }
        }
        let mut found = Vec::new();
        for (to, bag) in &new {
            let mut candidates: BTreeSet<usize> = bag
                .telling()
                .filter_map(|feature| posting.get(&feature).filter(|list| list.len() <= COMMON))
                .flatten()
                .copied()
                .collect();
            let Some(item) = self.new.get(*to) else { continue };
            let same_name = |at: &usize| self.old.get(*at).is_some_and(|o| o.name == item.name);
            candidates.extend(old.keys().filter(|at| same_name(at)));
            for from in candidates {
                let (Some(was), Some(of)) = (self.old.get(from), old.get(&from)) else { continue };
                // Impls are matched by header or contents.
                let other_impl = item.kind == NodeKind::Impl && was.name != item.name;
                if was.family() != item.family() || other_impl {
                    continue;
                }
                let similarity = bag.similarity(of);
                let weight = bag.weight().min(of.weight());
                if similarity >= SAME_NAME {
                    let value = value(was, texts)?.zip(value(item, texts)?);
                    let value = value.map_or(1.0, |(old, new)| old.similarity(&new));
                    found.push(Likeness { old: from, new: *to, similarity, weight, value });
                }
            }
        }
        Ok(found)
    }

    /// Matches items by likeness, the likeliest first. Returns whether there were any.
    pub(super) fn take_alike(&mut self, alike: &[Likeness], calls: &CallSites, pass: Pass) -> bool {
        let mut ranked: Vec<(f64, &Likeness)> = Vec::new();
        for pair in alike {
            if self.fate(pair.old).is_some() || self.origin(pair.new).is_some() {
                continue;
            }
            let Some((was, item)) = self.old.get(pair.old).zip(self.new.get(pair.new)) else {
                continue;
            };
            let goes_with_members = item.is_type() && was.name != item.name;
            if pass != Pass::All && goes_with_members {
                continue;
            }
            let needs = self.evidence(was, item, pair.weight, calls);
            let score = pair.similarity + needs.bonus;
            let suffices = pair.similarity >= needs.similarity
                && pair.weight >= needs.weight
                && pair.value >= needs.value;
            if suffices && (pass != Pass::First || score >= FIRST) {
                ranked.push((score, pair));
            }
        }
        ranked
            .sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1.old, a.1.new).cmp(&(b.1.old, b.1.new))));
        let copies = self.copies();
        let mut found = false;
        for (_, pair) in ranked {
            found |= !self.is_copy_elsewhere(pair, &copies)
                && self.take(pair.old, pair.new, Rule::Tokens, pair.similarity);
        }
        found
    }

    /// Removed items that are one text, compiled by several crates: each with all of them.
    fn copies(&self) -> HashMap<usize, Vec<usize>> {
        let mut texts: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, item) in self.old.iter().enumerate() {
            if let Some(hash) = item.text_hash {
                texts.entry((&item.file_path, hash, &item.name)).or_default().push(at);
            }
        }
        let is_shared = |items: &Vec<usize>| {
            let crates = items.iter().filter_map(|at| Some(self.old.get(*at)?.crate_name()));
            crates.collect::<BTreeSet<&str>>().len() > 1
        };
        let shared = texts.into_values().filter(is_shared);
        shared
            .flat_map(|items| items.clone().into_iter().map(move |at| (at, items.clone())))
            .collect()
    }

    /// Whether the text of a removed item went into another file, as one of its copies.
    fn is_copy_elsewhere(&self, pair: &Likeness, copies: &HashMap<usize, Vec<usize>>) -> bool {
        let file = self.new.get(pair.new).map(|item| &item.file_path);
        let copies = copies.get(&pair.old).into_iter().flatten();
        let fates = copies.filter_map(|at| self.new.get(self.fate(*at)?));
        fates.map(|item| &item.file_path).any(|other| Some(other) != file)
    }

    /// What two items need to be one. Names, calls and places are evidence.
    fn evidence(
        &self,
        old: &ItemState,
        new: &ItemState,
        weight: f64,
        calls: &CallSites,
    ) -> Evidence {
        let place = self.holder_after(old).is_some() && self.holder_after(old) == new.parent_id;
        let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        let typed = new.kind == NodeKind::Method && old.kind == NodeKind::Method;
        let of_type = || last(old.self_type()) == last(new.self_type());
        let name = old.name == new.name && (!typed || place || of_type());
        let called = calls.changed(&old.name, &new.name);
        let related = called || old.name != new.name && are_related(&old.name, &new.name);
        let (similarity, bonus) = match (name, place) {
            (true, true) => (SAME_NAME, 2.0 * BONUS),
            (true, false) => (SAME_NAME, BONUS),
            (false, true) if related => (NAMED, BONUS),
            (false, true) => (SAME_PLACE, BONUS),
            (false, false) if related || weight >= LARGE => (ELSEWHERE_LARGE, 0.0),
            (false, false) if new.is_type() => (ELSEWHERE_TYPE, 0.0),
            (false, false) => (ELSEWHERE, 0.0),
        };
        // Impls of traits are taken for one only if they share names.
        let traits = old.is_in_trait_impl() && new.is_in_trait_impl();
        let weight = if similarity <= NAMED {
            0.0
        } else if place || related || traits || old.name == new.name {
            TELLING
        } else {
            TELLING_ELSEWHERE
        };
        let both = f64::from(u8::from(called)) + f64::from(u8::from(related));
        let namesake = if old.name == new.name && !name { NAME_BONUS } else { 0.0 };
        let bonus = bonus + both * BONUS / 2.0 + namesake;
        let value = if place { 0.0 } else { SAME_NAME };
        Evidence { similarity, weight, value, bonus }
    }
}

/// The value of a constant or static.
fn value<E>(item: &ItemState, texts: &mut Texts<'_, E>) -> Result<Option<Bag>, E> {
    let hash = item.text_hash.filter(|_| item.family() == Family::Value);
    let Some(hash) = hash else { return Ok(None) };
    texts.load([hash])?;
    Ok(texts.get(&hash).map(|text| Bag::parse(inside(text, item.kind), &item.name)))
}

/// Whether one name is the other with more words: `is_hidden`, `is_hidden_entry`.
fn are_related(old: &str, new: &str) -> bool {
    let words = |name: &str| -> BTreeSet<String> {
        identifier_parts(name).into_iter().map(str::to_lowercase).collect()
    };
    let (old, new) = (words(old), words(new));
    let (few, many) = if old.len() < new.len() { (old, new) } else { (new, old) };
    let telling = few.iter().map(String::len).sum::<usize>() >= 4;
    telling && few.is_subset(&many)
}
