//! Names that imports bring under conditions: what a name means with which of them.

use std::collections::{HashMap, HashSet};

use super::conditions::ALWAYS;

/// What a name may mean, and the condition under which imports bring it.
pub(super) type Meanings<T> = HashMap<T, u32>;

/// The names of scopes that some import brings under a condition that the scope does not have.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Conditional<'a> {
    pub nodes: HashMap<(u32, &'a str), Meanings<u32>>,
    pub outside: HashMap<(u32, &'a str), Meanings<Vec<String>>>,
    /// The scopes of these names.
    pub scopes: HashSet<u32>,
}

impl Conditional<'_> {
    /// The condition, by its number, under which imports bring a definition by a name into a scope.
    pub(super) fn condition(&self, scope: u32, name: &str, node: u32) -> u32 {
        if !self.scopes.contains(&scope) {
            return ALWAYS;
        }
        let meanings = self.nodes.get(&(scope, name));
        meanings.and_then(|of| of.get(&node)).copied().unwrap_or(ALWAYS)
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
