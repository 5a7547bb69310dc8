//! Scopes of blocks: each block that declares items or imports has one of its own (Rust reference,
//! "Item declarations" in "Statements"), within that of the block around it.

use std::collections::{BTreeMap, BTreeSet};

use super::crate_maps::Input;
use super::ids::{Def, InstanceId};
use super::node_table::{BlockScope, FileNodes};
use asof_model::TreeItem;

/// How many numbers the file of an instance may have, whichever modules have a file of their own. `known`:
/// what an earlier state has of the same items.
pub(super) fn most_numbers(
    input: &Input<'_>,
    number: InstanceId,
    known: Option<&FileNodes>,
) -> usize {
    if let Some(file) = known.filter(|file| !file.index.is_empty()) {
        return file.index.len() + file.blocks.len();
    }
    let items = input.item_tree(number);
    let blocks = items.iter().filter_map(|item| Some((item.parent, item.block?.number)));
    items.len() + blocks.collect::<BTreeSet<_>>().len()
}

/// Adds the blocks of all bodies of a file, after its nodes have their numbers.
pub(super) fn collect(items: &[TreeItem], file: &mut FileNodes) {
    // By the item whose body they are in, and by number: one around another comes before it.
    let mut blocks: BTreeMap<(u32, u32), Option<u32>> = BTreeMap::new();
    for item in items {
        if let Some(block) = item.block {
            blocks.insert((item.parent, block.number), block.outer);
        }
    }
    let mut scopes: BTreeMap<(u32, u32), Def> = BTreeMap::new();
    for ((parent, number), outer) in blocks {
        let Some(&item) = file.index.get(parent as usize) else { continue };
        let outer = outer.and_then(|outer| scopes.get(&(parent, outer)).copied());
        scopes.insert((parent, number), Def::new(file.first.index() + file.len()));
        file.blocks.push(BlockScope { item, outer: outer.unwrap_or(item) });
    }
    for (item, node) in items.iter().zip(&file.index) {
        let scope = item.block.and_then(|block| scopes.get(&(item.parent, block.number)));
        if let Some(&scope) = scope {
            file.block_of.insert(*node, scope);
        }
    }
}
