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
    /// A module.
    Module,
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
    let by_lines = || in_lines(text, owner, name).filter(|_| wanted == Wanted::Item);
    in_tree(text, owner, name, wanted).or_else(by_lines)
}

/// The declaration of a name that other crates see, if something leads to its module.
pub fn declared_publicly(text: &str, name: &str) -> Option<DeclaredAt> {
    declared_in(text, &[name], Wanted::Item).filter(|at| {
        let item = text.get(at.start as usize..at.name as usize);
        item.is_some_and(|head| head.trim_start().starts_with("pub "))
    })
}

/// The first public declaration of a name, whatever it is in: of what a macro makes for each of several
/// types, or of what is given to one.
pub fn declared_anywhere(text: &str, name: &str) -> Option<DeclaredAt> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_public = line.trim_start().starts_with("pub ");
        if let Some(found) = declared_on(line, at, name).filter(|_| is_public) {
            return Some(found);
        }
        at += line.len();
    }
    None
}

/// A derive macro that a crate of procedural macros declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeriveMacro<'t> {
    pub name: &'t str,
    /// Attributes that it understands.
    pub helpers: Vec<&'t str>,
    pub at: DeclaredAt,
}

/// The derive macros of a text: `#[proc_macro_derive(Name, attributes(helper))] pub fn f(…)`.
pub fn derive_macros(text: &str) -> Vec<DeriveMacro<'_>> {
    let mark = "proc_macro_derive(";
    let one = |(at, _): (usize, &str)| {
        let inside = text.get(at + mark.len()..)?;
        let inside = inside.get(..inside.find(']')?)?;
        let mut names = words(inside);
        let name = names.next()?;
        let helpers = names.skip_while(|name| *name != "attributes").skip(1).collect();
        let behind = at + mark.len() + inside.len();
        let start = behind + text.get(behind..)?.find("fn ")?;
        let named = text.get(start + "fn ".len()..)?;
        let len = words(named).next()?.len();
        let [name_at, start, end] =
            [start + "fn ".len(), start, start + "fn ".len() + len].map(|at| at as u32);
        Some(DeriveMacro { name, helpers, at: DeclaredAt { name: name_at, start, end } })
    };
    text.match_indices(mark).filter_map(one).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let apart = |c: char| c != '_' && !c.is_alphanumeric();
    text.split(apart).filter(|word| !word.is_empty())
}

fn in_tree(text: &str, owner: Option<&str>, name: &str, wanted: Wanted) -> Option<DeclaredAt> {
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

/// Keywords that a declaration's name follows.
const KEYWORDS: [&str; 9] =
    ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod"];

/// The same without a tree, where syntax that the grammar does not know hides a declaration: by lines
/// that are not indented, and those below them.
fn in_lines(text: &str, owner: Option<&str>, name: &str) -> Option<DeclaredAt> {
    let mut at = 0;
    let mut head: Option<String> = None;
    let mut is_within = false;
    for line in text.split_inclusive('\n') {
        let begins = !line.starts_with([' ', '\t', '}', '/', '#', ')', '\n']);
        if begins {
            is_within = false;
            head = owner.is_some().then(String::new);
        }
        if let Some(open) = &mut head {
            open.push_str(line);
            if line.contains('{') {
                is_within = owner.is_some_and(|owner| is_head_of(open, owner));
                head = None;
            }
        }
        let is_code = !line.trim_start().starts_with("//");
        let is_head = line.starts_with("impl") || line.starts_with("unsafe impl");
        let is_candidate = is_code && if owner.is_some() { is_within } else { begins && !is_head };
        if is_candidate && let Some(found) = declared_on(line, at, name) {
            return Some(found);
        }
        at += line.len();
    }
    None
}

/// Where a line that begins at a byte declares a name.
fn declared_on(line: &str, start: usize, name: &str) -> Option<DeclaredAt> {
    let place = KEYWORDS.iter().find_map(|keyword| {
        let head = format!("{keyword} {name}");
        let at = line.find(&head)?;
        let before = line.get(..at)?.chars().next_back();
        let next = line.get(at + head.len()..)?.chars().next();
        let is_part = |c: Option<char>| c.is_some_and(|c| c == '_' || c.is_alphanumeric());
        (!is_part(before) && !is_part(next)).then_some(at + keyword.len() + 1)
    })?;
    let [name, start, end] = [start + place, start, start + line.trim_end().len()];
    Some(DeclaredAt { name: name as u32, start: start as u32, end: end as u32 })
}

/// Whether the head of an impl or trait is that of a type or trait.
fn is_head_of(head: &str, owner: &str) -> bool {
    let head = head.split('{').next().unwrap_or_default();
    let head = head.split_once(" where").map_or(head, |(head, _)| head);
    if let Some((_, named)) = head.split_once("trait ") {
        let end = named.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(named.len());
        return named.get(..end) == Some(owner);
    }
    if !head.contains("impl") {
        return false;
    }
    let of_type = match head.rsplit_once(" for ") {
        Some((_, of_type)) => of_type,
        None => {
            let after = head.split_once("impl").map_or("", |(_, after)| after);
            let mut depth = 0_i32;
            let end = after.char_indices().find(|(_, c)| {
                depth += i32::from(*c == '<') - i32::from(*c == '>');
                depth == 0
            });
            match end {
                Some((at, '>')) => after.get(at + 1..).unwrap_or_default(),
                _ => after,
            }
        }
    };
    let of_type = of_type.trim();
    is_of(of_type.strip_prefix("const ").unwrap_or(of_type), owner)
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
        | "type_item" | "static_item" | "mod_item" => {
            matches!(wanted, Wanted::Item | Wanted::Module)
        }
        // `impl const Tr for T` is not known to the grammar, and looks like one.
        "const_item" => wanted == Wanted::Item && node.child_by_field_name("type").is_some(),
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
    if owner.starts_with('[') {
        ty.starts_with('[')
    } else {
        bare(ty).rsplit("::").next() == Some(bare(owner)) && !ty.starts_with('[')
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
        pub macro new_style($x:expr) { $x }\n\
        impl<T: [const] A> const Later<T> {\n    pub const fn unwrap(self) -> T where T: [const] B {}\n}\n\
        pub const trait Ord: [const] Eq {\n    fn max(self, other: Self) -> Self;\n}\n\
        pub const fn most<T: [const] Ord + [const] Destruct>(a: T) -> T { a }\n\
        impl<T: [const] Eq> const Eq for Other<T> {}\npub const trait Eq: Sized {}\n";

    #[track_caller]
    fn check(path: &[&str], wanted: Wanted, expected: Option<&str>) {
        let found = declared_in(TEXT, path, wanted);
        let rest = found.map(|at| TEXT.get(at.name as usize..).unwrap());
        assert_eq!(
            rest.map(|rest| rest.starts_with(expected.unwrap_or("?"))),
            expected.map(|_| true)
        );
    }

    #[test]
    fn derive_macros_are_found_with_their_attributes() {
        let text = "#[proc_macro_derive(Plain)]\npub fn plain(_: T) -> T { }\n\
            #[proc_macro_derive(Serialize, attributes(serde, other))]\n/// Docs.\n\
            pub fn derive_serialize(input: T) -> T {}";
        let found: Vec<String> = derive_macros(text)
            .iter()
            .map(|one| {
                let at = one.at.name as usize..one.at.end as usize;
                format!("{} {:?} {}", one.name, one.helpers, text.get(at).unwrap())
            })
            .collect();
        let expected = ["Plain [] plain", "Serialize [\"serde\", \"other\"] derive_serialize"];
        assert_eq!(found, expected);
    }

    #[test]
    fn members_are_found_in_what_they_are_of() {
        check(&["Option", "Some"], Wanted::Item, Some("Some(T)"));
        check(&["Option", "map"], Wanted::Item, Some("map<F"));
        check(&["Iterator", "map"], Wanted::Item, Some("map(self)"));
        check(&["<[T]>", "len"], Wanted::Item, Some("len(&self) -> usize"));
        check(&["str", "len"], Wanted::Item, Some("len(&self) {}"));
        check(&["Option", "missing"], Wanted::Item, None);
        check(&["Later", "unwrap"], Wanted::Item, Some("unwrap(self) -> T"));
        check(&["Ord", "max"], Wanted::Item, Some("max(self"));
        check(&["most"], Wanted::Item, Some("most<T"));
        check(&["Holds", "len"], Wanted::Field, Some("len: usize"));
        check(&["Holds", "len"], Wanted::Item, Some("len(self) {}"));
        check(&["new_style"], Wanted::Macro, Some("new_style($x"));
        check(&["vec"], Wanted::Macro, Some("vec { ()"));
        check(&["vec"], Wanted::Item, Some("vec { pub"));
        check(&["inner"], Wanted::Item, Some("inner()"));
        check(&["Eq"], Wanted::Item, Some("Eq: Sized"));
    }
}
