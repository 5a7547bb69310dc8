//! Resolves names as seen from a module of the stored state, for code that is to be written there.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::error::IndexError;
use super::load_state::resolved_state;
use super::memory::Memory;
use super::resolved_state::ResolvedState;
use super::resolved_workspace::ResolvedWorkspace;
use super::state::State;
use asof_model::{Header, NodeId, NodeKind};
use asof_resolve::{Def, EdgeKind, Node, Seen, Standpoint};
use asof_store::Store;

/// See the module.
#[allow(missing_debug_implementations)]
pub struct Viewpoint {
    state: Arc<ResolvedState>,
}

/// Where code is to be: in a module, or in one that would be new in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub module: NodeId,
    pub is_new: bool,
}

/// What a path means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathMeaning {
    /// Items; never empty.
    Items(BTreeSet<NodeId>),
    /// A path from a crate outside of the workspace on.
    Outside(String),
    Nothing,
}

impl Viewpoint {
    /// The newest state; the one in memory if it is the same.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub fn load(store: &Store, memory: Option<&Memory>) -> Result<Self, IndexError> {
        let state = State::load_without_files(store)?;
        Ok(Self { state: resolved_state(store, &state, memory)? })
    }

    fn side(&self) -> &ResolvedWorkspace<'_> {
        self.state.side()
    }

    fn number(&self, id: NodeId) -> Option<Def> {
        self.side().assembly.nodes.def(id)
    }

    fn node_at(&self, number: Def) -> Option<&Node> {
        self.side().assembly.nodes.get(number)
    }

    fn path_meaning(&self, seen: Seen) -> PathMeaning {
        match seen {
            Seen::Nodes(found) => {
                let ids = found.into_iter().filter_map(|number| Some(self.node_at(number)?.id));
                PathMeaning::Items(ids.collect())
            }
            Seen::Outside(path) => PathMeaning::Outside(path.join("::")),
            Seen::Nothing => PathMeaning::Nothing,
        }
    }

    /// What a path means at a place.
    pub fn meaning(&self, at: Place, path: &str) -> PathMeaning {
        let Some(module) = self.number(at.module) else { return PathMeaning::Nothing };
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        let from = Standpoint { module, is_new: at.is_new };
        let side = self.side();
        self.path_meaning(side.scopes().meaning(&side.assembly, from, &path))
    }

    /// Canonical path of an item.
    pub fn path(&self, id: NodeId) -> Option<&str> {
        self.side().node(id).map(|node| node.path.as_str()).filter(|path| !path.is_empty())
    }

    pub fn kind(&self, id: NodeId) -> Option<NodeKind> {
        self.side().node(id).map(|node| node.kind)
    }

    /// The module around an item; of a module, itself.
    pub fn module_of(&self, id: NodeId) -> Option<NodeId> {
        let node = self.side().node(id)?;
        self.node_at(node.module).map(|module| module.id)
    }

    /// A module and those around it, from the inside out.
    pub fn around(&self, module: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut at = self.side().node(module);
        while let Some(node) = at {
            found.push(node.id);
            let parent = node.parent.and_then(|parent| self.node_at(parent));
            at = parent.and_then(|parent| self.node_at(parent.module));
        }
        found
    }

    /// The innermost module that is around both; none if they are of different crates.
    pub fn common(&self, a: NodeId, b: NodeId) -> Option<NodeId> {
        let of_b = self.around(b);
        self.around(a).into_iter().find(|module| of_b.contains(module))
    }

    /// The module within which an item is visible; none if that is everywhere, or the item is
    /// unknown.
    pub fn visible_within(&self, id: NodeId) -> Option<NodeId> {
        let side = self.side();
        let within = side.scopes().visible_within(&side.assembly, side.node(id)?)?;
        self.node_at(within).map(|module| module.id)
    }

    /// Modules that bring in the names of a module by a glob, and whether for everyone.
    pub fn globs_of(&self, module: NodeId) -> Vec<(NodeId, bool)> {
        let Some(number) = self.number(module) else { return Vec::new() };
        let found = self.side().scopes().globs_of(number);
        found.filter_map(|(scope, public)| Some((self.node_at(scope)?.id, public))).collect()
    }

    /// Everything that is bound in a module.
    pub fn bound_in(&self, module: NodeId) -> Vec<PathMeaning> {
        let Some(number) = self.number(module) else { return Vec::new() };
        let side = self.side();
        let found = side.scopes().bound_in(&side.assembly, number);
        found.into_iter().map(|seen| self.path_meaning(seen)).collect()
    }

    /// The module of a crate at a canonical path.
    pub fn module_named(&self, root: NodeId, path: &str) -> Option<NodeId> {
        let all = self.side().assembly.nodes.iter();
        let named = all.filter(|node| node.kind == NodeKind::Module && node.path == path);
        named.map(|node| node.id).find(|id| self.around(*id).last() == Some(&root))
    }

    /// A module and everything in it.
    pub fn within(&self, module: NodeId) -> BTreeSet<NodeId> {
        let mut modules: BTreeSet<NodeId> = self.below(module).into_iter().collect();
        modules.insert(module);
        let all = self.side().assembly.nodes.iter();
        let inside = all.filter(|node| {
            self.node_at(node.module).is_some_and(|around| modules.contains(&around.id))
        });
        inside.map(|node| node.id).collect()
    }

    /// The modules below a module, itself left out.
    pub fn below(&self, module: NodeId) -> Vec<NodeId> {
        let all = self.side().assembly.nodes.iter();
        let modules = all.filter(|node| node.kind == NodeKind::Module && node.id != module);
        modules.map(|node| node.id).filter(|id| self.around(*id).contains(&module)).collect()
    }

    /// Under which condition an item is compiled; none if always.
    pub fn condition(&self, id: NodeId) -> Option<String> {
        let side = self.side();
        let condition = side.assembly.condition(side.node(id)?);
        (!condition.is_always()).then(|| condition.to_string())
    }

    /// The type that an impl is for.
    pub fn self_type(&self, of_impl: NodeId) -> Option<NodeId> {
        let mut edges = self.side().assembly.edges_of(of_impl);
        let edge = edges.find(|edge| edge.kind == EdgeKind::ImplFor)?;
        Some(edge.target)
    }

    /// The trait whose impl an associated item is in.
    pub fn impl_trait(&self, id: NodeId) -> PathMeaning {
        let side = self.side();
        let Some(node) = side.node(id) else { return PathMeaning::Nothing };
        self.path_meaning(side.scopes().impl_trait(&side.assembly, node))
    }

    /// Whether a macro has no path: it is not exported (Reference, "Path-based scope").
    pub fn is_textual_macro(&self, id: NodeId) -> bool {
        let side = self.side();
        let item = side
            .node(id)
            .and_then(|node| side.item_tree(side.path_of(node)?)?.items.get(node.item as usize));
        item.is_some_and(|item| matches!(item.header, Header::Macro { exported: false }))
    }

    /// The fields of a tuple struct.
    pub fn places_of(&self, id: NodeId) -> Vec<NodeId> {
        let side = self.side();
        let Some(node) = side.node(id) else { return Vec::new() };
        let found = side.scopes().places_of(&side.assembly, node);
        found.into_iter().map(|field| field.id).collect()
    }

    /// Whether a definition or an import binds a name in a module, rather than a glob.
    pub fn binds(&self, module: NodeId, name: &str) -> bool {
        self.number(module).is_some_and(|number| self.side().scopes().binds(number, name))
    }

    /// The trait that an associated item is of, or implements an item of.
    pub fn trait_of(&self, id: NodeId) -> Option<NodeId> {
        let side = self.side();
        side.assembly.trait_of(side.node(id)?)
    }
}
