//! Which files a change of names concerns: only these are parsed again, and the rows are those of a new
//! index.

use asof_store::Store;

use crate::support::{Copy, differences_from_fresh, index, was_wide};

/// A package with a library of these modules, each with its text.
fn modules(all: &[(&str, &str)]) -> Copy {
    let mut lib = String::new();
    let mut copy = Copy::with(&[("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n")]);
    for (name, text) in all {
        lib.push_str(&format!("pub mod {name};\n"));
        copy.write(&format!("src/{name}.rs"), text);
    }
    copy.write("src/lib.rs", lib);
    copy
}

/// Makes one edit after another, each in `src/a.rs`, and compares with a new index; `looked_at`: how
/// many files are parsed, `src/a.rs` included.
fn check_concerned(mut copy: Copy, edits: &[(&str, &str, usize)]) {
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    let mut parsed = Vec::new();
    for (from, to, _) in edits {
        copy.edit("src/a.rs", from, to);
        let report = index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{from} to {to}");
        parsed.push((*from, *to, report.parsed));
    }
    assert_eq!(parsed, edits);
}

#[test]
fn a_change_concerns_those_who_mention_it_or_come_there_through_it() {
    let shapes = "pub struct P { pub x: Q }\npub struct Q;\npub struct R;\n\
                  impl Q { pub fn go(&self) {} }\nimpl R { pub fn go(&self) {} }\n\
                  pub fn make() -> P { loop {} }\n\
                  impl std::ops::Deref for P { type Target = Q; fn deref(&self) -> &Q { loop {} } }\n\
                  #[macro_export]\nmacro_rules! made { () => { $crate::a::make() }; }\n";
    let copy = modules(&[
        ("a", shapes),
        ("b", "pub fn f() { crate::a::make().x.go(); }\n"),
        ("c", "pub fn f() { crate::a::make().go(); }\n"),
        ("d", "pub fn f() { other() }\nfn other() {}\n"),
        ("e", "pub fn f() { crate::made!().go(); }\n"),
    ]);
    check_concerned(
        copy,
        &[
            ("pub fn go(&self) {}", "pub fn go(&self) { loop {} }", 1),
            ("pub x: Q", "pub x: R", 2),
            ("type Target = Q", "type Target = R", 4),
            ("$crate::a::make()", "*$crate::a::make()", 2),
            ("*$crate::a::make()", "$crate::a::make()", 2),
            ("-> P", "-> Q", 4),
            ("pub struct R;", "pub struct R;\npub struct Nobody;", 1),
        ],
    );
}

/// Types with a method `new` and one `poll`, as many as make a name alone no evidence.
fn many_with_common_methods() -> String {
    let one = |n: u32| {
        format!(
            "pub struct T{n};\nimpl T{n} {{ pub fn new() -> T{n} {{ T{n} }} pub fn poll(&self) {{}} }}\n"
        )
    };
    (0..10).map(one).collect()
}

#[test]
fn a_common_method_concerns_those_who_may_have_its_type() {
    let a = "pub struct A;\nimpl A { pub fn new() -> A { A } pub fn poll(&self) {} }\n\
             pub struct Around<T = A> { pub inner: T }\npub fn make() -> A { A }\n\
             pub fn around() -> Around { loop {} }\npub type Other = A;\n\
             pub struct Near;\nimpl Near { pub fn new() -> Near { Near } pub fn get(&self) -> A { A } }\n\
             impl std::ops::Deref for Near { type Target = A; fn deref(&self) -> &A { &A } }\n\
             #[macro_export]\nmacro_rules! polled { () => { $crate::a::make().poll() }; }\n";
    let many = many_with_common_methods();
    let copy = modules(&[
        ("a", a),
        ("many", &many),
        // Nothing of `A`.
        ("none", "use crate::many::T1;\npub fn f() { T1::new().poll(); }\n"),
        ("none2", "pub fn f(x: crate::many::T2) { x.poll(); crate::many::T3::new(); }\n"),
        // Its name, one that an import gives it, an alias.
        ("named", "pub fn f() { crate::a::A::new().poll(); }\n"),
        ("imported", "use crate::a::A as B;\npub fn f() { B::new().poll(); }\n"),
        ("alias", "pub fn f() { crate::a::Other::new(); }\n"),
        // Its values without its name.
        ("returned", "pub fn f() { crate::a::make().poll(); }\n"),
        ("default", "pub fn f() { crate::a::around().inner.poll(); }\n"),
        ("member", "pub fn f() { crate::a::Near::new().get().poll(); }\n"),
        ("dereferenced", "pub fn f() { crate::a::Near::new().poll(); }\n"),
        ("expanded", "pub fn f() { crate::polled!(); }\n"),
    ]);
    check_concerned(
        copy,
        &[
            ("pub fn poll(&self)", "pub fn polls(&self)", 7),
            ("pub fn polls(&self)", "pub fn poll(&self)", 7),
            ("pub fn poll(&self) {}", "pub fn poll(&self) -> A { A }", 7),
            ("pub fn new() -> A { A }", "", 6),
        ],
    );
}

/// Of few methods of a name, each may be meant where the type of the receiver is not known.
#[test]
fn a_method_concerns_those_who_call_it_on_what_is_not_known() {
    let copy = modules(&[
        ("a", "pub struct A;\nimpl A { pub fn run(&self) {} }\npub struct F { pub size: u8 }\n"),
        (
            "b",
            "pub struct B;\nimpl B { pub fn run(&self) {} pub fn walk(&self) {} }\npub struct G { pub size: u8 }\n",
        ),
        ("known", "pub fn f(b: crate::b::B, g: crate::b::G) { b.run(); b.walk(); g.size; }\n"),
        ("unknown", "pub fn f() { nowhere().run(); }\n"),
        ("unknown_field", "pub fn f() { nowhere().size; }\n"),
        ("later", "pub fn f() { nowhere().later(); nowhere().walk(); }\n"),
    ]);
    check_concerned(
        copy,
        &[
            // What a candidate returns is nothing that is known of the call.
            ("pub fn run(&self) {}", "pub fn run(&self) -> u8 { 1 }", 1),
            ("pub fn run(&self) -> u8 { 1 }", "pub fn later(&self) {}", 3),
            ("pub fn later(&self) {}", "pub fn walk(&self) {}", 2),
            ("pub fn walk(&self) {}", "pub fn run(&self) {}", 3),
            ("pub size", "pub sizes", 2),
            ("pub sizes", "pub size", 2),
        ],
    );
}

/// What a module imports is looked up in it, in modules within it, by those that bring its names and by
/// those that name it.
#[test]
fn an_import_concerns_those_who_can_name_its_module() {
    let copy = modules(&[
        (
            "a",
            "use std::fmt::Debug;\npub mod within { pub fn f(_: super::Debug) {} }\npub struct A;\n",
        ),
        ("other", "use std::fmt::Debug;\npub fn g(_: &dyn Debug) {}\n"),
        (
            "another",
            "pub fn h() { crate::other::g(&1) }\nuse std::fmt::Debug as D;\npub struct Debug;\n",
        ),
        ("bringing", "use crate::a::*;\npub fn f(_: Debug) {}\n"),
        ("naming", "pub fn f(_: crate::a::Debug) {}\n"),
        ("renaming", "use crate::a as k;\npub fn f(_: k::Debug) {}\n"),
    ]);
    check_concerned(
        copy,
        &[
            // Nobody else sees a private one.
            ("use std::fmt::Debug", "use crate::another::Debug", 1),
            ("use crate::another::Debug", "pub use crate::another::Debug", 4),
            ("pub use crate::another::Debug", "use std::fmt::Debug", 4),
            // Names of an unknown glob may be any.
            ("use std::fmt::Debug", "use std::collections::*", 3),
            ("use std::collections::*", "use std::fmt::*", 3),
        ],
    );
}

/// An impl of a trait for what is not of the workspace may be found on any value.
#[test]
fn an_impl_for_a_type_of_another_crate_concerns_those_who_use_the_trait() {
    let a = "pub trait Tr { fn go(&self) -> u8 { 1 } }\n\
             pub trait More { fn more(&self) {} }\nimpl<T: Tr> More for T {}\n\
             pub struct W<T>(pub T);\nimpl<T: Tr> W<T> { pub fn inner(&self) -> u8 { 2 } }\n\
             impl Tr for u8 {}\nimpl Tr for Missing {}\n";
    let copy = modules(&[
        ("a", a),
        ("b", "use crate::a::*;\npub fn f() { 1u8.go(); 1u8.more(); W(1u8).inner(); }\n"),
        (
            "c",
            "use crate::a::{More, Tr, W};\npub fn f() { \"text\".go(); \"t\".more(); W(\"t\").inner(); }\n",
        ),
    ]);
    check_concerned(
        copy,
        &[
            ("impl Tr for u8 {}", "impl Tr for str {}", 3),
            ("impl Tr for str {}", "impl<T: Copy> Tr for T {}", 3),
            ("impl Tr for Missing {}", "", 1),
            ("impl<T: Copy> Tr for T {}", "impl Tr for Vec<u8> {}", 3),
        ],
    );
}

/// Words of the language and of unrelated signatures are no names of what changed.
#[test]
fn words_that_only_look_like_what_changed_concern_nobody() {
    let copy = modules(&[
        (
            "a",
            "pub struct A { pub wheel: u8 }\n#[macro_export]\nmacro_rules! m { ($x:expr) => { self::f(&mut $x as u8) }; }\n",
        ),
        ("b", "pub struct B;\nimpl B { pub fn turn(&self, wheel: u8) -> Self { B } }\n"),
        ("c", "pub fn f(b: crate::b::B) { b.turn(1).turn(2); }\n"),
    ]);
    check_concerned(
        copy,
        &[
            ("pub wheel", "pub wheels", 1),
            ("&mut $x", "&mut *$x", 1),
            ("pub struct A", "impl A { pub fn own(&self) {} }\npub struct A", 1),
        ],
    );
}

/// What a private import brings is a part of a path only at its begin, or behind the module itself.
#[test]
fn a_private_import_concerns_no_path_that_goes_elsewhere() {
    let a = "use std::task::Poll;\nmod inner { pub use super::t::Poll as P; pub fn f() -> P<u8> { loop {} } }\n\
             pub use inner::f;\nuse std::task as t;\npub fn own(_: Poll<u8>) {}\n";
    let copy = modules(&[
        ("a", a),
        (
            "b",
            "use std::task::Poll;\npub struct B(pub Poll<u8>);\npub fn make() -> B { loop {} }\n",
        ),
        ("c", "pub fn f() { crate::b::make().0; }\n"),
        ("d", "pub fn f() { crate::a::f().is_ready(); }\n"),
    ]);
    check_concerned(
        copy,
        &[
            ("use std::task::Poll;", "use std::task::{self, Poll};", 1),
            ("use std::task as t;", "use crate::b as t;", 2),
        ],
    );
}

#[test]
fn an_impl_of_another_crates_trait_concerns_those_who_may_have_its_own_type() {
    let a = "//! Text.\npub struct L;\npub struct M;\npub fn make() -> L { L }\n\
             impl From<L> for String { fn from(_: L) -> String { String::new() } }\n";
    let copy = modules(&[
        ("a", a),
        ("named", "pub fn f() -> String { crate::a::L.into() }\n"),
        ("made", "pub fn f() { let x: String = crate::a::make().into(); x.len(); }\n"),
        ("other", "pub fn f() { let x: u16 = 1u8.into(); crate::a::M; }\n"),
        ("none", "pub fn f(x: &str) -> String { x.into() }\n"),
    ]);
    check_concerned(
        copy,
        &[
            ("impl From<L> for String", "impl From<L> for Box<u8>", 3),
            ("impl From<L> for Box<u8>", "impl From<L> for String", 3),
            ("//! Text.", "//! Another text.", 1),
        ],
    );
}

#[test]
fn an_impl_for_an_alias_concerns_those_who_may_have_the_type_behind_it() {
    let a = "pub struct List<T>(pub T);\npub struct Other<T>(pub T);\n\
             pub type Near<T> = List<T>;\npub type Words = Near<u8>;\n\
             impl std::ops::Deref for Words { type Target = str; fn deref(&self) -> &str { loop {} } }\n\
             pub fn list() -> List<u8> { loop {} }\npub fn other() -> Other<u8> { loop {} }\n\
             pub struct Nothing;\nimpl Nothing { pub fn len(&self) -> u8 { 0 } }\n";
    let copy = modules(&[
        ("a", a),
        ("has_list", "pub fn f() { crate::a::list().len(); }\n"),
        ("has_other", "pub fn f() { crate::a::other().len(); }\n"),
        ("has_neither", "pub fn f() { crate::a::Nothing.len(); }\n"),
        ("none", "pub fn f() { 1u8.min(2); }\n"),
    ]);
    check_concerned(
        copy,
        &[
            ("type Target = str;", "type Target = [u8];", 2),
            ("std::ops::Deref for Words", "std::ops::DerefMut for Words", 2),
            ("std::ops::DerefMut for Words", "std::ops::Deref for Words", 2),
            // One type loses the impl, the other one gets it.
            ("type Near<T> = List<T>", "type Near<T> = Other<T>", 3),
            ("type Words = Near<u8>", "type Words = List<u8>", 3),
        ],
    );
}

/// What an item in a body uses is under the conditions of the blocks around it.
#[test]
fn conditions_of_blocks_concern_the_items_in_them() {
    let text = "mod m { pub fn f() {} }\nfn g() {\n#[cfg(a)]\n{\nif true {\nuse m::f;\n\
                fn inner() { m::f() }\nstruct S;\nf() } } }\n";
    let manifest = "[package]\nname = \"p\"\nedition = \"2021\"\n";
    for added in ["", "mod n { pub fn f() {} }\n"] {
        let mut copy = Copy::with(&[("Cargo.toml", manifest), ("src/lib.rs", text)]);
        let store = Store::in_memory().unwrap();
        index(&store, &copy.root);
        copy.edit("src/lib.rs", "cfg(a)", "cfg(b)");
        copy.edit("src/lib.rs", "fn g()", &format!("{added}fn g()"));
        assert_eq!(was_wide(&index(&store, &copy.root)), !added.is_empty());
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{added}");
    }
}

/// A declaration is no part of its module's file, which keeps what it uses.
#[test]
fn the_text_of_a_declaration_concerns_no_use_in_the_module() {
    let mut copy = modules(&[("a", "mod inner {}\nfn f() { b::f() }\nuse crate::b;\n"), ("b", "")]);
    copy.write("src/b.rs", "pub mod c;\npub fn f() {}\n");
    copy.write("src/b/c.rs", "mod d;\nuse super::f;\n");
    copy.write("src/b/c/d.rs", "pub fn g() { super::super::f() }\n");
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    for (path, from, to) in [
        ("src/b.rs", "pub mod c;", "pub /* here */ mod c;"),
        ("src/lib.rs", "pub mod a;", "/// Of the module.\npub  mod a;"),
        ("src/lib.rs", "\n", "\r\n"),
        ("src/b/c.rs", "mod d;", "\u{feff}// First.\nmod d;"),
    ] {
        copy.edit(path, from, to);
        index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{path}: {to:?}");
    }
}

/// What only code of one crate can name concerns no other crate, whatever it mentions.
#[test]
fn items_of_tests_and_macros_concern_their_crate() {
    let mut copy = modules(&[
        (
            "a",
            "macro_rules! twice { ($e:expr) => { $e } }\npub fn f() -> u8 { twice!(one()) }\n\
               fn one() -> u8 { 1 }\ninclude!(\"part.in.rs\");\n",
        ),
        ("b", "pub fn f() { local::twice!(2); helper() }\n"),
    ]);
    copy.write("src/part.in.rs", "pub fn g() -> u8 { twice!(one()) }\n");
    copy.write(
        "tests/t.rs",
        "mod common;\nuse common::Helper;\nfn helper() {}\n\
               macro_rules! local { () => { helper() } }\n\
               #[test]\nfn t() { local!(); Helper.go(); p::a::f(); twice!(1) }\n",
    );
    copy.write("tests/common/mod.rs", "pub struct Helper;\nimpl Helper { pub fn go(&self) {} }\n");
    copy.write("tests/u.rs", "#[test]\nfn u() { helper(); local!(); go() }\n");
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    for (path, from, to, parsed) in [
        ("src/a.rs", "=> { $e }", "=> { $e + one() }", 2),
        ("src/a.rs", "macro_rules! twice", "#[macro_export]\nmacro_rules! twice", 4),
        ("src/a.rs", "#[macro_export]\n", "", 4),
        ("tests/t.rs", "=> { helper() }", "=> { Helper.go() }", 1),
        ("tests/t.rs", "fn helper() {}", "", 3),
        ("tests/common/mod.rs", "pub fn go(&self) {}", "pub fn go(self) {}", 2),
        ("tests/t.rs", "macro_rules! local", "macro_rules! other", 2),
    ] {
        copy.edit(path, from, to);
        let report = index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{path}: {to:?}");
        assert_eq!(report.parsed, parsed, "{path}: {to:?}");
    }
}

/// Methods among the tokens of a call are those of the impl that the call is in; and that a method of its
/// name has a wrapped receiver matters if it is the only one.
#[test]
fn a_method_in_a_call_concerns_those_who_may_have_the_type_of_the_impl() {
    let a = "pub struct A;\nmacro_rules! some { ($($t:tt)*) => { $($t)* } }\n\
             impl A { some! { pub fn go(&self) {} pub fn on(self: Box<Self>) {} } }\n";
    let copy = modules(&[
        ("a", a),
        ("b", "pub struct B;\nimpl B { pub fn go(&self) {} }\npub fn f(b: B) { b.go() }\n"),
        ("c", "pub fn f(a: crate::a::A) { a.go() }\n"),
        ("d", "pub struct D;\nimpl D { pub fn on(self: Box<D>) {} }\npub fn f(d: D) { d.on() }\n"),
        ("e", "pub fn f(d: crate::d::D) { Box::new(d).on() }\n"),
    ]);
    check_concerned(
        copy,
        &[
            ("pub fn go(&self)", "pub fn go(&self, n: u8)", 2),
            ("pub fn on(self: Box<Self>) {}", "", 1),
            ("pub fn go(&self, n: u8)", "pub fn gone(&self)", 2),
        ],
    );
}
