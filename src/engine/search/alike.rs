//! Merges results for the same thing into one entry: an item of a trait in several impls, an item
//! with several definitions.

use std::collections::BTreeMap;

use asof_model::{NodeId, NodeKind};
use asof_wire::{Alike, Hit};

/// What results have in common that say the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Same {
    /// An item of a trait, by its name, in several impls.
    Trait(NodeId, String),
    /// An item with several definitions, under different conditions.
    Path(String, NodeKind),
}

impl Same {
    pub fn from_hit(hit: &Hit, of_trait: Option<NodeId>) -> Option<Self> {
        match of_trait {
            Some(of_trait) => Some(Self::Trait(of_trait, hit.function_name.clone())),
            None => hit.canonical_path.clone().map(|path| Self::Path(path, hit.kind)),
        }
    }
}

/// Entries of an answer.
#[derive(Debug)]
pub(super) struct Entries {
    pub hits: Vec<Hit>,
    /// Where the first of those that say the same is; none if each is an entry.
    first: Option<BTreeMap<Same, usize>>,
}

impl Entries {
    /// The first of results that say the same stands for the others.
    pub fn merged() -> Self {
        Self { hits: Vec::new(), first: Some(BTreeMap::new()) }
    }

    /// Each result is an entry.
    pub fn each() -> Self {
        Self { hits: Vec::new(), first: None }
    }

    pub fn add(&mut self, hit: Hit, of_trait: Option<NodeId>) {
        let same = Same::from_hit(&hit, of_trait);
        let Some((same, first)) = same.zip(self.first.as_mut()) else {
            self.hits.push(hit);
            return;
        };
        let Some(known) = first.get(&same).and_then(|at| self.hits.get_mut(*at)) else {
            first.insert(same, self.hits.len());
            self.hits.push(hit);
            return;
        };
        let mut other = hit;
        // What the configuration has stands for what it does not have.
        if known.other_condition.is_some() && other.other_condition.is_none() {
            other.alike = std::mem::take(&mut known.alike);
            std::mem::swap(known, &mut other);
        }
        known.alike.push(Alike {
            path: other.canonical_path.unwrap_or(other.function_name),
            file_path: other.file_path,
            line: other.line,
            other_condition: other.other_condition,
        });
    }
}
