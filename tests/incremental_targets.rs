//! Targets that come and go leave the rows of a fresh index, in files that do not change, too.

use crate::support::{Copy, differences_from_fresh, index};
use asof_store::Store;

const MANIFEST: (&str, &str) = ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n");

/// The files, then those with the changes (an empty text removes a file), then the first again.
#[track_caller]
fn check(files: &[(&str, &str)], changes: &[(&str, &str)]) {
    let mut copy = Copy::with(&[&[MANIFEST], files].concat());
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    let before = [&[MANIFEST], files].concat();
    let was =
        |path: &str| before.iter().find(|(one, _)| *one == path).map_or("", |(_, text)| *text);
    let back: Vec<(&str, &str)> = changes.iter().map(|(path, _)| (*path, was(path))).collect();
    for texts in [changes.to_vec(), back] {
        for (path, text) in texts {
            if text.is_empty() { copy.remove(path) } else { copy.write(path, text) }
        }
        index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "");
    }
}

const LIB: &str = "\
pub struct S;
impl S { pub fn own(&self) {} }
pub trait T { fn of_trait(&self) {} }
pub fn f(s: S, x: impl Fn() -> u8) { s.own(); s.only(); x(); unknown().only(); }
";

#[test]
fn a_test_target_comes_and_goes() {
    // With an impl for a type of the library, the only item of a name, and a macro.
    let test = "\
use p::{S, T};
impl T for S {}
struct O;
impl O { fn only(&self) {} }
#[macro_export] macro_rules! exported { () => { 1 } }
#[test] fn t() { S.of_trait(); O.only(); p::f(S, || 1); }
";
    let user = ("tests/user.rs", "#[test] fn u() { exported!(); x().only(); p::f(p::S, || 2); }\n");
    check(&[("src/lib.rs", LIB), user], &[("tests/t.rs", test)]);
}

#[test]
fn examples_binaries_and_benches_come_and_go() {
    let main = "fn main() { p::f(p::S, || 1); helper(); }\nfn helper() {}\n";
    let lib = ("src/lib.rs", LIB);
    for path in ["examples/e.rs", "src/bin/b.rs", "benches/c.rs", "src/main.rs", "build.rs"] {
        check(&[lib, ("tests/u.rs", "fn u() { helper(); }\n")], &[(path, main)]);
    }
}

#[test]
fn a_root_that_was_a_module_or_no_target() {
    let lib = "pub mod bin;\npub fn f() { crate::bin::g(); }\n";
    // A file of a module that becomes the root of a target as well.
    let with = "[package]\nname = \"p\"\nedition = \"2021\"\n[[bin]]\nname = \"b\"\npath = \"src/bin.rs\"\n";
    let bin = ("src/bin.rs", "pub fn g() { crate::f(); }\nfn main() {}\npub fn h() { f() }\n");
    check(&[("src/lib.rs", lib), bin], &[("Cargo.toml", with)]);
    // A file that no target reached.
    let apart = ("src/apart.rs", "pub fn g() { p::f() }\nfn main() { g() }\n");
    let with = with.replace("src/bin.rs", "src/apart.rs");
    check(&[("src/lib.rs", "pub fn f() {}\n"), apart], &[("Cargo.toml", &with)]);
}

#[test]
fn an_edition_or_a_library_changes() {
    let test = ("tests/t.rs", "mod common;\nfn t() { ::p::f(); common::g(); }\n");
    let common = ("tests/common/mod.rs", "pub fn g() { ::p::f(); async_(); }\nfn async_() {}\n");
    let lib = ("src/lib.rs", "pub fn f() {}\n");
    let edition =
        "[package]\nname = \"p\"\nedition = \"2021\"\n[[test]]\nname = \"t\"\nedition = \"2015\"\n";
    check(&[lib, test, common], &[("Cargo.toml", edition)]);
    let renamed = "[package]\nname = \"p\"\nedition = \"2021\"\n[lib]\nname = \"q\"\n";
    check(&[lib, test, common], &[("Cargo.toml", renamed)]);
    check(&[lib, test, common], &[("src/lib.rs", ""), ("src/main.rs", "fn main() {}\n")]);
}
