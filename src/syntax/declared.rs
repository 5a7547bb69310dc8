//! Finding a declaration by its name in a text that need not parse: sources of the standard library
//! have syntax that only its own compiler knows.

use tree_sitter::Node;

use super::query::parse;

/// Where a declaration is: first byte of its name, and the bytes of all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclaredAt {
    pub name: u32,
    pub start: u32,
    pub end: u32,
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// A macro.
    Macro,
    /// A field of a struct or union.
    Field,
    /// Anything else.
    Item,
}

/// The declaration of a name, or of a member of a type or trait: `[Vec, push]`, `[[T], len]`. Several
/// impls may have one of that name: the first counts.
pub fn declared_in(text: &str, path: &[&str], wanted: Wanted) -> Option<DeclaredAt> {
    let (name, owner) = match path {
        [name] => (*name, None),
        [.., owner, name] => (*name, Some(*owner)),
        [] => return None,
    };
    if wanted == Wanted::Macro
        && owner.is_none()
        && let Some(found) = declared_macro(text, name)
    {
        return Some(found);
    }
    // Most texts do not have the name: they are not parsed.
    if !text.contains(name) || owner.is_some_and(|owner| !text.contains(bare(owner))) {
        return None;
    }
    let tree = parse(text.as_bytes())?;
    let text = text.as_bytes();
    let of = |node: Node<'_>| node.utf8_text(text).unwrap_or_default().to_owned();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        let mut below: Vec<Node<'_>> = Vec::new();
        for child in node.children(&mut cursor) {
            let named = child.child_by_field_name("name").map(of).unwrap_or_default();
            match owner {
                None if named == name && is_wanted(child, wanted) => return place(child),
                Some(owner) => {
                    let own = match child.kind() {
                        "impl_item" => child.child_by_field_name("type").map(of),
                        "trait_item" | "enum_item" => Some(named),
                        "struct_item" | "union_item" if wanted == Wanted::Field => Some(named),
                        _ => None,
                    };
                    if own.is_some_and(|own| is_of(&own, owner))
                        && let Some(found) = member(child, name, &of)
                    {
                        return place(found);
                    }
                }
                None => {}
            }
            if matches!(
                child.kind(),
                "mod_item" | "declaration_list" | "ERROR" | "foreign_mod_item"
            ) {
                below.push(child);
            }
        }
        open.extend(below.into_iter().rev());
    }
    None
}

/// `macro name(…) { … }` and `macro_rules! name { … }`: its line. The first is not known to the grammar,
/// and both are used before what it does not know.
fn declared_macro(text: &str, name: &str) -> Option<DeclaredAt> {
    ["macro_rules! ", "macro "].into_iter().find_map(|keyword| {
        let head = format!("{keyword}{name}");
        let at = text.match_indices(&head).map(|(at, _)| at).find(|at| {
            let next = text.get(at + head.len()..).and_then(|rest| rest.chars().next());
            next.is_some_and(|next| matches!(next, '(' | ' ' | '{'))
        })?;
        let end = text.get(at..)?.find('\n').map_or(text.len(), |len| at + len);
        let name = at + keyword.len();
        Some(DeclaredAt { name: name as u32, start: at as u32, end: end as u32 })
    })
}

fn is_wanted(node: Node<'_>, wanted: Wanted) -> bool {
    match node.kind() {
        "macro_definition" => wanted == Wanted::Macro,
        "function_item" | "struct_item" | "enum_item" | "union_item" | "trait_item"
        | "type_item" | "const_item" | "static_item" | "mod_item" => wanted == Wanted::Item,
        _ => false,
    }
}

fn place(node: Node<'_>) -> Option<DeclaredAt> {
    let name = node.child_by_field_name("name")?;
    let [name, start, end] = [name.start_byte(), node.start_byte(), node.end_byte()];
    Some(DeclaredAt { name: name as u32, start: start as u32, end: end as u32 })
}

/// The last name of a type, without its parameters.
fn bare(ty: &str) -> &str {
    let ty = ty.trim_start_matches(['<', '&', '[', '*']).trim_start_matches("const ");
    let end = ty.find(['<', '>', ']', ' ', ';']).unwrap_or(ty.len());
    ty.get(..end).unwrap_or(ty)
}

fn is_of(ty: &str, owner: &str) -> bool {
    let owner = owner.trim_start_matches('<').trim_end_matches('>');
    match owner.starts_with('[') {
        true => ty.starts_with('['),
        false => bare(ty).rsplit("::").next() == Some(bare(owner)) && !ty.starts_with('['),
    }
}

/// A member of an impl, a trait, an enum or a struct.
fn member<'t>(owner: Node<'t>, name: &str, of: &dyn Fn(Node<'_>) -> String) -> Option<Node<'t>> {
    let body = owner.child_by_field_name("body")?;
    let mut cursor = body.walk();
    let is_it = |child: &Node<'t>| {
        child.kind() != "macro_definition"
            && child.child_by_field_name("name").is_some_and(|found| of(found) == name)
    };
    body.children(&mut cursor).find(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "pub enum Option<T> { None, Some(T) }\n\
        impl<T> const Option<T> { pub fn map<F: [const] Fn(T)>(self, f: F) {} }\n\
        impl<T> [T] { pub const fn len(&self) -> usize { 1 } }\n\
        pub trait Iterator { fn next(&mut self); fn map(self) {} }\n\
        macro_rules! vec { () => {} }\n\
        mod vec { pub fn inner() {} }\n\
        impl str { pub fn len(&self) {} }\n\
        pub struct Holds { len: usize }\nimpl Holds { fn len(self) {} }\n\
        pub macro new_style($x:expr) { $x }\n";

    #[track_caller]
    fn check(path: &[&str], wanted: Wanted, expected: Option<&str>) {
        let found = declared_in(TEXT, path, wanted);
        let rest = found.map(|at| &TEXT[at.name as usize..]);
        assert_eq!(
            rest.map(|rest| rest.starts_with(expected.unwrap_or("?"))),
            expected.map(|_| true)
        );
    }

    #[test]
    fn members_are_found_in_what_they_are_of() {
        check(&["Option", "Some"], Wanted::Item, Some("Some(T)"));
        check(&["Option", "map"], Wanted::Item, Some("map<F"));
        check(&["Iterator", "map"], Wanted::Item, Some("map(self)"));
        check(&["<[T]>", "len"], Wanted::Item, Some("len(&self) -> usize"));
        check(&["str", "len"], Wanted::Item, Some("len(&self) {}"));
        check(&["Option", "missing"], Wanted::Item, None);
        check(&["Holds", "len"], Wanted::Field, Some("len: usize"));
        check(&["Holds", "len"], Wanted::Item, Some("len(self) {}"));
        check(&["new_style"], Wanted::Macro, Some("new_style($x"));
        check(&["vec"], Wanted::Macro, Some("vec { ()"));
        check(&["vec"], Wanted::Item, Some("vec { pub"));
        check(&["inner"], Wanted::Item, Some("inner()"));
    }
}
