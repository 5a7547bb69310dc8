//! Which definitions of an earlier state of a workspace are which of the present one, and which names
//! may mean something else than they did.
//!
//! A definition is a number, and numbers are positions: an item more shifts those of all files behind
//! it. Nothing is looked up again for that. A file whose item tree is the same has the same definitions
//! in the same order, so one number leads to the other; in the others, ids do.
//!
//! What an import leads to can differ only if a name of its path means something else in some scope:
//! because an item of this name came, went or changed, or an import that binds it did
//! ([`imports`](super::imports)). So the *names* of what differs are all that is carried on:
//!
//! ```text
//! mod a { pub struct S; pub struct T; }
//! use a::S;           // `fn f` is added to `a`: neither `a` nor `S` is among the names, nothing is asked
//! use a::T as U;      // `T` is renamed: asked, and so is each import with `U` in its path
//! ```
//!
//! What a new scope declares is not among them: a path leads there by the name of the scope, which is, or
//! by an import that binds another name and is followed, too.
//!
//! ```text
//! mod a { pub mod m { pub struct S; } }
//! use a::m::S;        // `m` is new: asked by that name
//! ```
//!
//! Traps: a glob brings names that it does not mention. An item more behind it is a name as any other,
//! but with a glob that comes, goes or leads elsewhere, all names that it brings are among them. A module
//! that gets a file of its own is not new. Macros are seen behind modules without their names. Names of
//! crates that others of the workspace can use, or cannot any more, are among the names. If included
//! files differ, everything is resolved as if there were no earlier state.

use std::cell::OnceCell;
use std::sync::Arc;

use index_vec::{IndexVec, index_vec};

use super::bindings::PathTarget;
use super::crate_maps::{CrateMaps, Input, Instance};
use super::earlier_state::{EarlierState, repeats};
use super::enclosing::{in_impl, scope_of};
use super::ids::{Def, InstanceId};
use super::node_table::{FileNodes, NodeTable};
use super::refs::hash_name;
use asof_model::{HashMap, HashSet, NodeId, NodeKind, StoredTree, TreeItem};

/// What a file as the body of a module was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counterpart {
    /// The module, or its file, is new.
    None,
    /// Items of the file differ.
    Differing(InstanceId),
    Same(InstanceId),
}

impl Counterpart {
    fn instance(self) -> Option<InstanceId> {
        match self {
            Self::None => None,
            Self::Differing(then) | Self::Same(then) => Some(then),
        }
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Correspondence<'n> {
    pub before: EarlierState<'n>,
    pub nodes: &'n NodeTable,
    counterparts: IndexVec<InstanceId, Counterpart>,
    /// Present instances by earlier ones.
    present: IndexVec<InstanceId, Option<InstanceId>>,
    /// In files of which items differ: present numbers by earlier ones.
    now: HashMap<Def, Def>,
    /// The reverse.
    then: HashMap<Def, Def>,
    /// Earlier instances that have no counterpart.
    pub gone: Vec<InstanceId>,
    /// Earlier scopes that are gone, and whose names globs brought to some that are not.
    opened: OnceCell<HashSet<Def>>,
    /// Hashes of the names of items that came, went or changed.
    pub names: HashSet<u32>,
}

impl<'n> Correspondence<'n> {
    /// Between an earlier state and the present one, whose definitions are identified; none if so much
    /// differs that everything is to be resolved.
    pub(super) fn new(
        before: EarlierState<'n>,
        input: Input<'n>,
        assembly: &'n CrateMaps,
    ) -> Option<Self> {
        let old = before.input;
        if before.scopes.is_cut {
            return None;
        }
        let mut found = Correspondence {
            before,
            nodes: &assembly.nodes,
            counterparts: index_vec![Counterpart::None; input.instances.len()],
            present: index_vec![None; old.instances.len()],
            now: HashMap::default(),
            then: HashMap::default(),
            gone: Vec::new(),
            opened: OnceCell::new(),
            names: HashSet::default(),
        };
        let gone = found.pair_instances(input, assembly)?;
        for (number, counterpart) in found.counterparts.clone().iter_enumerated() {
            match *counterpart {
                Counterpart::Same(_) => {}
                Counterpart::Differing(old) => found.compare(input, assembly, old, number),
                Counterpart::None => {
                    let side = Side { input: &input, assembly, instance: number };
                    found.add_all(side, Self::was_there)?;
                }
            }
        }
        for number in &gone {
            let side = Side { input: &old, assembly: before.assembly, instance: *number };
            found.add_all(side, Self::is_missed)?;
        }
        found.gone = gone;
        Some(found)
    }

    /// Finds the counterparts of all instances, and of the definitions in them; returns the instances
    /// that are gone.
    fn pair_instances(
        &mut self,
        input: Input<'n>,
        assembly: &CrateMaps,
    ) -> Option<Vec<InstanceId>> {
        let before = self.before;
        let mut by_root: HashMap<(NodeId, &str), InstanceId> = HashMap::default();
        for (number, instance) in before.input.instances.iter_enumerated() {
            let is_shared = assembly.nodes.shares(&before.assembly.nodes, number, number)
                && input.instances.get(number).is_some_and(|now| now.made == instance.made)
                && before.assembly.variant_ids(number).eq(assembly.variant_ids(number));
            if is_shared {
                self.pair(number, Counterpart::Same(number));
            } else if let Some((id, path, _)) =
                root(&before.input, before.assembly, number, instance)
            {
                by_root.insert((id, path), number);
            }
        }
        for (number, instance) in input.instances.iter_enumerated() {
            if self.counterpart(number) != Counterpart::None {
                continue;
            }
            let Some((id, path, tree)) = root(&input, assembly, number, instance) else { continue };
            let Some(old) = by_root.remove(&(id, path)) else { continue };
            let was = before.input.instances.get(old)?;
            let (_, _, old_tree) = root(&before.input, before.assembly, old, was)?;
            if was.made != instance.made {
                return None;
            }
            let is_same = old_tree == tree
                && repeats(&before.input, old).eq(repeats(&input, number))
                && before.assembly.variant_ids(old).eq(assembly.variant_ids(number))
                && is_numbered_alike(&before.assembly.nodes, old, &assembly.nodes, number);
            if !is_same {
                let ids = |nodes: &NodeTable, defs: &[Def]| -> HashMap<NodeId, Option<Def>> {
                    let mut ids = HashMap::default();
                    for def in defs {
                        let Some(node) = nodes.get(*def) else { continue };
                        ids.entry(node.id).and_modify(|one| *one = None).or_insert(Some(*def));
                    }
                    ids
                };
                let old_nodes = &before.assembly.nodes;
                let present = ids(&assembly.nodes, assembly.nodes.item_nodes(number));
                for (id, from) in ids(old_nodes, old_nodes.item_nodes(old)) {
                    if let (Some(from), Some(Some(to))) = (from, present.get(&id)) {
                        self.now.insert(from, *to);
                        self.then.insert(*to, from);
                    }
                }
            }
            let counterpart =
                if is_same { Counterpart::Same(old) } else { Counterpart::Differing(old) };
            self.pair(number, counterpart);
        }
        Some(by_root.into_values().collect())
    }

    fn pair(&mut self, number: InstanceId, counterpart: Counterpart) {
        if let Some(known) = self.counterparts.get_mut(number) {
            *known = counterpart;
        }
        if let Some(present) = counterpart.instance().and_then(|old| self.present.get_mut(old)) {
            *present = Some(number);
        }
    }

    /// Adds the names of items of a file that are not as they were.
    fn compare(
        &mut self,
        input: Input<'n>,
        assembly: &CrateMaps,
        old: InstanceId,
        new: InstanceId,
    ) {
        let before = self.before;
        let was = Side { input: &before.input, assembly: before.assembly, instance: old };
        let is = Side { input: &input, assembly, instance: new };
        let places: HashMap<Def, usize> =
            is.index().iter().enumerate().map(|(at, def)| (*def, at)).collect();
        let mut stays: HashSet<usize> = HashSet::default();
        // Where the last item of each name is now: the order of several is that of their meanings.
        let mut last: HashMap<(Def, &str), usize> = HashMap::default();
        for (at, def) in was.index().iter().enumerate().skip(1) {
            let now = self.now(*def).and_then(|now| places.get(&now)).copied();
            let now = now.filter(|now| self.binds_alike(was, at, is, *now));
            let is_moved = now.zip(was.items().get(at)).is_some_and(|(now, item)| {
                last.insert((was.scope(at), &item.name), now).is_some_and(|last| last > now)
            });
            match now {
                Some(now) if !is_moved => {
                    stays.insert(now);
                }
                _ => self.add(was, at, self.is_missed(was.scope(at))),
            }
        }
        for at in (1..is.items().len()).filter(|at| !stays.contains(at)) {
            self.add(is, at, self.was_there(is.scope(at)));
        }
    }

    /// Whether an item binds the names in its scope that it did.
    fn binds_alike(&self, was: Side<'_, '_>, at: usize, is: Side<'_, '_>, now: usize) -> bool {
        let (Some(old), Some(new)) = (was.items().get(at), is.items().get(now)) else {
            return false;
        };
        let marker = |item: &TreeItem| item.sig.rsplit_once('@').map(|(_, name)| name.to_owned());
        (old.kind, &old.name, &old.visibility, &old.header)
            == (new.kind, &new.name, &new.visibility, &new.header)
            && marker(old) == marker(new)
            && in_impl(was.items(), at) == in_impl(is.items(), now)
            && was.is_repeat(at) == is.is_repeat(now)
            && self.now(was.scope(at)) == Some(is.scope(now))
            && was.variants(at).eq(is.variants(now))
    }

    /// Adds the names that an item binds, unless it is an import. `is_asked`: whether its scope may have
    /// been asked for them in both states. Macros are seen outside of their scopes.
    fn add(&mut self, side: Side<'_, '_>, at: usize, is_asked: bool) {
        let Some(item) = side.items().get(at) else { return };
        if matches!(item.kind, NodeKind::Import | NodeKind::Field) || in_impl(side.items(), at) {
            return;
        }
        if is_asked || item.kind == NodeKind::Macro {
            self.names.insert(hash_name(&item.name));
            self.names.extend(item.sig.rsplit_once('@').map(|(_, name)| hash_name(name)));
        }
    }

    /// Adds the names of a module that came or went; none if it is a file that is included. `is_asked`:
    /// see [`Self::add`].
    fn add_all(&mut self, side: Side<'_, '_>, is_asked: impl Fn(&Self, Def) -> bool) -> Option<()> {
        let instance = side.input.instances.get(side.instance)?;
        if side.input.is_included(side.instance) {
            return None;
        }
        if let Some((by, item)) = instance.declared_in {
            self.names.insert(hash_name(&side.input.item_tree(by).get(item as usize)?.name));
        }
        self.names.extend(instance.made.as_ref().map(|made| hash_name(&made.name)));
        for at in 1..side.items().len() {
            let is_asked = is_asked(self, side.scope(at));
            self.add(side, at, is_asked);
        }
        Some(())
    }

    /// Whether a scope was there in the earlier state.
    pub(super) fn was_there(&self, now: Def) -> bool {
        self.then(now).is_some()
    }

    /// Whether an earlier scope is there, or a scope that is had its names through globs.
    pub(super) fn is_missed(&self, then: Def) -> bool {
        self.now(then).is_some() || self.opened().contains(&then)
    }

    fn opened(&self) -> &HashSet<Def> {
        self.opened.get_or_init(|| {
            let mut opened: HashSet<Def> = HashSet::default();
            let mut globs: HashMap<Def, Vec<Def>> = HashMap::default();
            let mut open: Vec<Def> = Vec::new();
            for (scope, target, _) in self.before.scopes.all_globs() {
                match self.now(scope) {
                    Some(_) => open.push(target),
                    None => globs.entry(scope).or_default().push(target),
                }
            }
            while let Some(target) = open.pop() {
                if self.now(target).is_none() && opened.insert(target) {
                    open.extend(globs.get(&target).into_iter().flatten());
                }
            }
            opened
        })
    }

    /// Each crate root that there was with its number then.
    pub(super) fn roots(&self, input: Input<'n>) -> impl Iterator<Item = (InstanceId, InstanceId)> {
        self.counterparts().filter_map(move |(number, counterpart)| {
            let is_root = input.instances.get(number)?.declared_in.is_none();
            counterpart.instance().filter(|_| is_root).map(|then| (number, then))
        })
    }

    /// What an earlier definition or scope is now; none if it is gone.
    pub(super) fn now(&self, then: Def) -> Option<Def> {
        let old = self.before.assembly.nodes.instance(then)?;
        match *self.present.get(old)? {
            Some(number) if matches!(self.counterpart(number), Counterpart::Same(_)) => {
                self.nodes.moved(then, (&self.before.assembly.nodes, old), number)
            }
            _ => self.now.get(&then).copied(),
        }
    }

    /// What a definition or scope was before; none if it is new.
    pub(super) fn then(&self, now: Def) -> Option<Def> {
        let number = self.nodes.instance(now)?;
        match self.counterpart(number) {
            Counterpart::Same(old) => {
                self.before.assembly.nodes.moved(now, (self.nodes, number), old)
            }
            _ => self.then.get(&now).copied(),
        }
    }

    /// Whether an earlier definition or scope has the number that it had.
    pub(super) fn is_in_place(&self, then: Def) -> bool {
        self.now(then) == Some(then)
    }

    /// Whether the definitions of an instance are those of the earlier state, by number and in all else.
    pub(super) fn is_shared(&self, number: InstanceId) -> bool {
        self.nodes.shares(&self.before.assembly.nodes, number, number)
    }

    /// Each instance with what it was.
    pub(super) fn counterparts(&self) -> impl Iterator<Item = (InstanceId, Counterpart)> {
        self.counterparts.iter_enumerated().map(|(number, one)| (number, *one))
    }

    pub(super) fn counterpart(&self, instance: InstanceId) -> Counterpart {
        self.counterparts.get(instance).copied().unwrap_or(Counterpart::None)
    }

    /// An earlier target in present numbers; none if a part of it is gone.
    pub(super) fn target(&self, then: &PathTarget) -> Option<PathTarget> {
        let PathTarget::Nodes(nodes) = then else { return Some(then.clone()) };
        let now = |(node, spaces): &(Def, u8)| Some((self.now(*node)?, *spaces));
        nodes.iter().map(now).collect::<Option<_>>().map(PathTarget::Nodes)
    }
}

/// A file as the body of a module, on one side of a comparison.
#[derive(Clone, Copy)]
struct Side<'s, 'n> {
    input: &'s Input<'n>,
    assembly: &'s CrateMaps,
    instance: InstanceId,
}

impl<'s, 'n> Side<'s, 'n> {
    fn items(self) -> &'n [TreeItem] {
        self.input.item_tree(self.instance)
    }

    fn index(self) -> &'s [Def] {
        self.assembly.nodes.item_nodes(self.instance)
    }

    fn scope(self, at: usize) -> Def {
        scope_of(self.assembly, self.items(), self.index(), at)
    }

    fn is_repeat(self, at: usize) -> bool {
        self.input.repeats.contains_key(&(self.instance, at as u32))
    }

    fn variants(self, at: usize) -> impl Iterator<Item = Option<NodeId>> {
        let variants = self.assembly.variants.get(&(self.instance, at as u32));
        let id = |def: &Def| self.assembly.nodes.get(*def).map(|node| node.id);
        variants.into_iter().flatten().map(id)
    }
}

/// Id of the module of an instance, and path and item tree of its file.
fn root<'n>(
    input: &Input<'n>,
    assembly: &CrateMaps,
    number: InstanceId,
    instance: &Instance,
) -> Option<(NodeId, &'n str, &'n StoredTree)> {
    let node = assembly.node_of(number, 0)?;
    let (path, tree) = input.files.get(instance.file)?;
    Some((node.id, path, tree))
}

/// Whether the same items have numbers of the file, in the same order, in both states.
fn is_numbered_alike(
    before: &NodeTable,
    old: InstanceId,
    nodes: &NodeTable,
    number: InstanceId,
) -> bool {
    let Some((then, now)) = before.file(old).zip(nodes.file(number)) else { return false };
    let declared = |file: &FileNodes| -> Vec<u32> {
        file.declarations.iter().map(|(item, _)| *item).collect()
    };
    Arc::ptr_eq(then, now)
        || then.nodes.len() == now.nodes.len()
            && then.len() == now.len()
            && declared(then) == declared(now)
}
