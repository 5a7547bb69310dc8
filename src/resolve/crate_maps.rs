//! The input and the result of resolution.

use std::collections::BTreeMap;

use index_vec::IndexSlice;
use serde::{Deserialize, Serialize};

use super::conditions::Conditions;
use super::edge_table::EdgeTable;
use super::ids::{ConditionId, CrateId, Def, FileId, InstanceId, PackageId};
use super::known_macros::MadeModule;
use super::node_table::NodeTable;
use super::textual_macros::{ItemTrees, Place};
use asof_model::{Condition, NodeId, NodeKind, Package, StoredTree, Target, TreeItem};

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

/// A definition, identified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    pub id: NodeId,
    pub kind: NodeKind,
    pub name: String,
    /// Index of the syntactic parent in [`CrateMaps::nodes`]; none for crate roots.
    pub parent: Option<Def>,
    /// Index of the nearest enclosing module; a module's own index for itself.
    pub module: Def,
    /// Instance and item that contain its body.
    pub instance: InstanceId,
    pub item: u32,
    /// Where a module in a file of its own is declared.
    pub declared_in: Option<Place>,
    /// Canonical path; empty if it has none.
    pub path: String,
    /// Whether it is test code: by its own attributes or `cfg`, by those of an item that it is
    /// nested in, or by the target.
    pub in_test: bool,
    /// Number of its presence condition: [`CrateMaps::condition`].
    pub condition: ConditionId,
}

/// Kind of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EdgeKind {
    /// A private `use`.
    Imports,
    /// A `use` that others can see.
    Reexports,
    GlobImports,
    GlobReexports,
    /// From an impl to the type it is for.
    ImplFor,
    /// From an impl to the trait it is of.
    ImplOf,
}

impl EdgeKind {
    /// Whether it brings all names of its target.
    pub const fn is_glob(self) -> bool {
        matches!(self, Self::GlobImports | Self::GlobReexports)
    }

    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Imports => "imports",
            Self::Reexports => "reexports",
            Self::GlobImports => "glob_imports",
            Self::GlobReexports => "glob_reexports",
            Self::ImplFor => "impl_for",
            Self::ImplOf => "impl_of",
        }
    }
}

/// A relation between two definitions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Edge {
    pub source: NodeId,
    pub kind: EdgeKind,
    /// Name under which the target is known at the source; empty for globs and impls.
    pub name: String,
    pub target: NodeId,
    /// The item whose text says so.
    pub origin: NodeId,
    pub provenance: Provenance,
}

/// What kind of declaration says an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Provenance {
    ExternCrate,
    Impl,
    Use,
}

impl Provenance {
    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ExternCrate => "extern crate",
            Self::Impl => "impl",
            Self::Use => "use",
        }
    }
}

/// A name that is not of the workspace, or was not found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Unresolved {
    pub source: NodeId,
    pub kind: EdgeKind,
    pub text: String,
    pub name: String,
    pub origin: NodeId,
    /// Whether it is known to be in a dependency or a standard crate.
    pub external: bool,
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
        self.nodes.get(*self.nodes.index(instance).get(item as usize)?)
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
