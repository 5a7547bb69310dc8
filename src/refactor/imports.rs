//! Removes names from imports.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::UseTree;
use syn::spanned::Spanned;

/// What is left of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pruned {
    /// Nothing: the import goes.
    Nothing,
    /// All but these bytes of its text, in order.
    Without(Vec<Range<u32>>),
}

/// A name of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedName {
    /// The path before it, groups around it included: `a::b` of `use a::{b::X}`.
    pub prefix: Vec<String>,
    /// Bytes of the path before it within its group, its last `::` included.
    pub written: Range<u32>,
    /// From the name to the end of what is imported through it: `X`, `X as Y`, `X::{A, B}`.
    pub part: Range<u32>,
    /// Whether it is imported as itself, and nothing through it.
    pub plain: bool,
    /// Whether it is in a group.
    pub in_group: bool,
}

/// The name that begins at a byte of the text of an import; none if there is none.
pub fn imported_name(text: &str, at: u32) -> Option<ImportedName> {
    asof_syntax::with_large_stack(|| {
        let item: syn::ItemUse = syn::parse_str(text).ok()?;
        let lead = item.leading_colon.map(|colon| colon.span().byte_range().start as u32);
        let start = lead.unwrap_or(item.tree.span().byte_range().start as u32);
        let mut prefix = Vec::new();
        if lead.is_some() {
            prefix.push(String::new());
        }
        name_in(&item.tree, at, prefix, start, false)
    })?
}

fn name_in(
    tree: &UseTree,
    at: u32,
    mut prefix: Vec<String>,
    start: u32,
    in_group: bool,
) -> Option<ImportedName> {
    let begins = |ident: &syn::Ident| ident.span().byte_range().start as u32 == at;
    let range = tree.span().byte_range();
    let part = range.start as u32..range.end as u32;
    let found = |plain: bool, prefix: Vec<String>| {
        Some(ImportedName { prefix, written: start..at, part: part.clone(), plain, in_group })
    };
    match tree {
        UseTree::Path(path) if begins(&path.ident) => found(false, prefix),
        UseTree::Path(path) => {
            prefix.push(bare(&path.ident));
            name_in(&path.tree, at, prefix, start, in_group)
        }
        UseTree::Name(name) if begins(&name.ident) => found(true, prefix),
        UseTree::Rename(name) if begins(&name.ident) => found(false, prefix),
        UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => None,
        UseTree::Group(group) => group.items.iter().find_map(|one| {
            let start = one.span().byte_range().start as u32;
            name_in(one, at, prefix.clone(), start, true)
        }),
    }
}

fn bare(ident: &syn::Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}

/// Where the names begin that an import brings in under one of these names.
pub fn imported_as(text: &str, names: &BTreeSet<String>) -> BTreeSet<u32> {
    fn find(tree: &UseTree, names: &BTreeSet<String>, above: &str, found: &mut BTreeSet<u32>) {
        let start = |ident: &syn::Ident| ident.span().byte_range().start as u32;
        match tree {
            UseTree::Path(path) => find(&path.tree, names, &bare(&path.ident), found),
            UseTree::Name(name) => {
                let own = bare(&name.ident);
                let brought = if own == "self" { above } else { own.as_str() };
                if names.contains(brought) {
                    found.insert(start(&name.ident));
                }
            }
            UseTree::Rename(name) => {
                if names.contains(&bare(&name.rename)) {
                    found.insert(start(&name.ident));
                }
            }
            UseTree::Glob(_) => {}
            UseTree::Group(group) => {
                group.items.iter().for_each(|one| find(one, names, above, found));
            }
        }
    }
    let read = || {
        let item: syn::ItemUse = syn::parse_str(text).ok()?;
        let mut found = BTreeSet::new();
        find(&item.tree, names, "", &mut found);
        Some(found)
    };
    asof_syntax::with_large_stack(read).flatten().unwrap_or_default()
}

/// An import without the names that begin at these bytes of its text; none if it cannot be read.
pub fn without_names(text: &str, names: &BTreeSet<u32>) -> Option<Pruned> {
    asof_syntax::with_large_stack(|| {
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
        // With all that is imported through it.
        UseTree::Path(path) if is_named(&path.ident) == Left::Nothing => return Left::Nothing,
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
    // A group of one name is that name.
    let mut kept = left.iter().zip(&ranges).zip(&group.items);
    let only = kept.clone().filter(|((left, _), _)| **left == Left::Something).count() == 1;
    if only
        && left.contains(&Left::Nothing)
        && let Some(((_, range), tree)) = kept.find(|((left, _), _)| **left == Left::Something)
    {
        let braces = group.brace_token.span.join().byte_range();
        let (open, close) = (braces.start as u32, braces.end as u32);
        if !matches!(tree, UseTree::Name(name) if name.ident == "self") {
            cut.retain(|one| range.start <= one.start && one.end <= range.end);
            cut.push(open..range.start);
            cut.push(range.end..close);
        }
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
    fn the_path_of_a_name_goes_through_the_groups_around_it() {
        let check = |text: &str, prefix: &str, written: &str, part: &str, plain, in_group| {
            let at = text.find('X').unwrap() as u32;
            let found = imported_name(text, at).unwrap();
            let slice =
                |range: &Range<u32>| text.get(range.start as usize..range.end as usize).unwrap();
            assert_eq!(found.prefix.join("::"), prefix, "{text}");
            assert_eq!((slice(&found.written), slice(&found.part)), (written, part), "{text}");
            assert_eq!((found.plain, found.in_group), (plain, in_group), "{text}");
        };
        check("use a::b::X;", "a::b", "a::b::", "X", true, false);
        check("pub use ::a::X as Y;", "::a", "::a::", "X as Y", false, false);
        check("use a::{c, b::X};", "a::b", "b::", "X", true, true);
        check("use a::{b, X::{self, C}};", "a", "", "X::{self, C}", false, true);
        check("use X::*;", "", "", "X::*", false, false);
        assert_eq!(imported_name("use a::b;", 0), None);
    }

    #[test]
    fn names_are_taken_out() {
        check("use a::old;", "old", None);
        check("pub use a::old as b;", "old", None);
        check("use a::{old, b};", "old", Some("use a::b;"));
        check("use a::{b, old};", "old", Some("use a::b;"));
        check("use a::{ b, old, };", "old", Some("use a::b;"));
        check("use a::{self, old};", "old", Some("use a::{self};"));
        check("use a::{b, old, c};", "old", Some("use a::{b, c};"));
        check("use a::{b, c::{old, d}};", "old", Some("use a::{b, c::d};"));
        check("use a::{old, c::{old, d}};", "old", Some("use a::c::d;"));
        check("use a::{b, c::old};", "old", Some("use a::b;"));
        check("use a::{c::{old}};", "old", None);
        check("use a::{b, old::*};", "old", Some("use a::b;"));
        check("use a::{b, c, old::{d, e}};", "old", Some("use a::{b, c};"));
        check("use a::{b, old, c::old};", "old", Some("use a::b;"));
        check("use a::{older};", "old", Some("use a::{older};"));
    }
}
