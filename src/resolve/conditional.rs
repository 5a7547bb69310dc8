//! Names that conditional imports bring, with the conditions of each meaning.

use super::bindings::{Globs, OutsidePath};
use super::file_scopes::ScopeNames;
use super::ids::{ConditionId, Def};
use super::numbers::{Numbers, Renumber};
use serde::{Deserialize, Serialize};

use asof_model::{HashMap, HashSet};

/// What a name may mean, and the condition under which imports bring it.
pub(super) type Meanings<T> = HashMap<T, ConditionId>;

/// The names of scopes that some import brings under a condition that the scope does not have.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Conditional {
    pub names: ScopeNames<ConditionalName>,
    /// Globs under conditions, by their scope and the one whose names they bring.
    pub globs: HashMap<(Def, Def), ConditionId>,
    /// The scopes of these names, and all that globs bring some of them into.
    pub scopes: HashSet<Def>,
}

/// What imports bring by a name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ConditionalName {
    pub nodes: Meanings<Def>,
    pub outside: Meanings<OutsidePath>,
}

impl Conditional {
    /// What a name means outside of the workspace, with conditions, sorted.
    pub(super) fn outside(&self, scope: Def, name: &str) -> Vec<(OutsidePath, ConditionId)> {
        let meanings = self.names.get(scope, name).into_iter().flat_map(|of| &of.outside);
        let mut all: Vec<_> = meanings.map(|(path, under)| (path.clone(), *under)).collect();
        all.sort_unstable();
        all
    }
}

impl Conditional {
    /// Finds the scopes with names or globs under conditions, and all into which globs bring names of these.
    pub(super) fn spread(&mut self, globs: &Globs) {
        self.scopes = self.names.scopes().collect();
        self.scopes.extend(self.globs.keys().map(|(scope, _)| *scope));
        let mut open: Vec<Def> = self.scopes.iter().copied().collect();
        while let Some(at) = open.pop() {
            open.extend(globs.sources(at).filter(|scope| self.scopes.insert(*scope)));
        }
    }

    /// The scopes whose names come somewhere through globs under conditions.
    pub(super) fn brought_by_globs(&self, globs: &Globs) -> HashSet<Def> {
        let mut open: Vec<Def> = self.globs.keys().map(|(_, target)| *target).collect();
        let mut brought = HashSet::default();
        while let Some(at) = open.pop() {
            if brought.insert(at) {
                open.extend(globs.targets(at));
            }
        }
        brought
    }
}

impl Renumber for ConditionalName {
    fn renumber(&self, numbers: &Numbers) -> Self {
        let nodes = self.nodes.iter().map(|(node, under)| (numbers.def(*node), *under));
        ConditionalName { nodes: nodes.collect(), outside: self.outside.clone() }
    }
}

impl Renumber for Conditional {
    fn renumber(&self, numbers: &Numbers) -> Self {
        let glob = |((scope, target), under): (&(Def, Def), &ConditionId)| {
            ((numbers.def(*scope), numbers.def(*target)), *under)
        };
        Conditional {
            names: self.names.renumber(numbers),
            globs: self.globs.iter().map(glob).collect(),
            scopes: self.scopes.iter().map(|scope| numbers.def(*scope)).collect(),
        }
    }
}
