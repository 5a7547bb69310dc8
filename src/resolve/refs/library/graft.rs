//! What calls of macros make in a crate, as items beside the calls.

use std::collections::{BTreeMap, BTreeSet};

use super::prune::prune;
use crate::model::{Header, ItemTree, NodeKind, TreeItem};
use crate::resolve::assembly::Input;
use crate::resolve::passes::assemble_with_scopes;
use crate::syntax;

/// Item trees with the items that calls make, of files where there are such; by the file's number.
pub(in super::super) fn grafted(input: Input<'_>) -> BTreeMap<usize, ItemTree> {
    let items = || input.files.iter().flat_map(|(_, tree)| &tree.items);
    let is_call = |item: &TreeItem| matches!(item.header, Header::MacroCall { items: false });
    let has =
        |kind: &dyn Fn(&TreeItem) -> bool| items().any(|item| kind(item) && !item.sig.is_empty());
    if !has(&is_call) || !has(&|item| item.kind == NodeKind::Macro) {
        return BTreeMap::new();
    }
    let (assembly, scopes) = assemble_with_scopes(input);
    let mut grown: BTreeMap<usize, ItemTree> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for expansion in &scopes.expansions {
        let Some(node) = assembly.node(expansion.call) else { continue };
        let instance = input.instances.get(node.instance as usize);
        let Some(file) = instance.map(|instance| instance.file) else { continue };
        // A file may be the body of several modules.
        if !seen.insert((file, node.item)) {
            continue;
        }
        let Some((_, old)) = input.files.get(file) else { continue };
        let parent = old.items.get(node.item as usize).map_or(0, |call| call.parent);
        let kind = old.items.get(parent as usize).map_or(NodeKind::Module, |parent| parent.kind);
        let texts: Vec<&str> = expansion.items.iter().map(|made| made.text.as_str()).collect();
        let made = parsed(&texts.join("\n"), kind);
        let tree = grown.entry(file).or_insert_with(|| ItemTree { items: old.items.clone() });
        let first = tree.items.len() as u32;
        if let Some(call) = tree.items.get_mut(node.item as usize) {
            // What it makes is there now.
            call.sig.clear();
        }
        for (within, item) in made {
            let parent = within.map_or(parent, |within| first + within);
            tree.items.push(TreeItem { parent, ..item });
        }
    }
    grown
}

/// The items in what a call within an item of a kind makes, each with the number of its parent among
/// them.
fn parsed(text: &str, within: NodeKind) -> Vec<(Option<u32>, TreeItem)> {
    let (text, around) = match within {
        NodeKind::Impl => (format!("impl X {{ {text} }}"), 2),
        NodeKind::Trait => (format!("trait X {{ {text} }}"), 2),
        _ => (text.to_owned(), 1),
    };
    let tree = prune(syntax::parse_item_tree("", text.as_bytes()), false);
    let made = tree.items.into_iter().skip(around as usize);
    made.map(|item| (item.parent.checked_sub(around), item)).collect()
}
