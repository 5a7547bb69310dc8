//! Matches by similarity: removed and added items whose tokens are alike enough for what else they
//! share. The best pairs are taken first.

use std::collections::{BTreeSet, HashMap};

use super::bag::bags;
use super::call_sites::CallSites;
use super::item_matches::Texts;
use super::matching::{Matching, Rule, TELLING, comparable};
use super::state::ItemState;
use crate::model::{NodeKind, identifier_parts};

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
/// Least weight of a large item: some thirty words.
const LARGE: f64 = 60.0;
/// Added to similarity when pairs compete.
const BONUS: f64 = 0.15;
/// Features of more items than this are not used to find candidates.
const COMMON: usize = 64;

impl Matching<'_> {
    pub(super) fn by_tokens<E>(
        &mut self,
        calls: &CallSites,
        texts: &mut Texts<'_, E>,
    ) -> Result<(), E> {
        let old: Vec<usize> =
            self.open_old().filter(|(_, i)| comparable(i)).map(|(n, _)| n).collect();
        let new: Vec<usize> =
            self.open_new().filter(|(_, i)| comparable(i)).map(|(n, _)| n).collect();
        if old.is_empty() || new.is_empty() {
            return Ok(());
        }
        let old = bags(self.old, &old, texts)?;
        let new = bags(self.new, &new, texts)?;
        let mut posting: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, bag) in &old {
            for feature in bag.telling() {
                posting.entry(feature).or_default().push(*at);
            }
        }
        let mut ranked: Vec<(f64, f64, usize, usize)> = Vec::new();
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
                let (threshold, bonus) = self.evidence(was, item, weight, calls);
                let small = weight < TELLING;
                if similarity >= threshold && (!small || threshold <= NAMED) {
                    ranked.push((similarity + bonus, similarity, from, *to));
                }
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.2, a.3).cmp(&(b.2, b.3))));
        for (_, similarity, from, to) in ranked {
            self.take(from, to, Rule::Tokens, similarity);
        }
        Ok(())
    }

    /// The least similarity of two items, and the bonus for names, calls and place when pairs
    /// compete.
    fn evidence(
        &self,
        old: &ItemState,
        new: &ItemState,
        weight: f64,
        calls: &CallSites,
    ) -> (f64, f64) {
        let place = self.holder_after(old).is_some() && self.holder_after(old) == new.parent_id;
        let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        let typed = new.kind == NodeKind::Method && old.kind == NodeKind::Method;
        let of_type = || last(old.self_type()) == last(new.self_type());
        let name = old.name == new.name && (!typed || place || of_type());
        let called = calls.changed(&old.name, &new.name);
        let related = called || old.name != new.name && are_related(&old.name, &new.name);
        let (threshold, bonus) = match (name, place) {
            (true, true) => (SAME_NAME, 2.0 * BONUS),
            (true, false) => (SAME_NAME, BONUS),
            (false, true) if related => (NAMED, BONUS),
            (false, true) => (SAME_PLACE, BONUS),
            (false, false) if related || weight >= LARGE => (ELSEWHERE_LARGE, 0.0),
            (false, false) => (ELSEWHERE, 0.0),
        };
        let both = f64::from(u8::from(called)) + f64::from(u8::from(related));
        (threshold, bonus + both * BONUS / 2.0)
    }
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
