//! Which files a change of packages and editions concerns: only these are parsed again, and the rows are
//! those of a new index.

use asof_store::Store;

use crate::support::{Copy, differences_from_fresh, index};

fn manifest(name: &str, edition: &str, dependencies: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n\
         [dependencies]\n{dependencies}"
    )
}

/// A workspace in which `user` depends on `base`, and `other` on nothing.
fn workspace() -> (Copy, Store) {
    let base = "base = { path = \"../base\" }\n";
    let mut copy = Copy::with(&[("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n")]);
    for (name, dependencies, text) in [
        ("base", "", "pub struct S;\nimpl S { pub fn go(&self) {} }\npub mod inner;\n"),
        ("user", base, "mod one;\nmod two;\npub fn f(s: base::S) { s.go() }\n"),
        ("other", "", "pub fn f() {}\npub fn only_here() {}\n"),
    ] {
        copy.write(&format!("crates/{name}/Cargo.toml"), manifest(name, "2021", dependencies));
        copy.write(&format!("crates/{name}/src/lib.rs"), text);
    }
    copy.write("crates/base/src/inner.rs", "pub fn g() {}\n");
    copy.write("crates/user/src/one.rs", "pub fn f() { base::inner::g(); late::new() }\n");
    copy.write("crates/user/src/two.rs", "pub fn f() { missing().h() }\npub struct Future;\n");
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    (copy, store)
}

/// `parsed`: how many files are looked at, the changed ones included.
#[track_caller]
fn check(copy: &Copy, store: &Store, parsed: usize) {
    let report = index(store, &copy.root);
    assert_eq!(differences_from_fresh(store, &copy.root), "");
    assert_eq!(report.parsed, parsed);
}

#[test]
fn a_package_that_comes_or_goes_concerns_who_names_it() {
    let (mut copy, store) = workspace();
    copy.write("crates/late/Cargo.toml", manifest("late", "2021", ""));
    copy.write("crates/late/src/lib.rs", "pub fn new() {}\npub fn unused() {}\n");
    check(&copy, &store, 2);
    // Nobody could name it so far.
    let both = "base = { path = \"../base\" }\nlate = { path = \"../late\" }\n";
    copy.write("crates/user/Cargo.toml", manifest("user", "2021", both));
    check(&copy, &store, 1);
    copy.remove("crates/late/Cargo.toml");
    copy.remove("crates/late/src/lib.rs");
    check(&copy, &store, 1);
    copy.write("crates/user/Cargo.toml", manifest("user", "2021", ""));
    check(&copy, &store, 2);
}

#[test]
fn a_dependency_that_is_not_known_concerns_who_guesses() {
    let (mut copy, store) = workspace();
    copy.write("crates/base/src/inner.rs", "pub struct T;\nimpl T { pub fn h(&self) {} }\n");
    check(&copy, &store, 3);
    let unknown = "base = { path = \"../base\" }\nnowhere = \"1\"\n";
    copy.write("crates/user/Cargo.toml", manifest("user", "2021", unknown));
    check(&copy, &store, 1);
    let base = "base = { path = \"../base\" }\n";
    copy.write("crates/user/Cargo.toml", manifest("user", "2021", base));
    check(&copy, &store, 1);
}

#[test]
fn another_edition_concerns_who_names_what_its_prelude_has() {
    let (mut copy, store) = workspace();
    let base = "base = { path = \"../base\" }\n";
    copy.write(
        "crates/user/src/one.rs",
        "pub fn f() -> impl Future<Output = u8> { async { 1 } }\n",
    );
    check(&copy, &store, 1);
    for (edition, parsed) in [("2024", 1), ("2018", 1), ("2021", 0)] {
        copy.write("crates/user/Cargo.toml", manifest("user", edition, base));
        check(&copy, &store, parsed);
    }
    copy.write("crates/user/Cargo.toml", manifest("user", "2015", base));
    index(&store, &copy.root);
    assert_eq!(differences_from_fresh(&store, &copy.root), "");
}
