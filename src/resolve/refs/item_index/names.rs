//! Looks up names in the scopes of an item index.

use super::super::super::bindings::PathTarget;
use super::super::super::namespaces::{MACROS, TYPES};
use super::super::reads::{self, From};
use super::super::types::{Def, Name};
use super::{Hit, ItemIndex, TextualMacros};
use crate::ids::InstanceId;
use crate::node_table::Node;
use crate::textual_macros::Definitions;
use asof_model::{FileUses, HashMap, never};

impl ItemIndex<'_> {
    /// Numbers of the names of a text; of those that no definition has, a number that no name has.
    pub(in super::super) fn names_of(&self, uses: &FileUses) -> Vec<Name> {
        uses.names.iter().map(|name| self.find_name(name).unwrap_or(Name::NONE)).collect()
    }

    /// Records that a name is looked up in the module of a scope, from another scope.
    pub(in super::super) fn look_up(&self, scope: Def, name: &str, from: Def) {
        if !reads::is_recording() || self.is_library(scope) {
            return;
        }
        let module = self.module(scope);
        let mut at = (!self.is_library(from)).then(|| self.module(from));
        while at.is_some_and(|at| at != module) {
            at = at.and_then(|at| self.parent_module(at));
        }
        let from = if at.is_some() { From::Within } else { From::Elsewhere };
        reads::look_up(module, name, from);
    }

    /// A name in one scope as seen from another.
    pub(in super::super) fn lookup(&self, scope: Def, name: &str, spaces: u8, from: Def) -> Hit {
        if self.is_library(scope) {
            return self.library_hit(scope, name, spaces, from);
        }
        self.look_up(scope, name, from);
        // Of a type, it may be that of a variant.
        reads::read(scope);
        let from = if self.is_library(from) { Def::new(0) } else { from };
        let workspace = &self.workspace;
        let found = workspace.scopes.lookup(workspace.assembly, scope, name, spaces, from);
        let hit = self.hit(found, spaces);
        self.of_globs(&hit, scope, name, spaces).unwrap_or(hit)
    }

    /// Meaning of a name without a path before it: in the enclosing scopes, then as a crate.
    pub(in super::super) fn lexical(&self, scope: Def, name: &str, spaces: u8) -> Hit {
        if self.is_library(scope) {
            return self.library_lexical(scope, name, spaces);
        }
        self.look_up(scope, name, scope);
        let workspace = &self.workspace;
        let Some(instance) = self.node(scope).map(|node| node.instance) else {
            never!("scopes are of the workspace or of a library");
            return Hit::Nothing;
        };
        let found =
            workspace.scopes.lookup_lexical(workspace.assembly, instance, scope, name, spaces);
        match self.hit(found, spaces) {
            Hit::Nothing => {}
            // A crate may have the name of a macro that it exports.
            hit if spaces & TYPES == 0 && self.is_crate(&hit) => {}
            hit => {
                let mut scopes = self.enclosing(scope);
                let other = scopes.find_map(|at| self.of_globs(&hit, at, name, spaces));
                return other.unwrap_or(hit);
            }
        }
        if spaces & MACROS != 0
            && let Some(found) = self.textual(scope, name).or_else(|| self.of_crates(scope, name))
        {
            return found;
        }
        match self.name_of_outside_glob(scope, name, spaces) {
            Hit::Nothing => {}
            hit => return hit,
        }
        match self.prelude(name, spaces) {
            Hit::Nothing => self.prelude_of_2024(scope, name),
            hit => hit,
        }
    }

    /// The macros of the textual scope that a call in a definition's text means. `is_before`: whether
    /// a macro in the definition's own body comes before the call, in a block around it.
    pub(in super::super) fn textual_macros(
        &self,
        from: Def,
        name: Name,
        is_before: &dyn Fn(u32) -> bool,
    ) -> Vec<Def> {
        let macros = self.macros.get_or_init(|| {
            let mut macros: HashMap<Name, TextualMacros> = HashMap::default();
            for def in self.own_macros() {
                macros.entry(self.name(def)).or_default().all.push(def);
            }
            macros
        });
        let (Some(named), Some(node)) = (macros.get(&name), self.node(from)) else {
            return Vec::new();
        };
        let input = self.input();
        let place = |node: &Node| (node.instance, node.item);
        let definitions = named.definitions.get_or_init(|| {
            let mut definitions = Definitions::default();
            for node in named.all.iter().filter_map(|def| self.node(*def)) {
                definitions.add(&input, place(node));
            }
            definitions
        });
        let found = definitions.before(&input, place(node), is_before);
        let def = |place: &(InstanceId, u32)| self.index(place.0).get(place.1 as usize).copied();
        found.iter().filter_map(def).collect()
    }

    fn is_crate(&self, hit: &Hit) -> bool {
        let root = |def: Def| self.parent(def).is_none() && self.is_library(def);
        matches!(hit, Hit::Defs(found) if found.iter().all(|(def, _)| root(*def)))
    }

    /// What the globs of a scope bring in, if all that is imported by this name is of another
    /// crate and in other namespaces.
    fn of_globs(&self, hit: &Hit, scope: Def, name: &str, spaces: u8) -> Option<Hit> {
        let Hit::Defs(found) = hit else { return None };
        if found.iter().any(|(def, bits)| bits & spaces != 0 || !self.is_library(*def)) {
            return None;
        }
        let workspace = &self.workspace;
        match workspace.scopes.lookup_globs(workspace.assembly, scope, name, spaces, scope) {
            PathTarget::Nodes(nodes) => Some(Hit::Defs(nodes)),
            _ => None,
        }
    }

    /// Meaning of a name that no scope has.
    pub(in super::super) fn prelude(&self, name: &str, spaces: u8) -> Hit {
        let space = self.known.prelude.map(|prelude| self.lookup(prelude, name, spaces, prelude));
        match space {
            Some(Hit::Nothing) | None if spaces & MACROS != 0 => {
                self.lookup(Def::FIRST_OUTSIDE, name, MACROS, Def::FIRST_OUTSIDE)
            }
            found => found.unwrap_or(Hit::Nothing),
        }
    }

    pub(in super::super) fn hit(&self, found: PathTarget, spaces: u8) -> Hit {
        let path = match found {
            PathTarget::Nodes(nodes) => return Hit::Defs(nodes),
            PathTarget::External(path) => path,
            PathTarget::Nothing => return Hit::Nothing,
        };
        let found = self.external(&path);
        let fits = |found: &Hit| match found {
            Hit::Defs(defs) => defs.iter().any(|(_, bits)| bits & spaces != 0),
            _ => false,
        };
        let others = self.homonyms.get(&path).filter(|_| !fits(&found)).into_iter().flatten();
        let others: Vec<Hit> = others.map(|other| self.external(other)).collect();
        let is_unknown = |found: &&Hit| matches!(found, Hit::External(_));
        let other = others.iter().find(|other| fits(other));
        // What is known to be in other namespaces is not meant.
        let other =
            other.or_else(|| others.iter().find(is_unknown).filter(|_| !is_unknown(&&found)));
        other.cloned().unwrap_or(found)
    }
}
