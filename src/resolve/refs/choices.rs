//! Choices: types with several definitions under different conditions, of which each build has one.
//! A choice has a number like a definition. Everything that is not said to look at each of its
//! alternatives takes it for the first.

use std::sync::{Arc, PoisonError, RwLock};

use super::super::conditions::ALWAYS;
use super::types::Def;
use crate::ids::ConditionId;
use asof_model::HashMap;

/// Alternatives; of more, only the first is looked at.
pub(super) const MAX_ALTERNATIVES: usize = 8;

/// Different choices of one kind; beyond, only first alternatives are looked at.
const MAX_CHOICES: usize = 1 << 16;

/// How many of the types that a text may mean are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    All,
    Some,
}

/// Under which conditions a path leads to what it may mean.
#[derive(Debug)]
pub(super) struct Reached {
    /// Those of definitions, unless they always hold.
    pub under: Vec<(Def, ConditionId)>,
    /// Whether these are all that it may mean.
    pub share: Share,
}

impl Default for Reached {
    fn default() -> Self {
        Reached { under: Vec::new(), share: Share::All }
    }
}

impl Reached {
    pub(super) fn under(&self, def: Def) -> ConditionId {
        let known = self.under.iter().find(|(known, _)| *known == def);
        known.map_or(ALWAYS, |(_, under)| *under)
    }
}

/// The choices that were met so far. Their numbers depend on the order in which they were met;
/// nothing else does.
#[derive(Debug, Default)]
pub(super) struct Choices {
    own: Registry,
    /// Those between definitions of other crates.
    outside: Arc<Registry>,
}

/// Choices of one kind, by their indices.
#[derive(Debug, Default)]
pub(super) struct Registry {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    all: Vec<Arc<Choice>>,
    indices: HashMap<Arc<Choice>, usize>,
}

/// Alternatives, in the order of their declarations.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Choice {
    /// With the number of the condition under which it is the one.
    pub of: Box<[(Def, ConditionId)]>,
    /// Root of the crate whose flags these conditions are about.
    pub at: Def,
    defs: Arc<[Def]>,
}

impl Choice {
    /// Alternatives without duplicates. `at` does not matter if no condition is known.
    pub(super) fn new(mut of: Vec<(Def, ConditionId)>, at: Def) -> Self {
        of.sort_unstable();
        let at = if of.iter().all(|(_, under)| *under == ALWAYS) { Def::new(0) } else { at };
        let defs = of.iter().map(|(def, _)| *def).collect();
        Choice { of: of.into(), at, defs }
    }
}

impl Registry {
    /// The index of a choice; none if there are too many.
    fn index(&self, choice: Choice) -> Option<usize> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = known.indices.get(&choice) {
            return Some(*index);
        }
        drop(known);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = known.indices.get(&choice) {
            return Some(*index);
        }
        let index = known.all.len();
        if index >= MAX_CHOICES {
            return None;
        }
        let choice = Arc::new(choice);
        known.all.push(Arc::clone(&choice));
        known.indices.insert(choice, index);
        Some(index)
    }

    fn get(&self, index: usize) -> Option<Arc<Choice>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.all.get(index).cloned()
    }
}

impl Choices {
    /// With the choices between definitions of other crates, which other states know too.
    pub(super) fn new(outside: Arc<Registry>) -> Self {
        Choices { own: Registry::default(), outside }
    }

    /// The number of a choice; none if there are too many.
    pub(super) fn number(&self, choice: Choice) -> Option<Def> {
        let is_outside = |(def, under): &(Def, ConditionId)| {
            (Def::FIRST_OUTSIDE..Def::FIRST_CHOICE).contains(def) && *under == ALWAYS
        };
        let (registry, first) = if choice.of.iter().all(is_outside) {
            (&*self.outside, Def::FIRST_CHOICE_OUTSIDE)
        } else {
            (&self.own, Def::FIRST_CHOICE)
        };
        Some(first + registry.index(choice)?)
    }

    /// The choice of a number; none of a definition.
    pub(super) fn choice(&self, def: Def) -> Option<Arc<Choice>> {
        if def < Def::FIRST_CHOICE {
            return None;
        }
        match def.index().checked_sub(Def::FIRST_CHOICE_OUTSIDE.index()) {
            Some(index) => self.outside.get(index),
            None => self.own.get(def.index() - Def::FIRST_CHOICE.index()),
        }
    }

    /// The alternatives of a choice, in the order of their declarations; none of a definition.
    pub(super) fn alternatives(&self, def: Def) -> Option<Arc<[Def]>> {
        self.choice(def).map(|choice| Arc::clone(&choice.defs))
    }

    /// The first alternative of a choice; a definition itself.
    pub(super) fn first(&self, def: Def) -> Def {
        if def < Def::FIRST_CHOICE {
            return def;
        }
        self.alternatives(def).and_then(|all| all.first().copied()).unwrap_or(def)
    }

    /// Whether two types may be the same.
    pub(super) fn meet(&self, a: Def, b: Def) -> bool {
        if a == b || a.max(b) < Def::FIRST_CHOICE {
            return a == b;
        }
        let has = |all: &Option<Arc<[Def]>>, def: Def, one: Def| match all {
            Some(all) => all.contains(&one),
            None => def == one,
        };
        let (of_a, of_b) = (self.alternatives(a), self.alternatives(b));
        match &of_a {
            Some(all) => all.iter().any(|one| has(&of_b, b, *one)),
            None => has(&of_b, b, a),
        }
    }
}
