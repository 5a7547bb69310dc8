//! Names that conditional imports bring, with the conditions of each meaning.

use super::bindings::OutsidePath;
use super::ids::{ConditionId, Def};
use serde::{Deserialize, Serialize};

use asof_model::{HashMap, HashSet};

/// What a name may mean, and the condition under which imports bring it.
pub(super) type Meanings<T> = HashMap<T, ConditionId>;

/// The names of scopes that some import brings under a condition that the scope does not have.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Conditional<'a> {
    #[serde(borrow)]
    pub nodes: HashMap<(Def, &'a str), Meanings<Def>>,
    #[serde(borrow)]
    pub outside: HashMap<(Def, &'a str), Meanings<OutsidePath>>,
    /// Globs under conditions, by their scope and the one whose names they bring.
    pub globs: HashMap<(Def, Def), ConditionId>,
    /// The scopes of these names, and all that globs bring some of them into.
    pub scopes: HashSet<Def>,
}

impl Conditional<'_> {
    /// What a name means outside of the workspace, with conditions, sorted.
    pub(super) fn outside(&self, scope: Def, name: &str) -> Vec<(OutsidePath, ConditionId)> {
        if !self.scopes.contains(&scope) {
            return Vec::new();
        }
        let meanings = self.outside.get(&(scope, name)).into_iter().flatten();
        let mut all: Vec<_> = meanings.map(|(path, under)| (path.clone(), *under)).collect();
        all.sort_unstable();
        all
    }
}
