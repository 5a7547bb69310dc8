//! Code for requests. It parses and means nothing.

use super::items::{Item, Kind};

pub fn signature(name: &str, number: u64) -> String {
    match number % 2 {
        0 => format!("fn {name}(a: [u8; {number}]) -> u64"),
        _ => format!(
            "fn {name}<T>(\n    a: T,\n    b: [u8; {number}],\n) -> u64\nwhere\n    T: Copy"
        ),
    }
}

/// Of a function, or the value of a const.
pub fn body(braces: bool, number: u64) -> String {
    match (braces, number % 3) {
        (false, _) => format!("{number} + 1"),
        (_, 0) => format!("let a = {number};\nif a > 1 {{\n    a\n}} else {{\n    2\n}}"),
        (_, 1) => format!("{{ {number} }}"),
        _ => format!("{{\n    let a = {number};\n\n    a + 1\n}}"),
    }
}

/// Another item of the same kind and name, flush left.
pub fn new_item(kind: Kind, name: &str, number: u64, declared: bool) -> Option<String> {
    let docs =
        if number.is_multiple_of(3) { format!("/// Made, {number}.\n") } else { String::new() };
    let item = match kind {
        Kind::Fn | Kind::Method if declared => format!("fn {name}(a: [u8; {number}]);"),
        Kind::Fn | Kind::Method => {
            format!("fn {name}(a: u64) -> u64 {{\n    let b = a + {number};\n\n    b\n}}")
        }
        Kind::Struct => format!("struct {name} {{\n    a: u64,\n    b: [u8; {number}],\n}}"),
        Kind::Union => format!("union {name} {{\n    a: u64,\n    b: [u8; {number}],\n}}"),
        Kind::Enum => format!("enum {name} {{\n    Made{number},\n    Other {{ a: u64 }},\n}}"),
        Kind::Trait => format!("trait {name} {{\n    fn made_{number}(&self);\n}}"),
        Kind::Alias | Kind::AssocType => format!("type {name} = [u8; {number}];"),
        Kind::Const | Kind::AssocConst => format!("const {name}: u64 = {number};"),
        Kind::Static => format!("static {name}: u64 = {number};"),
        Kind::Mod => format!("mod {name} {{\n    fn made_{number}() {{\n        1;\n    }}\n}}"),
        Kind::Field => format!("{name}: [u8; {number}]"),
        Kind::Variant if number.is_multiple_of(2) => format!("{name}([u8; {number}]),"),
        Kind::Variant => format!("{name} {{\n    a: [u8; {number}],\n}}"),
        Kind::Impl | Kind::TraitImpl | Kind::Use | Kind::Other => return None,
    };
    Some(format!("{docs}{item}"))
}

/// The item's own text with something more, its lines as they are in the file.
pub fn changed(text: &str, item: &Item, number: u64) -> Option<String> {
    let old = text.get(item.range.clone())?;
    let block = item.body.clone().filter(|body| text.as_bytes().get(body.start) == Some(&b'{'));
    match block {
        Some(body) if number.is_multiple_of(2) => {
            let at = body.start + 1 - item.range.start;
            Some(format!("{} let _changed = {number};{}", &old[..at], &old[at..]))
        }
        _ => Some(format!("#[changed({number})] {old}")),
    }
}

/// Code that must be refused; none if this way to spoil it may leave it right.
pub fn spoil(code: &str, item: &Item, how: usize) -> Option<String> {
    let code = code.trim_end().trim_end_matches(',');
    let member = matches!(item.kind, Kind::Field | Kind::Variant);
    match how {
        0 if code.ends_with(['}', ')', ']']) => Some(code[..code.len() - 1].to_owned()),
        1 => Some(format!("{code} }}")),
        2 => Some(format!("{code} /*")),
        3 if !member => Some(format!("{code}\n\nfn second() {{}}")),
        4 if !member && item.kind != Kind::Struct => Some("struct Wrong;".to_owned()),
        5 => Some(" \n".to_owned()),
        _ => None,
    }
}

/// A new item for a place.
pub fn inserted(sort: Kind, name: &str, form: usize) -> String {
    match (sort, form) {
        (Kind::Field, 0) => format!("/// New.\n{name}: u64,"),
        (Kind::Field, _) => format!("{name}: u64"),
        (Kind::Variant, 0) => format!("{name} {{\n    a: u64,\n}}"),
        (Kind::Variant, _) => format!("{name}(u64)"),
        (Kind::AssocConst, _) => format!("const {name}: u64 = 1;"),
        (_, 0) => format!("/// New.\nfn {name}() -> u64 {{\n    1\n}}"),
        (_, 1) => format!("fn {name}() {{}}"),
        _ => format!(
            "    fn {name}(a: u64) {{\n        loop {{\n            a;\n        }}\n    }}\n"
        ),
    }
}
