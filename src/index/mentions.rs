//! The names that a file mentions, as sorted 32-bit hashes. If two names have the same hash, a file
//! may be visited needlessly, but none is missed.

use std::collections::{BTreeMap, BTreeSet};

use asof_model::{FileFacts, ItemFacts, NodeKind};
use asof_resolve::hash_name;

/// The names that each file mentions, in stored form, by path.
pub(super) type Mentions = BTreeMap<String, Vec<u8>>;

/// Names by their hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names(BTreeSet<u32>);

impl Names {
    /// The names that a file's uses mention, and those of its items in impls: an item of a
    /// trait's impl refers to the trait's item of its name, which nothing else in the file may.
    pub fn from_facts(facts: &FileFacts) -> Self {
        let in_impl = |item: &&ItemFacts| {
            facts.items.get(item.parent as usize).is_some_and(|one| one.kind == NodeKind::Impl)
        };
        let own = facts.items.iter().filter(in_impl).map(|item| item.name.as_str());
        facts.uses.mentioned().into_iter().chain(own).collect()
    }

    /// Whether one of these names is among the stored ones.
    pub fn meet(&self, stored: &[u8]) -> bool {
        self.any_common(stored, |_| true)
    }

    /// Adds those of some names that are among the stored ones.
    pub fn add_common(&mut self, names: &Self, stored: &[u8]) {
        names.any_common(stored, |hash| {
            self.0.insert(hash);
            false
        });
    }

    /// Adds all of the stored ones.
    pub fn add_stored(&mut self, stored: &[u8]) {
        let (stored, _) = stored.as_chunks::<4>();
        self.0.extend(stored.iter().map(|chunk| u32::from_le_bytes(*chunk)));
    }

    pub fn has(&self, name: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&hash_name(name))
    }

    /// Whether one of the names that are among the stored ones is `wanted`.
    fn any_common(&self, stored: &[u8], mut wanted: impl FnMut(u32) -> bool) -> bool {
        let (stored, _) = stored.as_chunks::<4>();
        if self.0.len() < stored.len() / 8 {
            let is_stored = |hash: &u32| {
                stored.binary_search_by_key(hash, |chunk| u32::from_le_bytes(*chunk)).is_ok()
            };
            return self.0.iter().any(|hash| is_stored(hash) && wanted(*hash));
        }
        let mut stored = stored.iter().map(|chunk| u32::from_le_bytes(*chunk));
        stored.any(|hash| self.0.contains(&hash) && wanted(hash))
    }

    /// The stored form.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|hash| hash.to_le_bytes()).collect()
    }
}

impl FromIterator<String> for Names {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        Self(names.into_iter().map(|name| hash_name(&name)).collect())
    }
}

impl<'a> FromIterator<&'a str> for Names {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self(names.into_iter().map(hash_name).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_are_found() {
        let stored = ["alpha", "beta"].into_iter().collect::<Names>().to_bytes();
        assert_eq!(stored.len(), 8);
        assert!(["x", "beta"].into_iter().collect::<Names>().meet(&stored));
        assert!(!["x", "y"].into_iter().collect::<Names>().meet(&stored));
        assert!(!Names::default().meet(&stored));
        // Few names are looked up among many, many are gone through.
        let names: Vec<String> = (0..100).map(|number| format!("name{number}")).collect();
        let stored = names.iter().map(String::as_str).collect::<Names>().to_bytes();
        assert!(
            names.iter().all(|name| [name.as_str()].into_iter().collect::<Names>().meet(&stored))
        );
        assert!(!["name100"].into_iter().collect::<Names>().meet(&stored));
    }
}
