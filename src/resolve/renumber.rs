//! An earlier state with the numbers that its files have in the present one. A file that comes or goes
//! shifts the numbers of those behind it, and of crates; what is known of these is copied with other
//! numbers, which is less than to find it out again.

use std::collections::BTreeMap;
use std::sync::Arc;

use index_vec::{IndexVec, index_vec};

use super::block_scopes;
use super::crate_maps::{Crate, CrateMaps, Input, Instance};
use super::earlier_state::EarlierState;
use super::ids::{CrateId, Def, FileId, InstanceId};
use super::known_macros::MadeModule;
use super::node_table::{FileNodes, NodeTable};
use super::nowhere::NOWHERE;
use super::numbers::{Numbers, Renumber};
use super::textual_macros::Place;
use asof_model::HashMap;

/// The input of an earlier state with the numbers of the present one. Instances that are new have no file
/// in it.
#[derive(Debug)]
pub(super) struct RenumberedInput {
    pub crates: IndexVec<CrateId, Crate>,
    pub instances: IndexVec<InstanceId, Instance>,
    pub repeats: BTreeMap<Place, u32>,
}

impl Numbers {
    /// Present numbers; none if they are the earlier ones.
    pub fn new(before: EarlierState<'_>, input: &Input<'_>) -> Option<Self> {
        let (was, nodes) = (&before.input, &before.assembly.nodes);
        let earlier = pair(was, input);
        let mut instances = index_vec![None; was.instances.len()];
        let mut crates: HashMap<CrateId, CrateId> = HashMap::default();
        for (number, old) in earlier.iter_enumerated() {
            let Some(old) = *old else { continue };
            if let Some(present) = instances.get_mut(old) {
                *present = Some(number);
            }
            let krate = |input: &Input<'_>, number: InstanceId| {
                input.instances.get(number).map(|instance| instance.krate)
            };
            if let (Some(then), Some(now)) = (krate(was, old), krate(input, number)) {
                crates.entry(then).or_insert(now);
            }
        }
        let mut layout = Vec::with_capacity(input.instances.len());
        let mut end = Def::new(0);
        for (number, old) in earlier.iter_enumerated() {
            layout.push(end);
            let tree = |input: &Input<'_>, number: InstanceId| {
                let instance = input.instances.get(number)?;
                input.files.get(instance.file).map(|(_, tree)| std::ptr::from_ref(*tree))
            };
            let known = old.filter(|old| tree(was, *old) == tree(input, number));
            let known = known.and_then(|old| nodes.file(old)).map(|file| &***file);
            let count = block_scopes::most_numbers(input, number, known);
            end = NodeTable::next_block(end, count, old.and_then(|old| nodes.room(old)));
        }
        let mut next = InstanceId::new(input.instances.len());
        let mut gone = |old: InstanceId| {
            let number = next;
            next = InstanceId::new(next.index() + 1);
            layout.push(end);
            end = NodeTable::next_block(end, 0, nodes.room(old));
            number
        };
        let instances = instances.iter_enumerated();
        let instances: IndexVec<InstanceId, InstanceId> =
            instances.map(|(old, number)| number.unwrap_or_else(|| gone(old))).collect();
        layout.push(end);
        let firsts = instances.iter_enumerated().map(|(old, number)| {
            let then = nodes.file(old).map_or(NOWHERE, |file| file.first);
            [then, layout.get(number.index()).copied().unwrap_or(NOWHERE)]
        });
        let firsts: IndexVec<InstanceId, [Def; 2]> = firsts.collect();
        let is_same = was.instances.len() == input.instances.len()
            && earlier.iter_enumerated().all(|(number, old)| *old == Some(number))
            && crates.iter().all(|(then, now)| then == now)
            && firsts.iter().all(|[then, now]| then == now);
        if is_same {
            return None;
        }
        Some(Numbers { instances, crates, firsts, pages: nodes.pages.clone(), layout })
    }

    /// The input of the earlier state.
    pub fn input(&self, was: &Input<'_>, input: &Input<'_>) -> RenumberedInput {
        let krate = |old: CrateId| self.crates.get(&old).copied().unwrap_or(old);
        let instance = |old: InstanceId| {
            let of = was.instances.get(old)?.clone();
            let declared_in = of.declared_in.map(|place| self.place(place));
            Some(Instance { krate: krate(of.krate), declared_in, ..of })
        };
        let new = |_| Instance {
            file: FileId::new(was.files.len()),
            krate: CrateId::new(was.crates.len().max(input.crates.len())),
            declared_in: None,
            variant: None,
            cfg: String::new(),
            made: None,
        };
        let crates = was.crates.iter_enumerated();
        let mut arranged = input.crates.to_owned();
        for (then, of) in crates {
            let now = self.crates.get(&then);
            if let Some(place) = now.and_then(|now| arranged.get_mut(*now)) {
                *place = of.clone();
            }
        }
        let repeats = was.repeats.iter().map(|(place, first)| (self.place(*place), *first));
        RenumberedInput {
            crates: arranged,
            instances: self.arrange(instance, new).into_iter().collect(),
            repeats: repeats.collect(),
        }
    }

    /// The definitions of the earlier state.
    pub fn maps(&self, maps: &CrateMaps) -> CrateMaps {
        let file = |old: InstanceId| {
            let file = maps.nodes.file(old)?;
            let is_kept = self.keeps(old) && file.keeps(self);
            Some(if is_kept { Arc::clone(file) } else { Arc::new(file.renumber(self)) })
        };
        let files = self.arrange(file, |first| Arc::new(FileNodes::new(first).into()));
        let mut nodes = NodeTable::default();
        for (file, end) in files.into_iter().zip(self.layout.iter().skip(1)) {
            nodes.push(file, *end);
        }
        let edges = |old| maps.edges.0.get(old).cloned();
        let variants = maps.variants.iter();
        let variants = variants.map(|(place, modules)| {
            (self.place(*place), modules.iter().map(|module| self.def(*module)).collect())
        });
        CrateMaps {
            nodes,
            conditions: maps.conditions.clone(),
            variants: variants.collect(),
            edges: super::edge_table::EdgeTable(
                self.arrange(edges, |_| Arc::default()).into_iter().collect(),
            ),
        }
    }
}

/// For each instance, the earlier one of the same module: of the same file, declared in the same one.
fn pair(was: &Input<'_>, input: &Input<'_>) -> IndexVec<InstanceId, Option<InstanceId>> {
    type Key<'k> = (&'k str, Option<InstanceId>, Option<&'k str>, Option<&'k MadeModule>);
    fn key<'k>(input: &Input<'k>, number: InstanceId, by: Option<InstanceId>) -> Option<Key<'k>> {
        let instance = input.instances.get(number)?;
        let (path, _) = input.files.get(instance.file)?;
        Some((path, by, instance.variant.as_deref(), instance.made.as_ref()))
    }
    let mut known: HashMap<Key<'_>, Option<InstanceId>> = HashMap::default();
    for (number, instance) in was.instances.iter_enumerated() {
        if let Some(key) = key(was, number, instance.declared_in.map(|(by, _)| by)) {
            // A file that one module declares twice is none for sure.
            known.entry(key).and_modify(|known| *known = None).or_insert(Some(number));
        }
    }
    let mut paired: IndexVec<InstanceId, Option<InstanceId>> = IndexVec::new();
    for (number, instance) in input.instances.iter_enumerated() {
        let by = instance.declared_in.map(|(by, _)| paired.get(by).copied().flatten());
        let old = match by {
            // The module around is new.
            Some(None) => None,
            by => key(input, number, by.flatten()).and_then(|key| known.remove(&key)).flatten(),
        };
        paired.push(old);
    }
    paired
}
