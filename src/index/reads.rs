//! What inference read for each item of a file ([`Reads`]), and the stored form of that.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::error::IndexError;
use asof_model::{HashMap, HashSet, NodeId};
use asof_resolve::Reads;

/// The first bytes of an item's id: enough to tell the items of a file apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct ItemKey([u8; 8]);

impl ItemKey {
    pub fn new(id: NodeId) -> Self {
        let [a, b, c, d, e, f, g, h, ..] = *id.0.as_bytes();
        Self([a, b, c, d, e, f, g, h])
    }
}

/// What was read for the items of a file; nothing for those that are missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FileReads(BTreeMap<ItemKey, Reads>);

/// Numbers in ascending order, each less the one before it.
#[derive(Serialize, Deserialize)]
struct Ascending(Vec<u32>);

impl Ascending {
    fn new(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut before = 0;
        let step = |number: u32| number.wrapping_sub(std::mem::replace(&mut before, number));
        Self(numbers.into_iter().map(step).collect())
    }

    fn numbers(self) -> impl Iterator<Item = u32> {
        let mut sum = 0u32;
        self.0.into_iter().map(move |step| {
            sum = sum.wrapping_add(step);
            sum
        })
    }
}

impl FileReads {
    pub fn new(reads: HashMap<NodeId, Reads>) -> Self {
        let some = reads.into_iter().filter(|(_, reads)| !reads.keys().is_empty());
        Self(some.map(|(id, reads)| (ItemKey::new(id), reads)).collect())
    }

    /// The stored form: all keys, then for each item the indices of its keys. Both
    /// ascend, so most indices take a byte.
    pub fn to_bytes(&self) -> Result<Vec<u8>, IndexError> {
        let all: BTreeSet<u32> = self.0.values().flat_map(Reads::keys).copied().collect();
        let all: Vec<u32> = all.into_iter().collect();
        let index = |key: &u32| all.binary_search(key).ok().and_then(|at| u32::try_from(at).ok());
        let of_item = |(item, reads): (&ItemKey, &Reads)| {
            (*item, Ascending::new(reads.keys().iter().filter_map(index)))
        };
        let items: Vec<(ItemKey, Ascending)> = self.0.iter().map(of_item).collect();
        postcard::to_allocvec(&(Ascending::new(all.iter().copied()), items)).map_err(bad)
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IndexError> {
        let (keys, rest) = split(bytes)?;
        let items: Vec<(ItemKey, Ascending)> = postcard::from_bytes(rest).map_err(bad)?;
        let of_item = |(item, indices): (ItemKey, Ascending)| {
            let keys = indices.numbers().map(|at| keys.get(at as usize).copied());
            let keys = keys.collect::<Option<_>>().ok_or_else(|| bad("an index is too large"))?;
            Ok((item, Reads::from_keys(keys)))
        };
        Ok(Self(items.into_iter().map(of_item).collect::<Result<_, IndexError>>()?))
    }

    /// The items for which what has one of some keys was read.
    pub fn readers(&self, keys: &HashSet<u32>) -> BTreeSet<ItemKey> {
        let readers = self.0.iter().filter(|(_, reads)| reads.meet(keys));
        readers.map(|(item, _)| *item).collect()
    }

    /// Whether what has one of some keys was read for an item.
    pub fn has_read(&self, item: ItemKey, keys: &HashSet<u32>) -> bool {
        self.0.get(&item).is_some_and(|reads| reads.meet(keys))
    }

    /// Whether the items that a call makes were read in its place.
    pub fn have_made(&self, call: ItemKey) -> bool {
        self.0.get(&call).is_some_and(Reads::have_made)
    }

    /// Replaces the reads of some items.
    pub fn replace(&mut self, items: &BTreeSet<NodeId>, new: FileReads) {
        items.iter().for_each(|id| drop(self.0.remove(&ItemKey::new(*id))));
        self.0.extend(new.0);
    }
}

/// All that is read in a file, in stored form, without what each item reads.
pub(super) fn all_reads(bytes: &[u8]) -> Result<Reads, IndexError> {
    Ok(Reads::from_keys(split(bytes)?.0))
}

fn split(bytes: &[u8]) -> Result<(Vec<u32>, &[u8]), IndexError> {
    let (keys, rest) = postcard::take_from_bytes::<Ascending>(bytes).map_err(bad)?;
    Ok((keys.numbers().collect(), rest))
}

fn bad(reason: impl ToString) -> IndexError {
    IndexError::State { what: "reads", reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(byte: u8) -> NodeId {
        NodeId(uuid::Uuid::from_bytes([byte; 16]))
    }

    fn reads(ids: &[u8]) -> Reads {
        Reads::from_keys(ids.iter().map(|byte| Reads::definition(id(*byte))).collect())
    }

    fn check(items: &[(u8, &[u8])], wanted: &[u8], expected: &[u8]) {
        let all = FileReads::new(items.iter().map(|(item, ids)| (id(*item), reads(ids))).collect());
        let bytes = all.to_bytes().unwrap();
        assert_eq!(FileReads::from_bytes(&bytes).unwrap(), all);
        let wanted: HashSet<u32> = wanted.iter().map(|byte| Reads::definition(id(*byte))).collect();
        assert_eq!(all_reads(&bytes).unwrap().meet(&wanted), !expected.is_empty());
        let expected = expected.iter().map(|item| ItemKey::new(id(*item))).collect();
        assert_eq!(all.readers(&wanted), expected);
    }

    #[test]
    fn readers_are_found_in_the_stored_form() {
        check(&[], &[1], &[]);
        check(&[(1, &[7, 8]), (2, &[8, 255]), (3, &[])], &[8], &[1, 2]);
        check(&[(1, &[7, 8]), (2, &[8, 255]), (3, &[])], &[255, 4], &[2]);
        check(&[(1, &[7, 8]), (2, &[8, 255]), (3, &[])], &[9], &[]);
    }

    #[test]
    fn a_damaged_row_is_an_error() {
        let all = FileReads::new([(id(1), reads(&[7, 8]))].into_iter().collect());
        let bytes = all.to_bytes().unwrap();
        for len in 0..bytes.len() {
            assert!(FileReads::from_bytes(&bytes[..len]).is_err(), "{len}");
        }
    }
}
