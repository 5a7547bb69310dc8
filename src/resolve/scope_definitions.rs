//! The scopes of a state with the names of definitions, and of imports where an earlier state has the
//! same.

use std::sync::{Arc, OnceLock};

use index_vec::IndexVec;

use super::bindings::{Binding, Globs, PathTarget};
use super::conditional::Conditional;
use super::crate_maps::{CrateMaps, Input};
use super::crates::{Prelude, crate_roots, extern_preludes, share_preludes};
use super::earlier_state::EarlierState;
use super::enclosing::{in_impl, opens_scope, scope_of};
use super::file_scopes::{FileScopes, ScopeNames};
use super::ids::{CrateId, Def, InstanceId};
use super::known_macros::MadeModule;
use super::namespaces::{self, MACROS, TYPES};
use super::nowhere::NOWHERE;
use super::numbers::{Numbers, Renumber};
use super::scope::Scopes;
use super::shared_files::SharedFiles;
use asof_model::{HashMap, HashSet, Header, NodeKind};

impl<'a> Scopes<'a> {
    /// Scopes with the definitions only. Files that an earlier state shares have the names of their
    /// imports, too: they are closed.
    pub(super) fn from_definitions(
        input: Input<'a>,
        assembly: &CrateMaps,
        before: Option<EarlierState<'_>>,
    ) -> Self {
        let mut scopes = Self {
            input,
            pages: assembly.nodes.pages.clone(),
            roots: crate_roots(&input, assembly),
            files: SharedFiles::default(),
            are_closed: IndexVec::new(),
            exported: ScopeNames::default(),
            holders: OnceLock::new(),
            settled: false,
            globs: Globs::default(),
            extern_prelude: extern_preludes(&input, assembly),
            included: HashSet::default(),
            editions_2015: input.crates.iter().map(|c| c.target.edition == "2015").collect(),
            conditional: Conditional::default(),
            conditions: assembly.conditions.clone(),
            is_cut: false,
        };
        if let Some(before) = before {
            share_preludes(&mut scopes.extern_prelude, &before.scopes.extern_prelude);
        }
        let shared = before.map(|before| scopes.shareable(assembly, before));
        for number in input.instances.indices() {
            let is_shared = shared.as_ref().and_then(|shared| shared.get(number)) == Some(&true);
            let known = before.filter(|_| is_shared);
            let known = known.and_then(|before| before.scopes.files.get(number));
            scopes.are_closed.push(known.is_some());
            scopes.files.push(known.map_or_else(Arc::default, Arc::clone));
        }
        for number in input.instances.indices() {
            scopes.enter(assembly, number);
        }
        scopes
    }

    /// The files whose definitions bind what they did in an earlier state, by the same numbers.
    fn shareable(
        &self,
        assembly: &CrateMaps,
        before: EarlierState<'_>,
    ) -> IndexVec<InstanceId, bool> {
        let then = before.scopes;
        let mut shareable: IndexVec<InstanceId, bool> = IndexVec::new();
        // Whether the modules around are those that they were.
        let mut around: IndexVec<InstanceId, bool> = IndexVec::new();
        for (number, instance) in self.input.instances.iter_enumerated() {
            let is_shared = assembly.nodes.shares(&before.assembly.nodes, number, number);
            let above = instance.declared_in.map(|(by, _)| around.get(by) == Some(&true));
            let is_around = above != Some(false)
                && (is_shared || module(assembly, number) == module(before.assembly, number));
            around.push(is_around);
            let has_same_prelude = |number| {
                let preludes = self.prelude(number).zip(then.prelude(number));
                preludes.is_some_and(|(own, then)| Arc::ptr_eq(own, then))
            };
            let is_shareable = is_around
                && is_shared
                && self.roots.get(number) == then.roots.get(number)
                && self.is_2015(number) == then.is_2015(number)
                && has_same_prelude(number)
                && assembly.variants_in(number).eq(before.assembly.variants_in(number))
                && assembly.variants_in(number).all(|(_, variant)| {
                    let variant = assembly.nodes.instance(variant);
                    variant.is_none_or(|variant| {
                        made(&self.input, variant) == made(&before.input, variant)
                    })
                });
            shareable.push(is_shareable);
        }
        shareable
    }

    /// Enters the scopes of a file: as they are, if an earlier state shares them, else with the
    /// definitions only.
    fn enter(&mut self, assembly: &CrateMaps, number: InstanceId) {
        if !self.is_closed(number) {
            self.files.set(number, self.define(assembly, number));
        }
        let Some(file) = self.files.get(number).cloned() else { return };
        let root = self.root_of(number);
        for (name, def) in &file.exported {
            self.exported.update(root, name, |all| all.push(*def));
        }
        self.included.extend(file.included.iter().map(|(_, module)| *module));
        self.enter_globs(assembly, number);
    }

    /// Whether the names of a file are those of an earlier state.
    pub(super) fn is_closed(&self, number: InstanceId) -> bool {
        self.are_closed.get(number) == Some(&true)
    }

    /// Makes the scopes of a file anew that an earlier state shares, with its definitions only.
    pub(super) fn open(&mut self, assembly: &CrateMaps, number: InstanceId) {
        if let Some(is_closed) = self.are_closed.get_mut(number) {
            *is_closed = false;
        }
        self.files.set(number, self.define(assembly, number));
    }

    /// The scopes of a file with its definitions.
    fn define(&self, assembly: &CrateMaps, number: InstanceId) -> FileScopes {
        let mut file = FileScopes::default();
        let items = self.input.item_tree(number);
        let index = assembly.nodes.item_nodes(number);
        for (scope, block) in assembly.nodes.blocks_in(number) {
            file.outer.insert(scope, block.outer);
        }
        for (at, item) in items.iter().enumerate().skip(1) {
            let Some(&own) = index.get(at) else { continue };
            let scope = scope_of(assembly, items, index, at);
            if opens_scope(item.kind) {
                file.outer.insert(own, scope);
            }
            if item.kind == NodeKind::MacroCall {
                self.define_modules(assembly, number, at as u32, scope, &mut file);
            }
            if self.input.repeats.contains_key(&(number, at as u32))
                || item.kind.is_anonymous()
                || item.name == "_"
                || matches!(item.kind, NodeKind::Field)
                || in_impl(items, at)
            {
                continue;
            }
            let spaces = namespaces::spaces(item);
            let within = self.within(assembly, number, scope, item);
            let mut push = |name: &str, target: PathTarget, import: bool| {
                file.bind(scope, name, Binding { target, within, import });
            };
            match &item.header {
                Header::ExternCrate { of, .. } => {
                    let target = match of.as_deref().unwrap_or(&item.name) {
                        "self" => PathTarget::node(self.root_of(number), TYPES),
                        krate => self.crate_named(number, krate),
                    };
                    let target = match target {
                        PathTarget::Nothing => PathTarget::node(own, TYPES),
                        target => target,
                    };
                    push(&item.name, target, true);
                }
                Header::Macro { exported } => {
                    push(&item.name, PathTarget::node(own, MACROS), false);
                    if *exported {
                        file.exported.push((item.name.as_str().into(), own));
                    }
                }
                _ => {
                    if let Some((_, name)) = item.sig.rsplit_once('@') {
                        let name = if name.is_empty() { &item.name } else { name };
                        push(name, PathTarget::node(own, MACROS), false);
                    }
                    push(&item.name, PathTarget::node(own, spaces), false);
                    let twins = assembly.variants.get(&(number, at as u32));
                    for twin in twins.into_iter().flatten() {
                        push(&item.name, PathTarget::node(*twin, spaces), false);
                    }
                }
            }
        }
        file
    }

    /// With other numbers. `input`: the same with these.
    pub(super) fn renumber<'n>(
        &self,
        numbers: &Numbers,
        input: Input<'n>,
        assembly: &CrateMaps,
    ) -> Scopes<'n> {
        let root = |old| self.roots.get(old).map(|root| numbers.def(*root));
        let file = |old: InstanceId| {
            let file = self.files.get(old)?;
            let is_kept = numbers.keeps(old) && file.keeps(numbers);
            Some(if is_kept { Arc::clone(file) } else { Arc::new(file.renumber(numbers)) })
        };
        let files = numbers.arrange(file, |_| Arc::default());
        let prelude = |prelude: &Arc<Prelude>| -> Arc<Prelude> {
            let names = prelude.iter();
            let names: Prelude =
                names.map(|(name, of)| (name.clone(), of.renumber(numbers))).collect();
            if names == **prelude { Arc::clone(prelude) } else { Arc::new(names) }
        };
        let mut preludes: HashMap<*const Prelude, Arc<Prelude>> = HashMap::default();
        let mut prelude = |of: &Arc<Prelude>| {
            let known = preludes.entry(Arc::as_ptr(of));
            Arc::clone(known.or_insert_with(|| prelude(of)))
        };
        let all: IndexVec<CrateId, Arc<Prelude>> =
            self.extern_prelude.iter().map(&mut prelude).collect();
        let crates = input.crates.len();
        Scopes {
            input,
            pages: assembly.nodes.pages.clone(),
            roots: numbers.arrange(root, |_| NOWHERE).into_iter().collect(),
            files: files.into_iter().collect(),
            are_closed: IndexVec::new(),
            exported: self.exported.renumber(numbers),
            holders: OnceLock::new(),
            settled: self.settled,
            globs: self.globs.renumber(numbers),
            extern_prelude: numbers.arrange_crates(&all, crates, Arc::default()),
            included: self.included.iter().map(|module| numbers.def(*module)).collect(),
            editions_2015: numbers.arrange_crates(&self.editions_2015, crates, false),
            conditional: self.conditional.renumber(numbers),
            conditions: self.conditions.clone(),
            is_cut: self.is_cut,
        }
    }
}

/// Number, parent and path of the module that an instance is the body of.
fn module(maps: &CrateMaps, number: InstanceId) -> Option<(Def, Option<Def>, &str)> {
    let root = *maps.nodes.item_nodes(number).first()?;
    maps.nodes.get(root).map(|node| (root, node.parent, node.path.as_str()))
}

/// The module that a macro call declares with a file.
fn made<'i>(input: &Input<'i>, number: InstanceId) -> Option<&'i MadeModule> {
    input.instances.get(number)?.made.as_ref()
}
