//! Matches by agreement of what the rows say: paths, shapes, names, containers, types. Texts are read
//! only to see whether a shape tells enough.

use std::collections::{BTreeMap, HashMap};

use super::item_match::Rule;
use super::matching::{Matching, TELLING, needs_type};
use super::state::{Family, ItemState};
use super::texts::Texts;
use asof_model::{NodeId, NodeKind};
use asof_syntax::code_tokens;

impl Matching<'_> {
    /// The same canonical path, as far as it is one item. Items under different `cfg`s may share a
    /// path: what they hold tells them apart, then their own `cfg`s.
    pub(super) fn by_path(&mut self) {
        let shape = |item: &ItemState| Some((path(item)?, item.shape_hash));
        let twin = |item: &ItemState| Some((path(item)?, item.cfg.clone()));
        let whole = |item: &ItemState| Some((twin(item)?, item.shape_hash));
        for (old, new) in self.groups(whole, whole) {
            for (old, new) in old.into_iter().zip(new) {
                self.take(old, new, Rule::Path, 1.0);
            }
        }
        self.take_single(shape, Rule::Path);
        self.take_single(twin, Rule::Path);
        self.take_single(path, Rule::Path);
    }

    /// What is left of the same path and `cfg`, in the order of the ids.
    fn by_path_at_last(&mut self) -> bool {
        let twin = |item: &ItemState| Some((path(item)?, item.cfg.clone()));
        let mut found = false;
        for (old, new) in self.groups(twin, twin) {
            for (old, new) in old.into_iter().zip(new) {
                found |= self.take(old, new, Rule::Path, 1.0);
            }
        }
        found
    }

    /// Takes the pairs that are alone with their key.
    fn take_single<K: Ord>(
        &mut self,
        key: impl Fn(&ItemState) -> Option<K> + Copy,
        rule: Rule,
    ) -> bool {
        let mut found = false;
        for (old, new) in self.groups(key, key) {
            if let ([old], [new]) = (old.as_slice(), new.as_slice()) {
                found |= self.take(*old, *new, rule, 1.0);
            }
        }
        found
    }

    /// Shapes, containers and types, in rounds until nothing more agrees.
    pub(super) fn by_shape<E>(&mut self, texts: &mut Texts<'_, E>) -> Result<(), E> {
        loop {
            let mut found = false;
            found |= self.shape_in_place();
            found |= self.shape_of_name(texts)?;
            found |= self.contents();
            found |= self.types_of_members();
            found |= self.headers();
            found |= self.named_in_container();
            found |= self.named_of_type();
            if !found {
                found |= self.by_path_at_last();
            }
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

    /// Types most of whose own methods went to one type. One method may go elsewhere alone.
    fn types_of_members(&mut self) -> bool {
        const FEWEST: usize = 2;
        let of_type = |item: &ItemState| needs_type(item) && !item.is_in_trait_impl();
        let mut held: BTreeMap<usize, usize> = BTreeMap::new();
        for item in self.old.iter().filter(|item| of_type(item)) {
            if let Some(at) = self.old_type(item.self_type()) {
                *held.entry(at).or_default() += 1;
            }
        }
        let mut votes: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for pair in self.pairs() {
            let Some((old, new)) = self.old.get(pair.old).zip(self.new.get(pair.new)) else {
                continue;
            };
            if of_type(old) && of_type(new) {
                let types = self.old_type(old.self_type()).zip(self.new_type(new.self_type()));
                if let Some(types) = types {
                    *votes.entry(types).or_default() += 1;
                }
            }
        }
        let mut ranked: Vec<_> = votes.into_iter().collect();
        ranked.sort_by_key(|((old, new), votes)| (std::cmp::Reverse(*votes), *old, *new));
        let mut found = false;
        for ((old, new), votes) in ranked {
            let family = |items: &[ItemState], at: usize| items.get(at).map(ItemState::family);
            let most = 2 * votes >= held.get(&old).copied().unwrap_or_default();
            if votes >= FEWEST && most && family(self.old, old) == family(self.new, new) {
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

fn path(item: &ItemState) -> Option<(Family, String)> {
    Some((item.family(), item.canonical_path.clone()?))
}
