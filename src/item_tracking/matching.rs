//! Which removed definition an added one was before.
//!
//! Certain matches come first, in rounds until there are no more: the same path (only the id
//! changed: another `cfg`, another impl header); the same shape, with name and container as
//! further evidence; containers of matched items; the same name in a matched container, or of the
//! same type. The rest is compared by tokens ([`super::Bag`]), and the best pairs are taken first;
//! related names and calls that changed from one name to the other are further evidence. An item
//! is matched at most once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::call_sites::CallSites;
use super::item_matches::{ItemMatch, MatchKind, Texts};
use super::state::ItemState;
use crate::model::{NodeId, NodeKind};
use crate::syntax::code_tokens;

/// How a match was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The same canonical path.
    Path,
    /// The same tokens but for the name.
    Shape,
    /// Its contents were matched.
    Contents,
    /// The same name in a matched container.
    Container,
    /// The same name of the same type, in the impl of a trait before or after.
    SelfType,
    /// Similar tokens.
    Tokens,
    /// Most of the body is in the other item: a split or merge.
    Body,
}

impl Rule {
    const ALL: [Self; 7] = [
        Self::Path,
        Self::Shape,
        Self::Contents,
        Self::Container,
        Self::SelfType,
        Self::Tokens,
        Self::Body,
    ];

    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Shape => "shape",
            Self::Contents => "contents",
            Self::Container => "container",
            Self::SelfType => "self_type",
            Self::Tokens => "tokens",
            Self::Body => "body",
        }
    }

    /// Reads the stored form; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.as_str() == text)
    }
}

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
    old_at: HashMap<NodeId, usize>,
    new_at: HashMap<NodeId, usize>,
}

impl<'a> Matching<'a> {
    /// Matches the items that a step removed with those that it added, as far as they agree
    /// without comparing tokens. `texts` are read only where the rows do not decide.
    pub fn certain<E>(
        old: &'a [ItemState],
        new: &'a [ItemState],
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        Self::certain_in(old, new, None, texts)
    }

    /// Matches items that were removed in one step with items that were added in a later one.
    /// Items of one step were matched with that step, and an item that was added before the other
    /// was removed existed beside it: such items are not matched.
    pub fn across<E>(
        old: &'a [ItemState],
        new: &'a [ItemState],
        steps: Steps<'a>,
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        let mut matching = Self::certain_in(old, new, Some(steps), texts)?;
        matching.similar(&CallSites::default(), texts)?;
        Ok(matching)
    }

    fn certain_in<E>(
        old: &'a [ItemState],
        new: &'a [ItemState],
        steps: Option<Steps<'a>>,
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        let index =
            |items: &[ItemState]| items.iter().enumerate().map(|(n, i)| (i.id, n)).collect();
        let mut matching = Self {
            old,
            new,
            steps,
            origin: vec![None; new.len()],
            fate: vec![None; old.len()],
            old_at: index(old),
            new_at: index(new),
        };
        if !old.is_empty() && !new.is_empty() {
            matching.by_path();
            matching.by_shape(texts)?;
        }
        Ok(matching)
    }

    /// Matches what is left by the similarity of its tokens.
    pub fn similar<E>(&mut self, calls: &CallSites, texts: &mut Texts<'_, E>) -> Result<(), E> {
        if self.is_open() {
            self.by_tokens(calls, texts)?;
            self.by_shape(texts)?;
        }
        Ok(())
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

    pub(super) fn take(&mut self, old: usize, new: usize, rule: Rule, similarity: f64) -> bool {
        if !self.is_possible(old, new) {
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

    pub(super) fn open_old(&self) -> impl Iterator<Item = (usize, &'a ItemState)> {
        let open = |(at, _): &(usize, &ItemState)| self.fate.get(*at) == Some(&None);
        self.old.iter().enumerate().filter(open)
    }

    pub(super) fn open_new(&self) -> impl Iterator<Item = (usize, &'a ItemState)> {
        let open = |(at, _): &(usize, &ItemState)| self.origin.get(*at) == Some(&None);
        self.new.iter().enumerate().filter(open)
    }

    /// Unmatched items with the same key on both sides.
    fn groups<K: Ord>(
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

    fn by_path(&mut self) {
        let path = |item: &ItemState| Some((item.family(), item.canonical_path.clone()?));
        // Items under different `cfg`s may share a path, and exist beside each other.
        let twin = |item: &ItemState| Some((path(item)?, item.cfg.clone()));
        for (old, new) in self.groups(twin, twin) {
            for (old, new) in old.into_iter().zip(new) {
                self.take(old, new, Rule::Path, 1.0);
            }
        }
        for (old, new) in self.groups(path, path) {
            if let ([old], [new]) = (old.as_slice(), new.as_slice()) {
                self.take(*old, *new, Rule::Path, 1.0);
            }
        }
    }

    /// The container of a removed item as it is afterwards: itself, or what it became.
    pub(super) fn holder_after(&self, item: &ItemState) -> Option<NodeId> {
        let parent = item.parent_id?;
        match self.old_at.get(&parent) {
            None => Some(parent),
            Some(at) => self.new.get(self.fate(*at)?).map(|item| item.id),
        }
    }

    fn by_shape<E>(&mut self, texts: &mut Texts<'_, E>) -> Result<(), E> {
        loop {
            let mut found = false;
            found |= self.shape_in_place();
            found |= self.shape_of_name(texts)?;
            found |= self.contents();
            found |= self.headers();
            found |= self.named_in_container();
            found |= self.named_of_type();
            if !found {
                found |= self.shape_alone(texts)?;
            }
            if !found {
                return Ok(());
            }
        }
    }

    /// The same shape in the same container: with the same name, or if it is unique.
    fn shape_in_place(&mut self) -> bool {
        let mut found = false;
        let groups = self.groups(
            |i| Some((self.holder_after(i)?, i.family(), i.shape_hash, i.name.clone())),
            |i| Some((i.parent_id?, i.family(), i.shape_hash, i.name.clone())),
        );
        for (old, new) in groups {
            for (old, new) in old.into_iter().zip(new) {
                found |= self.take(old, new, Rule::Shape, 1.0);
            }
        }
        let groups = self.groups(
            |i| Some((self.holder_after(i)?, i.family(), i.shape_hash)),
            |i| Some((i.parent_id?, i.family(), i.shape_hash)),
        );
        for (old, new) in groups {
            if let ([old], [new]) = (old.as_slice(), new.as_slice()) {
                found |= self.take(*old, *new, Rule::Shape, 1.0);
            }
        }
        found
    }

    /// The same shape and name elsewhere, if it is unique.
    fn shape_of_name<E>(&mut self, texts: &mut Texts<'_, E>) -> Result<bool, E> {
        let key =
            |i: &ItemState| (!i.is_part()).then(|| (i.family(), i.shape_hash, i.name.clone()));
        let mut found = false;
        for (old, new) in self.groups(key, key) {
            if let ([old], [new]) = (old.as_slice(), new.as_slice())
                && (!self.old.get(*old).is_some_and(needs_type) || self.tells(*old, texts)?)
            {
                found |= self.take(*old, *new, Rule::Shape, 1.0);
            }
        }
        Ok(found)
    }

    /// The same shape under another name elsewhere. Of several, those whose containers have the
    /// same name, then in the order of their paths.
    fn shape_alone<E>(&mut self, texts: &mut Texts<'_, E>) -> Result<bool, E> {
        let mut found = false;
        let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        let key = |i: &ItemState| {
            let holder = last(i.holder());
            (!i.is_part()).then(|| (i.family(), i.shape_hash, i.name.clone(), holder))
        };
        let mut groups = self.groups(key, key);
        let key =
            |i: &ItemState| (!i.is_part()).then(|| (i.family(), i.shape_hash, i.name.clone()));
        groups.extend(self.groups(key, key));
        for (old, new) in groups {
            for (old, new) in old.into_iter().zip(new) {
                if self.tells(old, texts)? {
                    found |= self.take(old, new, Rule::Shape, 1.0);
                }
            }
        }
        let key = |i: &ItemState| (!i.is_part()).then(|| (i.family(), i.shape_hash));
        for (old, new) in self.groups(key, key) {
            if let ([old], [new]) = (old.as_slice(), new.as_slice())
                && self.tells(*old, texts)?
            {
                found |= self.take(*old, *new, Rule::Shape, 1.0);
            }
        }
        Ok(found)
    }

    fn tells<E>(&self, old: usize, texts: &mut Texts<'_, E>) -> Result<bool, E> {
        let Some(item) = self.old.get(old) else { return Ok(false) };
        Ok(texts.bag(item)?.is_some_and(|bag| bag.weight() >= TELLING))
    }

    /// Containers most of whose contents went into one container.
    fn contents(&mut self) -> bool {
        let mut votes: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut held: BTreeMap<usize, usize> = BTreeMap::new();
        let place = |of: &HashMap<NodeId, usize>, item: &ItemState| {
            item.parent_id.and_then(|parent| of.get(&parent).copied())
        };
        for item in self.old {
            if let Some(holder) = place(&self.old_at, item) {
                *held.entry(holder).or_default() += 1;
            }
        }
        for pair in self.pairs() {
            let holders = self
                .old
                .get(pair.old)
                .zip(self.new.get(pair.new))
                .and_then(|(o, n)| place(&self.old_at, o).zip(place(&self.new_at, n)));
            if let Some((old, new)) = holders {
                *votes.entry((old, new)).or_default() += 1;
            }
        }
        let mut ranked: Vec<_> = votes.into_iter().collect();
        ranked.sort_by_key(|((old, new), votes)| (std::cmp::Reverse(*votes), *old, *new));
        let mut found = false;
        for ((old, new), votes) in ranked {
            let kinds = self.old.get(old).map(ItemState::family)
                == self.new.get(new).map(ItemState::family);
            if kinds && 2 * votes >= held.get(&old).copied().unwrap_or_default() {
                found |= self.take(old, new, Rule::Contents, 1.0);
            }
        }
        found
    }

    /// Impls whose header is the old one with the new names of renamed types, if it is unique.
    fn headers(&mut self) -> bool {
        let renamed: BTreeMap<String, String> = self
            .pairs()
            .filter_map(|pair| Some((self.old.get(pair.old)?, self.new.get(pair.new)?)))
            .filter(|(old, new)| old.is_type() && old.name != new.name)
            .map(|(old, new)| (old.name.clone(), new.name.clone()))
            .collect();
        let header = |item: &ItemState| -> Option<String> {
            (item.kind == NodeKind::Impl).then(|| {
                let tokens = code_tokens(&item.name).into_iter().map(|token| token.text);
                tokens.collect::<Vec<_>>().join(" ")
            })
        };
        let now = |item: &ItemState| -> Option<String> {
            let header = header(item)?;
            let word = |word: &str| renamed.get(word).cloned().unwrap_or_else(|| word.to_owned());
            Some(header.split(' ').map(word).collect::<Vec<_>>().join(" "))
        };
        let mut found = false;
        for (old, new) in self.groups(now, header) {
            if let ([old], [new]) = (old.as_slice(), new.as_slice()) {
                found |= self.take(*old, *new, Rule::Container, 1.0);
            }
        }
        found
    }

    /// The same name and kind in a matched container, whatever the tokens.
    fn named_in_container(&mut self) -> bool {
        let moved = |i: &ItemState| i.parent_id.is_some_and(|p| self.old_at.contains_key(&p));
        let groups = self.groups(
            |i| moved(i).then(|| Some((self.holder_after(i)?, i.family(), i.name.clone())))?,
            |i| Some((i.parent_id?, i.family(), i.name.clone())),
        );
        let mut found = false;
        for (old, new) in groups {
            for (old, new) in old.into_iter().zip(new) {
                found |= self.take(old, new, Rule::Container, 1.0);
            }
        }
        found
    }

    /// The same name of the same type, if it is unique: a method that left the impl of a trait for
    /// one of the type itself, or the other way round.
    fn named_of_type(&mut self) -> bool {
        let key = |item: &ItemState| {
            let of_type = needs_type(item) && !item.self_type().is_empty();
            of_type.then(|| (item.family(), item.self_type().to_owned(), item.name.clone()))
        };
        let mut found = false;
        for (old, new) in self.groups(key, key) {
            if let ([old], [new]) = (old.as_slice(), new.as_slice())
                && let Some((was, is)) = self.old.get(*old).zip(self.new.get(*new))
                && was.is_in_trait_impl() != is.is_in_trait_impl()
            {
                found |= self.take(*old, *new, Rule::SelfType, 1.0);
            }
        }
        found
    }
}

/// Whether the name of an item means little without the type that it belongs to.
fn needs_type(item: &ItemState) -> bool {
    matches!(item.kind, NodeKind::Method | NodeKind::AssocConst | NodeKind::AssocType)
}

/// Whether an item can be matched by tokens. Modules are matched by their contents.
pub(super) fn comparable(item: &ItemState) -> bool {
    !item.is_part() && item.kind != NodeKind::Module && item.kind != NodeKind::MacroCall
}
