//! Meanings of names in scopes: definitions, named imports, globs, the extern prelude.

use index_vec::IndexVec;
use serde::{Deserialize, Serialize};

use asof_model::{HashMap, HashSet, Header, NodeKind, TreeItem};

use super::bindings::{Binding, Bindings, Globs, Merged, OutsidePath, PathTarget, Visited};
use super::conditional::Conditional;
use super::conditions::Conditions;
use super::crate_maps::{CrateMaps, Input};
use super::crates::{crate_roots, extern_preludes};
use super::enclosing::{ancestor, in_impl, opens_scope, parent_module, scope_of};
use super::ids::{CrateId, Def, InstanceId};
use super::namespaces::{self, MACROS, TYPES};
use super::nowhere::{NOWHERE, OrNowhere};

/// Limit of imports that lead to one another; what is beyond is left unresolved.
const MAX_HOPS: usize = 64;

/// All scopes of a workspace: what each name means in each module, enum, trait and body.
#[derive(Debug, Serialize, Deserialize)]
pub struct Scopes<'a> {
    #[serde(skip)]
    pub(super) input: Input<'a>,
    /// Node of the crate root of each instance's crate, by instance.
    roots: IndexVec<InstanceId, Def>,
    #[serde(borrow)]
    pub(super) bound: HashMap<(Def, &'a str), Bindings>,
    /// The scopes in which a name is bound.
    #[serde(borrow)]
    pub(super) holders: HashMap<&'a str, Vec<Def>>,
    /// Names that a named import will bind or has bound.
    #[serde(borrow)]
    declared: HashSet<(Def, &'a str)>,
    /// Whether all named imports are bound that ever will be: they hide the names of globs in their
    /// own namespaces only.
    settled: bool,
    pub(super) globs: Globs,
    /// Globs of modules that are not of the workspace, by scope, in order, and whether they are
    /// public.
    outside_globs: Vec<(Def, OutsidePath, bool)>,
    /// Traits that are imported as `_`, by scope.
    pub(super) unnamed: Vec<(Def, PathTarget)>,
    /// Library crates that code can name, by crate.
    pub(super) extern_prelude: IndexVec<CrateId, HashMap<String, PathTarget>>,
    /// Scope above, for items in bodies: the enclosing function or module.
    pub(super) outer: HashMap<Def, Def>,
    /// Modules that stand for files which `include!` puts into the modules around.
    pub(super) included: HashSet<Def>,
    editions_2015: IndexVec<CrateId, bool>,
    /// Names that imports bring under conditions.
    #[serde(borrow)]
    pub(super) conditional: Conditional<'a>,
    /// Those of the crate maps, and those of imports.
    pub(super) conditions: Conditions,
    /// What the imports of each instance lead to, in their order.
    pub(super) import_targets: IndexVec<InstanceId, Vec<PathTarget>>,
    /// Whether imports lead to one another for longer than they are followed.
    pub(super) is_cut: bool,
    nodes: usize,
}

impl<'a> Scopes<'a> {
    /// Scopes with the definitions only.
    pub(super) fn of_definitions(input: Input<'a>, assembly: &CrateMaps) -> Self {
        let mut scopes = Self {
            input,
            roots: crate_roots(&input, assembly),
            bound: HashMap::default(),
            holders: HashMap::default(),
            declared: HashSet::default(),
            settled: false,
            globs: Globs::default(),
            outside_globs: Vec::new(),
            unnamed: Vec::new(),
            extern_prelude: extern_preludes(&input, assembly),
            outer: HashMap::default(),
            included: HashSet::default(),
            editions_2015: input.crates.iter().map(|c| c.target.edition == "2015").collect(),
            conditional: Conditional::default(),
            conditions: assembly.conditions.clone(),
            import_targets: IndexVec::new(),
            is_cut: false,
            nodes: assembly.nodes.len(),
        };
        scopes.bound.reserve(assembly.nodes.len());
        scopes.holders.reserve(assembly.nodes.len() / 2);
        for (scope, block) in assembly.block_scopes() {
            scopes.outer.insert(scope, block.outer);
        }
        for number in input.instances.indices() {
            scopes.define(assembly, number);
        }
        scopes
    }

    fn define(&mut self, assembly: &CrateMaps, number: InstanceId) {
        let items = self.input.item_tree(number);
        let Some(index) = assembly.index.get(number) else { return };
        for (at, item) in items.iter().enumerate().skip(1) {
            let Some(&own) = index.get(at) else { continue };
            let scope = scope_of(assembly, items, index, at);
            if opens_scope(item.kind) {
                self.outer.insert(own, scope);
            }
            if item.kind == NodeKind::MacroCall {
                self.define_modules(assembly, number, at as u32, scope);
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
                    self.push(scope, &item.name, target, within, true);
                }
                Header::Macro { exported } => {
                    self.push(scope, &item.name, PathTarget::node(own, MACROS), within, false);
                    let root = self.root_of(number);
                    if *exported {
                        self.push(root, &item.name, PathTarget::node(own, MACROS), None, false);
                    }
                }
                _ => {
                    if let Some((_, name)) = item.sig.rsplit_once('@') {
                        let name = if name.is_empty() { &item.name } else { name };
                        self.push(scope, name, PathTarget::node(own, MACROS), within, false);
                    }
                    self.push(scope, &item.name, PathTarget::node(own, spaces), within, false);
                    let twins = assembly.variants.get(&(number, at as u32));
                    for twin in twins.into_iter().flatten() {
                        self.push(
                            scope,
                            &item.name,
                            PathTarget::node(*twin, spaces),
                            within,
                            false,
                        );
                    }
                }
            }
        }
    }

    /// Binds a name; true if that is new.
    pub(super) fn push(
        &mut self,
        scope: Def,
        name: &'a str,
        target: PathTarget,
        within: Option<Def>,
        import: bool,
    ) -> bool {
        let bindings = self.bound.entry((scope, name)).or_default();
        if bindings.list.is_empty() {
            self.holders.entry(name).or_default().push(scope);
        }
        bindings.add(Binding { target, within, import })
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

    /// Adds a glob of a module that is not of the workspace.
    pub(super) fn push_outside_glob(&mut self, scope: Def, path: OutsidePath, is_public: bool) {
        self.outside_globs.push((scope, path, is_public));
    }

    /// Adds a trait that is imported as `_`.
    pub(super) fn push_unnamed(&mut self, scope: Def, target: PathTarget) {
        self.unnamed.push((scope, target));
    }

    /// Each scope with every target that is bound in it.
    pub(super) fn targets(&self) -> impl Iterator<Item = (Def, &PathTarget)> {
        let bound = self.bound.iter();
        let bound =
            bound.flat_map(|((scope, _), b)| b.list.iter().map(|one| (*scope, &one.target)));
        bound.chain(self.unnamed.iter().map(|(scope, target)| (*scope, target)))
    }

    /// Each scope with the names that are bound in it.
    pub(super) fn names(&self) -> impl Iterator<Item = (Def, &'a str)> {
        self.bound.keys().copied()
    }

    /// Each scope with the scopes whose names it brings in, and whether for everyone.
    pub(super) fn all_globs(&self) -> impl Iterator<Item = (Def, Def, bool)> {
        self.globs.all().map(|(scope, target, within)| (scope, target, within.is_none()))
    }

    /// Scopes whose names a scope brings in, of which this may be one.
    pub(super) fn globs_that_may_have(&self, scope: Def, name: &str) -> Vec<Def> {
        let holders = self.holders.get(name).map_or(&[][..], Vec::as_slice);
        let globs = self.globs.that_may_have(scope, holders);
        globs.into_iter().map(|(target, _)| target).collect()
    }

    pub(super) fn outside_globs(&self) -> impl Iterator<Item = (Def, &[String], bool)> {
        self.outside_globs.iter().map(|(scope, path, public)| (*scope, &**path, *public))
    }

    /// Named imports hide the names of globs in their own namespaces from here on. Returns the names
    /// that this may matter to.
    pub(super) fn settle(&mut self) -> HashSet<&'a str> {
        self.settled = true;
        let beside = self.declared.iter().filter(|(scope, _)| self.globs.has(*scope));
        beside.map(|(_, name)| *name).collect()
    }

    /// Whether an import of a scope binds a name, or would if it led somewhere.
    pub(super) fn declares(&self, scope: Def, name: &'a str) -> bool {
        self.declared.contains(&(scope, name))
    }

    pub(super) fn declare(&mut self, scope: Def, name: &'a str) {
        self.declared.insert((scope, name));
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
            current = if is_module { None } else { self.outer.get(&at).copied() };
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
        if visited.len() > self.nodes || !visited.insert((scope, seen_from)) {
            return PathTarget::Nothing;
        }
        let mut result = Merged::default();
        let mut outside = None;
        let mut is_bound = false;
        for binding in self.bound.get(&(scope, name)).into_iter().flat_map(|b| &b.list) {
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
        let covered = result.list.iter().fold(0, |all, (_, s)| all | s);
        let is_shadowed = || !(self.settled && is_bound) && self.declared.contains(&(scope, name));
        // Few scopes have globs, and this is asked for every segment of every path.
        let asks_globs = outside.is_none() && spaces & !covered != 0 && self.globs.has(scope);
        if asks_globs && !is_shadowed() {
            let holders = self.holders.get(name).map_or(&[][..], Vec::as_slice);
            for (target, within) in self.globs.that_may_have(scope, holders) {
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
