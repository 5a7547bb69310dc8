//! Interns conditions that are joined while references are resolved.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::super::conditions::{ALWAYS, Conditions};
use super::types::{Def, Name};
use crate::ids::ConditionId;
use asof_model::HashMap;

/// The conditions of a workspace and those that were joined so far. The numbers of the latter depend
/// on the order in which they were joined; nothing else does.
#[derive(Debug, Default)]
pub(super) struct Joined {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
pub(super) struct Known {
    pub conditions: Conditions,
    /// Those of imports, by scope, name and definition.
    pub imports: HashMap<(Def, Name, Def), ConditionId>,
    /// What others know of a condition: by it and whether the package is the same.
    pub elsewhere: HashMap<(ConditionId, bool), ConditionId>,
}

impl Joined {
    pub(super) fn new(conditions: &Conditions) -> Self {
        let known = Known { conditions: conditions.clone(), ..Known::default() };
        Joined { known: RwLock::new(known) }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Both hold.
    pub(super) fn and(&self, a: ConditionId, b: ConditionId) -> ConditionId {
        match (a, b) {
            (ALWAYS, only) | (only, ALWAYS) => only,
            (a, b) if a == b => a,
            (a, b) => self.write().conditions.and(a, b),
        }
    }

    /// One of them holds.
    pub(super) fn or(&self, a: ConditionId, b: ConditionId) -> ConditionId {
        match (a, b) {
            (ALWAYS, _) | (_, ALWAYS) => ALWAYS,
            (a, b) if a == b => a,
            (a, b) => self.write().conditions.or(a, b),
        }
    }
}
