//! Scopes of blocks: each block that declares items or imports has one of its own (Rust reference,
//! "Item declarations" in "Statements"), within that of the block around it.

use std::collections::BTreeMap;

use super::crate_maps::{BlockScope, CrateMaps, Input};
use super::ids::Def;

/// Adds the blocks of all bodies, after all nodes have their numbers.
pub(super) fn collect(input: &Input<'_>, assembly: &mut CrateMaps) {
    let first = assembly.nodes.len();
    let index = std::mem::take(&mut assembly.index);
    for (instance, index) in index.iter_enumerated() {
        let items = input.item_tree(instance);
        // By the item whose body they are in, and by number: one around another comes before it.
        let mut blocks: BTreeMap<(u32, u32), Option<u32>> = BTreeMap::new();
        for item in items {
            if let Some(block) = item.block {
                blocks.insert((item.parent, block.number), block.outer);
            }
        }
        if blocks.is_empty() {
            continue;
        }
        let mut scopes: BTreeMap<(u32, u32), Def> = BTreeMap::new();
        for ((parent, number), outer) in blocks {
            let Some(&item) = index.get(parent as usize) else { continue };
            let outer = outer.and_then(|outer| scopes.get(&(parent, outer)).copied());
            scopes.insert((parent, number), Def::new(first + assembly.blocks.len()));
            assembly.blocks.push(BlockScope { item, outer: outer.unwrap_or(item) });
        }
        for (item, node) in items.iter().zip(index) {
            let scope = item.block.and_then(|block| scopes.get(&(item.parent, block.number)));
            if let Some(&scope) = scope {
                assembly.block_of.insert(*node, scope);
            }
        }
    }
    assembly.index = index;
}
