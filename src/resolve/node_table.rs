//! Nodes by the file that they are in. As the body of a module, a file has a block of numbers of its
//! own: the module, its items in the order of the text, then the blocks that declare items. A module
//! with a file of its own has its number there, not where it is declared.
//!
//! ```text
//! lib.rs    0 crate, 1 fn f, 2 struct S          `mod m;` is 16
//! m.rs     16 m, 17 fn g
//! ```
//!
//! A block has room for more, so that an item which comes shifts only those behind it in its own file.
//! States share the nodes of a file whose numbers are the same in both. A trap: the order of numbers is
//! that of the modules and of the text whatever came first, since results depend on it.

use std::iter::zip;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::cached::Cached;
use super::ids::{ConditionId, Def, InstanceId};
use super::numbers::{Numbers, Renumber};
use super::pages::{PAGE, Pages};
use super::shared_files::{Shared, SharedFiles};
use super::textual_macros::Place;
use super::wrappers::MacroPredicate;
use asof_model::{HashMap, NodeId, NodeKind, never};

/// A definition, identified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    pub id: NodeId,
    pub kind: NodeKind,
    pub name: String,
    /// Index of the syntactic parent in [`CrateMaps::nodes`](crate::CrateMaps::nodes); none for crate roots.
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
    /// Number of its presence condition: [`CrateMaps::condition`](crate::CrateMaps::condition).
    pub condition: ConditionId,
}

/// A block that declares items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BlockScope {
    /// Node of the item whose body it is in.
    pub item: Def,
    /// The scope around it: a block, or the item.
    pub outer: Def,
}

/// The nodes of a file as the body of a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileNodes {
    /// Number of the first one.
    pub first: Def,
    pub nodes: Vec<Node>,
    /// The node of each item; of item 0, the module.
    pub index: Vec<Def>,
    /// Modules that are declared here and have a file of their own, as far as the declaration says: by
    /// item.
    pub declarations: Vec<(u32, Node)>,
    /// As scopes, they are numbered after the nodes.
    pub blocks: Vec<BlockScope>,
    /// The scope of the block that declares an item, by node.
    pub block_of: HashMap<Def, Def>,
    /// What the macros of the file say about conditions of items.
    pub macros: Vec<MacroPredicate>,
    /// What the item index has of the file.
    #[serde(skip)]
    pub items: Cached,
}

impl FileNodes {
    pub fn new(first: Def) -> Self {
        FileNodes {
            first,
            nodes: Vec::new(),
            index: Vec::new(),
            declarations: Vec::new(),
            blocks: Vec::new(),
            block_of: HashMap::default(),
            macros: Vec::new(),
            items: Cached::default(),
        }
    }

    /// How many numbers it has.
    pub fn len(&self) -> usize {
        self.nodes.len() + self.blocks.len()
    }

    /// Whether it is the same with other numbers.
    pub fn keeps(&self, numbers: &Numbers) -> bool {
        let declarations = self.declarations.iter().map(|(_, node)| node);
        let keeps = |node: &Node| {
            let declared_in = node.declared_in.is_none_or(|(by, _)| numbers.keeps(by));
            let parent = node.parent.is_none_or(|parent| numbers.keeps_def(parent));
            declared_in && parent && numbers.keeps(node.instance) && numbers.keeps_def(node.module)
        };
        self.nodes.iter().chain(declarations).all(keeps)
            && self.index.iter().all(|def| numbers.keeps_def(*def))
    }

    pub fn numbers(&self) -> impl Iterator<Item = Def> + use<> {
        (self.first.index()..).map(Def::new)
    }

    fn place(&self, def: Def) -> usize {
        def.index().wrapping_sub(self.first.index())
    }
}

/// Numbers by id, in parts of which states share those that are the same.
#[derive(Debug, Clone)]
struct Ids(Vec<Arc<HashMap<NodeId, Def>>>);

/// Parts of the ids.
const PARTS: usize = 256;

impl Default for Ids {
    fn default() -> Self {
        Ids(vec![Arc::default(); PARTS])
    }
}

impl Ids {
    fn part(id: NodeId) -> usize {
        usize::from(id.0.as_bytes()[0])
    }

    fn get(&self, id: NodeId) -> Option<Def> {
        self.0.get(Self::part(id))?.get(&id).copied()
    }

    fn add(&mut self, file: &FileNodes) {
        for (def, node) in zip(file.numbers(), &file.nodes) {
            if let Some(part) = self.0.get_mut(Self::part(node.id)) {
                Arc::make_mut(part).insert(node.id, def);
            }
        }
    }

    fn remove(&mut self, file: &FileNodes) {
        for (def, node) in zip(file.numbers(), &file.nodes) {
            if let Some(part) = self.0.get_mut(Self::part(node.id))
                && part.get(&node.id) == Some(&def)
            {
                Arc::make_mut(part).remove(&node.id);
            }
        }
    }
}

/// The nodes of all files.
#[derive(Debug, Clone, Default)]
pub struct NodeTable {
    files: SharedFiles<FileNodes>,
    pub(super) pages: Pages,
    /// Numbers by id, once one is asked for.
    ids: OnceLock<Ids>,
}

impl NodeTable {
    /// Adds the nodes of the next file. `end`: where the numbers of the file behind it begin.
    pub(super) fn push(&mut self, file: Arc<Shared<FileNodes>>, end: Def) {
        if file.first.index() + file.len() > end.index() {
            never!("a file has no more numbers than its block");
        }
        let number = self.files.push(file);
        self.pages.fill(end, number);
    }

    /// Where the block ends of a file with so many numbers that begins here. `room`: how many numbers there
    /// were for it.
    pub(super) fn next_block(first: Def, count: usize, room: Option<usize>) -> Def {
        let new = || (count + count / 8 + 1).next_multiple_of(PAGE);
        let room = room.filter(|room| count <= *room).unwrap_or_else(new);
        Def::new(first.index() + room)
    }

    /// All numbers are less.
    pub fn end(&self) -> Def {
        self.pages.end()
    }

    /// Where the numbers of the file behind an instance begin.
    pub(super) fn end_of(&self, instance: InstanceId) -> Def {
        let next = self.files.get(InstanceId::new(instance.index() + 1));
        next.map_or(self.end(), |next| next.first)
    }

    /// How many numbers there are for a file.
    pub(super) fn room(&self, instance: InstanceId) -> Option<usize> {
        let first = self.files.get(instance)?.first;
        Some(self.end_of(instance).index() - first.index())
    }

    pub(super) fn file(&self, instance: InstanceId) -> Option<&Arc<Shared<FileNodes>>> {
        self.files.get(instance)
    }

    /// The instance in whose file a node or scope is.
    pub(super) fn instance(&self, def: Def) -> Option<InstanceId> {
        self.pages.instance(def)
    }

    /// The number in the file of `instance` that has the place which a number of another table has in a
    /// file there.
    pub(super) fn moved(
        &self,
        def: Def,
        (table, file): (&NodeTable, InstanceId),
        instance: InstanceId,
    ) -> Option<Def> {
        let place = table.files.get(file)?.place(def);
        Some(Def::new(self.files.get(instance)?.first.index() + place))
    }

    fn file_of(&self, def: Def) -> Option<&FileNodes> {
        self.files.get(self.instance(def)?).map(|file| &***file)
    }

    pub fn get(&self, def: Def) -> Option<&Node> {
        let file = self.file_of(def)?;
        file.nodes.get(file.place(def))
    }

    /// For writing. Other states keep what they have.
    pub(super) fn get_mut(&mut self, def: Def) -> Option<&mut Node> {
        let instance = self.instance(def)?;
        let file = self.files.get_mut(instance)?;
        let place = file.place(def);
        file.nodes.get_mut(place)
    }

    /// A node; of the scope of a block, that of the item whose body it is in.
    pub(super) fn of_scope(&self, scope: Def) -> Option<&Node> {
        let file = self.file_of(scope)?;
        let place = file.place(scope);
        match place.checked_sub(file.nodes.len()) {
            None => file.nodes.get(place),
            Some(block) => self.get(file.blocks.get(block)?.item),
        }
    }

    /// Whether a scope is that of a block.
    pub(super) fn is_block(&self, scope: Def) -> bool {
        self.file_of(scope).is_some_and(|file| file.place(scope) >= file.nodes.len())
    }

    /// The scope of the block that declares an item.
    pub(super) fn block_of(&self, def: Def) -> Option<Def> {
        self.file_of(def)?.block_of.get(&def).copied()
    }

    /// The blocks of a file that declare items, with their numbers as scopes.
    pub(super) fn blocks_in(&self, number: InstanceId) -> impl Iterator<Item = (Def, BlockScope)> {
        self.files.get(number).into_iter().flat_map(|file| {
            let numbers = file.numbers().skip(file.nodes.len());
            zip(numbers, file.blocks.iter().copied())
        })
    }

    /// For each item of the file of an instance, its node. That of item 0 is the module.
    pub fn item_nodes(&self, instance: InstanceId) -> &[Def] {
        self.files.get(instance).map_or(&[], |file| file.index.as_slice())
    }

    pub fn iter(&self) -> impl Iterator<Item = &Node> {
        self.files.iter().flat_map(|file| &file.nodes)
    }

    pub fn iter_enumerated(&self) -> impl Iterator<Item = (Def, &Node)> {
        self.files.iter().flat_map(|file| zip(file.numbers(), &file.nodes))
    }

    /// The nodes of files which another table does not share, and of those there that this one does not.
    pub fn differences<'t>(&'t self, other: &'t Self) -> [Vec<&'t Node>; 2] {
        let sides = [(&self.files, &other.files), (&other.files, &self.files)];
        sides.map(|(own, other)| own.not_in(other).flat_map(|file| &file.nodes).collect())
    }

    /// The number of an id.
    pub fn def(&self, id: NodeId) -> Option<Def> {
        self.ids().get(id)
    }

    fn ids(&self) -> &Ids {
        self.ids.get_or_init(|| {
            let mut ids = Ids::default();
            self.files.iter().for_each(|file| ids.add(file));
            ids
        })
    }

    /// Takes the numbers by id from an earlier table of which most is shared.
    pub(super) fn take_ids(&mut self, before: &NodeTable) {
        let mut ids = before.ids().clone();
        before.files.not_in(&self.files).for_each(|file| ids.remove(file));
        self.files.not_in(&before.files).for_each(|file| ids.add(file));
        self.ids = ids.into();
    }

    /// Whether the nodes of an instance are those of one in another table, which shares them.
    pub fn shares(&self, other: &Self, own: InstanceId, others: InstanceId) -> bool {
        self.files.shares(own, &other.files, others)
    }

    /// How many files it has.
    pub(super) fn instances(&self) -> usize {
        self.files.len()
    }

    /// Whether walks upward end, and numbers are in their blocks.
    pub(super) fn is_sound(&self) -> bool {
        let mut end = 0;
        let mut files = self.files.iter().enumerate();
        let are_apart = files.all(|(number, file)| {
            let own_end = self.end_of(InstanceId::new(number)).index();
            let is_apart = file.first.index() == end && end + file.len() <= own_end;
            end = own_end;
            is_apart
        });
        let above = |(at, node): (Def, &Node)| {
            node.module <= at && node.parent.is_none_or(|parent| parent < at)
        };
        are_apart && self.iter_enumerated().all(above)
    }
}

impl<'t> IntoIterator for &'t NodeTable {
    type Item = &'t Node;
    type IntoIter = Box<dyn Iterator<Item = &'t Node> + 't>;
    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

impl Serialize for NodeTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.end().raw(), &self.files).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NodeTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (end, files): (u32, SharedFiles<FileNodes>) = Deserialize::deserialize(deserializer)?;
        let mut table = NodeTable { files, ..NodeTable::default() };
        let firsts = table.files.iter().skip(1).map(|file| file.first);
        let ends: Vec<Def> = firsts.chain([Def::from_raw(end)]).collect();
        for (number, end) in ends.into_iter().enumerate().take(table.files.len()) {
            if end.index() % PAGE != 0 || end < table.end() || end > Def::FIRST_OUTSIDE {
                return Err(serde::de::Error::custom("a block of numbers ends before it begins"));
            }
            table.pages.fill(end, InstanceId::new(number));
        }
        Ok(table)
    }
}

impl Renumber for Node {
    fn renumber(&self, numbers: &Numbers) -> Self {
        Node {
            parent: self.parent.renumber(numbers),
            module: numbers.def(self.module),
            instance: numbers.instance(self.instance),
            declared_in: self.declared_in.map(|place| numbers.place(place)),
            ..self.clone()
        }
    }
}

impl Renumber for FileNodes {
    fn renumber(&self, numbers: &Numbers) -> Self {
        let declarations = self.declarations.iter();
        let block = |block: &BlockScope| BlockScope {
            item: numbers.def(block.item),
            outer: numbers.def(block.outer),
        };
        let block_of = self.block_of.iter();
        FileNodes {
            first: numbers.def(self.first),
            nodes: self.nodes.renumber(numbers),
            index: self.index.renumber(numbers),
            declarations: declarations.map(|(at, node)| (*at, node.renumber(numbers))).collect(),
            blocks: self.blocks.iter().map(block).collect(),
            block_of: block_of.map(|(def, of)| (numbers.def(*def), numbers.def(*of))).collect(),
            macros: self.macros.clone(),
            items: self.items.renumber(numbers),
        }
    }
}
