//! An item tree that is read from its stored form when it is asked for.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::hash::RawHash;
use super::id::NodeId;
use super::item_tree::ItemTree;
use super::never;
use super::never::OrNever;
use super::uses::FileUses;

/// Reads an item tree when it is asked for first.
type Read = Box<dyn Fn() -> ItemTree + Send + Sync>;

/// An item tree that is read from its stored form when it is asked for first: a change in one file
/// concerns few of the others.
pub struct StoredTree {
    tree: OnceLock<ItemTree>,
    read: Option<Read>,
    ids: OnceLock<ItemIds>,
    signatures: OnceLock<Arc<FileUses>>,
    words: OnceLock<Box<[u32]>>,
    hash: OnceLock<RawHash>,
}

/// Ids of the items of a file that is the body of a module.
struct ItemIds {
    module: NodeId,
    ids: Box<[NodeId]>,
}

impl StoredTree {
    fn new(tree: OnceLock<ItemTree>) -> Self {
        StoredTree {
            tree,
            read: None,
            ids: OnceLock::new(),
            signatures: OnceLock::new(),
            words: OnceLock::new(),
            hash: OnceLock::new(),
        }
    }

    /// A tree that `read` gives.
    pub fn lazy(read: impl Fn() -> ItemTree + Send + Sync + 'static) -> Self {
        StoredTree { read: Some(Box::new(read)), ..StoredTree::new(OnceLock::new()) }
    }

    /// Ids of the items as the body of a module, which `find` gives: they are kept for the first
    /// module that is asked about, since most files are the body of one.
    pub fn ids(
        &self,
        module: NodeId,
        find: impl Fn(&ItemTree) -> Box<[NodeId]>,
    ) -> Cow<'_, [NodeId]> {
        let known = self.ids.get_or_init(|| ItemIds { module, ids: find(self) });
        if known.module == module {
            Cow::Borrowed(&known.ids)
        } else {
            Cow::Owned(find(self).into_vec())
        }
    }

    /// What the signatures of the items use, which `read` gives: it is kept.
    pub fn signatures(&self, read: impl FnOnce(&ItemTree) -> FileUses) -> &Arc<FileUses> {
        self.signatures.get_or_init(|| Arc::new(read(self)))
    }

    /// Sorted hashes of the words in the signatures of the items, which `find` gives: they are kept.
    pub fn words(&self, find: impl FnOnce(&ItemTree) -> Box<[u32]>) -> &[u32] {
        self.words.get_or_init(|| find(self))
    }

    /// Hash of its stored form, if that is known.
    pub fn hash(&self) -> Option<&RawHash> {
        self.hash.get()
    }

    /// Says what the hash of its stored form is.
    pub fn set_hash(&self, hash: RawHash) {
        let known = self.hash.get_or_init(|| hash);
        if *known != hash {
            never!("a tree has one stored form");
        }
    }

    /// Reads it now.
    pub fn read(&self) {
        let _: &ItemTree = self;
    }
}

impl From<ItemTree> for StoredTree {
    fn from(tree: ItemTree) -> Self {
        StoredTree::new(tree.into())
    }
}

impl Deref for StoredTree {
    type Target = ItemTree;

    fn deref(&self) -> &ItemTree {
        self.tree.get_or_init(|| {
            self.read.as_ref().map(|read| read()).or_never("a tree that is not read can be read")
        })
    }
}

impl Default for StoredTree {
    fn default() -> Self {
        ItemTree::default().into()
    }
}

impl PartialEq for StoredTree {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || **self == **other
    }
}

impl Eq for StoredTree {}

impl fmt::Debug for StoredTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn a_tree_is_read_once_and_only_if_it_is_asked_for() {
        let count = Arc::new(AtomicU32::new(0));
        let read = Arc::clone(&count);
        let tree = StoredTree::lazy(move || {
            read.fetch_add(1, Ordering::Relaxed);
            ItemTree::default()
        });
        assert_eq!(count.load(Ordering::Relaxed), 0);
        assert_eq!(tree.items.len() + tree.items.len(), 0);
        assert_eq!(count.load(Ordering::Relaxed), 1);
        assert_eq!(tree, StoredTree::default());
    }

    #[test]
    fn ids_are_kept_for_one_module() {
        let tree = StoredTree::default();
        let [one, other] = ["a", "b"].map(|name| NodeId::of_target(name, "lib", name));
        let child = |of: NodeId| move |_: &ItemTree| Box::from([of.child("x")]);
        for module in [one, other, one] {
            assert_eq!(*tree.ids(module, child(module)), [module.child("x")]);
        }
        let never = |_: &ItemTree| -> Box<[NodeId]> { unreachable!("they are kept") };
        assert_eq!(*tree.ids(one, never), [one.child("x")]);
    }
}
