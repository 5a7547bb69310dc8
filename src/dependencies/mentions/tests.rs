use super::*;

/// The places that name `a` or `b`, with what is around them.
#[track_caller]
fn check(text: &str, expected: &str) {
    let found = scan(text, &BTreeSet::from(["a", "b"]));
    let lines = found.mentions.iter().map(|one| {
        let condition = one.condition.to_string();
        let test = if one.in_test { " test" } else { "" };
        let under =
            if one.condition.is_always() { String::new() } else { format!(" if {condition}") };
        format!("{} {}{test}{under}", one.how.as_str(), one.item)
    });
    assert_eq!(lines.collect::<Vec<_>>().join("\n"), expected, "{text}");
}

#[test]
fn paths_begin_with_the_crate() {
    check("fn f() -> a::T { ::b::c::<u8>() }", "path a::T\npath b::c");
    check("fn f(a: u8) { x.a; x::a::y; a(); self::a::f(); let _ = 1..a::N; }", "path a::N");
    check("impl <a::T as b::U>::V {}", "path a::T\npath b::U");
}

#[test]
fn imports_name_each_leaf() {
    check("use a::{T, m::{self, U}, *};", "import a::T\nimport a::m\nimport a::m::U\nimport a::*");
    check("use {a, x::a as c, b as _};", "import a\nimport b");
    check("pub use a; pub(crate) use ::b::c;", "reexport a\nreexport b::c");
    check("extern crate a as x; #[macro_use] extern crate b;", "extern_crate a\nextern_crate b");
}

#[test]
fn names_in_macros_may_mean_the_crate() {
    check("m! { a x.a b::f() } fn g() { a }", "tokens a\ntokens b::f");
    check("macro_rules! m { () => { ::a::f(); $crate::b::g() } }", "tokens a::f");
}

#[test]
fn attributes_and_their_strings() {
    check("#[a::m(b)] #[derive(a::D)] struct S;", "attribute a::m\nattribute b\nattribute a::D");
    check("#[serde(with = \"a::ts\", rename = \"an a\")] x: u8,", "attribute a");
    check("#[a(x)] #[cfg(feature = \"a\")] struct S;", "");
    check(
        "#[cfg_attr(feature = \"b\", derive(b::D))] struct S;",
        "attribute b::D if feature = \"b\"",
    );
}

#[test]
fn conditions_are_those_around() {
    check("#[cfg(test)] mod t { use a; } use b;", "import a test if test\nimport b");
    check("#![cfg(feature = \"x\")] use a;", "import a if feature = \"x\"");
    check(
        "#[cfg(feature = \"x\")] #[inline] fn f<T, U>() { a::g() } fn h() { b::g() }",
        "path a::g if feature = \"x\"\npath b::g",
    );
    check("struct S { #[cfg(unix)] x: a::T, y: b::T }", "path a::T if unix\npath b::T");
    check("#[test] fn f() { a::g() }", "path a::g test");
}

#[test]
fn code_in_documentation_is_a_test() {
    check("/// ```\n/// use a::T;\n/// ```\nfn f() {}", "doc_test a::T test");
    check("/// ```text\n/// use a::T;\n/// ```\n/// a::T\nfn f() {}", "");
    let found = scan("#![doc = include_str!(\"../README.md\")]", &BTreeSet::new());
    assert_eq!(found.documents, BTreeSet::from(["../README.md".to_owned()]));
}

#[test]
fn macros_that_may_be_called() {
    let text = "use x::Old as New; #[derive(Clone, x::D)] #[helper] struct S; m!(); #[New] #[t::test] #[test] fn f() {}";
    let found = scan(text, &BTreeSet::new());
    let names: Vec<&str> = found.macros.iter().map(String::as_str).collect();
    assert_eq!(names, ["D", "New", "Old", "helper", "m", "test"]);
}

#[test]
fn broken_and_deep_texts_end() {
    for text in ["use a::{", "#[", "#![", "a::", "macro_rules! a", "/** ``` */", "use a::{b::{"] {
        scan(text, &BTreeSet::from(["a"]));
    }
    let deep = format!("use {}a{};", "{".repeat(50_000), "}".repeat(50_000));
    assert_eq!(scan(&deep, &BTreeSet::from(["a"])).mentions.len(), 1);
}
