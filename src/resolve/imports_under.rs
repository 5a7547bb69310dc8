//! The conditions under which imports bring names.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::assembly::Assembly;
use super::bindings::PathTarget;
use super::conditional::{Conditional, Meanings};
use super::conditions::{ALWAYS, Conditions};
use super::imports::{Leaf, target};
use super::scope::{Scopes, TYPES};

/// Imports of imports under conditions that are followed.
const MAX_HOPS: usize = 4;

/// Enters into the scopes under which conditions their imports bring names.
pub(super) fn conditions<'a>(assembly: &Assembly, scopes: &mut Scopes<'a>, leaves: &[Leaf<'a>]) {
    let mut conditions = std::mem::take(&mut scopes.conditions);
    scopes.conditional = Conditional::of(assembly, scopes, leaves, &mut conditions);
    scopes.conditions = conditions;
}

impl<'a> Conditional<'a> {
    /// From all imports, after what they bring is known.
    fn of(
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
                next.scopes.insert(key.0);
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
