//! What inference observes in an item beside its references, if it is asked to.

use super::types::{Def, Type};

/// What is found out in one item.
#[derive(Default)]
pub(super) struct Trace {
    /// How many variables were bound.
    variables: u32,
    pub found: Vec<(u32, Traced)>,
}

/// What is known at a byte.
pub(super) enum Traced {
    /// A variable is bound, by its number.
    Bound(u32, Type),
    /// A variable is named.
    Named(u32),
    Value(Type),
    Made(Def),
    /// A made item uses something.
    Used(Def),
    /// A word of an expansion that is no name which is known.
    Unread,
}

impl Trace {
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Notes a variable, and returns its number.
    pub(super) fn bind(&mut self, at: u32, ty: &Type) -> u32 {
        self.variables += 1;
        self.found.push((at, Traced::Bound(self.variables, ty.clone())));
        self.variables
    }

    pub(super) fn name(&mut self, at: u32, variable: u32) {
        self.found.push((at, Traced::Named(variable)));
    }

    pub(super) fn value(&mut self, at: u32, ty: &Type) {
        self.found.push((at, Traced::Value(ty.clone())));
    }

    pub(super) fn make(&mut self, at: u32, def: Def) {
        self.found.push((at, Traced::Made(def)));
    }

    pub(super) fn use_within(&mut self, at: u32, def: Def) {
        self.found.push((at, Traced::Used(def)));
    }

    pub(super) fn leave_unread(&mut self, at: u32) {
        self.found.push((at, Traced::Unread));
    }

    /// Bytes of names that were found since.
    pub(super) fn names(&self, since: usize) -> impl Iterator<Item = u32> {
        let found = self.found.iter().skip(since);
        found.filter(|(_, traced)| !matches!(traced, Traced::Unread)).map(|(at, _)| *at)
    }

    /// What was found since is at other bytes.
    pub(super) fn moved(&mut self, since: usize, place: impl Fn(u32) -> u32) {
        self.found.iter_mut().skip(since).for_each(|(at, _)| *at = place(*at));
    }

    /// A variable of an alternative of a pattern is the one of the first.
    pub(super) fn join(&mut self, variable: u32, first: u32) {
        for (_, traced) in &mut self.found {
            if matches!(traced, Traced::Bound(one, _) | Traced::Named(one) if *one == variable) {
                *traced = Traced::Named(first);
            }
        }
    }
}
