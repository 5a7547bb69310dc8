//! What is removed together with an item.

use super::{apply, check, delete};

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
    let edits = [("a", delete()), ("V", super::insert(super::Position::LastChild, "b: u8"))];
    let found = apply("enum E { V { a: u8 } }", &edits).unwrap();
    assert_eq!(found, "enum E { V { b: u8 } }");
}
