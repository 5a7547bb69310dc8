//! What is removed together with an item.

use super::Position::{After, Before, FirstChild, LastChild};
use super::{apply, check, delete, insert};
use asof_syntax::parse_file_isolated;

#[test]
fn one_blank_line_is_removed_too() {
    let after = "fn a() {}\n\nfn b() {}\n";
    check("fn a() {}\n\nfn it() {}\n\nfn b() {}\n", "it", delete(), after);
    check("fn a() {}\n\n/// Says.\n#[inline]\nfn it() {}\n\nfn b() {}\n", "it", delete(), after);
    check("fn it() {}\n\nfn b() {}\n", "it", delete(), "fn b() {}\n");
    check("fn a() {}\n\nfn it() {}\n", "it", delete(), "fn a() {}\n");
    check("fn it() {}", "it", delete(), "");
    check("fn a() {}\r\n\r\nfn it() {}\r\n", "it", delete(), "fn a() {}\r\n");
}

#[test]
fn in_a_container() {
    check("impl S {\n    fn it() {}\n}\n", "it", delete(), "impl S {\n}\n");
    check(
        "impl S {\n    fn it() {}\n\n    fn b() {}\n}\n",
        "it",
        delete(),
        "impl S {\n    fn b() {}\n}\n",
    );
    check("mod m { fn it() {} fn b() {} }\n", "it", delete(), "mod m { fn b() {} }\n");
}

#[test]
fn members_take_their_comma() {
    check("enum E {\n    It,\n    B,\n}\n", "It", delete(), "enum E {\n    B,\n}\n");
    check("enum E { A, It, B }", "It", delete(), "enum E { A, B }");
    check("enum E { A, It }", "It", delete(), "enum E { A, }");
    check("struct S {\n    a: u8,\n    it: u8\n}\n", "it", delete(), "struct S {\n    a: u8,\n}\n");
}

#[test]
fn comments_stay() {
    check("// Of nobody.\n\nfn it() {}\n", "it", delete(), "// Of nobody.\n");
    check("fn it() {} // rest\n", "it", delete(), " // rest\n");
}

#[test]
fn several_at_once() {
    let edits = [("A", delete()), ("B", delete()), ("C", delete())];
    assert_eq!(apply("enum E { A, B, C }", &edits).unwrap(), "enum E {  }");
}

#[test]
fn a_member_may_be_removed_while_another_is_added_after_it() {
    let edits = [("a", delete()), ("V", insert(LastChild, "b: u8"))];
    let found = apply("enum E { V { a: u8 } }", &edits).unwrap();
    assert_eq!(found, "enum E { V { b: u8 } }");
}

#[test]
fn a_removed_member_goes_whatever_is_added_beside_it() {
    let fields = [
        "{ it: u8 }",
        "{ it: u8, }",
        "{it: u8,}",
        "{ it: u8, // comment\n}",
        "{ it: u8, b: u8 }",
        "{ b: u8, it: u8 }",
        "{ b: u8, it: u8, // comment\n}",
        "{\n    it: u8, // comment\n}",
        "{\n    it: u8 // comment\n}",
        "{\n    it: u8,\n    // comment\n}",
        "{\n    it: u8, b: u8, // comment\n}",
        "{\n    b: u8, it: u8, // comment\n}",
        "{\n    b: u8,\n    it: u8, // comment\n    c: u8,\n}",
    ];
    let added = |at: usize, (anchor, position): (&'static str, _), text: &str| {
        let one = (anchor, insert(position, &format!("new{at}: u8")));
        text.contains(&format!("{anchor}:"))
            .then_some(one.clone())
            .or((anchor == "S").then_some(one))
    };
    let places = [
        ("S", FirstChild),
        ("S", LastChild),
        ("it", Before),
        ("it", After),
        ("b", Before),
        ("b", After),
    ];
    for text in fields
        .iter()
        .flat_map(|f| [format!("struct S {f}"), format!("struct S {f}").replace('\n', "\r\n")])
    {
        for one in places {
            for two in places {
                let new = [added(1, one, &text), added(2, two, &text)];
                let edits: Vec<_> = new.into_iter().flatten().chain([("it", delete())]).collect();
                let Ok(found) = apply(&text, &edits) else { continue };
                let of = parse_file_isolated("src/lib.rs", found.as_bytes());
                let names: Vec<&str> = of.items.iter().skip(2).map(|i| i.name.as_str()).collect();
                assert!(!names.contains(&"it"), "{text:?} {one:?} {two:?}: {found:?}");
                assert_eq!(
                    names.iter().filter(|n| n.starts_with("new")).count(),
                    edits.len() - 1,
                    "{found}"
                );
                assert!(
                    !text.contains('\r') || !found.replace("\r\n", "").contains('\n'),
                    "{found:?}"
                );
            }
        }
    }
    let edits = [("it", delete()), ("S", insert(LastChild, "b: u8"))];
    let found = apply("struct S { it: u8, // comment\n}", &edits).unwrap();
    assert_eq!(found, "struct S { b: u8, // comment\n}");
}

/// Only blanks around a removed item may be shared with a new one beside it.
#[test]
fn nothing_is_added_within_an_item_that_is_removed() {
    let cases = [
        ("mod it {\n    fn a() {}\n}\n", "it", FirstChild, "fn b() {}"),
        ("mod it {\n    fn a() {}\n}\n", "it", LastChild, "fn b() {}"),
        ("mod it {}\n", "it", LastChild, "fn b() {}"),
        ("mod it {\n    // Of a.\n    fn a() {}\n}\n", "a", Before, "fn b() {}"),
        ("mod it {\r\n    fn a() {} // still\r\n}\r\n", "a", After, "fn b() {}"),
        ("enum it { A, B }\n", "it", LastChild, "C"),
        ("enum E { it { a: u8 }, B }\n", "it", FirstChild, "b: u8"),
    ];
    for (text, anchor, position, code) in cases {
        let edits = [("it", delete()), (anchor, insert(position, code))];
        let error = apply(text, &edits).unwrap_err().to_string();
        assert_eq!(error, "edits 0 and 1 of the request overlap in src/lib.rs", "{text}");
    }
}

#[test]
fn an_item_may_be_removed_while_another_is_added_beside_it() {
    let text = "fn a() {}\n\nfn it() {}\n\nfn b() {}\n";
    let after = "fn a() {}\n\nfn c() {}\n\nfn b() {}\n";
    for position in [Before, After] {
        let edits = [("it", delete()), ("it", insert(position, "fn c() {}"))];
        assert_eq!(apply(text, &edits).unwrap(), after, "{position:?}");
    }
}
