//! What items are in.

use super::ids::Def;
use asof_model::{NodeKind, TreeItem, never};

use super::crate_maps::CrateMaps;
use super::nowhere::{NOWHERE, OrNowhere};

/// The scope that an item's name belongs to: the nearest enclosing item that opens one, or
/// the block of a body.
pub(super) fn scope_of(maps: &CrateMaps, items: &[TreeItem], index: &[Def], at: usize) -> Def {
    let mut at = at;
    loop {
        if let Some(block) = index.get(at).and_then(|node| maps.nodes.block_of(*node)) {
            return block;
        }
        let Some(item) = items.get(at) else {
            never!("an item and those around it are of the file");
            return NOWHERE;
        };
        at = item.parent as usize;
        if at == 0 || items.get(at).is_none_or(|item| opens_scope(item.kind)) {
            return index.get(at).copied().or_nowhere("an item has a node");
        }
    }
}

pub(super) fn opens_scope(kind: NodeKind) -> bool {
    !matches!(kind, NodeKind::Impl | NodeKind::MacroCall | NodeKind::ForeignMod | NodeKind::Unknown)
}

/// Whether an item is an associated item, which no path through the module reaches.
pub(super) fn in_impl(items: &[TreeItem], at: usize) -> bool {
    let parent = items.get(at).map(|item| item.parent).filter(|parent| *parent != 0);
    let parent = parent.and_then(|parent| items.get(parent as usize));
    parent.is_some_and(|parent| parent.kind == NodeKind::Impl)
}

pub(super) fn parent_module(assembly: &CrateMaps, module: Def) -> Option<Def> {
    let parent = assembly.node(module)?.parent?;
    assembly.node(parent).map(|n| n.module)
}

/// The module that a visibility `pub(in path)` in a module names: one around it, or itself (Rust
/// reference, "Visibility and Privacy"). Imports do not matter to it.
pub(super) fn ancestor(assembly: &CrateMaps, root: Def, module: Def, path: &str) -> Option<Def> {
    let mut around = vec![module];
    while let Some(parent) = around.last().and_then(|at| parent_module(assembly, *at)) {
        around.push(parent);
    }
    let mut at = root;
    for (place, segment) in path.split("::").map(str::trim).enumerate() {
        at = match segment {
            "self" if place == 0 => module,
            "super" if place == 0 => parent_module(assembly, module)?,
            "super" => parent_module(assembly, at)?,
            "crate" | "" if place == 0 => root,
            name => *around.iter().find(|one| {
                parent_module(assembly, **one) == Some(at)
                    && assembly.node(**one).is_some_and(|node| node.name == name)
            })?,
        };
    }
    Some(at)
}
