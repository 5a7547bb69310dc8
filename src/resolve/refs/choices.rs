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

/// Different choices of a workspace; beyond, only first alternatives are looked at.
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

/// The choices that were met so far; each has an alternative that is of the workspace. Their numbers
/// depend on the order in which they were met; nothing else does.
#[derive(Debug, Default)]
pub(super) struct Choices {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    all: Vec<Arc<Choice>>,
    numbers: HashMap<Arc<Choice>, Def>,
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

impl Choices {
    /// The number of a choice; none if there are too many.
    pub(super) fn number(&self, choice: Choice) -> Option<Def> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = known.numbers.get(&choice) {
            return Some(*number);
        }
        drop(known);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = known.numbers.get(&choice) {
            return Some(*number);
        }
        if known.all.len() >= MAX_CHOICES {
            return None;
        }
        let choice = Arc::new(choice);
        let number = Def::FIRST_CHOICE + known.all.len();
        known.all.push(Arc::clone(&choice));
        known.numbers.insert(choice, number);
        Some(number)
    }

    /// The choice of a number; none of a definition.
    pub(super) fn choice(&self, def: Def) -> Option<Arc<Choice>> {
        let at = def.index().checked_sub(Def::FIRST_CHOICE.index())?;
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.all.get(at).cloned()
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
