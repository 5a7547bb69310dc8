//! Tables by name that are made for each state, of parts that its files have.

use super::super::types::{Def, Name};

/// Definitions by name.
#[derive(Debug, Default)]
pub(in super::super) struct NamedDefs {
    names: Vec<Name>,
    /// In the order of the names, then in their own.
    defs: Vec<Def>,
}

impl NamedDefs {
    pub fn new(parts: impl Iterator<Item = (Name, Def)>) -> Self {
        let mut all: Vec<(Name, Def)> = parts.collect();
        all.sort_unstable();
        let (names, defs) = all.into_iter().unzip();
        NamedDefs { names, defs }
    }

    /// Definitions of a name, sorted.
    pub fn get(&self, name: Name) -> &[Def] {
        let first = self.names.partition_point(|other| *other < name);
        let end = first
            + self
                .names
                .get(first..)
                .map_or(0, |from| from.partition_point(|other| *other <= name));
        self.defs.get(first..end).unwrap_or_default()
    }
}

/// Names, by number.
#[derive(Debug, Default)]
pub(super) struct NameSet(Vec<u64>);

impl FromIterator<Name> for NameSet {
    fn from_iter<I: IntoIterator<Item = Name>>(names: I) -> Self {
        let mut set = NameSet::default();
        for name in names.into_iter().filter(|name| *name != Name::NONE) {
            let (word, bit) = (name.index() / 64, name.index() % 64);
            if set.0.len() <= word {
                set.0.resize(word + 1, 0);
            }
            if let Some(word) = set.0.get_mut(word) {
                *word |= 1 << bit;
            }
        }
        set
    }
}

impl NameSet {
    pub fn contains(&self, name: Name) -> bool {
        let word = self.0.get(name.index() / 64);
        word.is_some_and(|word| word & 1 << (name.index() % 64) != 0)
    }
}
