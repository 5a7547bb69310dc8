//! The index of all possible targets of references: definitions of the workspace and of other
//! crates with common numbers, and their children, signatures and impls.

mod definition_table;
mod file_items;
mod file_sigs;
mod known;
mod libraries;
mod library_index;
mod name_table;
mod named_defs;
mod names;
mod numbering;
mod places;
mod serialize;
mod traits_in_scope;
mod visible;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::super::bindings::{Found, OutsidePath};
use super::super::conditional::Conditional;
use super::super::conditions::Conditions;
use super::super::crate_maps::{CrateMaps, Input};
use super::super::node_table::Node;
use super::super::scope::Scopes;
use super::cfg_duplicates::CfgDuplicates;
use super::choices::Choices;
use super::condition_table::Joined;
use super::exclusions::Exclusions;
use super::impl_tables::Impls;
use super::library::crates::Crates;
use super::lower;
use super::other_names::OtherNames;
use super::reads;
use super::types::{Def, Name, Sig};
use crate::ids::{FileId, InstanceId};
use crate::shared_files::SharedFiles;
use crate::textual_macros::Definitions;
use asof_model::{HashMap, Header, NodeKind, TreeItem};
use definition_table::DefinitionTable;
pub(super) use definition_table::Info;
use file_items::FileItems;
pub(super) use file_items::TypeItem;
use file_sigs::FileSigs;
use index_vec::{IndexVec, index_vec};
use known::Known;
pub(super) use libraries::Loaded;
pub use library_index::Libraries;
use library_index::LibraryIndex;
use name_table::NameLayers;
use named_defs::{NameSet, NamedDefs};
pub(super) use numbering::PRIMITIVES;
use traits_in_scope::ScopedTraits;

/// Everything that is needed to resolve uses. Build it once for a workspace, then call
/// [`ItemIndex::references`] for any of its files. It depends on item trees and packages only.
#[derive(Debug)]
pub struct ItemIndex<'a> {
    workspace: CrateSet<'a>,
    crates: Crates<'a>,
    library: &'a LibraryIndex,
    pub(super) other_names: &'a OtherNames,
    pub(super) known: &'a Known,
    /// Definitions and scopes of the workspace.
    own: DefinitionTable,
    /// What each file has.
    files: SharedFiles<FileItems>,
    /// Instances by number of the file.
    instances: IndexVec<FileId, Vec<InstanceId>>,
    names: NameLayers,
    /// Of definitions of the workspace.
    sigs: Vec<OnceLock<Arc<Sig>>>,
    /// The modules of each call that puts items into modules.
    pub(super) suites: BTreeMap<Def, Vec<Def>>,
    pub(super) twins: CfgDuplicates,
    pub(super) choices: Arc<Choices>,
    pub(super) exclusions: Exclusions,
    pub(super) joined: Joined,
    pub(super) impls: Impls,
    /// Functions of impls and traits of the workspace, by name.
    pub(super) methods: NamedDefs,
    /// Fields of the workspace, by name.
    pub(super) fields: NamedDefs,
    /// Names of the workspace's items.
    item_names: NameSet,
    /// Names of the workspace's methods whose receiver is neither `self` nor `&self`.
    wrapped_receivers: NameSet,
    scoped: ScopedTraits,
    /// Macros by example of the workspace, by name.
    macros: OnceLock<HashMap<Name, TextualMacros>>,
    /// Paths outside of the workspace by another that some scope imports under the same name.
    homonyms: HashMap<OutsidePath, Vec<OutsidePath>>,
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
}

/// Meaning of a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Hit {
    Defs(Found),
    External(Arc<str>),
    Nothing,
}

impl<'a> ItemIndex<'a> {
    /// The item index of an assembled workspace.
    pub fn new(
        input: Input<'a>,
        assembly: &'a CrateMaps,
        scopes: &'a Scopes<'a>,
        libraries: &'a Libraries,
    ) -> Self {
        let _span = tracing::debug_span!("item_index").entered();
        let mut world = Self::empty(input, assembly, scopes, libraries);
        let (files, names) = libraries.items(input, assembly);
        world.take(files, names);
        world.scoped = ScopedTraits::new(&world);
        world.twins = CfgDuplicates::collect(&world);
        world.impls = Impls::collect(&world);
        world
    }

    fn empty(
        input: Input<'a>,
        assembly: &'a CrateMaps,
        scopes: &'a Scopes<'a>,
        libraries: &'a Libraries,
    ) -> Self {
        let library = libraries.index();
        let mut world = ItemIndex {
            workspace: CrateSet { input, assembly, scopes },
            crates: libraries.crates(),
            library,
            other_names: &libraries.other_names,
            known: &library.known,
            own: DefinitionTable::new(Def::new(0), Vec::new()),
            files: SharedFiles::default(),
            instances: index_vec![Vec::new(); input.files.len()],
            names: NameLayers::default(),
            sigs: Vec::new(),
            suites: BTreeMap::new(),
            twins: CfgDuplicates::default(),
            choices: Arc::default(),
            exclusions: Exclusions::new(&scopes.conditions),
            joined: Joined::new(&scopes.conditions),
            impls: Impls::default(),
            methods: NamedDefs::default(),
            fields: NamedDefs::default(),
            item_names: NameSet::default(),
            wrapped_receivers: NameSet::default(),
            scoped: ScopedTraits::default(),
            macros: OnceLock::new(),
            homonyms: scopes.homonyms(),
        };
        for (number, instance) in input.instances.iter_enumerated() {
            if let Some(of_file) = world.instances.get_mut(instance.file) {
                of_file.push(number);
            }
        }
        world
    }

    /// Index of a generic parameter among those of its definition.
    pub(super) fn generic(&self, def: Def, name: Name) -> Option<u32> {
        if self.is_library(def) {
            let own = lower::generic_names(self, def);
            return own.iter().position(|own| *own == name).map(|at| at as u32);
        }
        let def = self.one_of(def);
        self.file(def)?.generics.get(&(def, name)).copied()
    }

    /// Instances of a file: the modules that it is the body of.
    pub(super) fn instances_of(&self, file: FileId) -> &[InstanceId] {
        self.instances.get(file).map_or(&[], Vec::as_slice)
    }

    /// Number of a name, if some definition has it.
    pub(super) fn find_name(&self, text: &str) -> Option<Name> {
        self.library.names().find(text).or_else(|| self.names.find(text))
    }

    /// Whether an item of the workspace has this name.
    pub(super) fn names_item(&self, name: Name) -> bool {
        self.item_names.contains(name)
    }

    /// Whether some method of this name is declared with `self: Arc<Self>` or the like.
    pub(super) fn has_wrapped_receiver(&self, name: Name) -> bool {
        self.wrapped_receivers.contains(name)
    }

    pub(super) fn text(&self, name: Name) -> &str {
        self.library.names().text(name).or_else(|| self.names.text(name)).unwrap_or("")
    }

    /// Whether a definition is not of the workspace.
    pub(super) fn is_library(&self, def: Def) -> bool {
        self.one_of(def) >= Def::FIRST_OUTSIDE
    }

    /// Names that imports bring under conditions.
    pub(super) fn conditional(&self) -> &'a Conditional {
        &self.workspace.scopes.conditional
    }

    pub(super) fn conditions(&self) -> &'a Conditions {
        &self.workspace.scopes.conditions
    }

    pub(super) fn scopes(&self) -> &'a Scopes<'a> {
        self.workspace.scopes
    }

    pub(super) fn input(&self) -> Input<'a> {
        self.workspace.input
    }

    pub(super) fn index(&self, instance: InstanceId) -> &'a [Def] {
        self.workspace.assembly.nodes.item_nodes(instance)
    }

    /// The node of a definition of the workspace.
    pub(super) fn node(&self, def: Def) -> Option<&'a Node> {
        self.workspace.assembly.node(self.one_of(def))
    }

    /// What the file of a definition of the workspace has.
    fn file(&self, def: Def) -> Option<&FileItems> {
        let instance = self.workspace.assembly.nodes.instance(def)?;
        self.files.get(instance).map(|file| &***file)
    }

    /// Definitions of the workspace.
    #[cfg(test)]
    pub(super) fn own_defs(&self) -> impl Iterator<Item = Def> {
        self.workspace.assembly.nodes.iter_enumerated().map(|(def, _)| def)
    }

    /// Structs, enums and unions of the workspace.
    pub(super) fn own_types(&self) -> impl Iterator<Item = TypeItem> {
        self.files.iter().flat_map(|file| file.types.iter().copied())
    }

    /// Impls of the workspace.
    pub(super) fn own_impls(&self) -> impl Iterator<Item = Def> {
        self.files.iter().flat_map(|file| file.impls.iter().copied())
    }

    /// Macros by example of the workspace.
    pub(super) fn own_macros(&self) -> impl Iterator<Item = Def> {
        self.files.iter().flat_map(|file| file.macros.iter().copied())
    }

    /// Crates that the workspace declares with `#[macro_use]`.
    pub(super) fn macro_crates(&self) -> impl Iterator<Item = Def> {
        self.files.iter().flat_map(|file| file.macro_crates.iter().copied())
    }

    /// Those among which a definition is.
    fn definitions(&self, def: Def) -> &DefinitionTable {
        if def < Def::FIRST_OUTSIDE { &self.own } else { &self.library.definitions }
    }

    pub(super) fn info(&self, def: Def) -> Info {
        let none = Info { name: Name::NONE, kind: NodeKind::Unknown, parent: def };
        let def = self.one_of(def);
        self.definitions(def).info(def).unwrap_or(none)
    }

    /// Whether types of the standard library have a method of this name.
    pub(super) fn is_common(&self, name: Name) -> bool {
        self.library.methods.contains(&name)
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
        self.definitions(def).children(def)
    }

    /// Children, those in macro calls included.
    pub(super) fn members(&self, def: Def) -> Vec<Def> {
        reads::read(def);
        let def = self.one_of(def);
        self.definitions(def).members(def, reads::read)
    }

    /// A child by name, of one of these kinds.
    pub(super) fn child(&self, def: Def, name: Name, kinds: &[NodeKind]) -> Option<Def> {
        reads::read(def);
        let def = self.one_of(def);
        let mut named = self.definitions(def).named(def, name);
        named.find(|child| kinds.contains(&self.kind(*child)))
    }

    /// Children of a name and a kind.
    pub(super) fn children_named(&self, def: Def, name: Name, kind: NodeKind) -> Vec<Def> {
        let Some(first) = self.child(def, name, &[kind]) else { return Vec::new() };
        let def = self.one_of(def);
        let named = self.definitions(def).children_named(def, name);
        let mut all: Vec<Def> = named.filter(|child| self.kind(*child) == kind).collect();
        if all.is_empty() {
            all.push(first);
        }
        all
    }

    /// Those of these traits that have a member of this name; sorted, as the traits are.
    pub(super) fn traits_with<'w>(
        &'w self,
        name: Name,
        among: &'w [Def],
    ) -> impl Iterator<Item = Def> + use<'w> {
        let both = [&self.own, &self.library.definitions];
        both.into_iter().flat_map(move |definitions| common(definitions.traits_with(name), among))
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
        let cell = &self.files.get(node.instance)?.sigs;
        Some((cell.get_or_init(|| self.signatures_of(node.instance)), node.item as usize))
    }

    /// The signature of a definition.
    pub(super) fn sig(&self, def: Def) -> Arc<Sig> {
        reads::read(def);
        let def = self.one_of(def);
        let lower = || reads::share(|| Arc::new(lower::signature(self, def)));
        let own = || self.sigs.get(def.index());
        let cell = if def < Def::FIRST_OUTSIDE { own() } else { self.library.sig(def) };
        match cell {
            Some(cell) => cell.get_or_init(lower).clone(),
            None => Arc::default(),
        }
    }
}

/// Definitions that two sorted lists have in common.
fn common<'d>(some: &'d [Def], others: &'d [Def]) -> impl Iterator<Item = Def> + 'd {
    let (short, long) = if some.len() < others.len() { (some, others) } else { (others, some) };
    short.iter().copied().filter(|def| long.binary_search(def).is_ok())
}
