//! Numbers of the present state by those of an earlier one.

use index_vec::{IndexVec, index_vec};

use super::ids::{CrateId, Def, InstanceId};
use super::nowhere::NOWHERE;
use super::pages::Pages;
use super::textual_macros::Place;
use asof_model::HashMap;

/// Something that has numbers of definitions or instances.
pub(super) trait Renumber {
    /// The same with other numbers.
    fn renumber(&self, numbers: &Numbers) -> Self;
}

/// Numbers of the present state by those of an earlier one. What is gone has numbers behind all others.
#[derive(Debug)]
pub(super) struct Numbers {
    pub instances: IndexVec<InstanceId, InstanceId>,
    pub crates: HashMap<CrateId, CrateId>,
    /// Where the numbers of each earlier file began and begin.
    pub firsts: IndexVec<InstanceId, [Def; 2]>,
    pub pages: Pages,
    /// Where the numbers of each present file begin, then of those that are gone; and the end.
    pub layout: Vec<Def>,
}

impl Numbers {
    pub fn instance(&self, old: InstanceId) -> InstanceId {
        self.instances.get(old).copied().unwrap_or(InstanceId::new(self.layout.len()))
    }

    pub fn place(&self, (instance, item): Place) -> Place {
        (self.instance(instance), item)
    }

    pub fn def(&self, old: Def) -> Def {
        let firsts = self.pages.instance(old).and_then(|instance| self.firsts.get(instance));
        firsts.map_or(NOWHERE, |[then, now]| {
            Def::new(now.index() + old.index().wrapping_sub(then.index()))
        })
    }

    /// Whether a file has the numbers that it had.
    pub fn keeps(&self, old: InstanceId) -> bool {
        self.instance(old) == old && self.firsts.get(old).is_some_and(|[then, now]| then == now)
    }

    pub fn keeps_def(&self, def: Def) -> bool {
        self.def(def) == def
    }

    /// Things by instance, in the order of the present state. `new`: that of an instance which is new.
    pub fn arrange<T>(
        &self,
        of_instance: impl Fn(InstanceId) -> Option<T>,
        new: impl Fn(Def) -> T,
    ) -> Vec<T> {
        let mut all: Vec<Option<T>> = Vec::new();
        all.resize_with(self.layout.len() - 1, || None);
        for (old, number) in self.instances.iter_enumerated() {
            if let Some(place) = all.get_mut(number.index()) {
                *place = of_instance(old);
            }
        }
        let firsts = self.layout.iter().copied();
        all.into_iter().zip(firsts).map(|(of, first)| of.unwrap_or_else(|| new(first))).collect()
    }

    /// Things by crate, in the order of the present state.
    pub fn arrange_crates<T: Clone>(
        &self,
        of_crate: &IndexVec<CrateId, T>,
        count: usize,
        new: T,
    ) -> IndexVec<CrateId, T> {
        let mut all = index_vec![new; count];
        for (then, of) in of_crate.iter_enumerated() {
            let now = self.crates.get(&then);
            if let Some(place) = now.and_then(|now| all.get_mut(*now)) {
                *place = of.clone();
            }
        }
        all
    }
}

impl Renumber for Def {
    fn renumber(&self, numbers: &Numbers) -> Self {
        numbers.def(*self)
    }
}

impl<T: Renumber> Renumber for Vec<T> {
    fn renumber(&self, numbers: &Numbers) -> Self {
        self.iter().map(|one| one.renumber(numbers)).collect()
    }
}

impl<T: Renumber> Renumber for Option<T> {
    fn renumber(&self, numbers: &Numbers) -> Self {
        self.as_ref().map(|one| one.renumber(numbers))
    }
}
