//! Names that imports bring under conditions: what a name means with which of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::assembly::Assembly;
use super::bindings::PathTarget;
use super::conditions::{ALWAYS, Conditions};
use super::imports::{Leaf, target};
use super::scope::{Scopes, TYPES};

/// Imports of imports under conditions that are followed.
const MAX_HOPS: usize = 4;

/// What a name may mean, and the condition under which imports bring it.
type Meanings<T> = HashMap<T, u32>;

/// The names of scopes that some import brings under a condition that the scope does not have.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Conditional<'a> {
    nodes: HashMap<(u32, &'a str), Meanings<u32>>,
    outside: HashMap<(u32, &'a str), Meanings<Vec<String>>>,
}

impl<'a> Conditional<'a> {
    /// From all imports, after what they bring is known.
    pub(super) fn of(
        assembly: &Assembly,
        scopes: &Scopes<'a>,
        leaves: &[Leaf<'a>],
        conditions: &mut Conditions,
    ) -> Self {
        let named = leaves.iter().filter(|leaf| !leaf.leaf.glob && leaf.leaf.name != "_");
        let own = |leaf: &Leaf<'a>| {
            let of = |node: u32| assembly.node(node).map_or(ALWAYS, |node| node.condition);
            let (scope, own) = (of(leaf.scope), of(leaf.origin));
            if scope == own { ALWAYS } else { own }
        };
        let mut concerned: BTreeMap<(u32, &'a str), Vec<&Leaf<'a>>> = BTreeMap::new();
        for leaf in named.clone() {
            concerned.entry((leaf.scope, leaf.leaf.name.as_str())).or_default().push(leaf);
        }
        let mut found = Self::default();
        for _ in 0..MAX_HOPS {
            let names: HashSet<&str> = found.nodes.keys().map(|(_, name)| *name).collect();
            let mut next = Self::default();
            for (key, leaves) in &concerned {
                let mut nodes: Meanings<u32> = HashMap::new();
                let mut outside: Meanings<Vec<String>> = HashMap::new();
                let behind: Vec<_> = leaves
                    .iter()
                    .map(|leaf| found.behind(assembly, scopes, leaf, &names))
                    .collect();
                let plain = |(leaf, behind): (&&Leaf<'a>, &Option<_>)| {
                    own(leaf) == ALWAYS && behind.is_none()
                };
                if leaves.iter().zip(&behind).all(plain) {
                    continue;
                }
                for (leaf, behind) in leaves.iter().zip(behind) {
                    let own = own(leaf);
                    match target(assembly, scopes, leaf) {
                        PathTarget::Nodes(targets) => {
                            for (node, _) in targets {
                                let more = behind.as_ref().and_then(|of| of.get(&node));
                                let under = conditions.and(own, more.copied().unwrap_or(ALWAYS));
                                either(&mut nodes, node, under, conditions);
                            }
                        }
                        PathTarget::External(path) => either(&mut outside, path, own, conditions),
                        PathTarget::Nothing => {}
                    }
                }
                next.nodes.insert(*key, nodes);
                next.outside.insert(*key, outside);
            }
            let is_same = next == found;
            found = next;
            if is_same {
                break;
            }
        }
        found
    }

    /// Under which conditions the name that an import names is there, if it is imported under some.
    fn behind(
        &self,
        assembly: &Assembly,
        scopes: &Scopes<'a>,
        leaf: &Leaf<'a>,
        names: &HashSet<&str>,
    ) -> Option<Meanings<u32>> {
        let (last, path) = leaf.leaf.path.split_last()?;
        if path.is_empty() || !names.contains(last.as_str()) {
            return None;
        }
        let scope = match scopes.lookup_path(assembly, leaf.instance, leaf.scope, path, TYPES) {
            PathTarget::Nodes(found) => found.first().map(|(node, _)| *node),
            _ => None,
        };
        self.nodes.get(&(scope?, last.as_str())).cloned()
    }

    /// The condition, by its number, under which imports bring a definition by a name into a scope.
    pub(super) fn condition(&self, scope: u32, name: &str, node: u32) -> u32 {
        let meanings = self.nodes.get(&(scope, name));
        meanings.and_then(|of| of.get(&node)).copied().unwrap_or(ALWAYS)
    }

    /// What a name means outside of the workspace, with conditions, sorted.
    pub(super) fn outside(&self, scope: u32, name: &str) -> Vec<(Vec<String>, u32)> {
        let meanings = self.outside.get(&(scope, name)).into_iter().flatten();
        let mut all: Vec<_> = meanings.map(|(path, under)| (path.clone(), *under)).collect();
        all.sort_unstable();
        all
    }
}

fn either<T: std::hash::Hash + Eq>(
    meanings: &mut Meanings<T>,
    meaning: T,
    under: u32,
    conditions: &mut Conditions,
) {
    let known = meanings.get(&meaning).copied();
    meanings.insert(meaning, known.map_or(under, |known| conditions.or(known, under)));
}
