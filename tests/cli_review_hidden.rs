//! Small changes through `asof review`: what is the same code, and every kind of change that looks
//! like it.

use std::collections::BTreeMap;

use crate::support;

use serde_json::Value;
use support::cli::json;
use support::repository::Repository;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

/// A change, and what is to be read of it.
struct Case {
    name: &'static str,
    /// Files, each after a line with its path.
    old: &'static str,
    new: &'static str,
    /// Paths of items, each with its reasons; none if everything is proven.
    read: &'static [&'static str],
}

fn files(text: &str) -> BTreeMap<&str, &str> {
    text.split("//- ").skip(1).map(|part| part.split_once('\n').unwrap()).collect()
}

fn to_read(found: &Value) -> Vec<String> {
    let items = found["read"].as_array().unwrap().iter();
    let line = |one: &Value| {
        let reasons = one["reasons"].as_array().unwrap().iter();
        let reasons: Vec<&str> = reasons.map(|one| one["reason"].as_str().unwrap()).collect();
        format!("{}: {}", one["path"].as_str().unwrap(), reasons.join(", "))
    };
    items.map(line).collect()
}

#[test]
fn only_the_same_code_is_proven() {
    let mut wrong = Vec::new();
    for case in CASES {
        let mut repo = Repository::new();
        repo.write("Cargo.toml", MANIFEST);
        let (old, new) = (files(case.old), files(case.new));
        old.iter().for_each(|(path, text)| repo.write(path, text));
        repo.commit("old");
        for path in old.keys().filter(|path| !new.contains_key(*path)) {
            std::fs::remove_file(repo.root.join(path)).unwrap();
        }
        new.iter().for_each(|(path, text)| repo.write(path, text));
        repo.commit("new");
        let read = to_read(&json(&repo.root, &["review", "HEAD~1..HEAD"]));
        if read != case.read {
            wrong.push(format!("{}: {read:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const CASES: &[Case] = &[
    Case {
        name: "trait import swapped, known receiver",
        old: "//- src/lib.rs\nmod t;\nuse t::A;\npub fn f(x: u8) -> u8 { x.go() }\n//- src/t.rs\npub trait A { fn go(self) -> u8; }\npub trait B { fn go(self) -> u8; }\nimpl A for u8 { fn go(self) -> u8 { 1 } }\nimpl B for u8 { fn go(self) -> u8 { 2 } }\n",
        new: "//- src/lib.rs\nmod t;\nuse t::B;\npub fn f(x: u8) -> u8 { x.go() }\n//- src/t.rs\npub trait A { fn go(self) -> u8; }\npub trait B { fn go(self) -> u8; }\nimpl A for u8 { fn go(self) -> u8 { 1 } }\nimpl B for u8 { fn go(self) -> u8 { 2 } }\n",
        read: &["demo::f: meaning"],
    },
    Case {
        name: "trait import swapped, unknown receiver",
        old: "//- src/lib.rs\nmod t;\nuse t::A;\npub fn f() -> u8 { unknown!().go() }\n//- src/t.rs\npub trait A { fn go(self) -> u8; }\npub trait B { fn go(self) -> u8; }\nimpl A for u8 { fn go(self) -> u8 { 1 } }\nimpl B for u8 { fn go(self) -> u8 { 2 } }\n",
        new: "//- src/lib.rs\nmod t;\nuse t::B;\npub fn f() -> u8 { unknown!().go() }\n//- src/t.rs\npub trait A { fn go(self) -> u8; }\npub trait B { fn go(self) -> u8; }\nimpl A for u8 { fn go(self) -> u8 { 1 } }\nimpl B for u8 { fn go(self) -> u8 { 2 } }\n",
        read: &["demo::f: traits"],
    },
    Case {
        name: "unknown external trait import added",
        old: "//- src/lib.rs\nuse ext::Foo as _;\npub fn f(x: Vec<u8>) -> usize { x.len() }\n",
        new: "//- src/lib.rs\nuse ext::Bar as _;\npub fn f(x: Vec<u8>) -> usize { x.len() }\n",
        read: &["demo::f: traits"],
    },
    Case {
        name: "unknown glob swapped",
        old: "//- src/lib.rs\nuse ext::*;\npub fn f() -> u8 { foo() }\n",
        new: "//- src/lib.rs\nuse ext2::*;\npub fn f() -> u8 { foo() }\n",
        read: &["demo::f: uncertain, uncertain"],
    },
    Case {
        name: "unknown import swapped",
        old: "//- src/lib.rs\nuse ext::foo;\npub fn f() -> u8 { foo() }\n",
        new: "//- src/lib.rs\nuse ext2::foo;\npub fn f() -> u8 { foo() }\n",
        read: &["demo::f: uncertain, uncertain"],
    },
    Case {
        name: "super means another",
        old: "//- src/lib.rs\nmod a;\nmod b;\nfn h() -> u8 { 1 }\n//- src/a.rs\npub fn f() -> u8 { super::h() }\n//- src/b.rs\npub mod c { pub fn k() -> u8 { 1 } }\nfn h() -> u8 { 2 }\n",
        new: "//- src/lib.rs\nmod a;\nmod b;\nfn h() -> u8 { 1 }\n//- src/a.rs\n\n//- src/b.rs\npub mod c { pub fn k() -> u8 { 1 }\npub fn f() -> u8 { super::h() } }\nfn h() -> u8 { 2 }\n",
        read: &["demo::b::c::f: meaning"],
    },
    Case {
        name: "impl under another cfg",
        old: "//- src/lib.rs\npub struct S;\nimpl Default for S { fn default() -> S { S } }\n",
        new: "//- src/lib.rs\npub struct S;\n#[cfg(unix)]\nimpl Default for S { fn default() -> S { S } }\n",
        read: &["<demo::S as Default>: condition", "<demo::S as Default>::default: condition"],
    },
    Case {
        name: "impl moved into cfg module",
        old: "//- src/lib.rs\npub struct S;\nimpl S { pub fn new() -> S { S } }\nmod u {}\n",
        new: "//- src/lib.rs\npub struct S;\n#[cfg(unix)] mod u { impl super::S { pub fn new() -> super::S { super::S } } }\n",
        read: &["<demo::S>: condition", "demo::S::new: condition", "demo::u: condition"],
    },
    Case {
        name: "file attribute",
        old: "//- src/lib.rs\n#![allow(dead_code)]\npub fn f() {}\n",
        new: "//- src/lib.rs\n#![allow(dead_code)]\n#![no_std]\npub fn f() {}\n",
        read: &["demo: code"],
    },
    Case {
        name: "macro rules changed",
        old: "//- src/lib.rs\nmacro_rules! m { ($a:expr) => { $a + 1 } }\npub fn f() -> u8 { m!(1) }\n",
        new: "//- src/lib.rs\nmacro_rules! m { ($a:expr) => { $a + 2 } }\npub fn f() -> u8 { m!(1) }\n",
        read: &["demo::m: code"],
    },
    Case {
        name: "include_str moved",
        old: "//- src/lib.rs\nmod a;\npub fn f() -> &'static str { include_str!(\"x.txt\") }\n//- src/a/mod.rs\n//- src/x.txt\n1//- src/a/x.txt\n2",
        new: "//- src/lib.rs\nmod a;\npub use a::f;\n//- src/a/mod.rs\npub fn f() -> &'static str { include_str!(\"x.txt\") }\n//- src/x.txt\n1//- src/a/x.txt\n2",
        read: &["demo::a::f: file"],
    },
    Case {
        name: "debug of renamed",
        old: "//- src/lib.rs\n#[derive(Debug)]\npub struct A;\npub fn f() -> A { A }\n",
        new: "//- src/lib.rs\n#[derive(Debug)]\npub struct B;\npub fn f() -> B { B }\n",
        read: &["demo::B: name"],
    },
    Case {
        name: "serde field renamed",
        old: "//- src/lib.rs\nuse serde::Serialize;\n#[derive(Serialize)]\npub struct A { pub x: u8 }\npub fn f(a: A) -> u8 { a.x }\n",
        new: "//- src/lib.rs\nuse serde::Serialize;\n#[derive(Serialize)]\npub struct A { pub y: u8 }\npub fn f(a: A) -> u8 { a.y }\n",
        read: &["demo::A: name"],
    },
    Case {
        name: "clone of renamed",
        old: "//- src/lib.rs\n#[derive(Clone)]\npub struct A;\npub fn f() -> A { A }\n",
        new: "//- src/lib.rs\n#[derive(Clone)]\npub struct B;\npub fn f() -> B { B }\n",
        read: &[],
    },
    Case {
        name: "type_name",
        old: "//- src/lib.rs\npub struct A;\npub fn f() -> &'static str { std::any::type_name::<A>() }\n",
        new: "//- src/lib.rs\npub struct B;\npub fn f() -> &'static str { std::any::type_name::<B>() }\n",
        read: &["demo::f: place"],
    },
    Case {
        name: "stringify",
        old: "//- src/lib.rs\npub fn a() {}\npub fn f() -> &'static str { stringify!(a) }\n",
        new: "//- src/lib.rs\npub fn b() {}\npub fn f() -> &'static str { stringify!(b) }\n",
        read: &["demo::f: meaning, uncertain, macro"],
    },
    Case {
        name: "line",
        old: "//- src/lib.rs\npub fn f() -> u32 { line!() }\n",
        new: "//- src/lib.rs\n\npub fn f() -> u32 { \nline!() }\n",
        read: &["demo::f: place"],
    },
    Case {
        name: "module_path",
        old: "//- src/lib.rs\nmod a;\npub fn f() -> &'static str { module_path!() }\n//- src/a.rs\n",
        new: "//- src/lib.rs\nmod a;\npub use a::f;\n//- src/a.rs\npub fn f() -> &'static str { module_path!() }\n",
        read: &["demo::a::f: place"],
    },
    Case {
        name: "captured width swapped",
        old: "//- src/lib.rs\npub fn f() -> String { let w = 1; let v = 2; format!(\"{:w$}\", v) }\n",
        new: "//- src/lib.rs\npub fn f() -> String { let v = 1; let w = 2; format!(\"{:w$}\", w) }\n",
        read: &["demo::f: meaning"],
    },
    Case {
        name: "captured in unknown macro",
        old: "//- src/lib.rs\npub fn f() { let w = 1; let v = 2; ext::show!(\"{w}\"; v) }\n",
        new: "//- src/lib.rs\npub fn f() { let v = 1; let w = 2; ext::show!(\"{w}\"; v) }\n",
        read: &["demo::f: meaning, uncertain"],
    },
    Case {
        name: "captured in renamed",
        old: "//- src/lib.rs\npub fn f() -> String { let w = 1; format!(\"{w}\") }\n",
        new: "//- src/lib.rs\npub fn f() -> String { let v = 1; format!(\"{v}\") }\n",
        read: &[],
    },
    Case {
        name: "tuple comma",
        old: "//- src/lib.rs\npub fn f() -> u8 { g((1)) }\nfn g<T>(t: T) -> u8 { 1 }\n",
        new: "//- src/lib.rs\npub fn f() -> u8 { g((1,)) }\nfn g<T>(t: T) -> u8 { 1 }\n",
        read: &["demo::f: code"],
    },
    Case {
        name: "call comma",
        old: "//- src/lib.rs\npub fn f() -> u8 { g(1) }\nfn g<T>(t: T) -> u8 { 1 }\n",
        new: "//- src/lib.rs\npub fn f() -> u8 { g(1,) }\nfn g<T>(t: T,) -> u8 { 1 }\n",
        read: &[],
    },
    Case {
        name: "extern fn renamed",
        old: "//- src/lib.rs\nextern \"C\" { fn a(); }\npub fn f() { unsafe { a() } }\n",
        new: "//- src/lib.rs\nextern \"C\" { fn b(); }\npub fn f() { unsafe { b() } }\n",
        read: &["demo::b: name"],
    },
    Case {
        name: "no_mangle renamed",
        old: "//- src/lib.rs\n#[no_mangle]\npub extern \"C\" fn a() {}\n",
        new: "//- src/lib.rs\n#[no_mangle]\npub extern \"C\" fn b() {}\n",
        read: &["demo::b: name"],
    },
    Case {
        name: "alias generic",
        old: "//- src/lib.rs\npub type A = Vec<u8>;\npub fn f() -> usize { A::new().len() }\n",
        new: "//- src/lib.rs\npub type A = Vec<u8>;\npub fn f() -> usize { Vec::new().len() }\n",
        read: &["demo::f: meaning"],
    },
    Case {
        name: "prelude shadowed",
        old: "//- src/lib.rs\npub fn f() -> Option<u8> { Some(1) }\n",
        new: "//- src/lib.rs\nmod o { pub use std::option::Option::None as Some; pub fn x() {} }\nuse o::Some;\npub fn f() -> Option<u8> { Some(1) }\n",
        read: &["demo::o: added", "demo::o::x: added", "demo::f: meaning"],
    },
    Case {
        name: "const pattern",
        old: "//- src/lib.rs\nmod a { pub const X: u8 = 1; }\npub fn f(n: u8) -> u8 { match n { X => 1 } }\n",
        new: "//- src/lib.rs\nmod a { pub const X: u8 = 1; }\nuse a::X;\npub fn f(n: u8) -> u8 { match n { X => 1 } }\n",
        read: &["demo::f: meaning"],
    },
    Case {
        name: "orphan file",
        old: "//- src/lib.rs\npub fn f() {}\n//- src/lost.rs\nfn a() -> u8 { 1 }\n",
        new: "//- src/lib.rs\npub fn f() {}\n//- src/lost.rs\nfn a() -> u8 { 2 }\n",
        read: &["lost::a: code"],
    },
    Case {
        name: "unparsed",
        old: "//- src/lib.rs\npub fn f() -> u8 { 1 }\npub fn g() {}\n",
        new: "//- src/lib.rs\npub fn f() -> u8 { 2 }\npub fn g() {\n",
        read: &["demo: unread", "demo::f: code, unread", "demo::g: code, unread"],
    },
    Case {
        name: "method to other impl",
        old: "//- src/lib.rs\npub struct S<T>(T);\nimpl S<u8> { pub fn f(&self) -> u8 { 1 } }\nimpl S<u16> { pub fn g(&self) {} }\n",
        new: "//- src/lib.rs\npub struct S<T>(T);\nimpl S<u8> { }\nimpl S<u16> { pub fn g(&self) {}\n pub fn f(&self) -> u8 { 1 } }\n",
        read: &["demo::S::f: container"],
    },
    Case {
        name: "drop order of statics/fields",
        old: "//- src/lib.rs\npub struct S { a: String, b: Vec<u8> }\n",
        new: "//- src/lib.rs\npub struct S { b: Vec<u8>, a: String }\n",
        read: &["demo::S: code, code"],
    },
    Case {
        name: "overrides lost",
        old: "//- src/lib.rs\npub trait T { fn a(&self) {} fn b(&self) {} }\npub struct S;\nimpl T for S { fn a(&self) { g() } }\nfn g() {}\n",
        new: "//- src/lib.rs\npub trait T { fn a(&self) {} fn b(&self) {} }\npub struct S;\nimpl T for S { fn b(&self) { g() } }\nfn g() {}\n",
        read: &["<demo::S as T>::b: meaning"],
    },
    Case {
        name: "glob shadow",
        old: "//- src/lib.rs\nmod a;\nmod b;\nuse a::*;\npub fn f() -> u8 { k() }\n//- src/a.rs\npub fn k() -> u8 { 1 }\n//- src/b.rs\npub fn k() -> u8 { 2 }\n",
        new: "//- src/lib.rs\nmod a;\nmod b;\nuse a::*;\nuse b::k;\npub fn f() -> u8 { k() }\n//- src/a.rs\npub fn k() -> u8 { 1 }\n//- src/b.rs\npub fn k() -> u8 { 2 }\n",
        read: &["demo::f: meaning"],
    },
    Case {
        name: "attribute macro",
        old: "//- src/lib.rs\n#[ext::instrument]\npub fn a() {}\npub fn f() { a() }\n",
        new: "//- src/lib.rs\n#[ext::instrument]\npub fn b() {}\npub fn f() { b() }\n",
        read: &["demo::b: macro"],
    },
    Case {
        name: "label",
        old: "//- src/lib.rs\npub fn f() { 'a: loop { 'b: loop { break 'a; } } }\n",
        new: "//- src/lib.rs\npub fn f() { 'a: loop { 'b: loop { break 'b; } } }\n",
        read: &["demo::f: code"],
    },
    Case {
        name: "inner vs outer local",
        old: "//- src/lib.rs\npub fn f(x: u8) -> u8 { { let x = x + 1; g(x); } x }\nfn g(_: u8) {}\n",
        new: "//- src/lib.rs\npub fn f(x: u8) -> u8 { let x = x + 1; { g(x); } x }\nfn g(_: u8) {}\n",
        read: &["demo::f: code, code, meaning"],
    },
    Case {
        name: "impl generics swapped",
        old: "//- src/lib.rs\npub struct S<A, B>(A, B);\nimpl<A: Copy, B: Copy> S<A, B> { pub fn f(&self) -> A { self.0 } }\n",
        new: "//- src/lib.rs\npub struct S<A, B>(A, B);\nimpl<B: Copy, A: Copy> S<B, A> { pub fn f(&self) -> B { self.0 } }\n",
        read: &[],
    },
    Case {
        name: "return generic other",
        old: "//- src/lib.rs\npub struct S<A, B>(A, B);\nimpl<A: Copy, B: Copy> S<A, B> { pub fn f(&self) -> A { todo!() } }\n",
        new: "//- src/lib.rs\npub struct S<A, B>(A, B);\nimpl<B: Copy, A: Copy> S<B, A> { pub fn f(&self) -> A { todo!() } }\n",
        read: &["demo::S::f: meaning"],
    },
    Case {
        name: "doc only",
        old: "//- src/lib.rs\n/// A.\npub fn f() {}\n",
        new: "//- src/lib.rs\n/// B.\npub fn f() {}\n",
        read: &[],
    },
    Case {
        name: "comment only",
        old: "//- src/lib.rs\n// A.\npub fn f() { /* x */ }\n",
        new: "//- src/lib.rs\n// B.\npub fn f() { /* y */ }\n",
        read: &[],
    },
    Case {
        name: "async",
        old: "//- src/lib.rs\npub fn f() {}\n",
        new: "//- src/lib.rs\npub async fn f() {}\n",
        read: &["demo::f: code"],
    },
    Case {
        name: "use in fn body",
        old: "//- src/lib.rs\nmod a { pub fn k() -> u8 { 1 } }\nmod b { pub fn k() -> u8 { 2 } }\npub fn f() -> u8 { use a::k; k() }\n",
        new: "//- src/lib.rs\nmod a { pub fn k() -> u8 { 1 } }\nmod b { pub fn k() -> u8 { 2 } }\npub fn f() -> u8 { use b::k; k() }\n",
        read: &["demo::f: meaning"],
    },
    Case {
        name: "nested fn changed",
        old: "//- src/lib.rs\npub fn f() -> u8 { fn n() -> u8 { 1 } n() }\n",
        new: "//- src/lib.rs\npub fn f() -> u8 { fn n() -> u8 { 2 } n() }\n",
        read: &["demo::n: code"],
    },
    Case {
        name: "repr",
        old: "//- src/lib.rs\n#[repr(C)]\npub struct S { a: u8 }\n",
        new: "//- src/lib.rs\n#[repr(packed)]\npub struct S { a: u8 }\n",
        read: &["demo::S: code"],
    },
    Case {
        name: "discriminant",
        old: "//- src/lib.rs\npub enum E { A = 1, B }\n",
        new: "//- src/lib.rs\npub enum E { A = 2, B }\n",
        read: &["demo::E: code"],
    },
    Case {
        name: "variant order",
        old: "//- src/lib.rs\n#[derive(PartialEq, PartialOrd)]\npub enum E { A, B }\n",
        new: "//- src/lib.rs\n#[derive(PartialEq, PartialOrd)]\npub enum E { B, A }\n",
        read: &["demo::E: code, code"],
    },
    Case {
        name: "statement cfg",
        old: "//- src/lib.rs\npub fn f() -> u8 { #[cfg(unix)] g(); 1 }\nfn g() {}\n",
        new: "//- src/lib.rs\npub fn f() -> u8 { #[cfg(windows)] g(); 1 }\nfn g() {}\n",
        read: &["demo::f: code, meaning"],
    },
    Case {
        name: "macro item",
        old: "//- src/lib.rs\nmacro_rules! mk { ($n:ident, $v:expr) => { pub fn $n() -> u8 { $v } } }\nmk!(a, 1);\n",
        new: "//- src/lib.rs\nmacro_rules! mk { ($n:ident, $v:expr) => { pub fn $n() -> u8 { $v } } }\nmk!(a, 2);\n",
        read: &["mk: code, macro"],
    },
    Case {
        name: "renamed by macro item",
        old: "//- src/lib.rs\nmacro_rules! mk { ($n:ident, $v:expr) => { pub fn $n() -> u8 { $v } } }\nmk!(a, 1);\npub fn f() -> u8 { a() }\n",
        new: "//- src/lib.rs\nmacro_rules! mk { ($n:ident, $v:expr) => { pub fn $n() -> u8 { $v } } }\nmk!(b, 1);\npub fn f() -> u8 { b() }\n",
        read: &["mk: code, uncertain, macro"],
    },
    Case {
        name: "template names",
        old: "//- src/lib.rs\nfn a() -> u8 { 1 }\nmacro_rules! m { () => { a() } }\npub fn f() -> u8 { m!() }\n",
        new: "//- src/lib.rs\nfn b() -> u8 { 1 }\nmacro_rules! m { () => { b() } }\npub fn f() -> u8 { m!() }\n",
        read: &["demo::m: uncertain, uncertain", "demo::f: uncertain"],
    },
    Case {
        name: "module moved to file",
        old: "//- src/lib.rs\npub mod a { #![allow(dead_code)] pub fn f() -> u8 { 1 } }\n",
        new: "//- src/lib.rs\npub mod a;\n//- src/a.rs\n#![allow(dead_code)]\npub fn f() -> u8 { 1 }\n",
        read: &[],
    },
    Case {
        name: "main renamed",
        old: "//- src/main.rs\nfn main() { other() }\nfn other() {}\n",
        new: "//- src/main.rs\nfn start() { other() }\nfn main() {}\nfn other() {}\n",
        read: &["demo::start: added", "demo::main: code"],
    },
    Case {
        name: "macro takes a name of the call",
        old: "//- src/lib.rs\nmod a;\nmod b;\nmod c;\nmacro_rules! m { () => { helper() } }\npub(crate) use m;\n//- src/a.rs\npub fn helper() -> u8 { 1 }\n//- src/b.rs\npub fn helper() -> u8 { 2 }\n//- src/c.rs\nuse crate::a::helper;\npub fn f() -> u8 { crate::m!() }\n",
        new: "//- src/lib.rs\nmod a;\nmod b;\nmod c;\nmacro_rules! m { () => { helper() } }\npub(crate) use m;\n//- src/a.rs\npub fn helper() -> u8 { 1 }\n//- src/b.rs\npub fn helper() -> u8 { 2 }\n//- src/c.rs\nuse crate::b::helper;\npub fn f() -> u8 { crate::m!() }\n",
        read: &["demo::c::f: uncertain"],
    },
    Case {
        name: "positions of tuples",
        old: "//- src/lib.rs\npub struct A(u8, u8);\npub struct B(u8, u8);\npub fn a() -> A { A(1, 2) }\npub fn b() -> B { B(1, 2) }\npub fn f() -> u8 { a().0 }\n",
        new: "//- src/lib.rs\npub struct A(u8, u8);\npub struct B(u8, u8);\npub fn a() -> A { A(1, 2) }\npub fn b() -> B { B(1, 2) }\npub fn f() -> u8 { a().1 }\n",
        read: &["demo::f: code"],
    },
    Case {
        name: "conditional derive",
        old: "//- src/lib.rs\n#[cfg_attr(unix, derive(Debug))]\npub struct A;\npub fn f() -> A { A }\n",
        new: "//- src/lib.rs\n#[cfg_attr(unix, derive(Debug))]\npub struct B;\npub fn f() -> B { B }\n",
        read: &["demo::B: name"],
    },
    Case {
        name: "gratuitous visibility",
        old: "//- src/lib.rs\nmod m {\n    fn f() {}\n    pub(crate) fn g() { f() }\n}\npub fn h() { m::g() }\n",
        new: "//- src/lib.rs\nmod m {\n    pub(crate) fn f() {}\n    pub(crate) fn g() { f() }\n}\npub fn h() { m::g() }\n",
        read: &["demo::m::f: visibility"],
    },
    Case {
        name: "needed visibility",
        old: "//- src/lib.rs\nmod m;\nmod n;\npub fn h() { m::g() }\n//- src/m.rs\nfn f() {}\npub(crate) fn g() { f() }\n//- src/n.rs\n",
        new: "//- src/lib.rs\nmod m;\nmod n;\npub fn h() { m::g() }\n//- src/m.rs\npub(crate) fn g() { crate::n::f() }\n//- src/n.rs\npub(crate) fn f() {}\n",
        read: &[],
    },
    Case {
        name: "log target",
        old: "//- src/lib.rs\nmod a;\npub fn f() { log::info!(\"x\") }\n//- src/a.rs\n",
        new: "//- src/lib.rs\nmod a;\npub use a::f;\n//- src/a.rs\npub fn f() { log::info!(\"x\") }\n",
        read: &["demo::a::f: place"],
    },
    Case {
        name: "swapped names",
        old: "//- src/lib.rs\npub fn a() -> u8 { 1 }\npub fn b() -> u8 { 2 }\npub fn f() -> u8 { a() }\n",
        new: "//- src/lib.rs\npub fn b() -> u8 { 1 }\npub fn a() -> u8 { 2 }\npub fn f() -> u8 { a() }\n",
        read: &["demo::b: code", "demo::a: code"],
    },
    Case {
        name: "inlined twin",
        old: "//- src/lib.rs\nfn a(n: u8) -> u8 { n + 1 }\nfn b(n: u8) -> u8 { n + 1 }\npub fn f() -> u8 { a(1) + b(2) }\n",
        new: "//- src/lib.rs\nfn b(n: u8) -> u8 { n + 1 }\npub fn f() -> u8 { b(1) + b(2) }\n",
        read: &["demo::a: removed", "demo::f: meaning"],
    },
    Case {
        name: "included file",
        old: "//- src/lib.rs\ninclude!(\"part.rs\");\npub fn g() -> u8 { f() }\n//- src/part.rs\npub fn f() -> u8 { 1 }\n",
        new: "//- src/lib.rs\ninclude!(\"part.rs\");\npub fn g() -> u8 { f() }\n//- src/part.rs\npub fn f() -> u8 { 2 }\n",
        read: &["demo::f: code"],
    },
    Case {
        name: "data file of tests",
        old: "//- src/lib.rs\npub fn g() {}\n//- tests/data/x.rs\nfn f() -> u8 { 1\n",
        new: "//- src/lib.rs\npub fn g() {}\n//- tests/data/x.rs\nfn f() -> u8 { 2\n",
        read: &["x: unread", "x::f: code, unread"],
    },
    Case {
        name: "build script",
        old: "//- src/lib.rs\npub fn g() {}\n//- build.rs\nfn main() { }\n",
        new: "//- src/lib.rs\npub fn g() {}\n//- build.rs\nfn main() { println!(\"x\") }\n",
        read: &["build_script_build::main: code"],
    },
    Case {
        name: "file removed",
        old: "//- src/lib.rs\nmod a;\npub fn g() {}\n//- src/a.rs\nfn f() -> u8 { 1 }\n",
        new: "//- src/lib.rs\npub fn g() {}\n",
        read: &["demo::a: removed", "demo::a::f: removed"],
    },
    Case {
        name: "path attribute",
        old: "//- src/lib.rs\n#[path = \"a.rs\"] mod m;\n#[path = \"a.rs\"] mod n;\npub fn g() {}\n//- src/a.rs\npub fn f() -> u8 { 1 }\n",
        new: "//- src/lib.rs\n#[path = \"a.rs\"] mod m;\n#[path = \"a.rs\"] mod n;\npub fn g() {}\n//- src/a.rs\npub fn f() -> u8 { 2 }\n",
        read: &["demo::m::f: code", "demo::n::f: code"],
    },
];
