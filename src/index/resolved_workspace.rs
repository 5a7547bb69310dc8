//! A state of the workspace with its names resolved: the old one or the new one.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::call_context;
use super::error::IndexError;
use super::expansions::Expansions;
use super::name_cache::SavedNames;
use super::names::Names;
use super::state::{Damage, Roots};
use super::tree::{self, ItemTreeMap, Tree};
use index_vec::{IndexSlice, IndexVec, index_vec};
use rayon::prelude::*;

use asof_model::{
    Condition, FileFacts, HashMap, Header, Issue, IssueKind, ItemTree, MadeItem, NodeId, NodeKind,
    Package, StoredTree, TreeItem, WorkspaceLayout,
};
use asof_resolve::{
    CrateMaps, Def, EarlierState, FileId, Grown, Input, InstanceId, Node, OutsideMacros, Scopes,
    assemble_with_scopes, grow, read_expansion, serialize,
};

/// Input of name resolution.
#[derive(Debug, Default)]
pub(super) struct StoredInput {
    pub roots: Roots,
    pub files: BTreeMap<String, Arc<StoredTree>>,
    pub made: MadeItems,
    /// The modules, if they are known already.
    pub tree: Option<Tree>,
    /// The same state in resolved form.
    pub saved: Option<SavedNames>,
    /// Why an item tree cannot be read, once one could not.
    pub damage: Damage,
}

impl StoredInput {
    /// Reads the item trees that were not needed so far, on the threads of the current pool.
    ///
    /// # Errors
    /// [`IndexError::State`] if one cannot be read.
    pub fn read_all(&self) -> Result<(), IndexError> {
        self.files.par_iter().for_each(|(_, tree)| tree.read());
        self.check()
    }

    /// The items that calls of macros make in a state after this one, if no call can mean another macro.
    pub fn made_by_same_calls(
        &self,
        roots: &Roots,
        files: &BTreeMap<String, Arc<StoredTree>>,
    ) -> Option<MadeItems> {
        let has_made = |path: &str| self.made.by_file.contains_key(path);
        if !self.roots.mean_the_same(roots) || !call_context::is_same(&self.files, files, has_made)
        {
            return None;
        }
        let stored = MadeItems::stored(self.made.by_file.clone(), files, Some(self));
        Some(MadeItems { issues: self.made.issues.clone(), ..stored })
    }

    /// Whether all item trees could be read that were needed so far.
    ///
    /// # Errors
    /// [`IndexError::State`] if one could not.
    pub fn check(&self) -> Result<(), IndexError> {
        match self.damage.get() {
            Some(reason) => Err(IndexError::State { what: "item_tree", reason: reason.clone() }),
            None => Ok(()),
        }
    }
}

/// The items that calls of macros make, by file: a function of all item trees, and of the crates
/// outside of the workspace.
#[derive(Debug, Default)]
pub(super) struct MadeItems {
    by_file: BTreeMap<String, Vec<MadeItem>>,
    /// The files' item trees with these items.
    trees: BTreeMap<String, Arc<StoredTree>>,
    /// Files whose calls would make too many.
    pub issues: Vec<Issue>,
}

/// That not all calls of a file are expanded.
fn too_many(path: &str) -> Issue {
    let message = "macro calls make too many items: some are not expanded".to_owned();
    Issue { file_path: path.to_owned(), kind: IssueKind::TooLarge, message, span: None }
}

impl MadeItems {
    /// Whether there may be any: some file has a call among its items.
    pub fn may_be(files: &BTreeMap<String, Arc<StoredTree>>) -> bool {
        let is_call = |item: &TreeItem| item.kind == NodeKind::MacroCall;
        files.values().any(|tree| tree.items.iter().any(is_call))
    }

    /// Those of a state, and its modules, unless calls declare some. Needs the threads of a pool that
    /// can parse anything. `expansions`: those of the state before, if they are kept.
    pub fn expand(
        roots: &Roots,
        files: &BTreeMap<String, Arc<StoredTree>>,
        outside: Option<&dyn OutsideMacros>,
        expansions: Option<&Expansions>,
        before: Option<&StoredInput>,
    ) -> (Self, Option<Tree>) {
        let _span = tracing::debug_span!("expand").entered();
        let none = MadeItems::default();
        let written = ResolutionInput::with(roots, files, &none);
        let Grown { items, cut } = match expansions {
            Some(expansions) => {
                expansions.begin_state();
                let read = |text: &str, within: NodeKind| expansions.read(text, within);
                grow(written.input(), outside, &read)
            }
            None => grow(written.input(), outside, &read_expansion),
        };
        let path_of = |file: FileId| written.files.get(file).map(|(path, _)| *path);
        let issues = cut.into_iter().filter_map(|file| Some(too_many(path_of(file)?))).collect();
        let by_path =
            |(file, made): (FileId, Vec<MadeItem>)| Some((path_of(file)?.to_owned(), made));
        let by_file: BTreeMap<String, Vec<MadeItem>> =
            items.into_iter().filter_map(by_path).collect();
        // What is made may declare modules, or make calls that do.
        let is_module =
            |made: &MadeItem| matches!(made.item.kind, NodeKind::Module | NodeKind::MacroCall);
        let tree = (!by_file.values().flatten().any(is_module)).then_some(written.tree);
        (MadeItems { issues, ..Self::stored(by_file, files, before) }, tree)
    }

    /// Those of a stored state. An item tree that the state before has is shared.
    pub fn stored(
        by_file: BTreeMap<String, Vec<MadeItem>>,
        files: &BTreeMap<String, Arc<StoredTree>>,
        before: Option<&StoredInput>,
    ) -> Self {
        let same = |path: &String| {
            let before = before?;
            let is_same = Arc::ptr_eq(before.files.get(path)?, files.get(path)?)
                && before.made.by_file.get(path) == by_file.get(path);
            before.made.trees.get(path).filter(|_| is_same).cloned()
        };
        let tree = |path: &String| {
            if let Some(tree) = same(path) {
                return Some((path.clone(), tree));
            }
            let written = Arc::clone(files.get(path)?);
            let made = by_file.get(path).into_iter().flatten();
            let made: Vec<TreeItem> = made.map(|made| made.item.clone()).collect();
            let read =
                move || ItemTree { items: written.items.iter().chain(&made).cloned().collect() };
            Some((path.clone(), Arc::new(StoredTree::lazy(read))))
        };
        let trees = by_file.keys().filter_map(tree).collect();
        MadeItems { by_file, trees, issues: Vec::new() }
    }

    pub fn by_file(&self) -> &BTreeMap<String, Vec<MadeItem>> {
        &self.by_file
    }

    /// The facts of a file with the items that its calls make.
    pub fn with<'f>(&self, facts: &'f FileFacts) -> Cow<'f, FileFacts> {
        match self.by_file.get(&facts.path) {
            Some(made) => Cow::Owned(facts.with_made(made)),
            None => Cow::Borrowed(facts),
        }
    }
}

/// Files, packages and modules of a state, before any name is resolved.
pub(super) struct ResolutionInput<'a> {
    made: &'a MadeItems,
    saved: Option<&'a SavedNames>,
    pub layout: &'a WorkspaceLayout,
    /// In the order of their paths.
    pub files: IndexVec<FileId, (&'a str, &'a StoredTree)>,
    pub tree: Tree,
}

impl<'a> ResolutionInput<'a> {
    pub fn new(held: &'a StoredInput) -> Self {
        let saved = held.saved.as_ref();
        let tree = saved.and_then(|saved| postcard::from_bytes(saved.tree()).ok());
        match tree.or_else(|| held.tree.clone()) {
            Some(tree) => {
                Self { saved, ..Self::of_tree(&held.roots, &held.files, &held.made, tree) }
            }
            None => Self::with(&held.roots, &held.files, &held.made),
        }
    }

    fn with(
        roots: &'a Roots,
        files: &'a BTreeMap<String, Arc<StoredTree>>,
        made: &'a MadeItems,
    ) -> Self {
        let _span = tracing::debug_span!("module_tree").entered();
        let mut input = Self::of_tree(roots, files, made, Tree::default());
        let item_trees: ItemTreeMap<'a> = input.files.iter().copied().collect();
        input.tree = tree::build(&roots.layout, &item_trees, &roots.links);
        input
    }

    fn of_tree(
        roots: &'a Roots,
        files: &'a BTreeMap<String, Arc<StoredTree>>,
        made: &'a MadeItems,
        tree: Tree,
    ) -> Self {
        let of_file = |(path, written): (&'a String, &'a Arc<StoredTree>)| {
            (path.as_str(), &**made.trees.get(path).unwrap_or(written))
        };
        let files = files.iter().map(of_file).collect();
        ResolutionInput { made, saved: None, layout: &roots.layout, files, tree }
    }

    /// The stored form of what uses are resolved with, if there is one.
    pub fn saved_world(&self) -> Option<&'a [u8]> {
        self.saved.map(SavedNames::world)
    }

    pub fn made(&self) -> &'a MadeItems {
        self.made
    }

    pub fn input(&self) -> Input<'_> {
        Input {
            packages: IndexSlice::new(&self.layout.packages),
            crates: &self.tree.crates,
            files: &self.files,
            instances: &self.tree.instances,
            repeats: &self.tree.repeats,
        }
    }
}

/// One side of the comparison: a state with its names resolved.
pub(super) struct ResolvedWorkspace<'g> {
    input: &'g ResolutionInput<'g>,
    pub assembly: CrateMaps,
    scopes: Scopes<'g>,
    /// The modules that each file is the body of.
    instances: OnceLock<IndexVec<FileId, Vec<InstanceId>>>,
    own_types: OnceLock<OwnTypes>,
}

/// See [`ResolvedWorkspace::has_same_shape`].
#[derive(PartialEq)]
struct ItemShape<'s> {
    id: NodeId,
    path: &'s str,
    /// Ids of the parent and of the module.
    around: [Option<NodeId>; 2],
    is_here: bool,
    in_test: bool,
    condition: &'s Condition,
}

/// Types of the workspace by name; none of a name that something else may have: an alias, an import
/// under another name.
pub(super) type OwnTypes = HashMap<String, Option<Vec<NodeId>>>;

impl<'g> Deref for ResolvedWorkspace<'g> {
    type Target = ResolutionInput<'g>;
    fn deref(&self) -> &ResolutionInput<'g> {
        self.input
    }
}

impl<'g> ResolvedWorkspace<'g> {
    /// Resolves the names of a state. `before`: another one, of which most is the same.
    pub fn resolve(input: &'g ResolutionInput<'g>, before: Option<&ResolvedWorkspace<'_>>) -> Self {
        let saved =
            input.saved.and_then(|saved| serialize::restored(saved.assembly(), input.input()));
        let before = before.map(ResolvedWorkspace::earlier);
        let resolve = || assemble_with_scopes(input.input(), before);
        let (assembly, scopes) = saved.unwrap_or_else(resolve);
        let (instances, own_types) = (OnceLock::new(), OnceLock::new());
        ResolvedWorkspace { input, assembly, scopes, instances, own_types }
    }

    fn earlier(&self) -> EarlierState<'_> {
        let (input, assembly, scopes) = (self.input.input(), &self.assembly, &self.scopes);
        EarlierState { input, assembly, scopes }
    }

    /// Items of the file that an instance is made of.
    pub fn items(&self, instance: InstanceId) -> &'g [TreeItem] {
        let instance = self.input.tree.instances.get(instance);
        let file = instance.and_then(|instance| self.input.files.get(instance.file));
        file.map_or(&[], |(_, item_tree)| item_tree.items.as_slice())
    }

    /// Item tree of a file.
    pub fn item_tree(&self, path: &str) -> Option<&'g ItemTree> {
        self.stored_tree(path).map(|item_tree| &**item_tree)
    }

    /// The same; those of two states are compared at once if both share it.
    pub fn stored_tree(&self, path: &str) -> Option<&'g StoredTree> {
        self.input.files.get(self.number_of(path)?).map(|(_, item_tree)| *item_tree)
    }

    /// How many items of a file are in its text: those after them are made by calls.
    pub fn written(&self, path: &str) -> usize {
        let made = self.made.by_file.get(path).map_or(0, Vec::len);
        self.stored_tree(path).map_or(0, |tree| tree.items.len().saturating_sub(made))
    }

    pub fn scopes(&self) -> &Scopes<'g> {
        &self.scopes
    }

    /// Index of a file in the order of paths.
    pub fn number_of(&self, path: &str) -> Option<FileId> {
        self.input.files.binary_search_by(|(have, _)| (*have).cmp(path)).ok()
    }

    /// The root module of the crate that an instance is in.
    pub fn root(&self, instance: InstanceId) -> Option<&Node> {
        self.assembly.nodes.get(self.scopes().root_of(instance))
    }

    /// The node of an id.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.assembly.nodes.get(self.assembly.nodes.def(id)?)
    }

    /// The types of the workspace that a node is or stands for; none if it may be another.
    pub fn types_behind(&self, node: &Node) -> Option<Vec<(NodeId, String)>> {
        let types =
            self.scopes().types_behind(&self.assembly, self.assembly.nodes.def(node.id)?)?;
        let nodes = types.into_iter().map(|def| self.assembly.nodes.get(def));
        nodes.map(|node| node.map(|node| (node.id, node.name.clone()))).collect()
    }

    /// Types of the workspace by name.
    pub fn own_types(&self) -> &OwnTypes {
        self.own_types.get_or_init(|| {
            let mut types = OwnTypes::default();
            for node in &self.assembly.nodes {
                if matches!(
                    node.kind,
                    NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::ForeignType
                ) {
                    let all = types.entry(node.name.clone()).or_insert_with(|| Some(Vec::new()));
                    all.iter_mut().for_each(|all| all.push(node.id));
                } else if node.kind == NodeKind::TypeAlias {
                    types.insert(node.name.clone(), None);
                }
            }
            for item in self.files.iter().flat_map(|(_, tree)| &tree.items) {
                let Header::Import { leaves } = &item.header else { continue };
                for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
                    if leaf.path.last() != Some(&leaf.name) && leaf.name != "_" {
                        types.insert(leaf.name.clone(), None);
                    }
                }
            }
            types
        })
    }

    /// Rows that depend on names. `packages` include versions, which the state itself may lack.
    pub fn names<'a>(&'a self, packages: &'a [Package]) -> Names<'a> {
        let paths: IndexVec<FileId, &str> = self.files.iter().map(|(path, _)| *path).collect();
        let tree = &self.tree;
        Names::new(&self.assembly, packages, &tree.crates, &tree.instances, &paths)
    }

    /// The modules that a file is the body of.
    pub fn instances(&self, path: &str) -> &[InstanceId] {
        let by_file = self.instances.get_or_init(|| {
            let mut by_file = index_vec![Vec::new(); self.files.len()];
            for (number, instance) in self.tree.instances.iter_enumerated() {
                if let Some(instances) = by_file.get_mut(instance.file) {
                    instances.push(number);
                }
            }
            by_file
        });
        self.number_of(path).and_then(|file| by_file.get(file)).map_or(&[], Vec::as_slice)
    }

    /// Whether everything in the content rows of a file that does not come from its text is the same in
    /// another state.
    pub fn has_same_shape(&self, other: &Self, path: &str) -> bool {
        let (own, others) = (self.instances(path), other.instances(path));
        own.len() == others.len()
            && self.made().by_file.get(path) == other.made().by_file.get(path)
            && own.iter().zip(others).all(|(own, others)| {
                self.declaration(*own) == other.declaration(*others)
                    && self.assembly.variant_ids(*own).eq(other.assembly.variant_ids(*others))
                    && (self.assembly.nodes.shares(&other.assembly.nodes, *own, *others)
                        || self.item_shapes(*own).eq(other.item_shapes(*others)))
            })
    }

    /// The item that declares a module in a file of its own.
    fn declaration(&self, instance: InstanceId) -> Option<&'g TreeItem> {
        let (by, item) = self.tree.instances.get(instance)?.declared_in?;
        self.items(by).get(item as usize)
    }

    /// What the rows of the items of an instance have that does not come from its text.
    fn item_shapes(&self, number: InstanceId) -> impl Iterator<Item = ItemShape<'_>> {
        let nodes = &self.assembly.nodes;
        nodes.item_nodes(number).iter().enumerate().filter_map(move |(at, def)| {
            let node = nodes.get(*def)?;
            let id = |def: Def| nodes.get(def).map(|node| node.id);
            Some(ItemShape {
                id: node.id,
                path: &node.path,
                around: [node.parent.and_then(id), id(node.module)],
                is_here: (node.instance, node.item as usize) == (number, at),
                in_test: node.in_test,
                condition: self.assembly.condition(node),
            })
        })
    }

    /// Whether a node is in the same scope, under the same condition, as one of another state.
    pub fn has_same_place(&self, node: &Node, other: &Self, same: &Node) -> bool {
        let around = |assembly: &CrateMaps, node: &Node| {
            let id = |number: Def| assembly.nodes.get(number).map(|node| node.id);
            (node.parent.and_then(id), id(node.module))
        };
        (node.kind, node.in_test) == (same.kind, same.in_test)
            && around(&self.assembly, node) == around(&other.assembly, same)
            && self.assembly.condition(node) == other.assembly.condition(same)
    }

    /// Path of the file that contains a node's body.
    pub fn path_of(&self, node: &Node) -> Option<&'g str> {
        let instance = self.input.tree.instances.get(node.instance)?;
        self.input.files.get(instance.file).map(|(path, _)| *path)
    }

    /// Ids of the nodes whose bodies are in these files.
    pub fn ids_in(&self, files: &BTreeSet<&str>) -> Vec<NodeId> {
        self.assembly
            .nodes
            .iter()
            .filter(|node| self.path_of(node).is_some_and(|path| files.contains(path)))
            .map(|node| node.id)
            .collect()
    }
}
