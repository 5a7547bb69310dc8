//! The item tree of a file without parsing the bodies of its functions. Most of a text is such
//! bodies, and no other file's names depend on them.

use super::lexer::Kind;
use super::source::{Source, Toks};
use super::walk::may_hold_items;
use super::{MAX_FILE_BYTES, parse_file};
use asof_model::ItemTree;

/// The item tree that [`parse_file`] gives for a text that parses, several times as fast. Of a text
/// with a syntax error inside a function body, it is that of the text without the error.
///
/// Expects the stack that [`parse_file`] expects.
pub fn parse_item_tree(path: &str, bytes: &[u8]) -> ItemTree {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= MAX_FILE_BYTES);
    if let Some(text) = text {
        let facts = parse_file(path, without_bodies(text).as_bytes());
        if !facts.partial {
            return ItemTree::from_facts(&facts);
        }
    }
    ItemTree::from_facts(&parse_file(path, bytes))
}

/// What [`parse_item_tree`] gives, without the values of constants that are long: tables of numbers
/// can be most of a crate.
pub fn parse_declarations(path: &str, bytes: &[u8]) -> ItemTree {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= MAX_FILE_BYTES);
    match text.and_then(without_values) {
        Some(text) => parse_item_tree(path, text.as_bytes()),
        None => parse_item_tree(path, bytes),
    }
}

/// Tokens of a value that is left out.
const LONG_VALUE: usize = 256;

/// The text with `0` for long values of constants; none if there are none.
fn without_values(text: &str) -> Option<String> {
    let source = Source::new(text);
    let mut out = String::new();
    let (mut from, mut at) = (0, 0);
    while at < source.tokens.len() {
        let value = match source.word(at) {
            "const" | "static" => value(&source, at + 1),
            _ => None,
        };
        let Some(value) = value.filter(|value| value.len() > LONG_VALUE) else {
            at += 1;
            continue;
        };
        if !may_hold_items(&source, &value) {
            out.push_str(source.slice(from, source.token(value.start).start));
            out.push('0');
            from = source.token(value.end).start;
        }
        at = value.end;
    }
    if out.is_empty() {
        return None;
    }
    out.push_str(source.slice(from, text.len() as u32));
    Some(out)
}

/// The tokens between the `=` and the `;` of a constant, from the token after its keyword on.
fn value(source: &Source<'_>, from: usize) -> Option<Toks> {
    let mut at = from;
    let mut start = None;
    loop {
        let token = source.token(at);
        match token.kind {
            Kind::End | Kind::Close => return None,
            Kind::Open if token.is(b'{') && start.is_none() => return None,
            Kind::Open => {
                at = source.skip(at);
                continue;
            }
            _ if token.is(b';') => return start.map(|start| start..at),
            _ if token.is(b'=') && start.is_none() => start = Some(at + 1),
            _ => {}
        }
        at += 1;
    }
}

/// The text without the bodies of functions, apart from bodies that may contain items or begin with
/// inner attributes.
fn without_bodies(text: &str) -> String {
    let source = Source::new(text);
    let mut out = String::with_capacity(text.len() / 2);
    let (mut from, mut at) = (0, 0);
    while at < source.tokens.len() {
        if let Some(behind) = behind_macro(&source, at) {
            at = behind;
            continue;
        }
        let open = match source.word(at) {
            "fn" if source.token(at + 1).kind == Kind::Word => body(&source, at + 2),
            _ => None,
        };
        let Some(open) = open else {
            at += 1;
            continue;
        };
        let close = source.token(open).mate as usize;
        let inner = source.token(open + 1);
        let begins_inside = inner.kind == Kind::Doc || inner.is(b'#');
        if close <= open || begins_inside || may_hold_items(&source, &(open + 1..close)) {
            at = open + 1;
            continue;
        }
        out.push_str(source.slice(from, source.token(open).end));
        from = source.token(close).start;
        at = close + 1;
    }
    out.push_str(source.slice(from, text.len() as u32));
    out
}

/// The index after a macro call or definition whose `!` is here. Its tokens are kept, because they
/// need not be Rust.
fn behind_macro(source: &Source<'_>, at: usize) -> Option<usize> {
    let after_name = source.is(at, b'!') && source.token(at.wrapping_sub(1)).kind == Kind::Word;
    let named = source.token(at + 1).kind == Kind::Word;
    let open = at + 1 + usize::from(named);
    (after_name && source.token(open).kind == Kind::Open).then(|| source.skip(open))
}

/// The `{` of a function's body, from the token after its name on.
fn body(source: &Source<'_>, from: usize) -> Option<usize> {
    let (mut at, mut angles) = (from, 0_i32);
    loop {
        let token = source.token(at);
        match token.kind {
            Kind::End | Kind::Close => return None,
            Kind::Open if token.is(b'{') && angles == 0 => return Some(at),
            Kind::Open => {
                at = source.skip(at);
                continue;
            }
            _ if token.is(b';') && angles == 0 => return None,
            _ if token.is(b'<') => angles += 1,
            _ if source.closes_angle(at) => angles -= 1,
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{parse_file_isolated, with_large_stack};

    fn check(text: &str, bare: &str) {
        assert_eq!(without_bodies(text), bare);
        let full = ItemTree::from_facts(&parse_file_isolated("a.rs", text.as_bytes()));
        let quick = with_large_stack(|| parse_item_tree("a.rs", text.as_bytes())).unwrap();
        assert_eq!(quick, full, "{text}");
    }

    #[test]
    fn bodies_are_left_out() {
        check("fn f() { let x = S { a: 1 }; x }", "fn f() {}");
        check("impl<T: Fn(u8) -> u8> A<T> { fn g<U>(&self) -> B<U> where U: C, { 1 } }", {
            "impl<T: Fn(u8) -> u8> A<T> { fn g<U>(&self) -> B<U> where U: C, {} }"
        });
        check("trait A { fn f(); fn g() { f() } }", "trait A { fn f(); fn g() {} }");
        check("fn f(x: [u8; { 1 + 2 }]) -> A<{ N }> { y }", {
            "fn f(x: [u8; { 1 + 2 }]) -> A<{ N }> {}"
        });
    }

    #[test]
    fn long_values_are_left_out() {
        let numbers = "1, ".repeat(LONG_VALUE);
        let check = |text: &str, bare: Option<&str>| {
            assert_eq!(without_values(text).as_deref(), bare);
            let [full, bare] = [text, bare.unwrap_or(text)]
                .map(|text| ItemTree::from_facts(&parse_file_isolated("a.rs", text.as_bytes())));
            assert_eq!(bare, full, "{text}");
        };
        let text = format!("pub static A: [u8; 9] = [{numbers}]; const B: u8 = 1; fn f() {{}}");
        check(&text, Some("pub static A: [u8; 9] = 0; const B: u8 = 1; fn f() {}"));
        check("struct S<const N: usize = 3>; const fn f() -> u8 { 1 }", None);
        check(&format!("const _: () = {{ impl A for B {{}} let _ = [{numbers}]; }};"), None);
    }

    #[test]
    fn bodies_with_items_and_macros_are_kept() {
        for kept in [
            "fn f() { struct S; }",
            "fn f() { #![cfg(test)] 1 }",
            "fn f() { //! Docs.\n1 }",
            "m! { fn f() { 1 } }",
            "macro_rules! m { () => { fn f() { 1 } } }",
            "struct S { f: fn(u8) -> u8 }",
            "const F: fn() = { f };",
        ] {
            check(kept, kept);
        }
        check("fn f() { fn g() { 1 } }", "fn f() { fn g() {} }");
    }

    #[test]
    fn our_own_files_have_the_same_item_trees() {
        let home = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut folders = vec![home.join("src"), home.join("storage"), home.join("tests")];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let bytes = std::fs::read(&path).unwrap();
                    let full = ItemTree::from_facts(&parse_file_isolated("a.rs", &bytes));
                    let quick = with_large_stack(|| parse_item_tree("a.rs", &bytes)).unwrap();
                    assert_eq!(quick, full, "{}", path.display());
                    files += 1;
                }
            }
        }
        assert!(files > 500, "only {files} files");
    }
}
