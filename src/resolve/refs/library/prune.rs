//! What other crates can come upon of a file's declarations.

use super::cfg::is_left_out;
use crate::model::{Header, ItemTree, NodeKind, TreeItem};

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
