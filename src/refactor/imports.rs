//! Names that are taken out of an import.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::UseTree;
use syn::spanned::Spanned;

use crate::syntax;

/// What is left of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pruned {
    /// Nothing: the import goes.
    Nothing,
    /// All but these bytes of its text, in order.
    Without(Vec<Range<u32>>),
}

/// An import without the names that begin at these bytes of its text; none if it cannot be read.
pub fn without_names(text: &str, names: &BTreeSet<u32>) -> Option<Pruned> {
    syntax::with_large_stack(|| {
        let item: syn::ItemUse = syn::parse_str(text).ok()?;
        let mut cut = Vec::new();
        Some(match prune(&item.tree, names, &mut cut) {
            Left::Nothing => Pruned::Nothing,
            Left::Something => {
                cut.sort_by_key(|range| range.start);
                Pruned::Without(cut)
            }
        })
    })?
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    Nothing,
    Something,
}

fn prune(tree: &UseTree, names: &BTreeSet<u32>, cut: &mut Vec<Range<u32>>) -> Left {
    let is_named = |ident: &syn::Ident| {
        let found = names.contains(&(ident.span().byte_range().start as u32));
        if found { Left::Nothing } else { Left::Something }
    };
    let group = match tree {
        UseTree::Path(path) => return prune(&path.tree, names, cut),
        UseTree::Name(name) => return is_named(&name.ident),
        UseTree::Rename(name) => return is_named(&name.ident),
        UseTree::Glob(_) => return Left::Something,
        UseTree::Group(group) => group,
    };
    let mut inside = Vec::new();
    let left: Vec<Left> = group.items.iter().map(|one| prune(one, names, &mut inside)).collect();
    if left.iter().all(|one| *one == Left::Nothing) {
        return Left::Nothing;
    }
    cut.append(&mut inside);
    let ranges: Vec<Range<u32>> = group
        .items
        .iter()
        .map(|one| {
            let range = one.span().byte_range();
            range.start as u32..range.end as u32
        })
        .collect();
    for (at, range) in ranges.iter().enumerate() {
        if left.get(at) != Some(&Left::Nothing) {
            continue;
        }
        // With the comma behind it; the last one with that before it.
        let kept_behind = left.iter().skip(at + 1).any(|one| *one == Left::Something);
        let before = at.checked_sub(1).and_then(|before| ranges.get(before));
        cut.push(match (ranges.get(at + 1).filter(|_| kept_behind), before) {
            (Some(next), _) => range.start..next.start,
            (None, Some(before)) => before.end..range.end,
            (None, None) => range.clone(),
        });
    }
    Left::Something
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, name: &str, expected: Option<&str>) {
        let names: BTreeSet<u32> = text
            .match_indices(name)
            .filter(|(at, _)| {
                let behind = text.get(at + name.len()..).unwrap();
                !behind.starts_with(char::is_alphanumeric)
            })
            .map(|(at, _)| at as u32)
            .collect();
        let found = match without_names(text, &names).unwrap() {
            Pruned::Nothing => None,
            Pruned::Without(cut) => {
                let mut out = text.to_owned();
                for range in cut.into_iter().rev() {
                    out.replace_range(range.start as usize..range.end as usize, "");
                }
                Some(out)
            }
        };
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn names_are_taken_out() {
        check("use a::old;", "old", None);
        check("pub use a::old as b;", "old", None);
        check("use a::{old, b};", "old", Some("use a::{b};"));
        check("use a::{b, old};", "old", Some("use a::{b};"));
        check("use a::{b, old, c};", "old", Some("use a::{b, c};"));
        check("use a::{b, c::{old, d}};", "old", Some("use a::{b, c::{d}};"));
        check("use a::{b, c::old};", "old", Some("use a::{b};"));
        check("use a::{c::{old}};", "old", None);
        check("use a::{b, old, c::old};", "old", Some("use a::{b};"));
        check("use a::{older};", "old", Some("use a::{older};"));
    }
}
