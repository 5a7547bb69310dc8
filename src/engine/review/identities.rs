//! What became of each item: the ids of the earlier state in the terms of the later one.

use std::collections::{BTreeMap, BTreeSet};

use crate::history::Followed;
use asof_model::{Class, NodeId};
use asof_review::Identity;
use asof_wire::DiffItem;

/// Ids of items.
pub(crate) type Ids = BTreeSet<NodeId>;

/// Values by the ids of items.
pub(crate) type ById<T> = BTreeMap<NodeId, T>;

/// See the module. Items that are in neither list have one id in both states.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    later: ById<NodeId>,
    earlier: ById<NodeId>,
    gone: Ids,
    come: Ids,
}

/// A side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Earlier,
    Later,
}

/// Whether only the earlier state has an item of a difference.
pub(super) fn is_gone(item: &DiffItem) -> bool {
    item.classes.contains(&Class::Removed)
}

/// Whether only the later state has it.
pub(super) fn is_new(item: &DiffItem) -> bool {
    item.classes.contains(&Class::Added) || item.classes.contains(&Class::SplitOff)
}

impl Identities {
    /// Of a difference, and of all items that were followed to another id.
    pub fn new(items: &[DiffItem], followed: &[Followed]) -> Self {
        let mut found = Self::default();
        for one in followed {
            found.later.insert(one.old, one.new);
            found.earlier.insert(one.new, one.old);
        }
        for item in items {
            if is_gone(item) {
                found.gone.insert(item.id);
            } else if is_new(item) {
                found.come.insert(item.id);
            } else {
                let before = item.previous_id.unwrap_or(item.id);
                found.later.insert(before, item.id);
                found.earlier.insert(item.id, before);
            }
        }
        found
    }

    /// What an id of a state means.
    pub fn identity(&self, state: State, id: NodeId) -> Identity {
        match state {
            State::Later => Identity::Later(id),
            State::Earlier => match self.later.get(&id) {
                Some(later) => Identity::Later(*later),
                None if self.gone.contains(&id) => Identity::Gone(id),
                None => Identity::Later(id),
            },
        }
    }

    /// The id that an item of the later state had; none if it is new.
    pub fn earlier(&self, id: NodeId) -> Option<NodeId> {
        match self.earlier.get(&id) {
            Some(earlier) => Some(*earlier),
            None => (!self.come.contains(&id)).then_some(id),
        }
    }

    /// The id that an item of the earlier state has; none if it is gone.
    pub fn later(&self, id: NodeId) -> Option<NodeId> {
        match self.identity(State::Earlier, id) {
            Identity::Later(later) => Some(later),
            Identity::Gone(_) => None,
        }
    }
}
