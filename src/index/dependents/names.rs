//! The items of a state by the names that they are declared with.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::super::error::IndexError;
use super::super::reads::{FileReads, ItemKey};
use super::super::resolved_workspace::ResolvedWorkspace;
use super::implementations::ChangedImpl;
use super::scopes::{Place, Reach, Scopes};
use super::words::{words, words_of_rules};
use asof_model::{
    HashMap, HashSet, Header, ItemTree, NodeId, NodeKind, PathRef, TreeItem, UseLeaf,
};
use asof_resolve::{Dependencies, FileId, From, InstanceId, Reads, hash_name};
use index_vec::{IndexVec, index_vec};

/// An item: number of the file, and its own.
pub(super) type At = (usize, usize);

/// What differs for those who read it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Differs<'k> {
    Definition(NodeId),
    /// A name in some modules, by its keys.
    Name(&'k HashSet<u32>),
}

/// The items of a state by the names that they are declared with.
pub(super) struct Declared<'s> {
    pub side: &'s ResolvedWorkspace<'s>,
    outside: &'s Dependencies,
    /// Items by the words of their signatures, as far as they were asked for.
    by_word: RefCell<HashMap<String, Rc<[At]>>>,
    /// Names of imports by the segments of their paths.
    pub imported: HashMap<&'s str, Vec<(usize, &'s UseLeaf)>>,
    /// Names of macros by the names that their rules have, and by the macros that they call.
    pub macros: HashMap<&'s str, BTreeSet<&'s str>>,
    pub calling: HashMap<&'s str, BTreeSet<&'s str>>,
    scopes: [&'s Scopes<'s>; 2],
    /// What was read for the items of each file: as it is stored, and as far as it was asked for.
    stored_reads: &'s BTreeMap<String, Vec<u8>>,
    reads: RefCell<HashMap<usize, Option<Rc<FileReads>>>>,
    /// If that cannot be read.
    pub damage: Cell<Option<IndexError>>,
    pub traits: HashMap<&'s str, Vec<At>>,
    /// By number of the file.
    instances: IndexVec<FileId, Vec<InstanceId>>,
}

impl<'s> Declared<'s> {
    /// `scopes`: before and after.
    pub fn new<'a: 's>(
        side: &'s ResolvedWorkspace<'a>,
        outside: &'s Dependencies,
        scopes: [&'s Scopes<'s>; 2],
        stored_reads: &'s BTreeMap<String, Vec<u8>>,
    ) -> Self {
        let mut declared = Declared {
            side,
            outside,
            by_word: RefCell::default(),
            imported: HashMap::default(),
            macros: HashMap::default(),
            calling: HashMap::default(),
            scopes,
            stored_reads,
            reads: RefCell::default(),
            damage: Cell::new(None),
            traits: HashMap::default(),
            instances: index_vec![Vec::new(); side.files.len()],
        };
        for (number, instance) in side.tree.instances.iter_enumerated() {
            if let Some(of_file) = declared.instances.get_mut(instance.file) {
                of_file.push(number);
            }
        }
        for (file, (_, item_tree)) in side.files.iter().enumerate() {
            for (number, item) in item_tree.items.iter().enumerate() {
                declared.enter((file, number), item);
            }
        }
        declared
    }

    fn enter(&mut self, at: At, item: &'s TreeItem) {
        match item.kind {
            NodeKind::Macro => {
                for (word, is_call) in words_of_rules(&item.sig) {
                    self.macros.entry(word).or_default().insert(&item.name);
                    if is_call {
                        self.calling.entry(word).or_default().insert(&item.name);
                    }
                }
            }
            NodeKind::Trait | NodeKind::TraitAlias => {
                self.traits.entry(&item.name).or_default().push(at);
            }
            _ => {}
        }
        if let Header::Import { leaves } = &item.header {
            for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
                for segment in &leaf.path {
                    self.imported.entry(segment).or_default().push((at.0, leaf));
                }
            }
        }
    }

    /// Items with a word in their signatures.
    pub fn items_with(&self, word: &str) -> Rc<[At]> {
        if let Some(known) = self.by_word.borrow().get(word) {
            return Rc::clone(known);
        }
        let found: Rc<[At]> = self.find_items_with(word).into();
        self.by_word.borrow_mut().insert(word.to_owned(), Rc::clone(&found));
        found
    }

    fn find_items_with(&self, word: &str) -> Vec<At> {
        let hash = hash_name(word);
        let mut found = Vec::new();
        for (file, (_, item_tree)) in self.side.files.iter().enumerate() {
            if item_tree.words(hashes_of_words).binary_search(&hash).is_err() {
                continue;
            }
            let items = item_tree.items.iter().enumerate();
            let has_word = |(_, item): &(usize, &TreeItem)| {
                words_of_signature(item, &item_tree.items).any(|one| one == word)
            };
            found.extend(items.filter(has_word).map(|(number, _)| (file, number)));
        }
        found
    }

    pub fn item(&self, (file, number): At) -> Option<(&'s TreeItem, &'s [TreeItem])> {
        let (_, item_tree) = self.side.files.get(file)?;
        Some((item_tree.items.get(number)?, &item_tree.items))
    }

    /// The keys of the look-ups that a name in the scope of an item is for.
    pub fn keys_in_scope(&self, at: At, name: &str) -> HashSet<u32> {
        let [_, after] = self.scopes;
        let nodes = self.ids(at).into_iter().filter_map(|id| self.side.node(id)?.parent);
        let scopes = nodes.filter_map(|scope| self.side.assembly.nodes.get(scope));
        scopes.filter_map(|scope| after.keys(Place::In(scope.id), name)).flatten().collect()
    }

    /// Whether what differs was read for an item that has a word in its signature, as far as that is
    /// known.
    pub fn has_read(&self, (file, number): At, word: &str, differs: Differs<'_>) -> bool {
        let Some((path, item_tree)) = self.side.files.get(file) else { return false };
        let written = self.side.written(path);
        let parent = |at: usize| {
            let item = item_tree.items.get(at)?;
            let parent = item.parent as usize;
            (parent < at).then_some((item.kind, parent))
        };
        // Of fields and variants, the type has the text; of what a call makes, the call.
        let mut owner = number;
        let mut calls = 0;
        while let Some((kind, above)) = parent(owner)
            && (owner >= written || matches!(kind, NodeKind::Field | NodeKind::Variant))
        {
            owner = above;
            let is_call = |item: &TreeItem| item.kind == NodeKind::MacroCall;
            calls += usize::from(item_tree.items.get(owner).is_some_and(is_call));
        }
        let ids = self.ids((file, owner));
        let Some(reads) = self.file_reads(file, path) else { return true };
        if number >= written && calls != 1 {
            // A derive writes names of the type's own module, or paths of other crates.
            let modules = self.instances.get(file).into_iter().flatten();
            let node = |at: &InstanceId| self.side.assembly.node_of(*at, number as u32);
            let mut modules =
                modules.filter_map(node).filter_map(|n| self.side.assembly.nodes.get(n.module));
            return match differs {
                Differs::Definition(_) => true,
                Differs::Name(keys) => {
                    modules.any(|of| keys.contains(&Reads::name(of.id, word, From::Within)))
                }
            };
        }
        let is_unread = |id: &NodeId| number >= written && !reads.have_made(ItemKey::new(*id));
        let definition;
        let keys = match differs {
            Differs::Name(keys) => keys,
            Differs::Definition(id) => {
                definition = HashSet::from_iter([Reads::definition(id)]);
                &definition
            }
        };
        ids.iter().any(|id| is_unread(id) || reads.has_read(ItemKey::new(*id), keys))
    }

    fn file_reads(&self, file: usize, path: &str) -> Option<Rc<FileReads>> {
        let mut reads = self.reads.borrow_mut();
        let of_file = reads.entry(file).or_insert_with(|| {
            let read = FileReads::from_bytes(self.stored_reads.get(path)?);
            read.map_err(|damage| self.damage.set(Some(damage))).ok().map(Rc::new)
        });
        of_file.clone()
    }

    /// Whether an item can name what is looked up from there. What a macro makes may have names that
    /// its file does not mention, unless no other file sees them.
    pub fn can_name(&self, (file, number): At, reach: &Reach<'_>) -> bool {
        let Some((path, _)) = self.side.files.get(file) else { return false };
        if reach.is_private || reach.files.contains(path) {
            return reach.files.contains(path);
        }
        number >= self.side.written(path)
    }

    /// The signature of a struct or enum, by its id.
    pub fn signature(&self, id: NodeId) -> Option<&'s str> {
        let node = self.side.node(id)?;
        let item = self.side.items(node.instance).get(node.item as usize)?;
        matches!(item.kind, NodeKind::Struct | NodeKind::Enum).then_some(item.sig.as_str())
    }

    /// From where an item can be named, by its id.
    pub fn reaching(&self, id: NodeId) -> Option<Rc<Reach<'s>>> {
        let [before, after] = self.scopes;
        match self.side.node(id) {
            Some(_) => after.reaching(Place::Of(id)),
            None => before.reaching(Place::Of(id)),
        }
    }

    /// Ids of an item in each module that its file is the body of.
    pub fn ids(&self, (file, number): At) -> Vec<NodeId> {
        let instances = self.instances.get(file).into_iter().flatten();
        let nodes = instances.filter_map(|at| self.side.assembly.node_of(*at, number as u32));
        nodes.map(|node| node.id).collect()
    }

    /// The impls that an item is, in each module that its file is the body of, and those that it was: an
    /// alias in its header may stand for another type than it did.
    pub fn impls(&self, at: At) -> Vec<ChangedImpl> {
        let ids = self.ids(at).into_iter();
        let in_both = ids.flat_map(|id| self.scopes.iter().map(move |scopes| (scopes.side, id)));
        let nodes = in_both.filter_map(|(side, id)| Some((side, side.node(id)?)));
        let mut found: Vec<ChangedImpl> =
            nodes.map(|(side, node)| ChangedImpl::new(side, self.outside, node)).collect();
        found.dedup();
        found
    }

    /// A name with those of the macros that may expand to it, and the names that imports give to these.
    pub fn with_macros<'n>(&self, name: &'n str) -> Vec<&'n str>
    where
        's: 'n,
    {
        let mut all = vec![name];
        let mut at = 0;
        while let Some(name) = all.get(at).copied() {
            at += 1;
            let table = if at == 1 { &self.macros } else { &self.calling };
            let imported = self.imported.get(name).into_iter().flatten().filter(|_| at > 1);
            let aliases = imported.filter(|(_, leaf)| leaf.path.last().is_some_and(|n| n == name));
            let aliases = aliases.map(|(_, leaf)| leaf.name.as_str());
            for one in table.get(name).into_iter().flatten().copied().chain(aliases) {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
        all
    }
}

/// The words of an item's signature, and of the names that it depends on besides.
fn words_of_signature<'s>(
    item: &'s TreeItem,
    items: &'s [TreeItem],
) -> impl Iterator<Item = &'s str> {
    // What a call makes is among the items.
    let is_other = matches!(item.kind, NodeKind::Macro | NodeKind::MacroCall | NodeKind::Import);
    let (krate, ends): (Option<&str>, [Option<&PathRef>; 2]) = match &item.header {
        Header::ExternCrate { of, .. } => (of.as_deref(), [None, None]),
        Header::Impl { self_type, of_trait, .. } => (None, [Some(self_type), of_trait.as_ref()]),
        _ => (None, [None, None]),
    };
    let owner = items.get(item.parent as usize).filter(|_| item.kind == NodeKind::Variant);
    let ends = ends.into_iter().flatten().flat_map(|end| words(&end.text));
    let all = words(&item.sig).chain(krate).chain(ends).chain(owner.map(|owner| &*owner.name));
    all.filter(move |_| !is_other)
}

fn hashes_of_words(tree: &ItemTree) -> Box<[u32]> {
    let words = tree.items.iter().flat_map(|item| words_of_signature(item, &tree.items));
    let mut hashes: Vec<u32> = words.map(hash_name).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.into()
}
