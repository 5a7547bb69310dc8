//! What calls of macros among items depend on in the text of a file: macros, calls, imports and
//! modules, in their order. A function more makes none of them mean another macro.

use std::collections::BTreeMap;
use std::sync::Arc;

use asof_model::{ItemTree, NodeKind, StoredTree, TreeItem};

/// Whether calls among the items of two sets of files, of the same packages, make the same. False for a
/// file that differs and `has_made` items, since their places are counted in it.
pub(super) fn is_same(
    before: &BTreeMap<String, Arc<StoredTree>>,
    after: &BTreeMap<String, Arc<StoredTree>>,
    has_made: impl Fn(&str) -> bool,
) -> bool {
    before.len() == after.len()
        && before.iter().zip(after).all(|((path, was), (other, is))| {
            path == other
                && (Arc::ptr_eq(was, is) || !has_made(path) && context(was).eq(context(is)))
        })
}

/// What calls depend on, each with what it is in.
fn context(tree: &ItemTree) -> impl Iterator<Item = impl PartialEq + '_> {
    let items = tree.items.iter().filter(|item| {
        let is_macro = item.kind == NodeKind::Function && item.sig.contains('@');
        is_macro
            || matches!(
                item.kind,
                NodeKind::Macro
                    | NodeKind::MacroCall
                    | NodeKind::Import
                    | NodeKind::ExternCrate
                    | NodeKind::Module
            )
    });
    items.map(|item| {
        let own = (item.kind, &item.name, &item.visibility, &item.cfg, &item.header);
        (own, (&item.sig, &item.attrs, item.block, item.in_body), around(tree, item))
    })
}

/// Kinds and names of what an item is in.
fn around<'t>(tree: &'t ItemTree, item: &TreeItem) -> Vec<(NodeKind, &'t str)> {
    let mut around = Vec::new();
    let mut at = item.parent;
    while let Some(parent) = tree.items.get(at as usize).filter(|_| at != 0) {
        around.push((parent.kind, parent.name.as_str()));
        // A parent comes before what is in it.
        at = if parent.parent < at { parent.parent } else { 0 };
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, expected: bool) {
        let files = |text: &str| {
            let facts = asof_syntax::parse_file("src/lib.rs", text.as_bytes());
            let tree = Arc::new(StoredTree::from(ItemTree::from_facts(&facts)));
            BTreeMap::from([("src/lib.rs".to_owned(), tree)])
        };
        let (before, after) = (files(before), files(after));
        assert_eq!(is_same(&before, &after, |_| false), expected);
        // What is made there has other places.
        assert!(!is_same(&before, &after, |_| true));
    }

    #[test]
    fn what_no_call_depends_on_does_not_matter() {
        let text = "mod m { m!(); } use a::b; fn f() {}";
        check(text, "mod m { m!(); fn g() {} } use a::b; struct S; impl S { fn h() {} }", true);
        check(text, "mod m { fn g() {} } m!(); use a::b; fn f() {}", false);
        check(text, "mod m { m!(1); } use a::b; fn f() {}", false);
        check(text, "use a::b; mod m { m!(); } fn f() {}", false);
        check(text, "mod m { m!(); } use a::{b, c}; fn f() {}", false);
        check(text, "mod m { m!(); } use a::b; macro_rules! m { () => {} }", false);
        check("impl A { m!(); }", "impl B { m!(); }", false);
    }
}
