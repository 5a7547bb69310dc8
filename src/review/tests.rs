//! Forms of small texts. What names mean is tested through the program.

use super::*;
use asof_model::NodeId;

fn form(text: &str) -> NormalForm {
    let mut file = FileText::new(text.to_owned());
    file.bind();
    assert!(file.is_read, "{text}");
    let root = Identity::Later(NodeId::of_external("root"));
    let standpoint = Standpoint { module: root, above: None, root };
    let whole = 0..text.len() as u32;
    normal_form(&ItemText { file: &file, ranges: vec![whole], standpoint, is_module: false })
}

#[track_caller]
fn check_same(old: &str, new: &str) {
    let (old, new) = (form(old), form(new));
    assert!(compare(&old, &new).is_empty(), "{:#?}", [old.tokens, new.tokens]);
}

#[track_caller]
fn check_differ(old: &str, new: &str) {
    assert!(!compare(&form(old), &form(new)).is_empty(), "{old}");
}

#[test]
fn blanks_comments_and_last_commas_say_nothing() {
    check_same("fn f(a: u8) { g(a) }", "/// F.\nfn f(\n    a: u8,\n) {\n    // G.\n    g(a,)\n}");
    check_same("fn f() { [1, 2]; S { a: 1 } }", "fn f() { [1, 2,]; S { a: 1, } }");
    check_same("fn f() { match x { 1 => {} 2 => 3 } }", "fn f() { match x { 1 => {}, 2 => 3, } }");
    check_same("fn f<T>(a: T) {}", "fn f<T,>(a: T,) {}");
    check_differ("fn f() { (1) }", "fn f() { (1,) }");
    check_differ("fn f() { return (1) }", "fn f() { return (1,) }");
    check_differ("fn f() { m!(1) }", "fn f() { m!(1,) }");
    check_differ("fn f() { a & &b }", "fn f() { a && b }");
}

#[test]
fn what_a_text_binds_is_told_by_its_binding() {
    check_same("fn f(a: u8) -> u8 { a }", "fn f(b: u8) -> u8 { b }");
    check_same("fn f<'a, T>(a: &'a T) -> &'a T { a }", "fn f<'b, U>(c: &'b U) -> &'b U { c }");
    check_same("fn f(a: u8) { 'x: loop { break 'x } }", "fn f(a: u8) { 'y: loop { break 'y } }");
    check_differ("fn f(a: u8, b: u8) -> u8 { a }", "fn f(a: u8, b: u8) -> u8 { b }");
    check_differ("fn f(a: u8) { let b = 1; a }", "fn f(a: u8) { let a = 1; a }");
    check_differ("fn f<'a, 'b>(a: &'a u8) {}", "fn f<'a, 'b>(a: &'b u8) {}");
}

#[test]
fn captures_that_are_not_known_are_facts() {
    let swapped = [
        form("fn f() { let a = 1; let b = 2; m!(\"{a}\") }"),
        form("fn f() { let b = 1; let a = 2; m!(\"{a}\") }"),
    ];
    let [old, new] = &swapped;
    let differs = !compare(old, new).is_empty();
    assert!(differs || new.facts.captured_otherwise(&old.facts) == Some("a"));
}

#[test]
fn a_text_with_later_names_differs_where_code_does() {
    let old = form("fn f(a: u8) -> u8 {\n    a + 1\n}\n");
    let new = form("fn f(\n    b: u8,\n) -> u8 {\n    b - 1\n}\n");
    let differences = compare(&old, &new);
    let named = with_later_names(&old, &new, &differences);
    assert_eq!(named, "fn f(\n    b: u8,\n) -> u8 {\n    b + 1\n}\n");
}

#[test]
fn attributes_are_read_by_what_is_known_of_them() {
    use AttributeReads::{Names, Nothing, Tokens};
    for (text, reads) in [
        ("#[inline(always)]", Nothing),
        ("#[derive(Clone,Copy)]", Nothing),
        ("#[derive(Clone,std::fmt::Debug)]", Names),
        ("#[derive(Parser)]", Tokens),
        ("#[cfg_attr(all(unix,test),derive(Clone),inline)]", Nothing),
        ("#[cfg_attr(unix,derive(serde::Serialize))]", Names),
        ("#[unsafe(no_mangle)]", Names),
        ("#[tokio::main]", Nothing),
        ("#[instrument]", Tokens),
    ] {
        assert_eq!(attribute_reads(text), reads, "{text}");
    }
}
