//! Adds the items that macro calls of a crate expand to, beside the calls.

use std::collections::BTreeMap;

use super::prune::prune;
use crate::crate_maps::Input;
use crate::expand_items::grow;
use crate::expansion::Expanded;
use crate::ids::FileId;
use asof_model::{ItemTree, MadeItem, NodeKind, ShapeHash, StoredTree, TrackingHash, TreeItem};

/// Item trees with the items that calls make, of files where there are such; by the file's number.
pub(in super::super) fn grafted(input: Input<'_>) -> BTreeMap<FileId, StoredTree> {
    let grown = grow(input, None, &read).items.into_iter();
    let trees = grown.filter_map(|(file, made)| {
        let (_, written) = input.files.get(file)?;
        let mut tree = ItemTree { items: written.items.clone() };
        let count = tree.items.len();
        for MadeItem { item, .. } in made {
            let call = item.parent;
            let mut parent = call;
            // What is made is there once.
            if let Some(call) =
                tree.items.get_mut(call as usize).filter(|of| of.kind == NodeKind::MacroCall)
            {
                call.sig.clear();
                parent = call.parent;
            }
            tree.items.push(TreeItem { parent, ..item });
        }
        (tree.items.len() > count).then(|| (file, tree.into()))
    });
    trees.collect()
}

/// The items in what a call expands to that other crates can come upon.
fn read(text: &str, within: NodeKind) -> Vec<(Option<u32>, MadeItem)> {
    let Expanded { text, around, blocks } = Expanded::parse(text, within);
    let tree = |text: &str| prune(asof_syntax::parse_item_tree("", text.as_bytes()), false).items;
    let made = tree(&text).into_iter().skip(around as usize);
    let mut all: Vec<_> =
        made.map(|item| (item.parent.checked_sub(around), only_tree(item))).collect();
    for block in blocks {
        // Others see the impls in it, and what calls make.
        let first = all.len() as u32;
        for item in tree(&block).into_iter().skip(1) {
            let parent = item.parent.checked_sub(1).map(|parent| first + parent);
            all.push((parent, only_tree(item)));
        }
    }
    all
}

fn only_tree(item: TreeItem) -> MadeItem {
    MadeItem {
        item,
        signature: String::new(),
        docs: String::new(),
        attrs: Vec::new(),
        generics: Vec::new(),
        params: Vec::new(),
        tracking_hash: TrackingHash::hash(b""),
        shape_hash: ShapeHash::hash(b""),
    }
}
