//! The obligations of a proof, each with an edit that meets it and one that does not.
//! `hostile_refactorings` makes many more, and asks the compiler.

use crate::support::cli;
use crate::support::shell::Workspace;

use cli::{code, err, out};
use serde_json::Value as Json;

/// What becomes of an edit.
#[derive(Debug, Clone, Copy)]
enum Outcome<'a> {
    Proven,
    /// Listed for this reason.
    Listed(&'a str),
    /// Refused with this message.
    Refused(&'a str),
}
use Outcome::{Listed, Proven, Refused};

#[track_caller]
fn check(files: &[(&str, &str)], args: &[&str], expected: Outcome<'_>) -> Json {
    let workspace = Workspace::with(files);
    let output = workspace.asof(&[&["--format", "json"], args, &["--dry-run"]].concat());
    let said = format!("{}{}", out(&output), err(&output));
    if let Refused(message) = expected {
        assert_eq!(code(&output), 2, "{said}");
        assert!(said.contains(message), "{said}");
        return Json::Null;
    }
    assert_eq!(code(&output), 0, "{said}");
    let answer: Json = serde_json::from_slice(&output.stdout).unwrap();
    let places = answer["proof"]["look_at"].as_array().unwrap();
    let reasons: Vec<&str> = places.iter().map(|one| one["reason"].as_str().unwrap()).collect();
    match expected {
        Listed(reason) => assert!(reasons.contains(&reason), "{reasons:?}"),
        _ => assert!(reasons.is_empty(), "{reasons:?}"),
    }
    assert_eq!(answer["proof"]["proven"], reasons.is_empty());
    answer
}

#[track_caller]
fn check_main(text: &str, args: &[&str], expected: Outcome<'_>) -> Json {
    check(&[("src/main.rs", text)], args, expected)
}

#[test]
fn rules_take_names_from_the_place_of_the_call() {
    let text = "\
macro_rules! m { () => { helper() } }
mod a { fn helper() -> u8 { 1 } pub fn f() -> u8 { m!() } }
mod b { pub fn helper() -> u8 { 2 } }
fn main() { a::f(); b::helper(); }
";
    check_main(text, &["move", "crate::a::f", "crate::b"], Listed("macro_names"));
    let hygienic = text.replace("{ helper() }", "{ $crate::b::helper() }");
    check_main(&hygienic, &["move", "crate::a::f", "crate::b"], Proven);
    let around = "\
mod b {}
fn item() -> u8 { 1 }
macro_rules! m { () => { item() } }
mod c { use super::item; pub fn f() -> u8 { m!() + item() } }
fn main() { c::f(); }
";
    let renamed = check_main(around, &["rename", "crate::item", "fresh"], Listed("macro_rules"));
    assert_eq!(renamed["proof"]["proven"], false);
}

#[test]
fn tokens_of_a_call_declare_the_new_name() {
    let text = "\
macro_rules! pass { ($($t:tt)*) => { $($t)* } }
mod dest { pub fn new() -> u8 { 9 } }
fn old() -> u8 { 1 }
fn main() { pass! { { use crate::dest::new; let _ = (old(), 2); } } dest::new(); }
";
    check_main(text, &["rename", "crate::old", "new"], Listed("macro_word"));
    check_main(text, &["rename", "crate::old", "fresh"], Proven);
    // In another form of Unicode, too.
    let decomposed = text.replace("dest::new;", "dest::a\u{30a}x;").replace("new", "\u{e5}x");
    check_main(&decomposed, &["rename", "crate::old", "\u{e5}x"], Listed("macro_word"));
}

#[test]
fn associated_types_of_two_bounds_are_told_apart() {
    let text = "\
pub trait T { type Depth; fn m() -> Self::Depth; }
pub trait U { type Level; }
impl T for u8 { type Depth = i32; fn m() -> i32 { 1 } }
impl U for u8 { type Level = i8; }
pub fn see<X: T<Depth = i32> + U>() -> i32 { let n: X::Depth = X::m(); n }
fn main() { see::<u8>(); }
";
    check_main(text, &["rename", "crate::T::Depth", "Level"], Listed("second_candidate"));
    check_main(text, &["rename", "crate::T::Depth", "Height"], Proven);
}

#[test]
fn included_files_name_what_moves() {
    let main = "mod outer { fn state() -> u8 { 6 } include!(\"part.in\"); }\nmod dest {}\nfn main() { outer::part(); }\n";
    let included = ("src/part.in", "pub fn part() -> u8 { state() }\n");
    let args = ["move", "crate::outer::state", "crate::dest"];
    check(&[("src/main.rs", main), included], &args, Listed("other_file"));
    let other = ("src/part.in", "pub fn part() -> u8 { 1 }\n");
    check(&[("src/main.rs", main), other], &args, Proven);
}

#[test]
fn rules_match_and_define_words() {
    let text = "\
macro_rules! k { (y) => { 100 }; ($e:expr) => { $e } }
fn main() { let x = 1; let _ = k!(x); }
";
    let rename = |to| ["rename", "crate::main", to, "--local", "x"];
    check_main(text, &rename("y"), Listed("macro_word"));
    check_main(text, &rename("z"), Proven);
    let text = "\
macro_rules! def { () => { #[allow(dead_code)] fn new() -> u8 { 2 } } }
fn old() -> u8 { 1 }
fn main() { def!(); old(); }
";
    check_main(text, &["rename", "crate::old", "new"], Listed("macro_word"));
    check_main(text, &["rename", "crate::old", "fresh"], Proven);
}

#[test]
fn textual_macros_are_in_scope_where_a_text_goes() {
    let text = "\
mod z { pub fn q() -> u8 { 0 } }
#[macro_use] mod mm { macro_rules! k { () => { 1 } } }
mod a { pub fn f() -> u8 { k!() } }
mod late {}
fn main() { a::f(); z::q(); }
";
    check_main(text, &["move", "crate::a::f", "crate::z"], Listed("macro_names"));
    check_main(text, &["move", "crate::a::f", "crate::late"], Proven);
    let text = "\
macro_rules! k { () => { 1 } }
mod a { pub fn f() -> u8 { k!() } }
mod z { macro_rules! k { () => { 2 } } pub fn g() -> u8 { k!() } }
fn main() { a::f(); z::g(); }
";
    let says = "would mean something else";
    check_main(text, &["move", "crate::a::f", "crate::z"], Refused(says));
}

#[test]
fn files_are_named_relative_to_the_source() {
    let main = ("src/main.rs", "mod a;\nmod b;\nfn main() { a::f(); b::g(); }\n");
    let text = "pub fn f() -> &'static str { include_str!(\"d.txt\") }\n";
    let files = [
        main,
        ("src/a/mod.rs", text),
        ("src/a/d.txt", "A"),
        ("src/b/mod.rs", "pub fn g() {}\n"),
        ("src/c.rs", ""),
    ];
    let names = "names src/a/d.txt, would name src/b/d.txt";
    check(&files, &["move", "crate::a::f", "crate::b"], Refused(names));
    let names = "names src/a/d.txt, would name src/x/d.txt";
    check(&files, &["rename", "crate::a", "x"], Refused(names));
    let absolute =
        text.replace("\"d.txt\"", "concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/src/a/d.txt\")");
    let files = [main, ("src/a/mod.rs", absolute.as_str()), files[2], files[3]];
    check(&files, &["move", "crate::a::f", "crate::b"], Proven);
}

#[test]
fn cargo_finds_the_same_targets() {
    let lib = ("src/lib.rs", "mod a;\npub fn f() -> u8 { a::f() }\n");
    let files = [lib, ("src/a.rs", "pub fn f() -> u8 { 1 }\n")];
    check(&files, &["rename", "crate::a", "main"], Refused("a target of its own"));
    check(&files, &["rename", "crate::a", "other"], Proven);
    let read = "const HERE: &str = include_str!(\"a.rs\");\npub fn g() { let _ = HERE; }\n";
    let lib = format!("{}{read}", files[0].1);
    let files = [("src/lib.rs", lib.as_str()), files[1]];
    check(&files, &["rename", "crate::a", "other"], Refused("names src/a.rs, which moves"));
}

#[test]
fn entry_points_are_used() {
    let text = "\
fn main() {}
#[unsafe(no_mangle)] pub extern \"C\" fn symbol() {}
fn free() {}
#[test] fn works() {}
mod shown {
    impl std::fmt::Display for super::Q {
        fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str(\"q\") }
    }
}
struct Q;
";
    let delete = |path| ["delete", path, "--if-unused"];
    check_main(text, &delete("crate::main"), Refused("a program begins with"));
    check_main(text, &delete("crate::symbol"), Refused("`#[no_mangle]` hands"));
    check_main(text, &delete("crate::works"), Refused("`#[test]` hands"));
    check_main(text, &delete("crate::shown"), Refused("is for a type that stays"));
    check_main(text, &delete("crate::free"), Proven);
    check_main(text, &["rename", "crate::symbol", "other"], Listed("entry_point"));
    let text = "unsafe extern \"C\" { fn abs(x: i32) -> i32; }\nfn main() { unsafe { abs(1); } }\n";
    check_main(text, &["rename", "crate::abs", "other"], Listed("entry_point"));
}

#[test]
fn variants_and_fields_count_without_being_named() {
    let text = "\
#[derive(Clone, Copy)] pub enum E { A, B, C }
#[derive(Default)] pub struct S { used: u8, unused: u8 }
fn main() { let _ = (E::C as u8, E::A, S::default().used); }
";
    let delete = |path| ["delete", path, "--if-unused"];
    check_main(text, &delete("crate::E::B"), Refused("discriminants, positions"));
    check_main(text, &delete("crate::S::unused"), Refused("may be used"));
    let guess = [&delete("crate::E::B")[..], &["--with-guesses"]].concat();
    check_main(text, &guess, Listed("layout"));
}

#[test]
fn a_deletion_refuses_what_may_be_a_use() {
    let text = "\
pub struct S;
impl S { pub fn old(&self) {} pub fn other(&self) {} }
fn f(x: gone::Unknown) { x.value().old(); }
fn main() { let _ = (S, f); }
";
    let delete = |path| ["delete", path, "--if-unused"];
    check_main(text, &delete("crate::S::old"), Refused("src/main.rs:3"));
    check_main(text, &delete("crate::S::other"), Proven);
}

#[test]
fn items_that_only_use_each_other_are_deleted_together() {
    let text = "\
fn outer() { inner() }
fn inner() {}
fn kept() {}
fn main() { kept() }
";
    check_main(text, &["delete", "crate::inner", "--if-unused"], Refused("src/main.rs:1"));
    check_main(text, &["delete", "crate::inner", "crate::outer", "--if-unused"], Proven);
    let three = ["delete", "crate::inner", "crate::outer", "crate::kept", "--if-unused"];
    check_main(text, &three, Refused("src/main.rs:4"));
}

#[test]
fn data_of_tests_that_does_not_parse_cancels_no_proof() {
    let main = ("src/main.rs", "fn old() {}\nfn main() { old(); }\n");
    let files = [main, ("data/x.rs", "fn broken( { old old()")];
    check(&files, &["rename", "crate::old", "fresh"], Proven);
    let files =
        [("src/main.rs", "mod x;\nfn old() {}\nfn main() { old(); }\n"), ("src/x.rs", files[1].1)];
    check(&files, &["rename", "crate::old", "fresh"], Listed("unresolved"));
}

#[test]
fn captures_of_format_strings_are_imported_where_a_text_goes() {
    let text = "\
const K: u8 = 1;
mod a { use crate::K; pub fn f() -> String { format!(\"{K}\") } }
mod c {}
fn main() { a::f(); let _ = K; }
";
    let moved = check_main(text, &["move", "crate::a::f", "crate::c"], Proven);
    assert!(moved["files"][0]["diff"].as_str().unwrap().contains("+    use crate::K;"));
}

#[test]
fn calls_get_no_second_candidate() {
    let text = "\
mod tr {
    pub trait A { fn m(&self) -> u8 { 1 } }
    pub trait B { fn m(&self) -> u8 { 2 } }
    impl A for i32 {}
    impl B for i32 {}
}
mod a { use crate::tr::A as _; pub fn f() -> u8 { 5.m() } }
mod b { use crate::tr::B as _; pub fn g() -> u8 { 5.m() } }
mod c {}
fn main() { a::f(); b::g(); }
";
    check_main(text, &["move", "crate::a::f", "crate::b"], Refused("would mean `demo::tr::A::m`"));
    let moved = check_main(text, &["move", "crate::a::f", "crate::c"], Proven);
    assert!(moved["files"][0]["diff"].as_str().unwrap().contains("use crate::tr::A as _;"));
    let text = "\
trait T { fn old(&self) -> u8; }
impl<F: Fn() -> u8> T for F { fn old(&self) -> u8 { self() } }
fn main() { (|| 3).old(); }
";
    check_main(text, &["rename", "crate::T::old", "clone"], Listed("second_candidate"));
    check_main(text, &["rename", "crate::T::old", "fresh"], Proven);
    let text = "\
mod a { pub fn f() -> usize { \"a\".to_owned().len() } }
#[no_implicit_prelude] mod bare {}
fn main() { a::f(); }
";
    check_main(text, &["move", "crate::a::f", "crate::bare"], Refused("no_implicit_prelude"));
}

#[test]
fn texts_are_no_captures() {
    let text = "\
const OLD: u8 = 1;
fn main() { println!(\"{} {} {OLD}\", \"{OLD}\", OLD); let _ = concat!(\"{OLD}\"); }
";
    let renamed = check_main(text, &["rename", "crate::OLD", "NEW"], Proven);
    let diff = renamed["files"][0]["diff"].as_str().unwrap();
    assert!(
        diff.contains("println!(\"{} {} {NEW}\", \"{OLD}\", NEW); let _ = concat!(\"{OLD}\");")
    );
    let text = "fn main() { let x = 1; println!(\"{} {x}\", \"{x}\"); }\n";
    let renamed = check_main(text, &["rename", "crate::main", "y", "--local", "x"], Proven);
    let diff = renamed["files"][0]["diff"].as_str().unwrap();
    assert!(diff.contains("println!(\"{} {y}\", \"{x}\");"), "{diff}");
}

#[test]
fn identifiers_are_compared_in_their_normal_form() {
    let text = "\
mod k { pub fn \u{e9}() -> u8 { 1 } }
use k::e\u{301};
fn main() { e\u{301}(); }
";
    let renamed = check_main(text, &["rename", "crate::k::e\u{301}", "fresh"], Proven);
    assert_eq!(renamed["proof"]["rewritten"], 3);
    let text = "fn old() {}\nfn main() { fn e\u{301}() {} old(); }\n";
    let says = "would mean something else";
    check_main(text, &["rename", "crate::old", "\u{e9}"], Refused(says));
}

#[test]
fn examples_are_read_wherever_documentation_has_them() {
    for doc in [
        "/// ```\n/// use demo::*;\n/// old();\n/// ```\n",
        "/// * ```\n///   demo::old();\n///   ```\n",
        "/// Text.\n///\n///     demo::old();\n",
        "#[doc = \"```\\ndemo::old();\\n```\"]\n",
    ] {
        let lib = format!("pub fn old() {{}}\n{doc}pub fn z() {{}}\n");
        let files = [("src/lib.rs", lib.as_str())];
        let workspace = Workspace::with(&files);
        let args = ["rename", "crate::old", "new", "--dry-run", "--format", "json"];
        let renamed = workspace.json(&args);
        let places = &renamed["proof"];
        let is_listed = places["look_at"].as_array().is_some_and(|all| !all.is_empty());
        assert!(is_listed || places["rewritten"] == 2, "{doc}{places}");
        let delete = ["delete", "crate::old", "--if-unused"];
        check(&files, &delete, Refused("in documentation"));
    }
    let lib = "\
pub struct Type;
impl Type { pub fn old(&self) {} }
/// ```
/// let s = demo::make();
/// s.old();
/// ```
pub fn make() -> Type { Type }
";
    let files = [("src/lib.rs", lib)];
    check(&files, &["rename", "crate::Type::old", "new"], Listed("documentation"));
}

#[test]
fn a_proof_explains_itself() {
    let workspace = Workspace::with(&[("src/main.rs", "fn old() {}\nfn main() { old(); }\n")]);
    let args = ["rename", "crate::old", "new", "--dry-run", "--explain-proof"];
    let said = out(&workspace.asof(&args));
    assert!(said.contains("shown: every use means the same item (1 checked)"), "{said}");
    let marked = [&args[..], &["--format", "markdown"]].concat();
    assert!(out(&workspace.asof(&marked)).contains("**proven**"));
}
