//! Texts that do not parse keep their intact items, and say what is wrong.

use super::*;

/// The outline of a text that does not parse, and the line of its issue.
fn check_broken(text: &str, line: u32, expected: &str) {
    let facts = facts(text);
    assert!(facts.partial);
    let kinds: Vec<_> = facts.issues.iter().map(|issue| issue.kind).collect();
    assert_eq!(kinds, [IssueKind::Syntax]);
    assert_eq!(facts.issues[0].span.map(|span| span.start_line), Some(line), "{:?}", facts.issues);
    assert_eq!(outline(&facts).trim(), expected.trim());
}

#[test]
fn intact_items_stay_as_they_were() {
    let good = "use a::{b, c};\n/// A.\n#[derive(X)]\npub struct A<T> { x: T }\nimpl A<u8> { fn m(&self) { fn inner() {} } }\n";
    let bad = format!("{good}fn broken() {{ let x = ; }}\n{}", good.replace('A', "B"));
    let (good, bad) = (facts(good), facts(&bad));
    assert!(bad.partial);
    for item in good.items.iter().skip(1) {
        let same = bad.items.iter().any(|other| {
            let moved = ItemFacts { span: item.span, parent: item.parent, ..other.clone() };
            moved == *item && other.span == item.span
        });
        assert!(same, "{} differs in\n{}", item.name, outline(&bad));
    }
    assert_eq!(named(&bad, "m").in_body, named(&good, "m").in_body);
    assert_eq!(bad.items.len(), 2 * good.items.len());
    assert_eq!(named(&bad, "broken").kind, NodeKind::Function);
}

#[test]
fn half_typed_bodies_and_heads() {
    check_broken(
        "fn a() {}\nfn b(x: u8) -> u8 { x. }\nmod m { fn c() { let } fn d() {} }\nimpl T for U { fn e(&self) { 1 + } const K: u8 = 2; }\nfn f() {}\n",
        2,
        "
function a `fn a()`
function b `fn b(x: u8) -> u8`
module m `mod m`
  function c `fn c()`
  function d `fn d()`
impl impl T for U `impl T for U`
  method e `fn e(&self)`
  assoc_const K `const K: u8`
function f `fn f()`
",
    );
}

#[test]
fn a_field_without_a_type_leaves_the_others() {
    check_broken(
        "struct A { a: u8, b, c: u16 }\nenum E { X(u8), Y = , Z }\nfn f() {}",
        1,
        "
struct A `struct A`
  field a `a: u8`
  field b `b`
  field c `c: u16`
enum E `enum E`
  variant X `X(u8)`
    field 0 `u8`
  variant Y `Y =`
  variant Z `Z`
function f `fn f()`
",
    );
}

#[test]
fn brackets_without_their_other_half_are_named() {
    let check = |text: &str, line: u32, message: &str| {
        let issue = &facts(text).issues[0];
        let place = issue.span.map(|span| span.start_line);
        assert_eq!((issue.message.as_str(), place), (message, Some(line)), "{text}");
    };
    check("fn a() {}\nfn b() {\n    if x {\n}\nfn c() {}\n", 2, "`{` is never closed");
    check("fn a() {\n    f(1;\n}\n", 2, "`(` is never closed");
    check("fn a() {}\n}\n", 2, "`}` closes nothing");
    check("fn a() { x[1) }\n", 1, "`[` is never closed");
}

#[test]
fn an_unclosed_brace_loses_no_name() {
    let text = "fn a() {}\nfn b() {\n    if x {\n}\nfn c() {}\nstruct D;\n";
    let facts = facts(text);
    assert_eq!(facts.issues[0].kind, IssueKind::Syntax);
    for name in ["a", "b", "c", "D"] {
        assert_eq!(facts.items.iter().filter(|item| item.name == name).count(), 1, "{name}");
    }
    // Hashes come from the tokens, whether they parse or not.
    let whole = super::facts("fn c ( ) { }");
    assert_eq!(named(&facts, "c").tracking_hash, named(&whole, "c").tracking_hash);
}

#[test]
fn a_file_that_is_not_rust_gives_only_its_module() {
    for text in
        ["}}}}", "\"", "/*", "'", "r#\"", "<html><body>{</p>", "fn", "struct", "use a::{", "\u{0}"]
    {
        let facts = facts(text);
        assert!(facts.partial, "{text:?}");
        assert_eq!(facts.issues[0].kind, IssueKind::Syntax, "{text:?}");
        assert_eq!(facts.items[0].span.end_byte as usize, text.len());
    }
}

#[test]
fn every_prefix_of_a_file_is_taken() {
    let text = include_str!("../macros.rs");
    let facts: Vec<_> = with_large_stack(|| {
        let ends = (0..text.len()).step_by(97);
        ends.map(|end| (end, parse_file("x.rs", &text.as_bytes()[..end]))).collect()
    })
    .expect("no panic");
    for (end, facts) in &facts {
        invariants(facts, &text.as_bytes()[..*end]);
    }
    let last = &facts.last().expect("some").1;
    assert!(last.items.iter().any(|item| item.name == "parse_all"), "{}", outline(last));
}

#[test]
fn bytes_that_are_not_text() {
    let facts = parse_file("x.rs", b"fn a() {}\nfn \xff() {}");
    assert_eq!(facts.items.len(), 1);
    assert_eq!(facts.issues[0].kind, IssueKind::NotUtf8);
    assert_eq!(facts.issues[0].span.map(|span| (span.start_byte, span.start_line)), Some((13, 2)));
    let large = vec![b' '; MAX_FILE_BYTES + 1];
    let facts = parse_file("x.rs", &large);
    assert_eq!((facts.items.len(), facts.issues[0].kind), (1, IssueKind::TooLarge));
    assert_eq!(parse_file("x.rs", &large[1..]).issues, []);
}
