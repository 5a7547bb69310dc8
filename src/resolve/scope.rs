//! Meanings of names in scopes: definitions, named imports, globs, the extern prelude.

use std::sync::{Arc, OnceLock};

use index_vec::IndexVec;
use serde::{Deserialize, Serialize};

use asof_model::{HashMap, HashSet, NodeKind, TreeItem};

use super::bindings::{Globs, Merged, PathTarget, Visited};
use super::conditional::Conditional;
use super::conditions::Conditions;
use super::crate_maps::{CrateMaps, Input};
use super::crates::Prelude;
use super::enclosing::{ancestor, parent_module};
use super::file_scopes::{FileScopes, ScopeNames};
use super::ids::{CrateId, Def, InstanceId};
use super::namespaces::{MACROS, TYPES};
use super::nowhere::{NOWHERE, OrNowhere};
use super::pages::Pages;
use super::shared_files::SharedFiles;

/// Limit of imports that lead to one another; what is beyond is left unresolved.
const MAX_HOPS: usize = 64;

/// All scopes of a workspace: what each name means in each module, enum, trait and body.
#[derive(Debug, Serialize, Deserialize)]
pub struct Scopes<'a> {
    #[serde(skip)]
    pub(super) input: Input<'a>,
    /// Of the nodes.
    #[serde(skip)]
    pub(super) pages: Pages,
    /// Node of the crate root of each instance's crate, by instance.
    pub(super) roots: IndexVec<InstanceId, Def>,
    pub(super) files: SharedFiles<FileScopes>,
    /// Whether the names of a file are those of an earlier state.
    #[serde(skip)]
    pub(super) are_closed: IndexVec<InstanceId, bool>,
    /// Macros that crate roots have by `#[macro_export]`.
    pub(super) exported: ScopeNames<Vec<Def>>,
    /// The scopes in which a name is bound, once that is needed.
    #[serde(skip)]
    pub(super) holders: OnceLock<HashMap<Box<str>, Vec<Def>>>,
    /// Whether all named imports are bound that ever will be: they hide the names of globs in their
    /// own namespaces only.
    pub(super) settled: bool,
    pub(super) globs: Globs,
    /// Library crates that code can name, by crate.
    #[serde(with = "super::crates::preludes")]
    pub(super) extern_prelude: IndexVec<CrateId, Arc<Prelude>>,
    /// Modules that stand for files which `include!` puts into the modules around.
    pub(super) included: HashSet<Def>,
    pub(super) editions_2015: IndexVec<CrateId, bool>,
    /// Names that imports bring under conditions.
    pub(super) conditional: Conditional,
    /// Those of the crate maps, and those of imports.
    pub(super) conditions: Conditions,
    /// Whether imports lead to one another for longer than they are followed.
    pub(super) is_cut: bool,
}

impl<'a> Scopes<'a> {
    /// Completes scopes from their stored form.
    pub(super) fn restore(&mut self, input: Input<'a>, assembly: &CrateMaps) {
        self.input = input;
        self.pages = assembly.nodes.pages.clone();
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
