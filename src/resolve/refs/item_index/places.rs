//! Scopes, blocks, modules and crates of definitions.

use super::super::super::namespaces::ANY;
use super::super::super::nowhere::OrNowhere;
use super::{CrateSet, Hit, ItemIndex};
use crate::refs::types::Def;
use asof_model::NodeKind;

impl ItemIndex<'_> {
    /// The scope that an item's own text is read in.
    pub(in super::super) fn scope(&self, def: Def) -> Def {
        let mut at = def;
        while let Some(parent) = self.parent(at) {
            let opens = match self.kind(at) {
                NodeKind::Module => true,
                NodeKind::Function
                | NodeKind::Method
                | NodeKind::Const
                | NodeKind::Static
                | NodeKind::AssocConst => !self.children(at).is_empty(),
                _ => false,
            };
            if opens {
                return at;
            }
            if let Some(block) = self.block_of(at) {
                return block;
            }
            at = parent;
        }
        at
    }

    /// The scope of the block that declares an item of a body.
    pub(in super::super) fn block_of(&self, def: Def) -> Option<Def> {
        self.workspace.assembly.nodes.block_of(self.one_of(def))
    }

    /// An item of the file that a definition is in.
    pub(in super::super) fn sibling(&self, def: Def, item: u32) -> Option<Def> {
        self.index(self.node(def)?.instance).get(item as usize).copied()
    }

    /// A crate by the name that code at this scope has for it.
    pub(in super::super) fn krate(&self, scope: Def, name: &str) -> Hit {
        let Some(node) = self.node(scope) else { return self.library_crate(scope, name) };
        self.look_up(scope, name, scope);
        self.hit(self.workspace.scopes.crate_named(node.instance, name), ANY)
    }

    /// The first name of a path that begins with `::`, at this scope.
    pub(in super::super) fn global(&self, scope: Def, name: &str, spaces: u8) -> Hit {
        let Some(node) = self.node(scope) else { return self.library_crate(scope, name) };
        // In edition 2015, it is that of an item of the crate's root.
        self.look_up(self.root(scope), name, scope);
        let CrateSet { assembly, scopes, .. } = &self.workspace;
        let instance = node.instance;
        self.hit(scopes.global(assembly, instance, scope, name, spaces), ANY)
    }

    /// Whether a scope of the workspace is in a crate of edition 2015.
    pub(in super::super) fn is_2015(&self, scope: Def) -> bool {
        let node = self.node(scope).filter(|_| !self.is_library(scope));
        node.is_some_and(|node| self.workspace.scopes.is_2015(node.instance))
    }

    /// Root of the crate that a scope is in.
    pub(in super::super) fn root(&self, scope: Def) -> Def {
        match self.in_library(scope) {
            Some((library, _)) => library.root(),
            None => {
                let node = self.node(scope);
                let root = node.map(|node| self.workspace.scopes.root_of(node.instance));
                root.or_nowhere("scopes are of the workspace or of a library")
            }
        }
    }

    pub(in super::super) fn module(&self, def: Def) -> Def {
        match self.in_library(def) {
            Some((of, own)) => of.def(of.library.module(own)),
            None => {
                let home = |module| self.workspace.scopes.home(self.workspace.assembly, module);
                let node = self.node(def).map(|node| home(node.module));
                node.or_nowhere("definitions are of the workspace or of a library")
            }
        }
    }

    pub(in super::super) fn parent_module(&self, module: Def) -> Option<Def> {
        self.parent(module).map(|parent| self.module(parent))
    }
}
