//! Texts of items and their bags of tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::bag::Bag;
use super::state::ItemState;
use asof_model::{NodeId, TextHash};

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
        let bag = Rc::new(Bag::parse(text, &item.name));
        self.bags.insert(key, Rc::clone(&bag));
        Ok(Some(bag))
    }
}

/// Bags of items; those of impls and traits include their contents.
pub(super) fn bags<E>(
    items: &[ItemState],
    wanted: &[usize],
    texts: &mut Texts<'_, E>,
) -> Result<BTreeMap<usize, Bag>, E> {
    let mut inside: BTreeMap<NodeId, Vec<&ItemState>> = BTreeMap::new();
    for item in items {
        if let Some(parent) = item.parent_id {
            inside.entry(parent).or_default().push(item);
        }
    }
    let mut all: Vec<&ItemState> = wanted.iter().filter_map(|at| items.get(*at)).collect();
    let children = all.iter().filter(|i| i.is_container()).filter_map(|i| inside.get(&i.id));
    let children: Vec<&ItemState> = children.flatten().copied().collect();
    all.extend(children);
    texts.load(all.iter().filter_map(|item| item.text_hash))?;
    let mut found = BTreeMap::new();
    for at in wanted {
        let Some(item) = items.get(*at) else { continue };
        let Some(own) = texts.bag(item)? else { continue };
        let mut bag = (*own).clone();
        if item.is_container() {
            for child in inside.get(&item.id).into_iter().flatten() {
                if let Some(its) = texts.bag(child)? {
                    bag.merge(&its);
                }
            }
        }
        found.insert(*at, bag);
    }
    Ok(found)
}
