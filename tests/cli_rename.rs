//! `asof rename` through the binary: every use of an item, the proof, refusals, undo.
//!
//! A text with marks is two texts: `«old»` is a place that is rewritten, `«S { a }|S { b: a }»` one
//! with its result.

use crate::support::cli;
use crate::support::shell::{self, Workspace, marked};

use cli::{code, err, out};
use serde_json::{Value as Json, json};

/// Renames `path` to `new`, and compares every file; then takes it back. Returns the answer.
#[track_caller]
fn check(files: &[(&str, &str)], path: &str, new: &str, more: &[&str]) -> Json {
    let texts: Vec<_> = files.iter().map(|(name, text)| (*name, marked(text, Some(new)))).collect();
    let before: Vec<_> = texts.iter().map(|(name, (before, _))| (*name, before.as_str())).collect();
    let workspace = Workspace::with(&before);
    let args = [&["--format", "json", "rename", path, new], more].concat();
    let output = workspace.asof(&args);
    assert_eq!(code(&output), 0, "{}", err(&output));
    for (name, (_, after)) in &texts {
        assert_eq!(workspace.read(name), *after, "{name}");
    }
    workspace.undone(&before);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The same, and everything is proven.
#[track_caller]
fn proven(files: &[(&str, &str)], path: &str, new: &str) {
    let done = check(files, path, new, &[]);
    assert_eq!(done["proof"]["proven"], true, "{}", done["proof"]);
}

/// Refused with this message; nothing is written.
#[track_caller]
fn refused(files: &[(&str, &str)], args: &[&str], expected: i32, says: &str) {
    shell::refused(files, &[&["rename"], args].concat(), expected, says);
}

#[test]
fn a_function_is_renamed_in_imports_reexports_paths_and_values() {
    let lib = "\
mod a;
mod b;
pub use a::«old»;
pub use a::«old» as other;
fn f() -> u8 {
    let g: fn() -> u8 = a::«old»;
    g() + «old»() + other() + crate::a::r#«old»()
}
";
    let lib = &lib.replace("r#«old»", "«r#old|new»");
    let a = "\
/// Says one.
pub fn «old»() -> u8 { 1 }
fn g() -> u8 { self::«old»() + super::«old»() }
fn unlike() { let old = 1; let _ = old; struct S { old: u8 } let _ = S { old }; }
";
    let b = "use crate::a::*;\nuse crate::{a::{«old» as x}};\nfn h() -> u8 { «old»() + x() }\n";
    proven(&[("src/lib.rs", lib), ("src/a.rs", a), ("src/b.rs", b)], "crate::a::old", "new");
}

#[test]
fn a_struct_is_renamed_with_its_impls_and_patterns_but_not_self() {
    let lib = "\
pub struct «Old»<T>(T);
impl<T: Default> «Old»<T> {
    const ONE: u8 = 1;
    fn new() -> Self { Self(T::default()) }
    fn get(self) -> T { let «Old»(t) = self; t }
}
impl<T> Drop for «Old»<T> { fn drop(&mut self) {} }
fn f(_: &«Old»<u8>) -> Option<Box<«Old»<u16>>> {
    let _ = «Old»::<u8>::new();
    let _ = <«Old»<u8>>::ONE;
    let a = vec![«Old»(1u8), «Old»(2)];
    let _ = a.into_iter().map(«Old»).count();
    None
}
";
    proven(&[("src/lib.rs", lib)], "crate::Old", "New");
}

#[test]
fn a_field_is_renamed_in_literals_patterns_and_shorthands() {
    let lib = "\
#[derive(Clone, Default)]
pub struct S { pub «old»: u8, pub kept: u8 }
pub struct T { old: u8 }
fn f(old: u8, s: &S) -> u8 {
    let made = S { «old|new: old», kept: 1 };
    let other = S { «old»: 2, ..made.clone() };
    let S { «old|new: old», .. } = other;
    let S { «ref mut old|new: ref mut old», .. } = made.clone();
    let S { «old»: x, kept: _ } = made;
    let t = T { old };
    old + x + s.«old» + t.old
}
fn g(S { «old|new: old», kept }: S) -> u8 { old + kept }
";
    proven(&[("src/lib.rs", lib)], "crate::S::old", "new");
}

#[test]
fn a_variant_is_renamed_through_self_and_imports() {
    let lib = "\
pub enum E { «Old», Other(u8), With { old: u8 } }
use E::«Old»;
impl E {
    fn f(&self) -> bool { matches!(self, Self::«Old») || matches!(self, E::«Old» | E::Other(_)) }
    fn g() -> Self { Self::«Old» }
}
fn h(e: E) -> u8 {
    match e {
        «Old» => 1,
        E::With { old } => old,
        E::Other(n) => n,
    }
}
";
    proven(&[("src/lib.rs", lib)], "crate::E::Old", "New");
}

#[test]
fn a_method_of_a_trait_is_renamed_with_its_impls_and_calls() {
    let lib = "\
pub trait T { fn «old»(&self) -> u8; fn twice(&self) -> u8 { self.«old»() * 2 } }
pub struct A;
pub struct B;
impl T for A { fn «old»(&self) -> u8 { 1 } }
impl T for B { fn «old»(&self) -> u8 { A.«old»() } }
impl B { fn other(&self) -> u8 { <Self as T>::«old»(self) } }
fn f<X: T>(x: &X, y: &dyn T) -> u8 { x.«old»() + y.«old»() + T::«old»(&A) + B.other() }
pub struct C;
impl C { fn old(&self) -> u8 { 3 } }
fn g() -> u8 { C.old() }
";
    proven(&[("src/lib.rs", lib)], "crate::T::old", "new");
    // The item of an impl means that of its trait.
    proven(&[("src/lib.rs", lib)], "<crate::A as crate::T>::old", "new");
}

#[test]
fn an_inherent_method_is_renamed_alone() {
    let lib = "\
pub struct A;
pub trait T { fn old(&self) -> u8; }
impl T for A { fn old(&self) -> u8 { self.«old»() } }
impl A { pub fn «old»(&self) -> u8 { 1 } }
fn f() -> u8 { A.«old»() + A::«old»(&A) + T::old(&A) }
";
    let done = check(&[("src/lib.rs", lib)], "crate::A::old", "new", &[]);
    assert_eq!(done["proof"]["proven"], true, "{}", done["proof"]);
}

#[test]
fn consts_statics_aliases_and_associated_items_are_renamed() {
    let lib = "\
pub const «OLD»: usize = 2;
static S: [u8; «OLD»] = [0; «OLD»];
fn f() -> usize { match 1 { «OLD» => 1, _ => S.len() } }
fn g() { println!(\"{}\", «OLD»); }
";
    proven(&[("src/lib.rs", lib)], "crate::OLD", "NEW");
    let lib = "\
pub trait T { type «Old»; const N: u8; fn f() -> Self::«Old»; }
pub struct A;
impl T for A { type «Old» = u8; const N: u8 = 1; fn f() -> Self::«Old» { 1 } }
fn g<X: T<«Old» = u8>>() -> X::«Old» { X::f() }
";
    proven(&[("src/lib.rs", lib)], "crate::T::Old", "New");
    let lib = "pub type «Old» = Vec<u8>;\nfn f() -> «Old» { «Old»::new() }\n";
    proven(&[("src/lib.rs", lib)], "crate::Old", "New");
}

#[test]
fn a_macro_is_renamed() {
    let lib = "\
macro_rules! «old» { ($x:expr) => { $x + 1 }; () => { «old»!(1) } }
fn f() -> u8 { «old»!(2) + «old»!() }
";
    let done = check(&[("src/lib.rs", lib)], "crate::old", "new", &[]);
    assert!(done["proof"]["look_at"].as_array().unwrap().len() <= 1, "{}", done["proof"]);
}

#[test]
fn names_that_are_not_certain_are_listed_and_left() {
    let lib = "\
pub struct A;
impl A { pub fn «old»(&self) -> u8 { 1 } }
fn f() -> u8 { A.«old»() }
macro_rules! m { ($x:expr) => { $x.old() } }
fn g() -> u8 { m!(A) }
";
    let done = check(&[("src/lib.rs", lib)], "crate::A::old", "new", &[]);
    assert_eq!(done["proof"]["proven"], false);
    let place = &done["proof"]["look_at"][0];
    assert_eq!((&place["line"], &place["rewritten"]), (&json!(4), &json!(false)), "{place}");
}

#[test]
fn a_private_method_hides_nothing_elsewhere() {
    let lib = "\
pub trait T { fn «old»(&self) -> u8; }
mod m {
    pub struct A;
    impl A { fn old(&self) -> u8 { 1 } }
    impl super::T for A { fn «old»(&self) -> u8 { self.old() } }
}
fn f(a: &m::A) -> u8 { a.«old»() }
";
    proven(&[("src/lib.rs", lib)], "crate::T::old", "new");
    let lib = "\
pub trait T { fn new(&self) -> u8; }
mod m {
    pub struct A;
    impl A { fn «old»(&self) -> u8 { 1 } }
    impl super::T for A { fn new(&self) -> u8 { self.«old»() } }
}
fn f(a: &m::A) -> u8 { a.new() }
";
    proven(&[("src/lib.rs", lib)], "crate::m::A::old", "new");
}

#[test]
fn a_name_that_would_be_mistaken_is_refused() {
    let lib = "pub fn old() -> u8 { 1 }\nfn f() -> u8 { let new = || 2; old() + new() }\n";
    refused(&[("src/lib.rs", lib)], &["crate::old", "new"], 2, "src/lib.rs:2: meant `demo::old`");
    // A definition, an import, and a variable that would become a pattern.
    let lib = "pub fn old() {}\nfn new() {}\n";
    refused(&[("src/lib.rs", lib)], &["crate::old", "new"], 2, "the function `demo::new`");
    let lib = "mod m { pub fn new() {} }\nuse m::new;\npub fn old() { new() }\n";
    refused(&[("src/lib.rs", lib)], &["crate::old", "new"], 2, "an import of `demo::m::new`");
    let lib = "const OLD: u8 = 1;\nfn f() -> u8 { let new = OLD; new }\n";
    refused(&[("src/lib.rs", lib)], &["crate::OLD", "new"], 2, "src/lib.rs:2: the variable");
    let lib = "use std::fmt;\npub mod old {}\nfn f(_: fmt::Error) {}\n";
    refused(&[("src/lib.rs", lib)], &["crate::old", "fmt"], 2, "an import of `std::fmt`");
    // A definition of the scope hides what a glob brings in.
    let lib = "mod m { pub fn new() {} }\nuse m::*;\npub fn old() {}\nfn f() { new() }\n";
    refused(&[("src/lib.rs", lib)], &["crate::old", "new"], 2, "meant `demo::m::new`");
    // A trait's method, and one of the type itself.
    let lib = "\
pub struct A;
impl A { fn old(&self) -> u8 { 1 } }
trait T { fn new(&self) -> u8 { 2 } }
impl T for A {}
fn f() -> u8 { A.new() + A.old() }
";
    refused(&[("src/lib.rs", lib)], &["crate::A::old", "new"], 2, "meant `demo::T::new`");
    let lib = "struct S { old: u8, new: u8 }\nfn f(s: S) -> u8 { s.old + s.new }\n";
    refused(&[("src/lib.rs", lib)], &["crate::S::old", "new"], 2, "the field");
}

#[test]
fn names_of_other_namespaces_are_no_clash() {
    let lib = "\
use std::fmt;
pub fn «old»(_: fmt::Error) -> u8 { 1 }
fn f() -> u8 { «old»(fmt::Error) }
";
    proven(&[("src/lib.rs", lib)], "crate::old", "fmt");
}

#[test]
fn bad_input_is_refused() {
    let lib = "\
pub fn old() {}
pub struct A(pub u8);
impl Clone for A { fn clone(&self) -> A { A(1) } }
";
    let files = &[("src/lib.rs", lib)];
    refused(files, &["crate::old", "a b"], 2, "`a b` is not an identifier");
    refused(files, &["crate::old", "type"], 2, "write `r#type`");
    refused(files, &["crate::old", "Self"], 2, "no item can have");
    refused(files, &["crate::old", "old"], 2, "changes nothing");
    refused(files, &["crate::none", "new"], 1, "crate::none");
    refused(files, &["crate", "new"], 2, "in its manifest");
    refused(files, &["crate::A::0", "new"], 2, "field of a tuple");
    refused(files, &["<crate::A as Clone>::clone", "new"], 2, "of another crate");
}

#[test]
fn a_request_with_a_rename_is_planned_applied_and_composed() {
    let lib = "pub fn old() -> u8 { 1 }\n\npub fn other() -> u8 { 2 }\n\nfn f() -> u8 { old() }\n";
    let workspace = Workspace::with(&[("src/lib.rs", lib)]);
    let planned = workspace.done(
        "plan",
        json!([
            { "mode": "rename", "path": "crate::old", "to": "new" },
            { "mode": "canonical", "path": "crate::other", "part": "body", "code": "{ 3 }" },
        ]),
        &[],
    );
    assert_eq!(planned["proof"]["proven"], true, "{planned}");
    assert_eq!(workspace.read("src/lib.rs"), lib);
    let id = planned["proposal_id"].as_str().unwrap();
    // A use that is written meanwhile is renamed too.
    workspace.write("src/lib.rs", &format!("{lib}fn g() -> u8 {{ old() }}\n"));
    let applied = workspace.json(&["edit", "apply", id]);
    assert_eq!(applied["status"], "applied", "{applied}");
    assert_eq!(
        workspace.read("src/lib.rs"),
        "pub fn new() -> u8 { 1 }\n\npub fn other() -> u8 { 3 }\n\nfn f() -> u8 { new() }\nfn g() -> u8 { new() }\n"
    );
}

#[test]
fn there_and_back_gives_the_same_bytes() {
    let lib = "\
#[derive(Clone)]
pub struct S { pub a: u8 }
pub enum E { One(u8), Two { a: u8 } }
pub trait T { fn run(&self) -> u8; }
impl T for S { fn run(&self) -> u8 { let S { a } = self; *a + K } }
pub const K: u8 = 1;
pub fn make(a: u8) -> S { S { a } }
fn f(e: E) -> u8 { match e { E::One(n) => n, E::Two { a } => make(a).run() } }
";
    let workspace = Workspace::with(&[("src/lib.rs", lib)]);
    let paths = ["S", "E", "T", "K", "make", "S::a", "E::One", "E::Two", "T::run", "E::Two::a"];
    for path in paths {
        let (above, name) =
            path.rsplit_once("::").map_or(("", path), |(above, name)| (above, name));
        let new = format!("{name}_x");
        let below = if above.is_empty() { String::new() } else { format!("{above}::") };
        let rename = |from: &str, to: &str| {
            let output = workspace.asof(&["rename", &format!("crate::{below}{from}"), to]);
            assert_eq!(code(&output), 0, "{path}: {}", err(&output));
        };
        rename(name, &new);
        assert_ne!(workspace.read("src/lib.rs"), lib, "{path}");
        rename(&new, name);
        if path.ends_with("::a") {
            // A shorthand is written out, and stays so.
            continue;
        }
        assert_eq!(workspace.read("src/lib.rs"), lib, "{path}");
    }
}

/// Renames a variable or parameter of the function or item at `path`.
#[track_caller]
fn local(lib: &str, path: &str, name: &str, new: &str) -> Json {
    check(&[("src/lib.rs", lib)], path, new, &["--local", name])
}

#[test]
fn variables_are_renamed_by_their_scopes() {
    // Each binding is a variable of its own.
    let lib = |marked: &[(&str, &str)]| {
        let mut text = "\
pub struct S { pub old: u8 }
fn f(A: u8) -> u8 {
    let s = S { A };
    let g = |x: u8| x + A;
    println!(\"{A} {{old}} {:?} {A:>4}\", A);
    let B = g(A) + s.old;
    if let Some(C) = Some(B) { return C; }
    matches!(s, S { D } if D > 1);
    B
}
fn g(old: u8) -> u8 { old }
"
        .to_owned();
        for (from, to) in marked {
            text = text.replace(from, to);
        }
        for letter in ["A", "B", "C", "D"] {
            text = text.replace(letter, "old");
        }
        text
    };
    for (place, marked) in [
        ("old:2", [("{ A }", "{ «old|old: new» }"), ("A", "«old»")].as_slice()),
        ("old:6", &[("B", "«old»")]),
        ("old:7", &[("C", "«old»")]),
        ("old:8", &[("{ D }", "{ «old|old: new» }"), ("D ", "«old» ")]),
    ] {
        // `S` and other words have none of the letters.
        let done = local(&lib(marked), "crate::f", place, "new");
        assert_eq!(done["proof"]["proven"], true, "{}", done["proof"]);
    }
    let lib = "fn f<«'a», T>(x: &«'a» T) -> &«'a» T { 'b: loop { break 'b; } x }\n";
    local(lib, "crate::f", "'a", "'c");
    let lib = "fn f<'a, T>(x: &'a T) -> &'a T { «'a»: loop { break «'a»; } x }\n";
    local(lib, "crate::f", "'a:1:34", "'c");
    let lib = "fn f<'a, «T»: Clone>(x: &'a «T») -> impl Clone + use<'a, «T»> { x.clone() }\n";
    local(lib, "crate::f", "T", "U");
    let lib = "pub struct S<«T»>(Vec<«T»>) where «T»: Clone;\nfn f<T>(_: S<T>) {}\n";
    local(lib, "crate::S", "T", "U");
}

#[test]
fn a_variable_that_would_be_mistaken_is_refused() {
    let lib = "fn f(old: u8) -> u8 { let new = 1; old + new }\n";
    let files = &[("src/lib.rs", lib)];
    refused(files, &["crate::f", "new", "--local", "old"], 2, "would mean something else");
    let lib = "const N: u8 = 1;\nfn f(old: u8) -> u8 { old + N }\n";
    let files = &[("src/lib.rs", lib)];
    refused(files, &["crate::f", "N", "--local", "old"], 2, "N");
    refused(files, &["crate::f", "x", "--local", "none"], 2, "no parameter, variable or label");
    // What a block declares or imports hides them.
    let lib = "mod m { pub fn helper() -> u8 { 2 } }\n\
               fn f(helper: u8) -> u8 { let n = helper; { use m::helper; n + helper() } }\n";
    let files = &[("src/lib.rs", lib)];
    refused(files, &["crate::f", "N", "--local", "n:2:60"], 2, "bound in line 2");
    let lib = "fn f() -> u8 { let v = 1; { let v = \"inner\"; drop(v); } v }\n";
    let files = &[("src/lib.rs", lib)];
    refused(files, &["crate::f", "width", "--local", "v"], 2, "several have this name");
    refused(files, &["crate::f", "width", "--local", "v:1"], 2, "the columns are 20, 33");
}

#[test]
fn a_module_is_renamed_with_its_files() {
    let lib =
        "pub mod old;\npub mod other;\nuse old::inner::f;\nfn g() { f(); crate::old::h(); }\n";
    let files = [
        ("src/lib.rs", lib),
        ("src/old.rs", "pub mod inner;\npub fn h() { self::inner::f() }\n"),
        ("src/old/inner.rs", "pub fn f() { super::h(); crate::old::h() }\n"),
        ("src/other/mod.rs", "fn k() { crate::old::h() }\n"),
    ];
    let workspace = Workspace::with(&files);
    let output = workspace.asof(&["--format", "json", "rename", "crate::old", "new"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let done: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(done["proof"]["proven"], true, "{}", done["proof"]);
    let read = |path: &str| workspace.read(path);
    assert_eq!(
        read("src/lib.rs"),
        "pub mod new;\npub mod other;\nuse new::inner::f;\nfn g() { f(); crate::new::h(); }\n"
    );
    assert_eq!(read("src/new.rs"), files[1].1);
    assert_eq!(read("src/new/inner.rs"), "pub fn f() { super::h(); crate::new::h() }\n");
    assert_eq!(read("src/other/mod.rs"), "fn k() { crate::new::h() }\n");
    assert!(!workspace.root().join("src/old.rs").exists());
    assert!(!workspace.root().join("src/old/inner.rs").exists());
    assert_eq!(code(&workspace.asof(&["edit", "undo"])), 0);
    for (path, text) in files {
        assert_eq!(read(path), text);
    }
    // A folder with a `mod.rs`, and a target that exists.
    let output = workspace.asof(&["rename", "crate::other", "new"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(read("src/new/mod.rs"), files[3].1);
    assert_eq!(code(&workspace.asof(&["edit", "undo"])), 0);
    workspace.write("src/new.rs", "");
    let output = workspace.asof(&["rename", "crate::old", "new"]);
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert!(err(&output).contains("src/new.rs already exists"), "{}", err(&output));
    // Where an attribute names the file, it stays.
    let files = &[
        ("src/lib.rs", "#[path = \"old.rs\"]\nmod «old»;\nfn g() { «old»::f() }\n"),
        ("src/old.rs", "pub fn f() {}\n"),
    ];
    proven(files, "crate::old", "new");
}

#[test]
fn attributes_format_strings_and_documentation_are_read() {
    let lib = "\
//! See [`«OLD»`] and [it](crate::«OLD»). OLD in prose stays.
//!
//! ```
//! use demo::«OLD»;
//! assert_eq!(«OLD», 1);
//! ```
/// One.
pub const «OLD»: u8 = 1;
fn f() { println!(\"{«OLD»} {}\", «OLD»); }
";
    proven(&[("src/lib.rs", lib)], "crate::OLD", "NEW");
    let lib = "\
#[my::tool(default = \"«old»\", with = \"m::old\", name = \"old one\")]
pub struct S { a: u8 }
fn «old»() -> u8 { 1 }
mod m { pub fn old() {} }
";
    proven(&[("src/lib.rs", lib)], "crate::old", "new");
}

#[test]
fn links_of_documentation_are_read_where_they_stand() {
    let lib = "\
pub struct S;
impl S {
    /// Beside [`Self::«old»`], [`S::«old»()`]; not [`Self::other`].
    pub fn other(&self) {}
    pub fn «old»(&self) {}
}
";
    proven(&[("src/lib.rs", lib)], "crate::S::old", "new");
    // Definitions of links are rewritten as links are; labels are no paths.
    let lib = "\
pub struct S;
impl S {
    /// See [`call()`], [here][go], [there][own] and [`S::«old»`].
    ///
    /// [`call()`]: S::«old»()
    /// [go]: crate::S::«old»
    /// [own]: <Self::«old»> \"a title\"
    /// [old]: Self::other
    /// [`S::«old»`]: crate::S::«old»
    pub fn other(&self) {}
    pub fn «old»(&self) {}
}
";
    proven(&[("src/lib.rs", lib)], "crate::S::old", "new");
    // `///` of a module is outside of it, `//!` inside.
    let lib = "\
/// [`m::«old»`], and [`old`] of this module.
pub mod m {
    //! [`«old»`], [`super::old`]
    pub fn «old»() {}
}
pub fn old() {}
";
    proven(&[("src/lib.rs", lib)], "crate::m::old", "new");
}

#[test]
fn markdown_and_examples_that_name_the_item_are_told_and_others_are_not() {
    let lib = "\
/// Makes [`Shape`].
///
/// ```
/// let other = demo::Other::old();
/// let s = demo::Shape::«old»();
/// ```
pub struct Shape;
impl Shape { pub fn «old»() -> Shape { Shape } }
pub struct Other;
impl Other { pub fn old() -> Other { Other } }
";
    let readme = "Use `Shape::old()`, or `Other::old`. Shape::old in prose, `older`.\n\n```rust\ndemo::Shape::old();\n```\n";
    let done =
        check(&[("src/lib.rs", lib), ("README.md", readme)], "crate::Shape::old", "new", &[]);
    assert_eq!(done["proof"]["look_at"], json!([]));
    let warnings = done["warnings"].to_string();
    let says = "Markdown names `demo::Shape::old`, and stays as it is: README.md:1, 4\"";
    assert!(warnings.contains(says), "{warnings}");
}

/// The bug: a call that stays was listed among notes on documentation.
#[test]
fn places_that_may_not_compile_come_first() {
    let lib = "\
/// A `macro`.
///
/// ```
/// demo::make!(A).old();
/// ```
pub struct A;
impl A { pub fn old(&self) -> u8 { 1 } }
#[macro_export]
macro_rules! make { ($x:expr) => { $x.old() } }
";
    let workspace = Workspace::with(&[("src/lib.rs", lib)]);
    let shown = out(&workspace.asof(&["rename", "crate::A::old", "new", "--dry-run"]));
    let listed = "may no longer compile: 1 place\n  src/lib.rs:9 not rewritten: in tokens that \
                  are not read as code\nother places: 1\n  src/lib.rs:4 not rewritten: in documentation\n";
    assert!(shown.contains(listed), "{shown}");
}

#[test]
fn a_variable_that_a_call_binds_is_renamed() {
    let lib = "\
macro_rules! pattern { ($p:pat) => { $p }; }
pub fn f(o: Option<u8>, old: u8) -> u8 {
    match o { pattern!(Some(ref «old»)) => *«old», None => old }
}
";
    let done = check(&[("src/lib.rs", lib)], "crate::f", "new", &["--local", "old:3"]);
    assert_eq!(done["proof"]["look_at"][0]["reason"], "tokens", "{done}");
    // The names that a macro binds for itself are others.
    let lib = "\
macro_rules! twice { ($e:expr) => { { let new = 2; $e * new } }; }
pub fn f(«old»: u8) -> u8 { twice!(«old») }
";
    check(&[("src/lib.rs", lib)], "crate::f", "new", &["--local", "old"]);
}

#[test]
fn a_name_that_a_call_is_given_for_an_item_is_renamed() {
    let lib = "\
macro_rules! make { ($n:ident, $t:ty) => { pub fn $n() -> $t { $n() } }; }
make!(«old», u8);
macro_rules! holds { ($($f:ident)*) => { pub struct H { $(pub $f: u8),* } impl H { $(pub fn $f(&self) -> u8 { self.$f })* } }; }
holds!(one two);
pub fn f(h: &H) -> u8 { «old»() + h.one }
";
    proven(&[("src/lib.rs", lib)], "crate::old", "new");
    let lib = "\
macro_rules! named { ($n:ident) => { pub fn $n() -> &'static str { stringify!($n) } }; }
named!(old);
macro_rules! fixed { () => { pub fn other() {} }; }
fixed!();
";
    for (path, line) in [("crate::old", 2), ("crate::other", 4)] {
        let reason = format!("the macro call at src/lib.rs:{line} makes");
        refused(&[("src/lib.rs", lib)], &[path, "new"], 2, &reason);
    }
}

#[test]
fn variants_of_an_item_under_conditions_are_renamed_together() {
    let lib = "\
#[cfg(unix)]
pub fn «old»() -> u8 { 1 }
#[cfg(not(unix))]
pub fn «old»() -> u8 { 2 }
pub fn f() -> u8 { «old»() }
";
    proven(&[("src/lib.rs", lib)], "crate::old", "new");
}

#[test]
fn a_reexport_keeps_the_old_name_on_request() {
    let files = &[
        ("src/lib.rs", "mod a;\npub use a::{«old|new, new as old», other};\nfn f() { «old»() }\n"),
        ("src/a.rs", "pub fn «old»() {}\npub fn other() { «old»() }\n"),
    ];
    let done = check(files, "crate::a::old", "new", &["--keep-old"]);
    assert_eq!(done["proof"]["proven"], true, "{}", done["proof"]);
    let files = &[
        ("src/lib.rs", "mod a;\npub use a::«old|{new, new as old}»;\n"),
        ("src/a.rs", "pub fn «old»() {}\n"),
    ];
    check(files, "crate::a::old", "new", &["--keep-old"]);
}

#[test]
fn contracts_with_others_are_told() {
    let lib = "\
#[derive(Serialize)]
pub struct S { pub «old»: u8 }
";
    let done = check(&[("src/lib.rs", lib)], "crate::S::old", "new", &[]);
    let warnings = done["warnings"].to_string();
    assert!(warnings.contains("part of what serde writes"), "{warnings}");
}

#[test]
fn what_nothing_uses_is_deleted() {
    let files = &[
        ("src/lib.rs", "mod a;\npub use a::{old, kept};\nfn f() { kept() }\n"),
        ("src/a.rs", "pub fn old() { old() }\n\npub fn kept() {}\n"),
    ];
    let workspace = Workspace::with(files);
    let delete = |args: &[&str]| workspace.asof(&[&["delete"], args].concat());
    let output = delete(&["crate::a::kept", "--with-uses"]);
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert!(err(&output).contains("src/lib.rs:3 (call)"), "{}", err(&output));
    let output = delete(&["crate::a::old", "--if-unused"]);
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert!(err(&output).contains("src/lib.rs:2 (use)"), "{}", err(&output));
    let output = delete(&["crate::a::old", "--with-uses"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(workspace.read("src/lib.rs"), "mod a;\npub use a::kept;\nfn f() { kept() }\n");
    assert_eq!(workspace.read("src/a.rs"), "pub fn kept() {}\n");
    assert_eq!(code(&workspace.asof(&["edit", "undo"])), 0);
    assert_eq!(
        (workspace.read("src/lib.rs"), workspace.read("src/a.rs")),
        (files[0].1.into(), files[1].1.into())
    );
}

#[test]
fn histories_follow_a_rename() {
    let lib = "pub struct S { pub a: u8, pub b: u8 }\npub fn f() {}\npub fn g() {}\n";
    let workspace = Workspace::with(&[("src/lib.rs", lib)]);
    for (path, new) in [("crate::f", "h"), ("crate::S::a", "c"), ("crate::S", "T")] {
        let output = workspace.asof(&["rename", path, new]);
        assert_eq!(code(&output), 0, "{}", err(&output));
    }
    for path in ["crate::h", "crate::T::c", "crate::T"] {
        let history = workspace.json(&["history", path]);
        let classes = history["items"].to_string();
        assert!(classes.contains("renamed"), "{path}: {history}");
    }
}

#[test]
fn what_a_use_means_under_other_conditions_is_renamed_with_it() {
    let sys = "\
#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::*;
";
    let files = &[
        ("src/lib.rs", "mod sys;\nfn f(_: sys::«Old») { sys::«Old»::new(); }\n"),
        ("src/sys/mod.rs", sys),
        ("src/sys/unix.rs", "pub struct «Old»;\nimpl «Old» { pub fn new() {} }\n"),
        ("src/sys/windows.rs", "pub struct «Old»;\nimpl «Old» { pub fn new() {} }\n"),
    ];
    proven(files, "crate::sys::windows::Old", "New");
    // One path, in two files.
    let files = &[
        (
            "src/lib.rs",
            "#[cfg(unix)]\n#[path = \"a.rs\"]\nmod m;\n#[cfg(windows)]\n#[path = \"b.rs\"]\nmod m;\nfn f() { m::«old»() }\n",
        ),
        ("src/a.rs", "pub fn «old»() {}\n"),
        ("src/b.rs", "pub fn «old»() {}\n"),
    ];
    proven(files, "crate::m::old", "new");
}

#[test]
fn words_in_tokens_that_cannot_mean_the_item_are_not_listed() {
    let lib = "\
macro_rules! m { ($($t:tt)*) => {} }
mod n { m!(a.old(), fn old() {}, old!(), \"old\"); }
pub fn «old»() {}
fn f() { «old»() }
";
    proven(&[("src/lib.rs", lib)], "crate::old", "new");
    // Tokens that the rules drop mean nothing; of a macro from outside, that is not known.
    let lib = "\
macro_rules! m { ($($t:tt)*) => {} }
mod n { m!(old()); }
mod o { gone::m!(old()); }
pub fn «old»() {}
";
    let done = check(&[("src/lib.rs", lib)], "crate::old", "new", &[]);
    let places = done["proof"]["look_at"].as_array().unwrap();
    let lines: Vec<&Json> = places.iter().map(|place| &place["line"]).collect();
    assert_eq!(lines, [3], "{}", done["proof"]);
}

#[test]
fn names_in_templates_are_listed() {
    let files = &[
        (
            "src/lib.rs",
            "#[derive(Template)]\n#[template(path = \"page.html\")]\npub struct S { pub «old»: u8 }\n",
        ),
        ("templates/page.html", "<p>old {{ old }}</p>\n"),
        ("templates/other.html", "<p>{{ old }}</p>\n"),
    ];
    let done = check(files, "crate::S::old", "new", &[]);
    let places = done["proof"]["look_at"].as_array().unwrap();
    let place = &places[0];
    assert_eq!(
        (places.len(), &place["file_path"]),
        (1, &json!("templates/page.html")),
        "{places:?}"
    );
    assert_eq!(place["rewritten"], false);
}

#[test]
fn what_a_trait_needs_is_not_deleted() {
    let lib = "struct S;\nimpl Iterator for S {\n    type Item = u8;\n    fn next(&mut self) -> Option<u8> { None }\n}\n";
    let workspace = Workspace::with(&[("src/lib.rs", lib)]);
    let output = workspace.asof(&["delete", "<crate::S as Iterator>::next"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("its trait, which it implements"), "{}", err(&output));
    assert_eq!(workspace.read("src/lib.rs"), lib);
}

#[test]
fn macros_of_other_modules_are_seen_from_what_is_renamed() {
    let lib = "#[macro_use]\nmod macros;\nmod «old»;\n";
    let macros = "macro_rules! wrap { ($($t:tt)*) => { $($t)* } }\n";
    let old = "wrap! { pub fn f() {} }\nfn g() { wrap!(f()) }\n";
    let files = [("src/lib.rs", lib), ("src/macros.rs", macros), ("src/old.rs", old)];
    let texts: Vec<_> =
        files.iter().map(|(name, text)| (*name, marked(text, Some("new")))).collect();
    let before: Vec<_> = texts.iter().map(|(name, (before, _))| (*name, before.as_str())).collect();
    let workspace = Workspace::with(&before);
    let output = workspace.asof(&["rename", "crate::old", "new"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(workspace.read("src/new.rs"), old);
}

#[test]
fn a_configuration_tells_which_of_several_is_meant() {
    let lib = "\
#[cfg(unix)]
pub fn f() -> u8 { let old = 1; old }
#[cfg(not(unix))]
pub fn f() -> u8 { let old = 2; old }
";
    let workspace = Workspace::with(&[("src/lib.rs", lib)]);
    let rename = |more: &[&str]| {
        let args = ["rename", "crate::f", "new", "--local", "old", "--dry-run"];
        workspace.asof(&[&args, more].concat())
    };
    assert_eq!(code(&rename(&[])), 3);
    let output = rename(&["--target", "x86_64-pc-windows-msvc"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out(&output).contains("+pub fn f() -> u8 { let new = 2; new }"), "{}", out(&output));
}

#[test]
fn a_macro_that_another_makes_of_the_name_is_listed() {
    let lib = "\
macro_rules! both {
    ($(#[$m:meta])* pub trait $name:ident { $($body:tt)* }) => {
        macro_rules! $name { () => {} }
        pub trait $name { $($body)* }
    };
}
both! { pub trait «Old» { fn f(&self); } }
Old! {}
";
    let done = check(&[("src/lib.rs", lib)], "crate::Old", "New", &[]);
    assert_eq!(done["proof"]["look_at"][0]["line"], 8, "{}", done["proof"]);
}

#[test]
fn a_long_difference_is_counted_beyond_its_first_files() {
    let modules = 120;
    let lib: String = (0..modules).map(|n| format!("mod m{n};\n")).collect();
    let lib = format!("{lib}pub fn old() {{}}\n");
    let user = "pub fn f() {\n    crate::old();\n    crate::old();\n}\n";
    let mut files = vec![("src/lib.rs".to_owned(), lib)];
    files.extend((0..modules).map(|n| (format!("src/m{n}.rs"), user.to_owned())));
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let workspace = Workspace::with(&files);
    let run = |more: &[&str]| {
        workspace.asof(&[&["rename", "crate::old", "new", "--dry-run"], more].concat())
    };
    let output = run(&[]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let short = out(&output);
    assert!(short.len() < 10_000, "{} bytes", short.len());
    assert!(short.contains("src/m62.rs: +2 -2 at 2, 3\n"), "{short}");
    assert!(short.contains("241 places rewritten"), "{short}");
    assert!(err(&output).contains("`--full` shows all"), "{}", err(&output));
    let full = out(&run(&["--full"]));
    assert_eq!(full.matches("+    crate::new();").count(), 2 * modules, "{full}");
}
