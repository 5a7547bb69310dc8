//! Texts made to exhaust the stack, the memory or the patience of a recursive parser.

use super::*;
use crate::source::Source;

/// Before, repeated before, repeated after, after.
type Shape = (&'static str, &'static str, &'static str, &'static str);

const SHAPES: &[Shape] = &[
    ("fn f() { ", "(", ")", "}"),
    ("fn f() { ", "[", "]", "}"),
    ("fn f() ", "{", "}", ""),
    ("fn f() ", "{ x({", "}) }", ""),
    ("", "mod a {", "}", ""),
    ("", "fn a() {", "}", ""),
    ("fn f() { ", "if x { 1 } else ", "", "{} }"),
    ("fn f() { ", "if ", "{}", "}"),
    ("fn f() { ", "match x { _ => ", "}", "}"),
    ("fn f() { ", "!", "", "x }"),
    ("fn f() { ", "-", "", "x }"),
    ("fn f() { ", "*", "", "x }"),
    ("fn f() { ", "&", "", "x }"),
    ("fn f() { ", "& mut ", "", "x }"),
    ("fn f() { ", "return ", "", "x }"),
    ("fn f() { ", "break ", "", "x }"),
    ("fn f() { ", "|| ", "", "x }"),
    ("fn f() { ", "|a, b| ", "", "x }"),
    ("fn f() { ", "x | |a, b| ", "", "x }"),
    ("fn f() { ", "for<'a> |a, b| ", "", "x }"),
    ("fn f() { ", "#[a] |a, b| ", "", "x }"),
    ("fn f() { ", "move |a, b| ", "", "x }"),
    ("fn f() { ", "a + ", "", "b }"),
    ("fn f() { ", "a = ", "", "b }"),
    ("fn f() { ", "a.. ", "", "b }"),
    ("fn f() { ", "..", "", "b }"),
    ("fn f() { x", ".a", "", "}"),
    ("fn f() { x", ".a()", "", "}"),
    ("fn f() { x", "?", "", "}"),
    ("fn f() { x", "()", "", "}"),
    ("fn f() { x", "[0]", "", "}"),
    ("fn f() { x", " as u8", "", "}"),
    ("fn f() { x", "::a", "", "}"),
    ("fn f() { ", "(", ").a.a.a.a.a.a.a.a", "}"),
    ("fn f() { ", "let x = ", "", "1; }"),
    ("fn f() { ", "for S {} in ", "", "x {} }"),
    ("fn f() { ", "while ", "", "x {} }"),
    ("fn f() { ", "<", "", "T }"),
    ("type A = ", "A<", ">", ";"),
    ("type A = ", "A<u8, ", ">", ";"),
    ("type A = ", "<A as B<", ">>::C", ";"),
    ("type A = ", "&", "", "A;"),
    ("type A = ", "*const ", "", "A;"),
    ("type A = ", "fn() -> ", "", "A;"),
    ("type A = ", "for<'a, 'b> fn() -> ", "", "A;"),
    ("type A = ", "impl Fn() -> ", "", "A;"),
    ("type A = ", "(", ")", ";"),
    ("type A = ", "[", "]", ";"),
    ("fn f(", "&", "", "x: u8) {}"),
    ("fn f(", "a @ ", "", "x: u8) {}"),
    ("fn f(", "(", ")", ": u8) {}"),
    ("use ", "a::", "", "b;"),
    ("use ", "a::{", "}", ";"),
    ("use ", "{", "}", ";"),
    ("", "m! {", "}", ""),
    ("", "m! { fn f() { ", "} }", ""),
    ("", "#[a", "]", "fn f() {}"),
    ("", "#[a]", "", "fn f() {}"),
    ("", "/*", "*/", ""),
    ("", "impl<T> ", "", "A {}"),
    ("", "pub ", "", "fn f() {}"),
    ("", "const ", "", "fn f() {}"),
    ("", "extern \"C\" ", "", "fn f() {}"),
    ("", "fn f() {} ", "", ""),
    ("enum E { A = ", "a < ", "", "1 }"),
    ("const X: [u8; 1] = [", "1 << 2, ", "", "];"),
    ("", "<", "", ""),
    ("", "\"", "", ""),
    ("", "'a ", "", ""),
    ("", "r#", "", ""),
    ("", "}", "", ""),
    ("", "struct S", "", ""),
    ("", "a! ", "", ""),
    ("", "é", "", ""),
];

fn text((head, before, behind, tail): Shape, times: usize) -> String {
    [head, &before.repeat(times), "", &behind.repeat(times), tail].concat()
}

/// Parses on a thread with the stack that callers are promised; an overflow kills the test.
fn survives(shape: Shape, times: usize) -> FileFacts {
    let text = text(shape, times);
    assert!(text.len() <= MAX_FILE_BYTES);
    let facts = parse_file_isolated("x.rs", text.as_bytes());
    assert_eq!(facts.len as usize, text.len());
    assert!(facts.issues.iter().all(|issue| issue.kind != IssueKind::Unreadable), "{shape:?}");
    facts
}

#[test]
fn a_little_of_everything() {
    for &shape in SHAPES {
        for times in [1, 40, 400] {
            let text = text(shape, times);
            invariants(&survives(shape, times), text.as_bytes());
        }
    }
}

/// Just below the limits, where the parsers do recurse.
#[test]
fn as_deep_as_the_limits_allow() {
    for &shape in SHAPES {
        let tokens = Source::new(shape.1).tokens.len().max(1);
        let behind = Source::new(shape.2).tokens.len();
        let brackets = shape.1.matches(['(', '[', '{']).count();
        let closed = shape.1.matches([')', ']', '}']).count();
        let mut times = (depth::MAX_HEIGHT as usize - 100) / (tokens + behind);
        if brackets > closed {
            times = times.min((depth::MAX_BRACKETS - 2) / (brackets - closed));
        }
        let facts = survives(shape, times);
        let deep = facts.issues.iter().any(|issue| {
            issue.kind == IssueKind::TooDeep && issue.message.starts_with("nested deeper")
        });
        assert!(!deep, "{shape:?} × {times} is refused: the test misses the limit");
    }
}

#[test]
fn beyond_all_limits() {
    for &shape in SHAPES {
        survives(shape, (1 << 19) / (shape.1.len() + shape.2.len()));
    }
}

#[test]
#[ignore = "takes minutes"]
fn as_large_as_is_parsed() {
    for &shape in SHAPES {
        let start = std::time::Instant::now();
        survives(shape, (MAX_FILE_BYTES - 1_000) / (shape.1.len() + shape.2.len()));
        println!("{:6.2} s {shape:?}", start.elapsed().as_secs_f64());
    }
}

#[test]
fn deep_texts_say_so() {
    for shape in [SHAPES[0], SHAPES[6], SHAPES[9], SHAPES[17], SHAPES[22], SHAPES[39]] {
        let facts = survives(shape, 100_000);
        assert_eq!(facts.issues[0].kind, IssueKind::TooDeep, "{shape:?}");
        assert_eq!(facts.items.len(), 1);
    }
    let modules = survives(("", "mod a {", "}", ""), 500);
    assert_eq!(modules.items.len() as u32, build::MAX_ITEM_DEPTH + 1);
    assert_eq!(modules.issues[0].kind, IssueKind::TooDeep);
}

/// A file of small items used to take gigabytes although it was below the limit of bytes.
#[test]
fn no_file_has_more_items_than_are_recognised() {
    let mut text = "fn f() {}\n".repeat(build::MAX_ITEMS - 10_000);
    text.push_str(&format!("enum E {{ {} }}\n", "V, ".repeat(20_000)));
    text.push_str("struct S { a: u8 }\nm! { fn g() {} }\nfn last() {}\n");
    for text in [text.clone(), format!("{text}fn broken( {{\n")] {
        let facts = parse_file_isolated("src/lib.rs", text.as_bytes());
        assert_eq!(facts.items.len(), build::MAX_ITEMS);
        let said: Vec<_> = facts.issues.iter().filter(|i| i.kind == IssueKind::TooLarge).collect();
        assert_eq!(said.len(), 1, "{:?}", facts.issues);
        assert!(said[0].message.contains("the rest is not recognised"), "{}", said[0].message);
    }
    let facts = parse_file_isolated("src/lib.rs", "fn f() {}\n".repeat(99_999).as_bytes());
    assert_eq!((facts.items.len(), facts.issues.len()), (build::MAX_ITEMS, 0));
}

#[test]
fn deep_items_do_not_hide_the_others() {
    let deep = |name: &str| {
        format!("pub fn {name}() {{ {}1{} }}\n", "(".repeat(20_000), ")".repeat(20_000))
    };
    let text = format!(
        "//! Docs.\n#![allow(x)]\n/// One.\n#[inline]\npub fn one() {{ inner(); }}\n{}\
         const C: [u8; 2] = {{ [1, 2] }};\nuse a::{{b, c}};\n\
         mod inside {{\n    pub fn two() {{}}\n    {}    struct Three {{ a: u8 }}\n}}\n\
         impl S {{\n    {}    fn four(&self) {{}}\n}}\nfn five() {{}}\n",
        deep("bad"),
        deep("worse"),
        deep("worst"),
    );
    let facts = parse_file_isolated("x.rs", text.as_bytes());
    let names: Vec<&str> = facts.items.iter().skip(1).map(|item| item.name.as_str()).collect();
    let wanted = ["one", "C", "a::{b, c}", "inside", "two", "Three", "a", "impl S", "four", "five"];
    assert_eq!(names, wanted);
    assert_eq!(facts.items[1].docs, "One.");
    let lines: Vec<(IssueKind, u32)> =
        facts.issues.iter().map(|i| (i.kind, i.span.unwrap().start_line)).collect();
    assert_eq!(lines, [6, 11, 15].map(|line| (IssueKind::TooDeep, line)));
    assert!(facts.partial);
    invariants(&facts, text.as_bytes());
}

/// Wide is not deep: tables, long files and long chains of statements are ordinary.
#[test]
fn wide_texts_are_parsed() {
    for shape in [
        ("const X: &[(u8, &str)] = &[", "(1 << 2, \"a\"), ", "", "];"),
        ("const X: &[u8] = &[", "A | B, ", "", "];"),
        ("fn f() {", "if a < b { c } if d { e }", "", "}"),
        ("", "fn f(a: Vec<u8>) -> u8 { a + b }\n", "", ""),
        ("", "#[a] struct S<T>(T);\n/// d\nmod m {}\n", "", ""),
        ("fn f() { match x { ", "A | B if c => {} D => |a, b| e,", "", "} }"),
    ] {
        assert_eq!(survives(shape, 20_000).issues, [], "{shape:?}");
    }
}
