//! Imports as sets of names.

use std::collections::BTreeSet;

use asof_syntax::with_large_stack;
use syn::UseTree;

/// A name that an import brings in, with all that decides what it means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leaf {
    /// What is before `use`: documentation, attributes, visibility.
    pub before: String,
    /// Segments as they are written, from a leading `::` on.
    pub path: Vec<String>,
    /// The name given with `as`.
    pub alias: Option<String>,
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// What is before `use`, as it is written.
    pub before: String,
    /// The path before its only group; none if it has no group or other paths beside it.
    pub group: Option<Vec<String>>,
    pub leaves: Vec<Leaf>,
    /// Whether there are comments in it.
    pub has_comments: bool,
}

/// Reads an import; none if it is none.
pub(super) fn read_import(text: &str) -> Option<Import> {
    with_large_stack(|| {
        let item: syn::ItemUse = syn::parse_str(text.trim()).ok()?;
        let text = text.trim();
        let start = item.use_token.span.byte_range().start;
        let before = text.get(..start)?.to_owned();
        let mut path = Vec::new();
        if item.leading_colon.is_some() {
            path.push(String::new());
        }
        let group = group_of(&item.tree, path.clone());
        let mut leaves = Vec::new();
        collect(&item.tree, &before, &mut path, &mut leaves);
        let rest = text.get(start..)?;
        let has_comments = rest.contains("//") || rest.contains("/*");
        Some(Import { before, group, leaves, has_comments })
    })?
}

fn group_of(tree: &UseTree, mut path: Vec<String>) -> Option<Vec<String>> {
    match tree {
        UseTree::Path(one) => {
            path.push(one.ident.to_string());
            group_of(&one.tree, path)
        }
        UseTree::Group(_) => Some(path),
        _ => None,
    }
}

fn collect(tree: &UseTree, before: &str, path: &mut Vec<String>, found: &mut Vec<Leaf>) {
    let mut add = |last: Option<String>, alias: Option<String>| {
        let path = path.iter().cloned().chain(last).collect();
        let before = before.split_whitespace().collect::<Vec<_>>().join(" ");
        found.push(Leaf { before, path, alias });
    };
    match tree {
        UseTree::Path(one) => {
            path.push(one.ident.to_string());
            collect(&one.tree, before, path, found);
            path.pop();
        }
        UseTree::Name(one) => add(Some(one.ident.to_string()), None),
        UseTree::Rename(one) => add(Some(one.ident.to_string()), Some(one.rename.to_string())),
        UseTree::Glob(_) => add(Some("*".to_owned()), None),
        UseTree::Group(group) => {
            for one in &group.items {
                collect(one, before, path, found);
            }
        }
    }
}

/// A group of names: what is imported through each first segment.
#[derive(Default)]
struct Names {
    inside: Vec<(String, Self)>,
    /// Whether they have another order than that of rustfmt, which they keep.
    has_own_order: bool,
    /// Names given with `as`, and whether there is one without.
    ends: BTreeSet<Option<String>>,
}

impl Names {
    fn add(&mut self, path: &[String], alias: Option<&String>) {
        let Some((first, rest)) = path.split_first() else {
            self.ends.insert(alias.cloned());
            return;
        };
        let at = match self.inside.iter().position(|(name, _)| name == first) {
            Some(at) => at,
            None => {
                self.inside.push((first.clone(), Self::default()));
                self.inside.len() - 1
            }
        };
        if let Some((_, names)) = self.inside.get_mut(at) {
            names.add(rest, alias);
        }
    }

    /// Notes where the names that are there are not sorted.
    fn note_order(&mut self) {
        self.has_own_order = !self.inside.is_sorted_by_key(|(name, _)| sort_key(name));
        for (_, names) in &mut self.inside {
            names.note_order();
        }
    }

    /// The parts of the group.
    fn parts(&mut self) -> Vec<String> {
        if !self.has_own_order {
            self.inside.sort_by_cached_key(|(name, _)| sort_key(name));
        }
        let mut parts = Vec::new();
        for (name, names) in &mut self.inside {
            for end in &names.ends {
                parts.push(match end {
                    Some(alias) => format!("{name} as {alias}"),
                    None => name.clone(),
                });
            }
            let inside = names.parts();
            match inside.as_slice() {
                [] => {}
                [one] => parts.push(format!("{name}::{one}")),
                all => parts.push(format!("{name}::{{{}}}", all.join(", "))),
            }
        }
        parts
    }
}

/// The order of rustfmt: `self`, `super` and `crate`, then names in small letters, in CamelCase, in
/// capitals, the glob, and groups.
fn sort_key(name: &str) -> (u8, String) {
    let bare = name.strip_prefix("r#").unwrap_or(name);
    let class = match bare {
        "self" => 0,
        "super" => 1,
        "crate" => 2,
        "*" => 6,
        _ if bare.starts_with(|c: char| c.is_lowercase() || c == '_') => 3,
        _ if bare.len() > 1 && bare.chars().all(|c| !c.is_lowercase()) => 5,
        _ => 4,
    };
    (class, bare.to_owned())
}

/// The longest line of an import.
const WIDTH: usize = 100;

/// The names of a group that is written anew.
#[derive(Clone, Copy)]
pub(super) struct GroupNames<'l> {
    /// Those that it has, in their order.
    pub kept: &'l [Leaf],
    pub new: &'l [Leaf],
}

/// Writes the group of an import anew, as rustfmt does; names that are not sorted keep their order, and
/// new ones follow them. `indent`: what is before the import.
pub(super) fn write_group(
    before: &str,
    group: &[String],
    names_of: GroupNames<'_>,
    indent: &str,
) -> String {
    let mut names = Names::default();
    let add = |names: &mut Names, leaves: &[Leaf]| {
        for leaf in leaves {
            names.add(leaf.path.get(group.len()..).unwrap_or_default(), leaf.alias.as_ref());
        }
    };
    add(&mut names, names_of.kept);
    names.note_order();
    add(&mut names, names_of.new);
    let parts = names.parts();
    let prefix: String = group.iter().map(|segment| format!("{segment}::")).collect();
    let head = format!("{before}use {prefix}");
    let line = head.lines().next_back().unwrap_or_default().len() + indent.len();
    if let [one] = parts.as_slice()
        && !one.contains("self")
    {
        return format!("{head}{one};");
    }
    let all = parts.join(", ");
    let is_nested = parts.iter().any(|part| part.contains('{'));
    if !is_nested && line + all.len() + 3 <= WIDTH {
        return format!("{head}{{{all}}};");
    }
    let mut lines: Vec<String> = Vec::new();
    for part in &parts {
        let fits = |last: &&mut String| {
            let is_plain = !last.contains('{') && !part.contains('{');
            is_plain && indent.len() + 4 + last.len() + part.len() + 2 <= WIDTH
        };
        match lines.last_mut().filter(fits) {
            Some(last) => last.push_str(&format!(" {part},")),
            None => lines.push(format!("{part},")),
        }
    }
    let inside: String = lines.iter().map(|line| format!("{indent}    {line}\n")).collect();
    format!("{head}{{\n{inside}{indent}}};")
}
