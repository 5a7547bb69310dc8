//! Hash tables for short keys: with the standard hasher, hashing names was a tenth of the time that
//! a workspace's names took. Seeds are random, since keys come from sources that nobody vouches for.

use foldhash::fast::RandomState;

/// A map with a fast hasher.
pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;

/// A set with a fast hasher.
pub type HashSet<T> = std::collections::HashSet<T, RandomState>;
