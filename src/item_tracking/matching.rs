//! The assignment of added definitions to removed ones, built up match by match.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::item_match::{ItemMatch, MatchKind, Rule};
use super::state::ItemState;
use asof_model::{NodeId, NodeKind};

/// A removed item and the added one that it became, as indices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    pub old: usize,
    pub new: usize,
    pub rule: Rule,
    /// Similarity of the tokens, 0 to 1; 1 unless the rule is [`Rule::Tokens`].
    pub similarity: f64,
}

/// Least weight at which the same shape is evidence for two items with different names in
/// different places. Lighter items, such as `fn new() -> Self { Self }`, are common. Below this
/// weight, similarity does not match different names either.
pub(super) const TELLING: f64 = 8.0;
/// The step that removed or added each item, in the order of the items.
#[derive(Debug, Clone, Copy)]
pub struct Steps<'a> {
    pub removed: &'a [usize],
    pub added: &'a [usize],
}

/// The assignment of added items to removed ones.
#[derive(Debug)]
pub struct Matching<'a> {
    pub old: &'a [ItemState],
    pub new: &'a [ItemState],
    /// Of several steps: an item can only come back in a step after the one that removed it.
    steps: Option<Steps<'a>>,
    origin: Vec<Option<Pair>>,
    fate: Vec<Option<usize>>,
    /// Index by id.
    pub(super) old_at: HashMap<NodeId, usize>,
    pub(super) new_at: HashMap<NodeId, usize>,
    /// Types by path; those with several items are left out.
    old_types: HashMap<&'a str, usize>,
    new_types: HashMap<&'a str, usize>,
}

impl<'a> Matching<'a> {
    /// No item is matched yet.
    pub(super) fn open(
        old: &'a [ItemState],
        new: &'a [ItemState],
        steps: Option<Steps<'a>>,
    ) -> Self {
        let index =
            |items: &[ItemState]| items.iter().enumerate().map(|(n, i)| (i.id, n)).collect();
        Self {
            old,
            new,
            steps,
            origin: vec![None; new.len()],
            fate: vec![None; old.len()],
            old_at: index(old),
            new_at: index(new),
            old_types: types(old),
            new_types: types(new),
        }
    }

    /// Whether items are left that can be compared by their tokens.
    pub fn is_open(&self) -> bool {
        self.open_old().any(|(_, item)| comparable(item))
            && self.open_new().any(|(_, item)| comparable(item))
    }

    /// Names of the items that are left: old, new.
    pub fn open_names(&self) -> (BTreeSet<&'a str>, BTreeSet<&'a str>) {
        let old = self.open_old().filter(|(_, item)| comparable(item));
        let new = self.open_new().filter(|(_, item)| comparable(item));
        (
            old.map(|(_, item)| item.name.as_str()).collect(),
            new.map(|(_, item)| item.name.as_str()).collect(),
        )
    }

    /// The pairs, in the order of the added items.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.origin.iter().flatten().copied()
    }

    /// The pair of an added item.
    pub fn origin(&self, new: usize) -> Option<Pair> {
        self.origin.get(new).copied().flatten()
    }

    /// What a removed item became.
    pub fn fate(&self, old: usize) -> Option<usize> {
        self.fate.get(old).copied().flatten()
    }

    /// The pairs as matches.
    pub fn matches(&self) -> impl Iterator<Item = ItemMatch> {
        self.pairs().filter_map(|pair| {
            let (old, new) = (self.old.get(pair.old)?, self.new.get(pair.new)?);
            let renamed = old.name != new.name && !new.kind.is_anonymous();
            Some(ItemMatch {
                old: old.id,
                new: new.id,
                kind: if renamed { MatchKind::Renamed } else { MatchKind::Moved },
                confidence: pair.similarity,
                rule: pair.rule,
            })
        })
    }

    /// Whether the steps allow that one became the other.
    fn is_possible(&self, old: usize, new: usize) -> bool {
        let Some(steps) = self.steps else { return true };
        let [removed, added] = [steps.removed.get(old), steps.added.get(new)];
        removed.zip(added).is_some_and(|(removed, added)| removed < added)
    }

    /// The removed type of a path.
    pub(super) fn old_type(&self, path: &str) -> Option<usize> {
        self.old_types.get(path).copied()
    }

    /// The added type of a path.
    pub(super) fn new_type(&self, path: &str) -> Option<usize> {
        self.new_types.get(path).copied()
    }

    /// Whether an impl, or an item in the impl of a trait, may have become another one: not if
    /// their types are two, or if the impls have no name in common. A type that is not matched yet
    /// may be so later.
    fn type_goes_on(&self, old: usize, new: usize) -> bool {
        let Some((old, new)) = self.old.get(old).zip(self.new.get(new)) else { return false };
        let is_impl = new.kind == NodeKind::Impl;
        let of_trait_impls = old.is_in_trait_impl() && new.is_in_trait_impl();
        if !(is_impl || of_trait_impls) {
            return true;
        }
        let of = |item: &'a ItemState| if is_impl { item.impl_type() } else { item.self_type() };
        let (was, is) = (of(old), of(new));
        let of_traits = old.is_of_trait() && new.is_of_trait();
        if of_traits && old.impl_names().is_disjoint(&new.impl_names()) {
            return false;
        }
        match (self.old_type(was), self.new_type(is)) {
            _ if was == is => true,
            (Some(old), Some(new)) => self.fate(old) == Some(new),
            (Some(old), None) => self.fate(old).is_none(),
            (None, Some(new)) => self.origin(new).is_none(),
            (None, None) => true,
        }
    }

    pub(super) fn take(&mut self, old: usize, new: usize, rule: Rule, similarity: f64) -> bool {
        if !self.is_possible(old, new) || rule != Rule::Path && !self.type_goes_on(old, new) {
            return false;
        }
        match (self.fate.get_mut(old), self.origin.get_mut(new)) {
            (Some(fate @ None), Some(origin @ None)) => {
                *fate = Some(new);
                *origin = Some(Pair { old, new, rule, similarity });
                true
            }
            _ => false,
        }
    }

    /// Takes what an edit tells.
    pub(super) fn by_edit(&mut self, told: &[(NodeId, NodeId)]) {
        for (old, new) in told {
            let found = self.old_at.get(old).copied().zip(self.new_at.get(new).copied());
            let Some((old, new)) = found else { continue };
            if let (Some(fate @ None), Some(origin @ None)) =
                (self.fate.get_mut(old), self.origin.get_mut(new))
            {
                *fate = Some(new);
                *origin = Some(Pair { old, new, rule: Rule::Edit, similarity: 1.0 });
            }
        }
    }

    pub(super) fn open_old(&self) -> impl Iterator<Item = (usize, &'a ItemState)> {
        let open = |(at, _): &(usize, &ItemState)| self.fate.get(*at) == Some(&None);
        self.old.iter().enumerate().filter(open)
    }

    pub(super) fn open_new(&self) -> impl Iterator<Item = (usize, &'a ItemState)> {
        let open = |(at, _): &(usize, &ItemState)| self.origin.get(*at) == Some(&None);
        self.new.iter().enumerate().filter(open)
    }

    /// Unmatched items with the same key on both sides.
    pub(super) fn groups<K: Ord>(
        &self,
        of_old: impl Fn(&ItemState) -> Option<K>,
        of_new: impl Fn(&ItemState) -> Option<K>,
    ) -> Vec<(Vec<usize>, Vec<usize>)> {
        let mut groups: BTreeMap<K, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (at, item) in self.open_old() {
            if let Some(key) = of_old(item) {
                groups.entry(key).or_default().0.push(at);
            }
        }
        for (at, item) in self.open_new() {
            if let Some(key) = of_new(item)
                && let Some((_, group)) = groups.get_mut(&key)
            {
                group.push(at);
            }
        }
        groups.into_values().filter(|(_, new)| !new.is_empty()).collect()
    }

    /// The container of a removed item as it is afterwards: itself, or what it became.
    pub(super) fn holder_after(&self, item: &ItemState) -> Option<NodeId> {
        let parent = item.parent_id?;
        match self.old_at.get(&parent) {
            None => Some(parent),
            Some(at) => self.new.get(self.fate(*at)?).map(|item| item.id),
        }
    }
}

/// Types by path, without those of a path of several.
fn types(items: &[ItemState]) -> HashMap<&str, usize> {
    let mut found: HashMap<&str, Option<usize>> = HashMap::new();
    for (at, item) in items.iter().enumerate().filter(|(_, item)| item.is_type()) {
        found.entry(item.label()).and_modify(|one| *one = None).or_insert(Some(at));
    }
    found.into_iter().filter_map(|(path, at)| Some((path, at?))).collect()
}

/// Whether the name of an item means little without the type that it belongs to.
pub(super) fn needs_type(item: &ItemState) -> bool {
    matches!(item.kind, NodeKind::Method | NodeKind::AssocConst | NodeKind::AssocType)
}

/// Whether an item can be matched by tokens. Modules are matched by their contents.
pub(super) fn comparable(item: &ItemState) -> bool {
    !item.is_part() && item.kind != NodeKind::Module && item.kind != NodeKind::MacroCall
}
