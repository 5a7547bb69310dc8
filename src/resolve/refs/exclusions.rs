//! Decides which presence conditions exclude each other, and keeps the answers.

use std::sync::atomic::{AtomicU8, Ordering};

use super::super::conditions::Conditions;
use crate::ids::ConditionId;
use asof_model::Flags;

/// Conditions of a workspace of which pairs are kept.
const MAX_KEPT: usize = 512;

/// What was found out about pairs of conditions: 0 if nothing, 1 if they may hold together, 2 if not.
#[derive(Debug, Default)]
pub(super) struct Exclusions {
    /// By the first, the second, and the flags that count.
    found: Vec<AtomicU8>,
    count: usize,
}

impl Exclusions {
    pub(super) fn new(conditions: &Conditions) -> Self {
        let count = conditions.all().len();
        let mut found = Vec::new();
        if count <= MAX_KEPT {
            found.resize_with(count * count * 2, AtomicU8::default);
        }
        Exclusions { found, count }
    }

    /// Whether two conditions, by their numbers, never hold together.
    pub(super) fn contradict(
        &self,
        conditions: &Conditions,
        (a, b): (ConditionId, ConditionId),
        flags: Flags,
    ) -> bool {
        let find = || conditions.get(a).contradicts(conditions.get(b), flags);
        let at = (a.index() * self.count + b.index()) * 2 + usize::from(flags == Flags::OfTarget);
        let Some(kept) = self.found.get(at) else { return find() };
        match kept.load(Ordering::Relaxed) {
            0 => {
                let found = find();
                kept.store(1 + u8::from(found), Ordering::Relaxed);
                found
            }
            known => known == 2,
        }
    }
}
