//! An item tree that is read from its stored form when it is asked for.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use super::item_tree::ItemTree;
use super::never::OrNever;

/// Reads an item tree when it is asked for first.
type Read = Box<dyn Fn() -> ItemTree + Send + Sync>;

/// An item tree that is read from its stored form when it is asked for first: a change in one file
/// concerns few of the others.
pub struct StoredTree {
    tree: OnceLock<ItemTree>,
    read: Option<Read>,
}

impl StoredTree {
    /// A tree that `read` gives.
    pub fn lazy(read: impl Fn() -> ItemTree + Send + Sync + 'static) -> Self {
        StoredTree { tree: OnceLock::new(), read: Some(Box::new(read)) }
    }

    /// Reads it now.
    pub fn read(&self) {
        let _: &ItemTree = self;
    }
}

impl From<ItemTree> for StoredTree {
    fn from(tree: ItemTree) -> Self {
        StoredTree { tree: tree.into(), read: None }
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
    use std::sync::Arc;
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
}
