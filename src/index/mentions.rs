//! The names that a file mentions, as sorted 32-bit hashes. If two names have the same hash, a file
//! may be visited needlessly, but none is missed.

use std::collections::BTreeSet;

use crate::model::{FileFacts, ItemFacts, NodeKind};

/// Names by their hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names(BTreeSet<u32>);

/// FNV-1a: short, and the same on every machine.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

impl Names {
    /// The names that a file's uses mention, and those of its items in impls: an item of a
    /// trait's impl refers to the trait's item of its name, which nothing else in the file may.
    pub fn of(facts: &FileFacts) -> Self {
        let in_impl = |item: &&ItemFacts| {
            facts.items.get(item.parent as usize).is_some_and(|one| one.kind == NodeKind::Impl)
        };
        let own = facts.items.iter().filter(in_impl).map(|item| item.name.as_str());
        facts.uses.mentioned().into_iter().chain(own).collect()
    }

    /// Whether one of these names is among the stored ones.
    pub fn meet(&self, stored: &[u8]) -> bool {
        let hashes = stored.chunks_exact(4).filter_map(|chunk| chunk.try_into().ok());
        hashes.map(u32::from_le_bytes).any(|hash| self.0.contains(&hash))
    }

    /// The stored form.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|hash| hash.to_le_bytes()).collect()
    }
}

impl<'a> FromIterator<&'a str> for Names {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self(names.into_iter().map(hash).collect())
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
    }
}
