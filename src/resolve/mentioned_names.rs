//! Names that a file has in some of its paths, by their hashes: of two that are the same, one is taken for
//! mentioned in vain.

use serde::{Deserialize, Serialize};

use super::refs::hash_name;
use asof_model::HashSet;

/// See the module.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MentionedNames(Vec<u32>);

impl<'p> FromIterator<&'p String> for MentionedNames {
    fn from_iter<I: IntoIterator<Item = &'p String>>(names: I) -> Self {
        let mut hashes: Vec<u32> = names.into_iter().map(|name| hash_name(name)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        MentionedNames(hashes)
    }
}

impl MentionedNames {
    /// Whether one of these names, by their hashes, may be among them.
    pub fn may_have(&self, names: &HashSet<u32>) -> bool {
        self.0.iter().any(|name| names.contains(name))
    }
}
