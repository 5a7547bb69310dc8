//! The input and the result of resolution.

use std::collections::BTreeMap;

use index_vec::IndexSlice;
use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use super::edge_table::{Edge, EdgeTable, Unresolved};
use super::ids::{CrateId, Def, FileId, InstanceId, PackageId};
use super::known_macros::MadeModule;
use super::node_table::{Node, NodeTable};
use super::textual_macros::{ItemTrees, Place};
use asof_model::{Condition, NodeId, Package, StoredTree, Target, TreeItem};

/// Input of resolution: crates, files, and which file is the body of which module.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    pub packages: &'a IndexSlice<PackageId, [Package]>,
    pub crates: &'a IndexSlice<CrateId, [Crate]>,
    /// Path relative to the root, and item tree, of each file.
    pub files: &'a IndexSlice<FileId, [(&'a str, &'a StoredTree)]>,
    /// A parent comes before its children.
    pub instances: &'a IndexSlice<InstanceId, [Instance]>,
    /// Declarations of a module that is represented by a declaration under another `cfg`:
    /// instance and item, and the item that represents them. They have no path and no name of their
    /// own.
    pub repeats: &'a BTreeMap<Place, u32>,
}

impl Default for Input<'_> {
    fn default() -> Self {
        const NONE: &BTreeMap<Place, u32> = &BTreeMap::new();
        Input {
            packages: IndexSlice::new(&[]),
            crates: IndexSlice::new(&[]),
            files: IndexSlice::new(&[]),
            instances: IndexSlice::new(&[]),
            repeats: NONE,
        }
    }
}

impl<'a> Input<'a> {
    /// Whether an instance is a file that `include!` puts into another module.
    pub(super) fn is_included(&self, instance: InstanceId) -> bool {
        let made = self.instances.get(instance).and_then(|of| of.made.as_ref());
        made.is_some_and(MadeModule::is_included)
    }

    /// Item tree of the file of an instance.
    pub(super) fn item_tree(&self, instance: InstanceId) -> &'a [TreeItem] {
        self.instances
            .get(instance)
            .and_then(|i| self.files.get(i.file))
            .map_or(&[], |(_, item_tree)| item_tree.items.as_slice())
    }
}

impl ItemTrees for Input<'_> {
    fn tree_item(&self, (instance, item): Place) -> Option<&TreeItem> {
        self.item_tree(instance).get(item as usize)
    }

    fn declared_in(&self, instance: InstanceId) -> Option<Place> {
        self.instances.get(instance)?.declared_in
    }

    fn is_part(&self, instance: InstanceId) -> bool {
        self.is_included(instance)
    }
}

/// A crate: a target with the package that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crate {
    /// Index of the package; none for a detached file outside of all packages.
    pub package: Option<PackageId>,
    pub target: Target,
}

/// One use of a file as the body of a module. A file that several crates share has several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// Index into [`Input::files`].
    pub file: FileId,
    /// Index into [`Input::crates`].
    pub krate: CrateId,
    /// Instance and item that declare the module, a `mod` or a macro call; none for a crate root.
    pub declared_in: Option<Place>,
    /// Predicate of the `cfg_attr(…, path = …)` that names this file, if one declaration has
    /// several files.
    pub variant: Option<String>,
    /// Predicate under which the declaration means this file; empty if it has no other.
    pub cfg: String,
    /// The module, if a macro call declares it.
    pub made: Option<MadeModule>,
}

/// The workspace with its names resolved.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct CrateMaps {
    pub nodes: NodeTable,
    pub conditions: Conditions,
    /// Further modules of one declaration (`cfg_attr(…, path = …)`), and those that a macro call
    /// declares.
    pub variants: BTreeMap<Place, Vec<Def>>,
    pub edges: EdgeTable,
}

impl CrateMaps {
    /// Node of an item of an instance.
    pub fn node_of(&self, instance: InstanceId, item: u32) -> Option<&Node> {
        self.nodes.get(*self.nodes.item_nodes(instance).get(item as usize)?)
    }

    /// Further modules of the declarations of an instance, by item.
    pub fn variants_in(&self, instance: InstanceId) -> impl Iterator<Item = (u32, Def)> {
        let all = self.variants.range((instance, 0)..=(instance, u32::MAX));
        all.flat_map(|((_, item), modules)| modules.iter().map(|module| (*item, *module)))
    }

    /// [`CrateMaps::variants_in`] by id: two states can be compared.
    pub fn variant_ids(&self, instance: InstanceId) -> impl Iterator<Item = (u32, Option<NodeId>)> {
        let id = |module| self.nodes.get(module).map(|node| node.id);
        self.variants_in(instance).map(move |(item, module)| (item, id(module)))
    }

    /// Edges from a node.
    pub fn edges_of(&self, source: NodeId) -> impl Iterator<Item = &Edge> {
        let file = self.nodes.def(source).and_then(|def| self.nodes.instance(def));
        file.into_iter().flat_map(move |file| self.edges.edges_of(file, source))
    }

    /// What a node names that is not of the workspace, or was not found.
    pub fn unresolved_of(&self, source: NodeId) -> impl Iterator<Item = &Unresolved> {
        let file = self.nodes.def(source).and_then(|def| self.nodes.instance(def));
        file.into_iter().flat_map(move |file| self.edges.unresolved_of(file, source))
    }

    /// Under which configurations a node exists.
    pub fn condition(&self, node: &Node) -> &Condition {
        self.conditions.get(node.condition)
    }

    /// A node; of the scope of a block, that of the item whose body it is in.
    pub(super) fn node(&self, scope: Def) -> Option<&Node> {
        self.nodes.of_scope(scope)
    }

    /// The node of an item as its declaration says, whichever file is its body.
    pub(super) fn declaration(&self, instance: InstanceId, item: u32) -> Option<&Node> {
        let file = self.nodes.file(instance)?;
        let at = file.declarations.binary_search_by_key(&item, |(item, _)| *item);
        match at.ok().and_then(|at| file.declarations.get(at)) {
            Some((_, node)) => Some(node),
            None => self.node_of(instance, item),
        }
    }
}
