//! Conditions of imports that an earlier state knows.

use super::bindings::Globs;
use super::conditional::{Conditional, ConditionalName};
use super::correspondence::Correspondence;
use super::crate_maps::CrateMaps;
use super::ids::{ConditionId, Def, InstanceId};
use super::import_leaves::{Import, Imports, Leaf, followed_leaves};
use super::known_imports::may_be_asked;
use super::refs::hash_name;
use super::scope::Scopes;
use asof_model::{HashMap, HashSet};

/// What an earlier state knows of conditions.
pub(super) struct KnownConditions<'e, 'n> {
    earlier: &'e Correspondence<'n>,
    /// Definitions that are under another condition than they were.
    differing: HashSet<Def>,
    /// Names that may be there under other conditions, by their hashes.
    pub names: HashSet<u32>,
    /// Files of which the imports are looked at.
    files: HashSet<InstanceId>,
}

impl<'e, 'n> KnownConditions<'e, 'n> {
    pub(super) fn new(
        earlier: &'e Correspondence<'n>,
        assembly: &CrateMaps,
        scopes: &Scopes<'_>,
        leaves: &[Leaf<'_>],
    ) -> Self {
        let before = earlier.before.assembly;
        let mut known = KnownConditions {
            earlier,
            differing: HashSet::default(),
            names: earlier.names.clone(),
            files: HashSet::default(),
        };
        let numbers = scopes.input.instances.indices();
        known.files = numbers.filter(|number| !scopes.is_closed(*number)).collect();
        for (now, node) in assembly.nodes.iter_enumerated() {
            if earlier.is_shared(node.instance) {
                continue;
            }
            let then = earlier.then(now).and_then(|then| before.nodes.get(then));
            if then.is_some_and(|then| before.condition(then) != assembly.condition(node)) {
                known.differing.insert(now);
                known.names.insert(hash_name(&node.name));
            }
        }
        // The files of blocks are looked at.
        let is_seen = |leaf: &&Leaf<'_>| may_be_asked(assembly, scopes, earlier, leaf);
        let unknown = leaves.iter().filter(|leaf| !known.knows(leaf)).filter(is_seen);
        let unknown: Vec<u32> = unknown.map(|leaf| hash_name(&leaf.leaf.name)).collect();
        known.names.extend(unknown);
        known
    }

    /// Looks at more imports: those of files that the earlier state shares and that have one of these names
    /// in a path. Whether there are any.
    pub(super) fn look_at<'a>(
        &mut self,
        assembly: &CrateMaps,
        scopes: &Scopes<'a>,
        names: &HashSet<u32>,
        leaves: &mut Vec<Leaf<'a>>,
    ) -> bool {
        let known = leaves.len();
        for number in scopes.closed_mentioning(names) {
            if self.files.insert(number) {
                leaves.extend(followed_leaves(scopes.input, assembly, scopes, number));
            }
        }
        leaves.len() > known
    }

    /// Whether an import leads where it did, and both it and its scope are under the same condition.
    fn knows(&self, leaf: &Leaf<'_>) -> bool {
        let is_same = |def| !self.differing.contains(&def) && self.earlier.then(def).is_some();
        leaf.is_known && is_same(leaf.origin) && is_same(leaf.scope)
    }

    /// Whether these are all imports of a name in a scope that there were, and each is known.
    pub(super) fn knows_all(&self, imports: &[Import<'_, '_>]) -> bool {
        let may_differ = |import: &Import<'_, '_>| self.names.contains(&hash_name(import.key().1));
        imports.iter().all(|import| self.knows(import.leaf) && !may_differ(import))
    }

    /// The meanings of names that only such imports bind, with present numbers; and the globs of files
    /// whose imports are not looked at.
    pub(super) fn found(
        &self,
        assembly: &CrateMaps,
        imports: &Imports<'_, '_, '_>,
        globs: &Globs,
    ) -> (Conditional, HashMap<(Def, Def), ConditionId>) {
        let mut found = Conditional::default();
        let earlier = self.earlier;
        let old = &earlier.before.scopes.conditional;
        let known = imports.iter().filter(|all| self.knows_all(all));
        let known: HashSet<(Def, &str)> =
            known.filter_map(|all| all.first().map(Import::key)).collect();
        let is_looked_at = |scope: Def| {
            let file = assembly.nodes.instance(scope);
            file.is_none_or(|file| self.files.contains(&file))
        };
        for (then, name, meanings) in old.names.iter() {
            let Some(scope) = earlier.now(then) else { continue };
            if is_looked_at(scope) && !known.contains(&(scope, name)) {
                continue;
            }
            let of_node = |(node, under): (&Def, &ConditionId)| Some((earlier.now(*node)?, *under));
            let Some(nodes) = meanings.nodes.iter().map(of_node).collect() else { continue };
            let outside = meanings.outside.clone();
            found.names.insert(scope, name, ConditionalName { nodes, outside });
        }
        let glob = |((scope, target), under): (&(Def, Def), &ConditionId)| {
            Some(((earlier.now(*scope)?, earlier.now(*target)?), *under))
        };
        // What a glob brings may be under its own condition: those that are looked at begin without one, as
        // if there were no earlier state.
        let others = old.globs.iter().filter_map(glob);
        found.globs = others.filter(|((scope, _), _)| !is_looked_at(*scope)).collect();
        let others = found.globs.clone();
        found.spread(globs);
        (found, others)
    }
}
