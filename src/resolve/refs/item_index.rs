//! The index of all possible targets of references: definitions of the workspace and of other
//! crates with common numbers, and their children, signatures and impls.

mod libraries;
mod names;
mod numbering;
mod places;
mod serialize;
mod traits_in_scope;
mod visible;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use index_vec::{IndexVec, index_vec};
use serde::{Deserialize, Serialize};

use super::super::conditional::Conditional;
use super::super::conditions::Conditions;
use super::super::crate_maps::{CrateMaps, Input, Node};
use super::super::scope::Scopes;
use super::cfg_duplicates::CfgDuplicates;
use super::choices::Choices;
use super::condition_table::Joined;
use super::dependencies::Dependencies;
use super::exclusions::Exclusions;
use super::impls::{Impls, OtherNames};
use super::library::crates::{Crates, Place};
use super::lower::{self, Sig};
use super::reads;
use super::standard::standard;
use super::types::{Def, Name};
use crate::ids::{FileId, InstanceId};
use crate::textual_macros::Definitions;
use asof_model::{FileUses, HashMap, HashSet, Header, NodeKind, TreeItem};
pub(super) use libraries::Loaded;
pub(super) use numbering::PRIMITIVES;
use traits_in_scope::ScopedTraits;

/// Everything that is needed to resolve uses. Build it once for a workspace, then call
/// [`ItemIndex::references`] for any of its files. It depends on item trees and packages only.
#[derive(Debug)]
pub struct ItemIndex<'a> {
    workspace: CrateSet<'a>,
    crates: Crates<'a>,
    /// Paths of definitions of dependencies that others export again.
    facades: OnceLock<HashMap<Place, String>>,
    /// The standard library, then the dependencies.
    libraries: Vec<Loaded<'a>>,
    /// Number of the first definition that is not of the workspace: the standard library's root.
    first: Def,
    /// Number of the first definition of a dependency.
    dependencies_first: Def,
    pub(super) infos: Vec<Info>,
    /// Where the children of each definition begin in `children`.
    starts: Vec<u32>,
    children: Vec<Def>,
    /// Children by definition and name: a type may have thousands.
    by_name: Vec<Def>,
    /// Members in macro calls, by definition and name.
    in_calls: HashMap<(Def, Name), Vec<Def>>,
    /// Traits that have a member of this name; sorted.
    pub(super) traits_with: HashMap<Name, Vec<Def>>,
    /// Indices of generic parameters, by definition and name.
    generics: HashMap<(Def, Name), u32>,
    /// Instances by number of the file.
    instances: IndexVec<FileId, Vec<InstanceId>>,
    numbers: HashMap<&'a str, Name>,
    pub(super) texts: Vec<&'a str>,
    sigs: Vec<OnceLock<Arc<Sig>>>,
    /// The modules of each call that puts items into modules.
    pub(super) suites: BTreeMap<Def, Vec<Def>>,
    pub(super) twins: CfgDuplicates,
    pub(super) choices: Arc<Choices>,
    pub(super) exclusions: Exclusions,
    pub(super) joined: Joined,
    pub(super) impls: Impls,
    pub(super) other_names: OtherNames,
    pub(super) known: Known,
    /// Functions of impls and traits of the workspace, by name.
    pub(super) methods: HashMap<Name, Vec<Def>>,
    /// Fields of the workspace, by name.
    pub(super) fields: HashMap<Name, Vec<Def>>,
    /// Names of methods of the standard library.
    library_methods: HashSet<Name>,
    /// Names of the workspace's items.
    item_names: HashSet<Name>,
    /// Names of the workspace's methods whose receiver is neither `self` nor `&self`.
    wrapped_receivers: HashSet<Name>,
    scoped: ScopedTraits,
    /// Macros by example of the workspace, by name.
    macros: OnceLock<HashMap<Name, TextualMacros>>,
    /// Paths outside of the workspace by another that some scope imports under the same name.
    homonyms: HashMap<Vec<String>, Vec<Vec<String>>>,
}

/// Macros of one name, and their places in the order of the text once a call asks.
#[derive(Debug, Default)]
struct TextualMacros {
    all: Vec<Def>,
    definitions: OnceLock<Definitions>,
}

/// The workspace.
#[derive(Debug)]
struct CrateSet<'a> {
    input: Input<'a>,
    assembly: &'a CrateMaps,
    scopes: &'a Scopes<'a>,
    /// By file, as far as they were needed.
    sigs: IndexVec<FileId, OnceLock<FileSigs>>,
}

/// Signatures of one file's items.
#[derive(Debug, Default)]
pub(super) struct FileSigs {
    pub uses: Arc<FileUses>,
    /// By [`asof_model::Sym`] of the uses, whose own names are empty.
    pub names: Vec<Name>,
}

/// The data of a definition that is needed most often.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Info {
    pub name: Name,
    pub kind: NodeKind,
    /// Syntactic parent; its own number for crate roots.
    pub parent: Def,
}

/// Names and definitions with a meaning in the language.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub self_type: Name,
    pub output: Name,
    pub item: Name,
    pub target: Name,
    pub error: Name,
    pub into_iter: Name,
    pub into_future_type: Name,
    pub deref: Option<Def>,
    pub into_iterator: Option<Def>,
    pub future: Option<Def>,
    /// `Try`, of what `?` can be applied to.
    pub try_value: Option<Def>,
    pub into_future: Option<Def>,
    pub fns: Vec<Def>,
    /// Traits that functions and closures have.
    pub of_callables: Vec<Def>,
    /// `Sized`, `Send`, …: nearly every type has them, and no method depends on it.
    pub autos: Vec<Def>,
    pub partial_eq: Option<Def>,
    pub index: Option<Def>,
    pub slice_index: Option<Def>,
    /// Traits whose methods are called without being named, by the method.
    pub implicit: HashMap<Name, Def>,
    /// Names of some of these.
    pub names: ImplicitNames,
    pub option: Option<Def>,
    pub result: Option<Def>,
    pub vec: Option<Def>,
    pub string: Option<Def>,
    pub boxed: Option<Def>,
    pub range: Option<Def>,
    pub range_inclusive: Option<Def>,
    pub range_from: Option<Def>,
    pub range_to: Option<Def>,
    pub range_to_inclusive: Option<Def>,
    pub range_full: Option<Def>,
    /// All types of ranges.
    pub ranges: Vec<Def>,
    pub pin: Option<Def>,
    pub poll: Option<Def>,
    pub local_key: Option<Def>,
    pub prelude: Option<Def>,
    pub prims: HashMap<Name, &'static str>,
}

/// Names of methods that are called without being named.
#[derive(Debug, Default)]
pub(super) struct ImplicitNames {
    pub index: Name,
    pub index_mut: Name,
    pub deref: Name,
    pub deref_mut: Name,
    pub not: Name,
    pub neg: Name,
    pub poll: Name,
    pub into_iter: Name,
    pub next: Name,
    pub from: Name,
}

/// Meaning of a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Hit {
    Defs(Vec<(Def, u8)>),
    External(Arc<str>),
    Nothing,
}

impl<'a> ItemIndex<'a> {
    /// The item index of an assembled workspace.
    pub fn new(
        input: Input<'a>,
        assembly: &'a CrateMaps,
        scopes: &'a Scopes<'a>,
        dependencies: &'a Dependencies,
    ) -> Self {
        let _span = tracing::debug_span!("item_index").entered();
        let mut world = Self::empty(input, assembly, scopes, dependencies);
        world.number_definitions();
        world.name_children();
        world.read_signatures();
        world.place_generics();
        world.sigs.resize_with(world.infos.len(), OnceLock::new);
        world.known = world.known();
        world.scoped = ScopedTraits::new(&world);
        world.suites = world.suites();
        world.twins = CfgDuplicates::collect(&world);
        world.impls = Impls::collect(&world);
        world
    }

    fn empty(
        input: Input<'a>,
        assembly: &'a CrateMaps,
        scopes: &'a Scopes<'a>,
        dependencies: &'a Dependencies,
    ) -> Self {
        let first = Def::new(assembly.scope_count());
        let standard = standard();
        let crates = Crates::new(standard, dependencies);
        let mut world = ItemIndex {
            workspace: CrateSet { input, assembly, scopes, sigs: IndexVec::new() },
            crates,
            facades: OnceLock::new(),
            libraries: libraries::load(crates, first),
            first,
            dependencies_first: first + standard.len(),
            infos: Vec::new(),
            starts: Vec::new(),
            children: Vec::new(),
            by_name: Vec::new(),
            in_calls: HashMap::default(),
            traits_with: HashMap::default(),
            generics: HashMap::default(),
            instances: index_vec![Vec::new(); input.files.len()],
            numbers: HashMap::default(),
            texts: Vec::new(),
            sigs: Vec::new(),
            suites: BTreeMap::new(),
            twins: CfgDuplicates::default(),
            choices: Arc::default(),
            exclusions: Exclusions::new(&scopes.conditions),
            joined: Joined::new(&scopes.conditions),
            impls: Impls::default(),
            other_names: OtherNames::new(input.packages.as_raw_slice()),
            known: Known::default(),
            methods: HashMap::default(),
            fields: HashMap::default(),
            library_methods: HashSet::default(),
            item_names: HashSet::default(),
            wrapped_receivers: HashSet::default(),
            scoped: ScopedTraits::default(),
            macros: OnceLock::new(),
            homonyms: scopes.homonyms(),
        };
        for (number, instance) in input.instances.iter_enumerated() {
            if let Some(of_file) = world.instances.get_mut(instance.file) {
                of_file.push(number);
            }
        }
        world.workspace.sigs.resize_with(input.files.len(), OnceLock::new);
        world
    }

    /// Index of a generic parameter among those of its definition.
    pub(super) fn generic(&self, def: Def, name: Name) -> Option<u32> {
        if self.is_library(def) {
            let own = lower::generic_names(self, def);
            return own.iter().position(|own| *own == name).map(|at| at as u32);
        }
        self.generics.get(&(self.one_of(def), name)).copied()
    }

    /// Instances of a file: the modules that it is the body of.
    pub(super) fn instances_of(&self, file: FileId) -> &[InstanceId] {
        self.instances.get(file).map_or(&[], Vec::as_slice)
    }

    /// Number of a name, if some definition has it.
    pub(super) fn find_name(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    /// Whether an item of the workspace has this name.
    pub(super) fn names_item(&self, name: Name) -> bool {
        self.item_names.contains(&name)
    }

    /// Whether some method of this name is declared with `self: Arc<Self>` or the like.
    pub(super) fn has_wrapped_receiver(&self, name: Name) -> bool {
        self.wrapped_receivers.contains(&name)
    }

    pub(super) fn text(&self, name: Name) -> &'a str {
        self.texts.get(name.index()).copied().unwrap_or("")
    }

    /// Whether a definition is not of the workspace.
    pub(super) fn is_library(&self, def: Def) -> bool {
        self.one_of(def) >= self.first
    }

    /// Names that imports bring under conditions.
    pub(super) fn conditional(&self) -> &'a Conditional<'a> {
        &self.workspace.scopes.conditional
    }

    pub(super) fn conditions(&self) -> &'a Conditions {
        &self.workspace.scopes.conditions
    }

    pub(super) fn scopes(&self) -> &'a Scopes<'a> {
        self.workspace.scopes
    }

    /// Definitions and scopes of the workspace.
    pub(super) fn own_defs(&self) -> impl DoubleEndedIterator<Item = Def> + use<> {
        (0..self.first.index()).map(Def::new)
    }

    pub(super) fn input(&self) -> Input<'a> {
        self.workspace.input
    }

    pub(super) fn index(&self, instance: InstanceId) -> &'a [Def] {
        self.workspace.assembly.index.get(instance).map_or(&[], Vec::as_slice)
    }

    /// The node of a definition of the workspace.
    pub(super) fn node(&self, def: Def) -> Option<&'a Node> {
        self.workspace.assembly.node(self.one_of(def))
    }

    pub(super) fn info(&self, def: Def) -> Info {
        let none = Info { name: Name::NONE, kind: NodeKind::Unknown, parent: def };
        self.infos.get(self.one_of(def).index()).copied().unwrap_or(none)
    }

    /// Whether types of the standard library have a method of this name.
    pub(super) fn is_common(&self, name: Name) -> bool {
        self.library_methods.contains(&name)
    }

    /// Path of a definition of the library; items of an impl are named by its trait.
    pub(super) fn library_name(&self, def: Def) -> String {
        if let Some(owner) = self.owner(def)
            && self.kind(owner) == NodeKind::Impl
            && let Some(of) = self.sig(owner).of_trait.as_ref().and_then(|bound| bound.def())
        {
            return format!("{}::{}", self.path(of), self.text(self.name(def)));
        }
        self.path(def).into_owned()
    }

    pub(super) fn kind(&self, def: Def) -> NodeKind {
        self.info(def).kind
    }

    pub(super) fn name(&self, def: Def) -> Name {
        self.info(def).name
    }

    /// Syntactic parent; none for crate roots.
    pub(super) fn parent(&self, def: Def) -> Option<Def> {
        let parent = self.info(def).parent;
        (parent != def).then_some(parent)
    }

    pub(super) fn children(&self, def: Def) -> &[Def] {
        reads::read(def);
        let def = self.one_of(def);
        let start = self.starts.get(def.index()).copied().unwrap_or(0) as usize;
        let end = self.starts.get(def.index() + 1).copied().unwrap_or(0) as usize;
        self.children.get(start..end).unwrap_or_default()
    }

    /// Children, those in macro calls included.
    pub(super) fn members(&self, def: Def) -> Vec<Def> {
        let mut all = Vec::new();
        let mut open = vec![(def, 0)];
        while let Some((at, depth)) = open.pop() {
            for &child in self.children(at) {
                match self.kind(child) {
                    NodeKind::MacroCall if depth < 8 => open.push((child, depth + 1)),
                    _ => all.push(child),
                }
            }
        }
        all
    }

    /// A child by name, of one of these kinds.
    pub(super) fn child(&self, def: Def, name: Name, kinds: &[NodeKind]) -> Option<Def> {
        reads::read(def);
        let def = self.one_of(def);
        let start = self.starts.get(def.index()).copied().unwrap_or(0) as usize;
        let end = self.starts.get(def.index() + 1).copied().unwrap_or(0) as usize;
        let own = self.by_name.get(start..end).unwrap_or_default();
        let from = own.partition_point(|child| self.name(*child) < name);
        let named = own.iter().skip(from).take_while(|child| self.name(**child) == name);
        let in_calls = self.in_calls.get(&(def, name)).into_iter().flatten();
        named.chain(in_calls).copied().find(|child| kinds.contains(&self.kind(*child)))
    }

    /// Children of a name and a kind.
    pub(super) fn children_named(&self, def: Def, name: Name, kind: NodeKind) -> Vec<Def> {
        let Some(first) = self.child(def, name, &[kind]) else { return Vec::new() };
        let start = self.starts.get(def.index()).copied().unwrap_or(0) as usize;
        let end = self.starts.get(def.index() + 1).copied().unwrap_or(0) as usize;
        let own = self.by_name.get(start..end).unwrap_or_default();
        let from = own.partition_point(|child| self.name(*child) < name);
        let named = own.iter().skip(from).take_while(|child| self.name(**child) == name);
        let mut all: Vec<Def> = named.copied().filter(|child| self.kind(*child) == kind).collect();
        if all.is_empty() {
            all.push(first);
        }
        all
    }

    /// The nearest enclosing item that is neither a macro call nor an extern block.
    pub(super) fn owner(&self, def: Def) -> Option<Def> {
        let mut at = self.parent(def)?;
        while matches!(self.kind(at), NodeKind::MacroCall | NodeKind::ForeignMod) {
            at = self.parent(at)?;
        }
        Some(at)
    }

    /// Whether a call of a macro makes a definition.
    pub(super) fn is_made_by(&self, def: Def, call: Def) -> bool {
        if self.kind(call) != NodeKind::MacroCall {
            return false;
        }
        let mut at = Some(def);
        while let Some(one) = at {
            at = self.parent(one);
            if at == Some(call) {
                return true;
            }
        }
        false
    }

    /// Whether a static is declared in `thread_local!`: it is a `LocalKey` of its type.
    pub(super) fn is_thread_local(&self, def: Def) -> bool {
        let call = self.parent(def).filter(|call| self.kind(*call) == NodeKind::MacroCall);
        let name = call.and_then(|call| self.item_tree(call)).map(|item| item.name.as_str());
        name.is_some_and(|name| name.rsplit("::").next() == Some("thread_local"))
    }

    /// Canonical path.
    pub(super) fn path(&self, def: Def) -> Cow<'a, str> {
        match self.path_in_library(def) {
            Some(path) => Cow::Owned(path),
            None => Cow::Borrowed(self.node(def).map_or("", |node| &node.path)),
        }
    }

    /// The item of a definition of the workspace.
    pub(super) fn item_tree(&self, def: Def) -> Option<&'a TreeItem> {
        let node = self.node(def)?;
        self.workspace.input.item_tree(node.instance).get(node.item as usize)
    }

    /// Header of the declaration of a module in a file of its own.
    pub(super) fn declaration(&self, module: Def) -> Option<&'a Header> {
        let (instance, item) = self.node(module)?.declared_in?;
        let items = self.workspace.input.item_tree(instance);
        items.get(item as usize).map(|item_tree| &item_tree.header)
    }

    /// The file's signatures and the number of the definition in them.
    pub(super) fn raw_sig(&self, def: Def) -> Option<(&FileSigs, usize)> {
        reads::read(def);
        if self.is_library(def) {
            return Some((self.library_sig(def)?, 0));
        }
        let node = self.node(def)?;
        let file = self.workspace.input.instances.get(node.instance)?.file;
        let cell = self.workspace.sigs.get(file)?;
        Some((cell.get_or_init(|| self.signatures_of(file)), node.item as usize))
    }

    /// The signature of a definition.
    pub(super) fn sig(&self, def: Def) -> Arc<Sig> {
        reads::read(def);
        let def = self.one_of(def);
        let lower = || reads::share(|| Arc::new(lower::signature(self, def)));
        match self.sigs.get(def.index()) {
            Some(cell) => cell.get_or_init(lower).clone(),
            None => Arc::default(),
        }
    }
}
