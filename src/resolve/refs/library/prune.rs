//! Removes the declarations of a file that other crates cannot reach.

use std::collections::BTreeMap;

use super::cfg::is_left_out;
use crate::crate_maps::Input;
use crate::ids::FileId;
use crate::wrappers::{Wrappers, macro_predicates};
use asof_model::{Header, ItemTree, NodeKind, StoredTree, TreeItem};

/// Without items that are left out by their `cfg`, that are private and no types, or that are in
/// bodies or tests. The rest is as it was.
/// `exports_macros`: of procedural macros only these.
pub(in super::super) fn prune(tree: ItemTree, exports_macros: bool) -> ItemTree {
    let mut numbers: Vec<Option<u32>> = Vec::with_capacity(tree.items.len());
    let mut count = 0;
    for (at, item) in tree.items.iter().enumerate() {
        let parent = numbers.get(item.parent as usize).copied().flatten();
        let kept = at == 0
            || parent.is_some()
                && is_kept(&tree.items, item)
                && (!exports_macros || item.sig.contains('@'));
        numbers.push(kept.then_some(count));
        count += u32::from(kept);
    }
    let items = tree.items.into_iter().zip(&numbers).filter(|(_, number)| number.is_some());
    let items = items.map(|(mut item, _)| {
        item.parent = numbers.get(item.parent as usize).copied().flatten().unwrap_or(0);
        item.docs.clear();
        if exports_macros {
            // Only its name counts.
            item.sig = item.sig.split_off(item.sig.find('@').unwrap_or(item.sig.len()));
        }
        item
    });
    ItemTree { items: items.collect() }
}

fn is_kept(items: &[TreeItem], item: &TreeItem) -> bool {
    if item.in_body || item.marks_test || is_left_out(&item.cfg) {
        return false;
    }
    let of_trait = |header: &Header| matches!(header, Header::Impl { of_trait: Some(_), .. });
    let inherits = items.get(item.parent as usize).is_some_and(|parent| match parent.kind {
        NodeKind::Trait | NodeKind::Variant | NodeKind::Enum => true,
        NodeKind::Impl => of_trait(&parent.header),
        _ => false,
    });
    match item.kind {
        NodeKind::Function
        | NodeKind::Method
        | NodeKind::Const
        | NodeKind::Static
        | NodeKind::AssocConst
        | NodeKind::Field => inherits || item.visibility == "pub",
        _ => true,
    }
}

/// Item trees without what macros leave out by the `cfg` that they write before their items, as
/// `cfg_not_rt! { … }` does; by the file's number, of files where there is such. Items keep their
/// places in the tree.
pub(in super::super) fn without_left_out(input: Input<'_>) -> BTreeMap<FileId, StoredTree> {
    let macros: Vec<_> =
        input.instances.indices().map(|at| macro_predicates(input.item_tree(at))).collect();
    let crates = input.instances.iter().map(|instance| instance.krate);
    let wrappers = Wrappers::new(crates.zip(&macros));
    let mut found = BTreeMap::new();
    for (number, instance) in input.instances.iter_enumerated() {
        let items = input.item_tree(number);
        let mut is_out = vec![false; items.len()];
        for (at, item) in items.iter().enumerate().skip(1) {
            let inherits = is_out.get(item.parent as usize).is_some_and(|is_out| *is_out);
            let is_call = item.kind == NodeKind::MacroCall;
            let predicate =
                is_call.then(|| wrappers.predicate(instance.krate, &item.name)).flatten();
            if let Some(here) = is_out.get_mut(at) {
                *here = inherits || predicate.is_some_and(is_left_out);
            }
        }
        if is_out.contains(&true) {
            let out = |(item, is_out): (&TreeItem, &bool)| {
                // The files of modules hang on them.
                if *is_out && item.kind != NodeKind::Module { nothing(item) } else { item.clone() }
            };
            let items = items.iter().zip(&is_out).map(out).collect();
            found.insert(instance.file, ItemTree { items }.into());
        }
    }
    found
}

/// A call of a macro that makes nothing, in the place of an item.
fn nothing(item: &TreeItem) -> TreeItem {
    TreeItem {
        kind: NodeKind::MacroCall,
        name: String::new(),
        header: Header::MacroCall { items: false },
        sig: String::new(),
        ..item.clone()
    }
}
