//! Conditions of places in a file: of `cfg` attributes within its items.

use asof_model::{Condition, FileUses, OrNever, Region};

/// The regions of a file, by number from 1.
pub(super) struct Regions<'u> {
    uses: &'u FileUses,
    /// Of each region, with those around it.
    conditions: Vec<Condition>,
}

impl<'u> Regions<'u> {
    pub(super) fn new(uses: &'u FileUses) -> Self {
        let mut conditions: Vec<Condition> = Vec::with_capacity(uses.regions.len());
        for region in &uses.regions {
            let own = Condition::parse(&region.cfg);
            let around = region.within.and_then(|at| conditions.get(at as usize));
            conditions.push(around.map_or(own.clone(), |around| around.and(&own)));
        }
        Regions { uses, conditions }
    }

    /// The innermost region around a byte; 0 for none.
    pub(super) fn around(&self, byte: u32) -> u32 {
        Region::around(&self.uses.regions, byte).map_or(0, |at| at as u32 + 1)
    }

    /// The condition of a region.
    pub(super) fn condition(&self, region: u32) -> Condition {
        match (region as usize).checked_sub(1) {
            Some(at) => self.conditions.get(at).cloned().or_never("a region has a condition"),
            None => Condition::default(),
        }
    }
}
