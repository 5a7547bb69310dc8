//! Types of which each build has one: what a name means that leads to several, since they are
//! under different conditions. A choice has a number like a definition. Everything that is not said
//! to look at each of its alternatives takes it for the first.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::types::Def;

/// Numbers of choices begin here.
const FIRST: Def = 1 << 31;

/// Alternatives; of more, only the first is looked at.
pub(super) const MAX_ALTERNATIVES: usize = 8;

/// Different choices of a workspace; beyond, only first alternatives are looked at.
const MAX_CHOICES: usize = 1 << 16;

/// The choices that were met so far. Their numbers depend on the order in which they were met;
/// nothing else does.
#[derive(Debug, Default)]
pub(super) struct Choices {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    all: Vec<Arc<[Def]>>,
    numbers: HashMap<Arc<[Def]>, Def>,
}

impl Choices {
    /// The choice between definitions, some of which may be choices themselves. None of none.
    pub(super) fn between(&self, defs: &[Def]) -> Option<Def> {
        let mut all: Vec<Def> = Vec::new();
        for def in defs {
            match self.alternatives(*def) {
                Some(more) => all.extend(more.iter()),
                None => all.push(*def),
            }
        }
        all.sort_unstable();
        all.dedup();
        let first = all.first().copied()?;
        if all.len() == 1 || all.len() > MAX_ALTERNATIVES {
            return Some(first);
        }
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = known.numbers.get(all.as_slice()) {
            return Some(*number);
        }
        drop(known);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = known.numbers.get(all.as_slice()) {
            return Some(*number);
        }
        if known.all.len() >= MAX_CHOICES {
            return Some(first);
        }
        let all: Arc<[Def]> = all.into();
        let number = FIRST + known.all.len() as Def;
        known.all.push(Arc::clone(&all));
        known.numbers.insert(all, number);
        Some(number)
    }

    /// The alternatives of a choice, in the order of their declarations; none of a definition.
    pub(super) fn alternatives(&self, def: Def) -> Option<Arc<[Def]>> {
        let at = def.checked_sub(FIRST)?;
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.all.get(at as usize).cloned()
    }

    /// The first alternative of a choice; a definition itself.
    pub(super) fn first(&self, def: Def) -> Def {
        if def < FIRST {
            return def;
        }
        self.alternatives(def).and_then(|all| all.first().copied()).unwrap_or(def)
    }

    /// Whether two types may be the same.
    pub(super) fn meet(&self, a: Def, b: Def) -> bool {
        if a == b || a.max(b) < FIRST {
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
