//! Functions with other parameters through `asof review`: calls that follow are proven, and whatever
//! looks like that is to be read.

use std::collections::BTreeMap;

use crate::support;

use serde_json::Value;
use support::cli::json;
use support::repository::Repository;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

/// A change of a library.
struct Case {
    name: &'static str,
    old: &'static str,
    new: &'static str,
    /// Paths of items, each with what became of it.
    proven: &'static [&'static str],
    /// Paths of items, each with its reasons.
    read: &'static [&'static str],
}

/// Files, each after a line with its path; a text alone is `src/lib.rs`.
fn files(text: &str) -> BTreeMap<&str, &str> {
    if !text.starts_with("//- ") {
        return BTreeMap::from([("src/lib.rs", text)]);
    }
    text.split("//- ").skip(1).map(|part| part.split_once('\n').unwrap()).collect()
}

fn lines(found: &Value, list: &str, of: &dyn Fn(&Value) -> Vec<String>) -> Vec<String> {
    let items = found[list].as_array().unwrap().iter();
    items.map(|one| format!("{}: {}", one["path"].as_str().unwrap(), of(one).join(", "))).collect()
}

#[test]
fn calls_follow_a_list_or_are_read() {
    let mut wrong = Vec::new();
    for case in CASES {
        let mut repo = Repository::new();
        repo.write("Cargo.toml", MANIFEST);
        files(case.old).iter().for_each(|(path, text)| repo.write(path, text));
        repo.commit("old");
        files(case.new).iter().for_each(|(path, text)| repo.write(path, text));
        repo.commit("new");
        let found = json(&repo.root, &["review", "HEAD~1..HEAD"]);
        let string = |value: &Value| value.as_str().unwrap().to_owned();
        let proven = lines(&found, "proven", &|one| {
            one["what"].as_array().unwrap().iter().map(string).collect()
        });
        let read = lines(&found, "read", &|one| {
            let reasons = one["reasons"].as_array().unwrap().iter();
            let mut reasons: Vec<String> = reasons.map(|one| string(&one["reason"])).collect();
            reasons.dedup();
            reasons
        });
        if proven != case.proven || read != case.read {
            wrong.push(format!("{}: proven {proven:?}, read {read:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_new_parameters_get_is_said() {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    repo.write("src/lib.rs", "fn f(a: u8) -> u8 { a }\npub fn g() -> u8 { f(1) }\n");
    repo.commit("old");
    let new = "fn f(a: u8, add: u8) -> u8 { a + add }\npub fn g() -> u8 { f(1, 7) }\n";
    repo.write("src/lib.rs", new);
    repo.commit("new");
    let found = json(&repo.root, &["review", "HEAD~1..HEAD", "--patch"]);
    let whats: Vec<&str> = found["read"][0]["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["what"].as_str().unwrap())
        .collect();
    assert_eq!(whats, ["`+ add` is new", "its calls pass `7` for a new parameter"], "{found}");
    // The parameter itself is no difference.
    let patch = found["read"][0]["patch"].as_str().unwrap();
    let removed: Vec<&str> = patch.lines().filter(|line| line.starts_with('-')).collect();
    assert_eq!(removed, ["--- a/src/lib.rs", "-fn f(a: u8, add: u8) -> u8 { a  }"], "{patch}");
    assert_eq!(found["proven"][0]["path"], "demo::g");
}

const CASES: &[Case] = &[
    Case {
        name: "another order and one more",
        old: "fn scale(value: u64, by: u64) -> u64 { value * by + 1 }\npub fn area(a: u64, b: u64) -> u64 { scale(a, b) }\n",
        new: "fn scale(by: u64, value: u64, _log: bool) -> u64 { value * by + 1 }\npub fn area(a: u64, b: u64) -> u64 { scale(b, a, false) }\n",
        proven: &["demo::area: adapted", "demo::scale: signature"],
        read: &[],
    },
    Case {
        name: "methods, calls in calls and macros, and of itself",
        old: "pub struct S;\nimpl S {\n    fn m(&self, a: u8, b: u16) -> u8 { if a == 0 { a } else { self.m(1, b) } }\n}\npub fn f(s: &S, n: u16) -> u8 { s.m(s.m(1, 2), 3); println!(\"{}\", s.m(1, n)); S::m(s, 4, n) }\n",
        new: "pub struct S;\nimpl S {\n    fn m(&self, b: u16, a: u8) -> u8 { if a == 0 { a } else { self.m(b, 1) } }\n}\npub fn f(s: &S, n: u16) -> u8 { s.m(3, s.m(2, 1)); println!(\"{}\", s.m(n, 1)); S::m(s, n, 4) }\n",
        proven: &["demo::S::m: signature"],
        // A call is evaluated at another place, though nothing comes of it.
        read: &["demo::f: code"],
    },
    Case {
        name: "methods, in macros, and of itself",
        old: "pub struct S;\nimpl S {\n    fn m(&self, a: u8, b: u16) -> u8 { if a == 0 { a } else { self.m(1, b) } }\n}\npub fn f(s: &S, n: u16) -> u8 { println!(\"{}\", s.m(1, n)); S::m(s, 4, n) }\n",
        new: "pub struct S;\nimpl S {\n    fn m(&self, b: u16, a: u8) -> u8 { if a == 0 { a } else { self.m(b, 1) } }\n}\npub fn f(s: &S, n: u16) -> u8 { println!(\"{}\", s.m(n, 1)); S::m(s, n, 4) }\n",
        proven: &["demo::S::m: signature", "demo::f: adapted"],
        read: &[],
    },
    Case {
        name: "the new one is used",
        old: "fn f(a: u8) -> u8 { a }\npub fn g() -> u8 { f(1) }\npub fn h() -> u8 { f(f(2)) }\n",
        new: "fn f(a: u8, b: u8) -> u8 { a + b }\npub fn g() -> u8 { f(1, 0) }\npub fn h() -> u8 { f(f(2, 0), 0) }\n",
        proven: &["demo::g: adapted", "demo::h: adapted"],
        read: &["demo::f: code"],
    },
    Case {
        name: "a call that stays",
        old: "//- src/lib.rs\nmod a;\nmod b;\n//- src/a.rs\npub fn scale(value: u64, by: u64) -> u64 { value * by + 1 }\n//- src/b.rs\npub fn area(a: u64, b: u64) -> u64 { crate::a::scale(a, b) }\n",
        new: "//- src/lib.rs\nmod a;\nmod b;\n//- src/a.rs\npub fn scale(by: u64, value: u64) -> u64 { value * by + 1 }\n//- src/b.rs\npub fn area(a: u64, b: u64) -> u64 { crate::a::scale(a, b) }\n",
        proven: &["demo::a::scale: signature"],
        read: &["demo::b::area: code"],
    },
    Case {
        name: "a call that follows in half",
        old: "fn scale(value: u64, by: u64) -> u64 { value * by + 1 }\npub fn area(a: u64, b: u64) -> u64 { scale(a, b) }\n",
        new: "fn scale(by: u64, value: u64, _log: bool) -> u64 { value * by + 1 }\npub fn area(a: u64, b: u64) -> u64 { scale(a, b, false) }\n",
        proven: &["demo::scale: signature"],
        read: &["demo::area: code"],
    },
    Case {
        name: "arguments in another order, and the list as it was",
        old: "fn scale(value: u64, by: u64) -> u64 { value * by + 1 }\npub fn area(a: u64, b: u64) -> u64 { scale(a, b) }\n",
        new: "fn scale(value: u64, by: u64) -> u64 { value * by + 1 }\npub fn area(a: u64, b: u64) -> u64 { scale(b, a) }\n",
        proven: &[],
        read: &["demo::area: code"],
    },
    Case {
        name: "names in another order, with the code",
        old: "fn minus(a: u64, b: u64) -> u64 { a - b }\npub fn f(a: u64, b: u64) -> u64 { minus(a, b) }\n",
        new: "fn minus(b: u64, a: u64) -> u64 { b - a }\npub fn f(a: u64, b: u64) -> u64 { minus(a, b) }\n",
        proven: &["demo::minus: signature"],
        read: &[],
    },
    Case {
        name: "names in another order, with the code, and arguments",
        old: "fn minus(a: u64, b: u64) -> u64 { a - b }\npub fn f(a: u64, b: u64) -> u64 { minus(a, b) }\n",
        new: "fn minus(b: u64, a: u64) -> u64 { b - a }\npub fn f(a: u64, b: u64) -> u64 { minus(b, a) }\n",
        proven: &["demo::minus: signature"],
        read: &["demo::f: code"],
    },
    Case {
        name: "another argument than most",
        old: "fn f(a: u8) -> u8 { a }\npub fn g() -> u8 { f(1) }\npub fn h() -> u8 { f(2) }\npub fn k() -> u8 { f(3) }\n",
        new: "fn f(a: u8, b: bool) -> u8 { if b { 0 } else { a } }\npub fn g() -> u8 { f(1, false) }\npub fn h() -> u8 { f(2, true) }\npub fn k() -> u8 { f(3, false) }\n",
        proven: &["demo::g: adapted", "demo::k: adapted"],
        read: &["demo::f: code", "demo::h: code"],
    },
    Case {
        name: "an argument that is a variable",
        old: "fn f(a: u8) -> u8 { a }\npub fn g(n: u8) -> u8 { f(1) }\n",
        new: "fn f(a: u8, _b: u8) -> u8 { a }\npub fn g(n: u8) -> u8 { f(1, n) }\n",
        proven: &[],
        read: &["demo::f: code", "demo::g: code"],
    },
    Case {
        name: "a literal of another type",
        old: "fn f(a: u8) -> u8 { a }\npub fn g() -> u8 { f(1) }\n",
        new: "fn f(a: u8, _b: u8) -> u8 { a }\npub fn g() -> u8 { f(1, false) }\n",
        proven: &["demo::g: adapted"],
        read: &["demo::f: code"],
    },
    Case {
        name: "a value that may do something when it is dropped",
        old: "pub struct D;\nimpl Drop for D { fn drop(&mut self) { std::process::exit(1) } }\npub const C: D = D;\nfn f(a: u8) -> u8 { a }\npub fn g() -> u8 { f(1) }\n",
        new: "pub struct D;\nimpl Drop for D { fn drop(&mut self) { std::process::exit(1) } }\npub const C: D = D;\nfn f(a: u8, _c: D) -> u8 { a }\npub fn g() -> u8 { f(1, C) }\n",
        proven: &["demo::g: adapted"],
        read: &["demo::f: code"],
    },
    Case {
        name: "arguments that do something",
        old: "fn scale(value: u64, by: u64) -> u64 { value * by + 1 }\nfn next() -> u64 { unknown() }\npub fn f() -> u64 { scale(next(), 1) }\npub fn g() -> u64 { scale(next(), next()) }\npub fn h(mut n: u64) -> u64 { scale(n, { n += 1; n }) }\npub fn k(n: &mut [u64]) -> u64 { scale(n[0], n[1]) }\n",
        new: "fn scale(by: u64, value: u64) -> u64 { value * by + 1 }\nfn next() -> u64 { unknown() }\npub fn f() -> u64 { scale(1, next()) }\npub fn g() -> u64 { scale(next(), next()) }\npub fn h(mut n: u64) -> u64 { scale({ n += 1; n }, n) }\npub fn k(n: &mut [u64]) -> u64 { scale(n[1], n[0]) }\n",
        proven: &["demo::scale: signature"],
        read: &["demo::f: code", "demo::g: code", "demo::h: code", "demo::k: code"],
    },
    Case {
        name: "a function that is passed on",
        old: "fn f(a: u8, b: u8) -> u8 { a - b }\npub fn g(all: &[u8]) -> u8 { all.iter().copied().fold(0, f) }\n",
        new: "fn f(b: u8, a: u8) -> u8 { a - b }\npub fn g(all: &[u8]) -> u8 { all.iter().copied().fold(0, f) }\n",
        proven: &["demo::f: signature"],
        read: &["demo::g: code"],
    },
    Case {
        name: "a call in a macro that is not read",
        old: "fn f(a: u8, b: u8) -> u8 { a - b }\npub fn g() -> u8 { unknown!(f(1, 2)) }\n",
        new: "fn f(b: u8, a: u8) -> u8 { a - b }\npub fn g() -> u8 { unknown!(f(1, 2)) }\n",
        proven: &["demo::f: signature"],
        read: &["demo::g: code"],
    },
    Case {
        name: "a call in the rules of a macro",
        old: "#[macro_export]\nmacro_rules! m { ($a:expr, $b:expr) => { $crate::f($a, $b) } }\npub fn f(a: u8, b: u8) -> u8 { a - b }\npub fn g() -> u8 { m!(1, 2) }\n",
        new: "#[macro_export]\nmacro_rules! m { ($a:expr, $b:expr) => { $crate::f($a, $b) } }\npub fn f(b: u8, a: u8) -> u8 { a - b }\npub fn g() -> u8 { m!(1, 2) }\n",
        proven: &["demo::f: signature"],
        read: &["demo::m: code"],
    },
    Case {
        name: "a receiver that is not known",
        old: "pub struct S;\nimpl S { pub fn m(&self, a: u8, b: u8) -> u8 { a - b } }\npub fn g() -> u8 { unknown!().m(1, 2) }\n",
        new: "pub struct S;\nimpl S { pub fn m(&self, b: u8, a: u8) -> u8 { a - b } }\npub fn g() -> u8 { unknown!().m(1, 2) }\n",
        proven: &["demo::S::m: signature"],
        read: &["demo::g: code"],
    },
    Case {
        name: "a receiver in the rules of a macro",
        old: "pub struct S;\nimpl S { pub fn m(&self, a: u8, b: u8) -> u8 { a - b } }\npub struct T;\nimpl T { pub fn m(&self, a: u8, b: u8) -> u8 { a } }\nmacro_rules! k { ($x:expr) => { $x.m(1, 2) } }\npub fn g(s: &S) -> u8 { k!(s) }\n",
        new: "pub struct S;\nimpl S { pub fn m(&self, b: u8, a: u8) -> u8 { a - b } }\npub struct T;\nimpl T { pub fn m(&self, a: u8, b: u8) -> u8 { a } }\nmacro_rules! k { ($x:expr) => { $x.m(1, 2) } }\npub fn g(s: &S) -> u8 { k!(s) }\n",
        proven: &[],
        read: &["demo::S::m: uncertain"],
    },
    Case {
        name: "an item of a trait",
        old: "pub trait T { fn m(&self, a: u8, b: u8) -> u8; }\nimpl T for u8 { fn m(&self, a: u8, b: u8) -> u8 { a - b } }\npub fn g() -> u8 { 1u8.m(1, 2) }\n",
        new: "pub trait T { fn m(&self, a: u8, b: u8) -> u8; }\nimpl T for u8 { fn m(&self, b: u8, a: u8) -> u8 { a - b } }\npub fn g() -> u8 { 1u8.m(1, 2) }\n",
        proven: &[],
        read: &["<u8 as T>::m: code"],
    },
    Case {
        name: "one that is gone",
        old: "fn f(a: u8, b: u8) -> u8 { a }\npub fn g() -> u8 { f(1, 2) }\n",
        new: "fn f(a: u8) -> u8 { a }\npub fn g() -> u8 { f(1) }\n",
        proven: &[],
        read: &["demo::f: code", "demo::g: code"],
    },
    Case {
        name: "exported by name",
        old: "#[no_mangle]\npub extern \"C\" fn f(a: u8, b: u8) -> u8 { a - b }\npub fn g() -> u8 { f(1, 2) }\n",
        new: "#[no_mangle]\npub extern \"C\" fn f(b: u8, a: u8) -> u8 { a - b }\npub fn g() -> u8 { f(2, 1) }\n",
        proven: &[],
        read: &["demo::f: code", "demo::g: code"],
    },
    Case {
        name: "a hidden change beside",
        old: "fn scale(value: u64, by: u64) -> u64 { value * by + 1 }\npub fn area(a: u64, b: u64) -> u64 { scale(a, b) + 1 }\n",
        new: "fn scale(by: u64, value: u64) -> u64 { value * by + 2 }\npub fn area(a: u64, b: u64) -> u64 { scale(b, a) - 1 }\n",
        proven: &[],
        read: &["demo::scale: code", "demo::area: code"],
    },
];
