//! Meanings of names in scopes: definitions, named imports, globs, the extern prelude.

use std::sync::{Arc, OnceLock};

use index_vec::IndexVec;
use serde::{Deserialize, Serialize};

use asof_model::{HashMap, HashSet, Header, NodeKind, TreeItem};

use super::bindings::{Binding, Bindings, Globs, Merged, OutsidePath, PathTarget, Visited};
use super::conditional::Conditional;
use super::conditions::Conditions;
use super::correspondence::EarlierState;
use super::crate_maps::{CrateMaps, Input};
use super::crates::{Prelude, crate_roots, extern_preludes, share_preludes};
use super::enclosing::{ancestor, in_impl, opens_scope, parent_module, scope_of};
use super::file_scopes::{BoundName, FileScopes, ScopeNames};
use super::ids::{CrateId, Def, InstanceId};
use super::known_macros::MadeModule;
use super::namespaces::{self, MACROS, TYPES};
use super::node_table::Pages;
use super::nowhere::{NOWHERE, OrNowhere};
use super::refs::hash_name;
use super::renumber::{Numbers, Renumber};
use super::shared_files::{Shared, SharedFiles};

/// Limit of imports that lead to one another; what is beyond is left unresolved.
const MAX_HOPS: usize = 64;

/// All scopes of a workspace: what each name means in each module, enum, trait and body.
#[derive(Debug, Serialize, Deserialize)]
pub struct Scopes<'a> {
    #[serde(skip)]
    pub(super) input: Input<'a>,
    /// Of the nodes.
    #[serde(skip)]
    pages: Pages,
    /// Node of the crate root of each instance's crate, by instance.
    roots: IndexVec<InstanceId, Def>,
    files: SharedFiles<FileScopes>,
    /// Whether the names of a file are those of an earlier state.
    #[serde(skip)]
    are_closed: IndexVec<InstanceId, bool>,
    /// Macros that crate roots have by `#[macro_export]`.
    exported: ScopeNames<Vec<Def>>,
    /// The scopes in which a name is bound, once that is needed.
    #[serde(skip)]
    holders: OnceLock<HashMap<Box<str>, Vec<Def>>>,
    /// Whether all named imports are bound that ever will be: they hide the names of globs in their
    /// own namespaces only.
    settled: bool,
    pub(super) globs: Globs,
    /// Library crates that code can name, by crate.
    #[serde(with = "preludes")]
    pub(super) extern_prelude: IndexVec<CrateId, Arc<Prelude>>,
    /// Modules that stand for files which `include!` puts into the modules around.
    pub(super) included: HashSet<Def>,
    editions_2015: IndexVec<CrateId, bool>,
    /// Names that imports bring under conditions.
    pub(super) conditional: Conditional,
    /// Those of the crate maps, and those of imports.
    pub(super) conditions: Conditions,
    /// Whether imports lead to one another for longer than they are followed.
    pub(super) is_cut: bool,
}

impl<'a> Scopes<'a> {
    /// Scopes with the definitions only. Files that an earlier state shares have the names of their
    /// imports, too; they are the second part of the result.
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
            Some(if is_kept { Arc::clone(file) } else { Arc::new(file.renumber(numbers).into()) })
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

    /// Completes scopes from their stored form.
    pub(super) fn restore(&mut self, input: Input<'a>, assembly: &CrateMaps) {
        self.input = input;
        self.pages = assembly.nodes.pages.clone();
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
            let root = |maps: &CrateMaps| {
                let root = maps.nodes.index(number).first()?;
                maps.nodes.get(*root).map(|node| (*root, node.parent, node.path.clone()))
            };
            let above = instance.declared_in.map(|(by, _)| around.get(by) == Some(&true));
            let is_around =
                above != Some(false) && (is_shared || root(assembly) == root(before.assembly));
            around.push(is_around);
            let twins = |maps: &'_ CrateMaps| -> Vec<(u32, Vec<Def>)> {
                let all = maps.variants.range((number, 0)..=(number, u32::MAX));
                all.map(|((_, item), modules)| (*item, modules.clone())).collect()
            };
            let made =
                |input: &Input<'_>, modules: &[(u32, Vec<Def>)]| -> Vec<Option<MadeModule>> {
                    let modules = modules.iter().flat_map(|(_, modules)| modules);
                    let made = |module: &Def| {
                        input.instances.get(assembly.nodes.instance(*module)?)?.made.clone()
                    };
                    modules.map(made).collect()
                };
            let (own_twins, twins) = (twins(assembly), twins(before.assembly));
            let has_same_prelude = |number| {
                let preludes = self.prelude(number).zip(then.prelude(number));
                preludes.is_some_and(|(own, then)| Arc::ptr_eq(own, then))
            };
            let is_shareable = is_around
                && is_shared
                && self.roots.get(number) == then.roots.get(number)
                && self.is_2015(number) == then.is_2015(number)
                && has_same_prelude(number)
                && own_twins == twins
                && made(&self.input, &own_twins) == made(&before.input, &twins);
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
        let index = assembly.nodes.index(number);
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

    pub(super) fn file(&self, scope: Def) -> Option<&FileScopes> {
        self.files.get(self.pages.instance(scope)?).map(|file| &***file)
    }

    pub(super) fn file_of(&self, number: InstanceId) -> Option<&Arc<Shared<FileScopes>>> {
        self.files.get(number)
    }

    pub(super) fn file_mut(&mut self, number: InstanceId) -> Option<&mut FileScopes> {
        self.files.get_mut(number)
    }

    /// Shares the names of files with an earlier state in which they are the same.
    pub(super) fn share(&mut self, before: &Scopes<'_>) {
        self.files.share(&before.files);
    }

    /// Whether a file has the names that it had, with the same numbers.
    pub(super) fn shares(&self, before: &Scopes<'_>, number: InstanceId) -> bool {
        self.files.shares(number, &before.files, number)
    }

    /// What a scope itself binds by a name.
    pub(super) fn bound(&self, scope: Def, name: &str) -> Option<&BoundName> {
        self.file(scope)?.bound.get(scope, name)
    }

    /// Whether a scope is a crate root that has a macro of this name by `#[macro_export]`.
    pub(super) fn exports(&self, scope: Def, name: &str) -> bool {
        self.exported.get(scope, name).is_some()
    }

    /// The macros that a crate root has by `#[macro_export]`.
    pub(super) fn exports_in(&self, scope: Def) -> impl Iterator<Item = PathTarget> {
        let macros = self.exported.names(scope).flat_map(|(_, macros)| macros);
        macros.map(|def| PathTarget::node(*def, MACROS))
    }

    /// The scope around another, for items in bodies: the enclosing function or module.
    pub(super) fn outer(&self, assembly: &CrateMaps, scope: Def) -> Option<Def> {
        if let Some(outer) = self.file(scope)?.outer.get(&scope) {
            return Some(*outer);
        }
        // A module with a file of its own is declared in another.
        let (by, _) = assembly.nodes.get(scope)?.declared_in?;
        self.files.get(by)?.outer.get(&scope).copied()
    }

    /// Binds a name; true if that is new.
    pub(super) fn push(
        &mut self,
        scope: Def,
        name: &str,
        target: PathTarget,
        within: Option<Def>,
        import: bool,
    ) -> bool {
        let number = self.pages.instance(scope);
        let Some(file) = number.and_then(|number| self.file_mut(number)) else { return false };
        let (is_new, is_first) = file.bind(scope, name, Binding { target, within, import });
        if is_first && let Some(holders) = self.holders.get_mut() {
            hold(holders, scope, name);
        }
        is_new
    }

    /// Binds a name to nothing else.
    pub(super) fn rebind(&mut self, scope: Def, name: &str, bindings: Bindings) {
        let number = self.pages.instance(scope);
        let Some(file) = number.and_then(|number| self.file_mut(number)) else { return };
        let (was_bound, is_bound) = file.bound.update(scope, name, |bound| {
            let (was, is) = (!bound.bindings.list.is_empty(), !bindings.list.is_empty());
            bound.bindings = bindings;
            (was, is)
        });
        if let Some(holders) = self.holders.get_mut().filter(|_| was_bound != is_bound) {
            if is_bound {
                hold(holders, scope, name);
            } else if let Some(holders) = holders.get_mut(name) {
                holders.retain(|holder| *holder != scope);
            }
        }
    }

    /// Brings no names of other scopes in but those of included files and of globs in files that an
    /// earlier state shares.
    pub(super) fn restore_globs(&mut self, assembly: &CrateMaps) {
        self.globs = Globs::default();
        for number in self.input.instances.indices() {
            self.enter_globs(assembly, number);
        }
    }

    /// Brings in the names of included files, and those that come through globs which are known.
    fn enter_globs(&mut self, assembly: &CrateMaps, number: InstanceId) {
        let Some(file) = self.files.get(number).cloned() else { return };
        for (scope, module) in &file.included {
            self.push_glob(assembly, *scope, *module, None);
        }
        for glob in &file.globs {
            self.push_glob(assembly, glob.scope, glob.target, glob.within);
        }
    }

    /// The scopes in which a name is bound.
    pub(super) fn holders(&self, name: &str) -> &[Def] {
        let all = self.holders.get_or_init(|| {
            let mut holders = HashMap::default();
            for (scope, name) in self.names() {
                hold(&mut holders, scope, name);
            }
            holders
        });
        all.get(name).map_or(&[], Vec::as_slice)
    }

    /// Brings the names of a scope into another; true if that is new.
    pub(super) fn push_glob(
        &mut self,
        assembly: &CrateMaps,
        scope: Def,
        target: Def,
        within: Option<Def>,
    ) -> bool {
        let inside = self.visible(assembly, Some(target), scope);
        self.globs.add(scope, target, within, inside)
    }

    /// Every target that is bound in a scope, but for macros that crates export.
    pub(super) fn targets(&self, scope: Def) -> impl Iterator<Item = &PathTarget> {
        let bound = self.file(scope).into_iter().flat_map(move |file| file.bound.names(scope));
        let bound = bound.flat_map(|(_, bound)| bound.bindings.list.iter().map(|one| &one.target));
        bound.chain(self.unnamed_in(scope))
    }

    /// Globs in a scope of modules that are not of the workspace.
    pub(super) fn outside_globs_in(&self, scope: Def) -> impl Iterator<Item = &OutsidePath> {
        let globs = self.file(scope).and_then(|file| file.outside_globs.get(&scope));
        globs.into_iter().flatten().map(|(path, _)| path)
    }

    /// Paths outside of the workspace by another that a scope imports under the same name.
    pub(super) fn all_homonyms(&self) -> impl Iterator<Item = &(OutsidePath, OutsidePath)> {
        self.files.iter().flat_map(|file| &file.homonyms)
    }

    /// Each name of each scope with what is bound by it.
    #[cfg(test)]
    pub(super) fn all_bound_names(&self) -> impl Iterator<Item = (Def, &str, &BoundName)> {
        self.files.iter().flat_map(|file| file.bound.iter())
    }

    /// Traits that a scope imports as `_`.
    pub(super) fn unnamed_in(&self, scope: Def) -> impl Iterator<Item = &PathTarget> {
        self.file(scope).and_then(|file| file.unnamed.get(&scope)).into_iter().flatten()
    }

    /// Each scope with the names that are bound in it.
    pub(super) fn names(&self) -> impl Iterator<Item = (Def, &str)> {
        let bound = self.files.iter().flat_map(|file| file.bound.iter());
        let bound = bound.filter(|(_, _, bound)| !bound.bindings.list.is_empty());
        let bound = bound.map(|(scope, name, _)| (scope, name));
        let exported = self.exported.iter().map(|(scope, name, _)| (scope, name));
        let only = exported.filter(|(scope, name)| {
            self.bound(*scope, name).is_none_or(|bound| bound.bindings.list.is_empty())
        });
        bound.chain(only)
    }

    /// The names that are bound in a scope.
    pub(super) fn names_in(&self, scope: Def) -> impl Iterator<Item = &str> {
        let bound = self.file(scope).into_iter().flat_map(move |file| file.bound.names(scope));
        let bound = bound.filter(|(_, bound)| !bound.bindings.list.is_empty());
        let exported = self.exported.names(scope).map(|(name, _)| name);
        bound.map(|(name, _)| name).chain(exported)
    }

    /// Hashes of the names that a glob of these scopes brings.
    pub(super) fn names_behind(&self, mut open: Vec<Def>) -> HashSet<u32> {
        let mut behind: HashSet<Def> = HashSet::default();
        while let Some(at) = open.pop() {
            if behind.insert(at) {
                open.extend(self.globs.targets(at));
            }
        }
        behind.iter().flat_map(|scope| self.names_in(*scope)).map(hash_name).collect()
    }

    /// Each scope with the scopes whose names it brings in, and whether for everyone.
    pub(super) fn all_globs(&self) -> impl Iterator<Item = (Def, Def, bool)> {
        self.globs.all().map(|(scope, target, within)| (scope, target, within.is_none()))
    }

    /// Scopes whose names a scope brings in, of which this may be one.
    pub(super) fn globs_that_may_have(&self, scope: Def, name: &str) -> Vec<Def> {
        let globs = self.globs.that_may_have(scope, || self.holders(name));
        globs.into_iter().map(|(target, _)| target).collect()
    }

    /// Globs of modules that are not of the workspace, by scope, in order, and whether they are
    /// public.
    pub(super) fn outside_globs(&self) -> impl Iterator<Item = (Def, &[String], bool)> {
        let all = self.files.iter().flat_map(|file| &file.outside_globs);
        all.flat_map(|(scope, globs)| {
            globs.iter().map(move |(path, public)| (*scope, &**path, *public))
        })
    }

    /// Named imports hide the names of globs in their own namespaces from here on.
    pub(super) fn settle(&mut self) {
        self.settled = true;
    }

    /// Hashes of the names that imports bind beside globs.
    pub(super) fn names_beside_globs(&self) -> HashSet<u32> {
        let scopes = self.globs.scopes();
        let names = scopes.filter_map(|scope| Some(self.file(scope)?.bound.names(scope)));
        let beside = names.flatten().filter(|(_, bound)| bound.is_declared);
        beside.map(|(name, _)| hash_name(name)).collect()
    }

    /// Whether an import of a scope binds a name, or would if it led somewhere.
    pub(super) fn declares(&self, scope: Def, name: &str) -> bool {
        self.bound(scope, name).is_some_and(|bound| bound.is_declared)
    }

    pub(super) fn declare(&mut self, scope: Def, name: &str) {
        let number = self.pages.instance(scope);
        if let Some(file) = number.and_then(|number| self.file_mut(number)) {
            file.bound.update(scope, name, |bound| bound.is_declared = true);
        }
    }

    /// The module within which an item of a scope is visible; none if everywhere.
    pub(super) fn within(
        &self,
        assembly: &CrateMaps,
        instance: InstanceId,
        scope: Def,
        item: &TreeItem,
    ) -> Option<Def> {
        match item.kind {
            NodeKind::Variant => None,
            _ => self.seen_within(assembly, instance, scope, &item.visibility),
        }
    }

    pub(super) fn seen_within(
        &self,
        assembly: &CrateMaps,
        instance: InstanceId,
        scope: Def,
        visibility: &str,
    ) -> Option<Def> {
        let module = assembly.node(scope).map(|n| self.home(assembly, n.module));
        match visibility {
            "pub" => None,
            "pub(crate)" | "crate" => Some(self.root_of(instance)),
            "pub(super)" => module.and_then(|m| parent_module(assembly, m)).or(module),
            text if text.starts_with("pub(in ") => {
                let path = text.trim_start_matches("pub(in ").trim_end_matches(')');
                let root = self.root_of(instance);
                let named = module.and_then(|module| ancestor(assembly, root, module, path));
                named.or(module)
            }
            _ => module,
        }
    }

    /// Node of the root of the crate that an instance belongs to.
    pub fn root_of(&self, instance: InstanceId) -> Def {
        self.roots.get(instance).copied().or_nowhere("each instance has a crate")
    }

    /// Whether the crate of an instance is of edition 2015.
    pub(super) fn is_2015(&self, instance: InstanceId) -> bool {
        let krate = self.input.instances.get(instance).map(|of| of.krate);
        krate.and_then(|krate| self.editions_2015.get(krate)) == Some(&true)
    }

    /// Resolves a path as written at a scope of an instance.
    pub(super) fn lookup_path(
        &self,
        assembly: &CrateMaps,
        instance: InstanceId,
        scope: Def,
        path: &[String],
        spaces: u8,
    ) -> PathTarget {
        let mut rest = path;
        let last_only = |rest: &[String]| if rest.len() <= 1 { spaces } else { TYPES };
        let module = assembly.node(scope).map_or(NOWHERE, |n| self.home(assembly, n.module));
        let at: PathTarget = match rest.first().map(String::as_str) {
            None => return PathTarget::Nothing,
            Some("crate" | "$crate") => {
                rest = rest.get(1..).unwrap_or_default();
                PathTarget::node(self.root_of(instance), TYPES)
            }
            Some("self" | "super") => {
                if rest.first().is_some_and(|s| s == "self") {
                    rest = rest.get(1..).unwrap_or_default();
                }
                let mut module = module;
                while rest.first().is_some_and(|s| s == "super") {
                    rest = rest.get(1..).unwrap_or_default();
                    match parent_module(assembly, module) {
                        Some(parent) => module = parent,
                        None => return PathTarget::Nothing,
                    }
                }
                PathTarget::node(module, TYPES)
            }
            Some("") => {
                let rest = rest.get(1..).unwrap_or_default();
                return self.lookup_global_path(assembly, instance, scope, rest, spaces);
            }
            Some(first) => {
                let found = self.lookup_lexical(assembly, instance, scope, first, last_only(rest));
                rest = rest.get(1..).unwrap_or_default();
                found
            }
        };
        self.follow(assembly, scope, at, rest, spaces)
    }

    /// Resolves a path behind `::`.
    pub(super) fn lookup_global_path(
        &self,
        assembly: &CrateMaps,
        instance: InstanceId,
        scope: Def,
        path: &[String],
        spaces: u8,
    ) -> PathTarget {
        let Some((first, rest)) = path.split_first() else { return PathTarget::Nothing };
        let first_spaces = if rest.is_empty() { spaces } else { TYPES };
        let at = self.global(assembly, instance, scope, first, first_spaces);
        self.follow(assembly, scope, at, rest, spaces)
    }

    /// Follows the segments of a path from what the ones before mean.
    fn follow(
        &self,
        assembly: &CrateMaps,
        scope: Def,
        mut at: PathTarget,
        mut rest: &[String],
        spaces: u8,
    ) -> PathTarget {
        let last_only = |rest: &[String]| if rest.len() <= 1 { spaces } else { TYPES };
        while let Some(segment) = rest.first() {
            at = match at {
                PathTarget::Nodes(found) => {
                    let mut next = Merged::default();
                    let mut outside = None;
                    for (node, _) in found {
                        match self.lookup(assembly, node, segment, last_only(rest), scope) {
                            PathTarget::Nodes(more) => next.add(more),
                            PathTarget::External(path) => outside = Some(path),
                            PathTarget::Nothing => {}
                        }
                    }
                    match (next.list.is_empty(), outside) {
                        (false, _) => PathTarget::Nodes(next.list),
                        (true, Some(path)) => PathTarget::External(path),
                        (true, None) => PathTarget::Nothing,
                    }
                }
                PathTarget::External(path) => PathTarget::External(path.child(segment)),
                PathTarget::Nothing => return PathTarget::Nothing,
            };
            rest = rest.get(1..).unwrap_or_default();
        }
        at
    }

    /// The first segment of a path that begins with `::`: a crate, and before edition 2018 a name of the
    /// crate root (Rust reference, "Paths").
    pub(super) fn global(
        &self,
        assembly: &CrateMaps,
        instance: InstanceId,
        scope: Def,
        name: &str,
        spaces: u8,
    ) -> PathTarget {
        let root = self.root_of(instance);
        if self.is_2015(instance)
            && let found @ (PathTarget::Nodes(_) | PathTarget::External(_)) =
                self.lookup(assembly, root, name, spaces, scope)
        {
            return found;
        }
        self.crate_named(instance, name)
    }

    /// The first segment of a path: scopes from the inside out, then crates, then macros of the
    /// enclosing modules (textual scope).
    pub(super) fn lookup_lexical(
        &self,
        assembly: &CrateMaps,
        instance: InstanceId,
        scope: Def,
        name: &str,
        spaces: u8,
    ) -> PathTarget {
        let mut current = Some(scope);
        let mut hops = 0;
        while let Some(at) = current {
            let kind = assembly.node(at).map(|n| n.kind);
            // Associated items and variants are named by a path only.
            if !matches!(kind, Some(NodeKind::Trait | NodeKind::Enum)) || at == scope {
                match self.lookup(assembly, at, name, spaces, scope) {
                    PathTarget::Nothing => {}
                    // `use anyhow::anyhow` imports a macro, and leaves the crate its name.
                    PathTarget::External(path)
                        if spaces == TYPES
                            && path.len() > 1
                            && path.first().is_some_and(|krate| krate == name)
                            && self.has_crate_named(instance, name) => {}
                    found => return found,
                }
            }
            let is_module = kind == Some(NodeKind::Module) && !self.included.contains(&at);
            current = if is_module { None } else { self.outer(assembly, at) };
            hops += 1;
            if hops > MAX_HOPS {
                break;
            }
        }
        match self.global(assembly, instance, scope, name, spaces) {
            PathTarget::Nothing => {}
            // A crate has no name among values and macros.
            PathTarget::Nodes(found) if found.iter().all(|(_, bits)| bits & spaces == 0) => {}
            found => return found,
        }
        if spaces & MACROS != 0 {
            let mut module = assembly.node(scope).map(|n| n.module);
            while let Some(at) = module {
                if let found @ PathTarget::Nodes(_) = self.lookup(assembly, at, name, MACROS, scope)
                {
                    return found;
                }
                module = parent_module(assembly, at);
            }
        }
        PathTarget::Nothing
    }

    /// A name in one scope as seen from another.
    pub(super) fn lookup(
        &self,
        assembly: &CrateMaps,
        scope: Def,
        name: &str,
        spaces: u8,
        seen_from: Def,
    ) -> PathTarget {
        self.lookup_in(assembly, scope, name, spaces, seen_from, &mut Visited::default())
    }

    fn lookup_in(
        &self,
        assembly: &CrateMaps,
        scope: Def,
        name: &str,
        spaces: u8,
        seen_from: Def,
        visited: &mut Visited,
    ) -> PathTarget {
        // A second path to a scope may see names that the first may not.
        if visited.len() > assembly.nodes.end().index() || !visited.insert((scope, seen_from)) {
            return PathTarget::Nothing;
        }
        let mut result = Merged::default();
        let mut outside = None;
        let mut is_bound = false;
        let bound = self.bound(scope, name);
        for binding in bound.into_iter().flat_map(|bound| &bound.bindings.list) {
            if !self.visible(assembly, binding.within, seen_from) {
                continue;
            }
            match &binding.target {
                PathTarget::Nodes(found) => {
                    is_bound = true;
                    result.add(found.iter().filter(|(_, s)| s & spaces != 0).copied());
                }
                PathTarget::External(path) => outside = Some(path.clone()),
                PathTarget::Nothing => {}
            }
        }
        if let Some(macros) = self.exported.get(scope, name) {
            is_bound = true;
            let macros = macros.iter().map(|def| (*def, MACROS));
            result.add(macros.filter(|(_, s)| s & spaces != 0));
        }
        let covered = result.list.iter().fold(0, |all, (_, s)| all | s);
        let is_declared = bound.is_some_and(|bound| bound.is_declared);
        let is_shadowed = || !(self.settled && is_bound) && is_declared;
        // Few scopes have globs, and this is asked for every segment of every path.
        let asks_globs = outside.is_none() && spaces & !covered != 0 && self.globs.has(scope);
        if asks_globs && !is_shadowed() {
            for (target, within) in self.globs.that_may_have(scope, || self.holders(name)) {
                if !self.visible(assembly, within, seen_from) {
                    continue;
                }
                let missing = spaces & !covered;
                match self.lookup_in(assembly, target, name, missing, scope, visited) {
                    PathTarget::Nodes(more) => result.add(more),
                    PathTarget::External(path) => outside = Some(path),
                    PathTarget::Nothing => {}
                }
            }
        }
        match (result.list.is_empty(), outside) {
            (false, _) => PathTarget::Nodes(result.list),
            (true, Some(path)) => PathTarget::External(path),
            (true, None) => PathTarget::Nothing,
        }
    }

    pub(super) fn visible(&self, maps: &CrateMaps, within: Option<Def>, seen_from: Def) -> bool {
        let Some(within) = within else { return true };
        let mut at = maps.node(seen_from).map(|n| n.module);
        while let Some(module) = at {
            if module == within {
                return true;
            }
            at = parent_module(maps, module);
        }
        false
    }
}

fn hold(holders: &mut HashMap<Box<str>, Vec<Def>>, scope: Def, name: &str) {
    match holders.get_mut(name) {
        Some(scopes) => scopes.push(scope),
        None => {
            holders.insert(name.into(), vec![scope]);
        }
    }
}

/// Stores the crates that code can name.
mod preludes {
    use std::sync::Arc;

    use index_vec::IndexVec;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{CrateId, Prelude};

    pub(super) fn serialize<S: Serializer>(
        all: &IndexVec<CrateId, Arc<Prelude>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(all.iter().map(|prelude| &**prelude))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<IndexVec<CrateId, Arc<Prelude>>, D::Error> {
        let all: Vec<Prelude> = Deserialize::deserialize(deserializer)?;
        Ok(all.into_iter().map(Arc::new).collect())
    }
}
