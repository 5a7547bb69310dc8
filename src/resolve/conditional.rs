//! Names that imports bring under conditions: what a name means with which of them.

use std::collections::{HashMap, HashSet};

use super::bindings::PathTarget;
use super::conditions::{ALWAYS, Conditions};
use super::scope::Scopes;

/// Globs that are followed for one name.
const MAX_GLOBS: usize = 512;

/// What a name may mean, and the condition under which imports bring it.
pub(super) type Meanings<T> = HashMap<T, u32>;

/// The names of scopes that some import brings under a condition that the scope does not have.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Conditional<'a> {
    pub nodes: HashMap<(u32, &'a str), Meanings<u32>>,
    pub outside: HashMap<(u32, &'a str), Meanings<Vec<String>>>,
    /// Globs under conditions, by their scope and the one whose names they bring.
    pub globs: HashMap<(u32, u32), u32>,
    /// The scopes of these names, and all that globs bring some of them into.
    pub scopes: HashSet<u32>,
}

impl<'a> Conditional<'a> {
    /// The condition, by its number, under which imports bring a definition by a name into a scope.
    pub(super) fn condition(
        &self,
        scopes: &Scopes<'a>,
        conditions: &mut Conditions,
        (scope, name): (u32, &str),
        node: u32,
    ) -> u32 {
        let mut search = Search { all: self, scopes, conditions, name, node, left: MAX_GLOBS };
        let found = search.through(scope, &mut Vec::new());
        // What is not found is not known to be under any.
        found.filter(|_| search.left > 0).unwrap_or(ALWAYS)
    }

    /// What a name means outside of the workspace, with conditions, sorted.
    pub(super) fn outside(&self, scope: u32, name: &str) -> Vec<(Vec<String>, u32)> {
        if !self.scopes.contains(&scope) {
            return Vec::new();
        }
        let meanings = self.outside.get(&(scope, name)).into_iter().flatten();
        let mut all: Vec<_> = meanings.map(|(path, under)| (path.clone(), *under)).collect();
        all.sort_unstable();
        all
    }
}

/// The ways by which a name comes to mean a definition.
struct Search<'s, 'a, 'n> {
    all: &'s Conditional<'a>,
    scopes: &'s Scopes<'a>,
    conditions: &'s mut Conditions,
    name: &'n str,
    node: u32,
    /// Globs that may still be followed.
    left: usize,
}

impl Search<'_, '_, '_> {
    /// The condition under which one of the ways is there; none if there is no way.
    fn through(&mut self, scope: u32, around: &mut Vec<u32>) -> Option<u32> {
        let mut found = self.bound(scope);
        if found == Some(ALWAYS) {
            return found;
        }
        around.push(scope);
        for target in self.scopes.globs_that_may_have(scope, self.name) {
            if around.contains(&target) {
                continue;
            }
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                break;
            }
            let own = self.all.globs.get(&(scope, target)).copied().unwrap_or(ALWAYS);
            if let Some(there) = self.through(target, around) {
                let way = self.conditions.and(own, there);
                found = Some(found.map_or(way, |found| self.conditions.or(found, way)));
            }
        }
        around.pop();
        found
    }

    /// The condition under which a definition or a named import of the scope itself means it.
    fn bound(&self, scope: u32) -> Option<u32> {
        let bindings = self.scopes.bound.get(&(scope, self.name))?;
        let means = |target: &PathTarget| match target {
            PathTarget::Nodes(nodes) => nodes.iter().any(|(node, _)| *node == self.node),
            _ => false,
        };
        if !bindings.list.iter().any(|one| means(&one.target)) {
            return None;
        }
        let meanings = self.all.nodes.get(&(scope, self.name));
        Some(meanings.and_then(|of| of.get(&self.node)).copied().unwrap_or(ALWAYS))
    }
}
