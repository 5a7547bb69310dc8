//! `asof api --diff` through the binary.

use crate::support;

use support::cli::{asof, code, err, json, out, text};
use support::repository::Repository;

fn manifest(version: &str) -> String {
    format!("[package]\nname = \"demo\"\nversion = \"{version}\"\nedition = \"2021\"\n")
}

const OLD: &str = "mod imp;
pub use imp::Renamed as Shown;
pub struct Open { pub a: u8 }
#[derive(Clone)]
pub struct Closed { pub a: u8, b: u8 }
impl Closed {
    pub fn new(a: u8) -> Self { Self { a, b: a } }
    fn private(&self) {}
}
pub trait Task { fn run(&self); fn name(&self) -> String { String::new() } }
#[doc(hidden)]
pub fn internal() {}
";

const NEW: &str = "mod imp;
pub use imp::Renamed as Shown;
pub struct Open { pub a: u8, pub b: u8 }
pub struct Closed { pub a: u8, b: u8, c: u8 }
impl Clone for Closed { fn clone(&self) -> Self { Self { ..*self } } }
impl Closed {
    pub fn new(a: u16) -> Self { Self { a: 0, b: 0, c: a as u8 } }
    pub fn more(&self) {}
}
pub trait Task { fn run(&self); fn stop(&self); fn name(&self) -> String { String::new() } }
";

/// Two commits, the later one with a new patch version.
fn two_commits() -> Repository {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", &manifest("0.1.0"));
    repo.write("src/lib.rs", OLD);
    repo.write("src/imp.rs", "pub enum Renamed { A, B }\npub fn unreachable() {}\n");
    repo.commit("old");
    repo.write("Cargo.toml", &manifest("0.1.1"));
    repo.write("src/lib.rs", NEW);
    repo.write("src/imp.rs", "pub enum Renamed { A }\n");
    repo.commit("new");
    repo
}

fn changes(repo: &Repository) -> Vec<String> {
    let diff = json(&repo.root, &["api", "--diff", "HEAD~1..HEAD"]);
    let changes = diff["items"][0]["changes"].as_array().unwrap().iter();
    let line = |c: &serde_json::Value| {
        let word = |name: &str| c[name].as_str().unwrap().to_owned();
        format!("{} {} {}", word("path"), word("rule"), word("level"))
    };
    changes.map(line).collect()
}

#[test]
fn changes_are_the_same_with_and_without_an_import() {
    let repo = two_commits();
    let expected = [
        "demo::Closed::more associated_item_added minor",
        "demo::Closed::new parameter_type_changed major",
        "demo::Open::b constructible_struct_adds_field major",
        "demo::Shown::B variant_removed major",
        "demo::Task::stop trait_item_without_default_added major",
    ];
    assert_eq!(changes(&repo), expected);
    assert!(!repo.root.join(".asof").exists(), "nothing is written");
    text(&repo.root, &["index", "--history"]);
    assert_eq!(changes(&repo), expected);
}

/// The bug: types were compared by their last names.
#[test]
fn types_are_compared_by_what_they_mean() {
    let lib = |used: &str, module: &str| {
        format!(
            "pub mod a {{ pub struct Id; pub struct Cfg; }}
pub mod b {{ pub struct Id; pub struct Cfg; }}
mod {module} {{ pub struct Moved; }}
pub use {module}::Moved;
use std::{used}::Error;
use {from}::Cfg;
pub struct S {{ pub id: {from}::Id, pub cfg: Cfg, moved: Moved }}
pub fn failed(_: Error) -> Option<Moved> {{ None }}
impl S {{ pub fn cfg(&self) -> &Cfg {{ &self.cfg }} }}
impl From<Cfg> for S {{ fn from(_: Cfg) -> S {{ todo!() }} }}
",
            from = if used == "fmt" { "a" } else { "b" },
        )
    };
    let mut repo = Repository::new();
    repo.write("Cargo.toml", &manifest("0.1.0"));
    repo.write("src/lib.rs", &lib("fmt", "one"));
    repo.commit("old");
    repo.write("src/lib.rs", &lib("io", "two"));
    repo.commit("new");
    let expected = [
        "demo::S impl_added From<Cfg> minor",
        "demo::S impl_removed From<Cfg> major",
        "demo::S::cfg field_type_changed major",
        "demo::S::cfg return_type_changed major",
        "demo::S::id field_type_changed major",
        "demo::failed parameter_type_changed major",
    ];
    assert_eq!(changes(&repo), expected);
    let reason = text(&repo.root, &["api", "--diff", "HEAD~1..HEAD"]);
    assert!(reason.contains("`Error` means `std::io::Error`, not `std::fmt::Error`"), "{reason}");
}

#[test]
fn a_gate_compares_changes_and_versions() {
    let mut repo = two_commits();
    let gate = |repo: &Repository, more: &[&str]| {
        asof(&repo.root, &[&["api", "--diff", "HEAD~1..HEAD", "--check"], more].concat())
    };
    let refused = gate(&repo, &[]);
    assert_eq!(code(&refused), 8);
    assert!(
        out(&refused).contains("demo 0.1.0 → 0.1.1: major changes, and the version allows minor")
    );
    assert!(err(&refused).contains("raise the version"), "{}", err(&refused));
    assert_eq!(code(&gate(&repo, &["--allow", "minor"])), 8);
    assert_eq!(code(&gate(&repo, &["--allow", "major"])), 0);
    repo.write("Cargo.toml", &manifest("0.2.0"));
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "--amend", "--no-edit"]);
    assert_eq!(code(&gate(&repo, &[])), 0);
    // Nothing changed, and the version did not either.
    repo.commit("empty");
    assert_eq!(code(&gate(&repo, &[])), 0);
    let unknown = asof(&repo.root, &["api", "--diff", "HEAD~1..HEAD", "--package", "none"]);
    assert_eq!(code(&unknown), 1);
}

/// The bug: the first item of a path on each side was compared, whatever its `cfg`.
#[test]
fn items_under_several_cfgs_are_compared_with_those_of_the_same_cfg() {
    let unix = "#[cfg(unix)]\npub fn open(mode: u32) -> u8 { 0 }\n";
    let windows = "#[cfg(windows)]\npub fn open(mode: &str) -> u8 { 0 }\n";
    let mut repo = Repository::new();
    repo.write("Cargo.toml", &manifest("0.1.0"));
    repo.write("src/lib.rs", &format!("{unix}{windows}"));
    repo.commit("old");
    repo.write("src/lib.rs", &format!("{windows}{unix}"));
    repo.commit("in another order");
    assert_eq!(changes(&repo), [""; 0]);
    repo.write("src/lib.rs", &format!("{}{unix}", windows.replace("&str", "String")));
    repo.commit("one of them");
    assert_eq!(changes(&repo), ["demo::open parameter_type_changed major"]);
    repo.write("src/lib.rs", unix);
    repo.commit("one is gone");
    assert_eq!(changes(&repo), ["demo::open alternative_removed major"]);
    repo.write("src/lib.rs", &unix.replace("#[cfg(unix)]\n", ""));
    repo.commit("everywhere");
    assert_eq!(changes(&repo), [""; 0]);
}

/// The interface of a commit against itself has no changes.
#[track_caller]
fn same(files: &[(&str, &str)]) -> Repository {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", &manifest("0.1.0"));
    for (path, text) in files {
        repo.write(path, text);
    }
    repo.commit("only");
    repo.commit("empty");
    assert_eq!(changes(&repo), [""; 0]);
    repo
}

/// The bug: an impl was one of a type that its `cfg` excludes.
#[test]
fn an_impl_is_of_the_types_that_its_builds_have() {
    let lib = "#[cfg(feature = \"rt\")]
mod real;
#[cfg(feature = \"rt\")]
pub use real::Handle;
mod blocking;
";
    let real = "pub struct Handle<T>(T);
impl<T: Clone> Iterator for Handle<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> { None }
}
";
    let blocking = "#[cfg(feature = \"rt\")]
pub(crate) use crate::real::Handle;
#[cfg(not(feature = \"rt\"))]
pub(crate) struct Handle<R>(R);
#[cfg(not(feature = \"rt\"))]
impl<R> Iterator for Handle<R> {
    type Item = Result<R, ()>;
    fn next(&mut self) -> Option<Self::Item> { None }
}
impl<R> Drop for Handle<R> { fn drop(&mut self) {} }
";
    let files = [("src/lib.rs", lib), ("src/real.rs", real), ("src/blocking.rs", blocking)];
    let repo = same(&files);
    text(&repo.root, &["index"]);
    let outline = |path: &str| {
        let found = text(&repo.root, &["outline", path, "--any-cfg"]);
        ["impl<T: Clone>", "impl<R> Iterator", "Drop"].map(|part| found.contains(part))
    };
    // An impl without `cfg` is of whatever its name means in each build.
    assert_eq!(outline("demo::real::Handle"), [true, false, true]);
    assert_eq!(outline("demo::blocking::Handle"), [false, true, true]);
}

/// The bug: `impl_type_changed` where an impl was compared with that of another `cfg`.
#[test]
fn impls_under_several_cfgs_are_compared_with_those_of_the_same_cfg() {
    let lib = "pub struct Lines;
#[cfg(unix)]
impl Iterator for Lines { type Item = u8; fn next(&mut self) -> Option<u8> { None } }
#[cfg(windows)]
impl Iterator for Lines { type Item = u16; fn next(&mut self) -> Option<u16> { None } }
";
    let mut repo = same(&[("src/lib.rs", lib)]);
    repo.write("src/lib.rs", &lib.replace("u16", "u32"));
    repo.commit("one of them");
    assert_eq!(changes(&repo), ["demo::Lines impl_type_changed Iterator::Item major"]);
}

/// The bug: impls of tests were part of the interface, under a marked name.
#[test]
fn impls_in_tests_are_no_part_of_an_interface() {
    let user = "use demo::N;\ntrait AssertSend: Send {}\nimpl AssertSend for N {}\nfn main() {}\n";
    let mut repo = same(&[
        ("src/lib.rs", "pub struct N;\nmod a;\nmod b;\n"),
        ("src/main.rs", user),
        ("src/a.rs", "trait Tr {}\nimpl Tr for crate::N {}\n"),
        ("src/b.rs", "trait Tr {}\nimpl Tr for crate::N {}\n"),
        ("tests/a.rs", user),
        ("tests/b.rs", user),
        ("benches/c.rs", user),
        ("examples/d.rs", user),
    ]);
    repo.write("tests/e.rs", "impl std::fmt::Display for demo::N {}\n");
    repo.commit("a test");
    assert_eq!(changes(&repo), [""; 0]);
    repo.write("src/lib.rs", "pub struct N;\nimpl std::fmt::Display for N {}\n");
    repo.commit("the library");
    assert_eq!(changes(&repo), ["demo::N impl_added Display minor"]);
}

/// A package in the folder of sources that Cargo was told of.
fn vendor(repo: &Repository, name: &str, code: &str) {
    let folder = format!("vendor/{name}");
    repo.write(&format!("{folder}/.cargo-checksum.json"), "{\"files\":{}}");
    repo.write(
        &format!("{folder}/Cargo.toml"),
        &format!("[package]\nname = \"{name}\"\nversion = \"1.1.0\"\nedition = \"2021\"\n"),
    );
    repo.write(&format!("{folder}/src/lib.rs"), code);
}

/// A lock file with each of these crates, which needs the next one.
fn lock(version: &str, crates: &[&str]) -> String {
    let mut lock = "version = 4\n".to_owned();
    for (at, name) in [&["demo"], crates].concat().iter().enumerate() {
        let needs = crates.get(at).map_or(String::new(), |next| format!("\"{next}\""));
        let source = "source = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
        let (version, source) = if at == 0 { ("0.1.0", "") } else { (version, source) };
        lock.push_str(&format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{source}\
             dependencies = [{needs}]\n"
        ));
    }
    lock
}

/// The bug: sources that only one of the moments has made a type another one.
#[test]
fn types_of_dependencies_are_compared_by_their_definitions() {
    let uses =
        |path: &str| format!("use {path};\npub trait Backend {{ fn get(&self) -> BoxStream; }}\n");
    let crates = ["streams", "streams-util", "streams-core"];
    let mut repo = Repository::new();
    let dependency = "[dependencies]\nstreams = \"1\"\nother = \"1\"\n";
    repo.write("Cargo.toml", &(manifest("0.1.0") + dependency));
    let source = "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\n\
                  directory = \"vendor\"\n";
    repo.write(".cargo/config.toml", source);
    repo.write(".gitignore", "vendor\n.asof\n");
    vendor(&repo, "streams", "pub use streams_util::stream;\n");
    vendor(&repo, "streams-util", "pub mod stream { pub use streams_core::stream::BoxStream; }\n");
    vendor(&repo, "streams-core", "pub mod stream { pub struct BoxStream; }\n");
    // Cargo has no sources of this version.
    repo.write("Cargo.lock", &lock("1.0.0", &crates));
    repo.write("src/lib.rs", &uses("streams::stream::BoxStream"));
    repo.commit("old");
    repo.write("Cargo.lock", &lock("1.1.0", &crates));
    repo.commit("new");
    assert_eq!(changes(&repo), [""; 0]);
    // What a crate without sources exports is not known.
    repo.write("src/lib.rs", &uses("other::BoxStream"));
    repo.write("Cargo.lock", &lock("1.0.0", &crates));
    repo.commit("other");
    assert_eq!(changes(&repo), ["demo::Backend::get type_not_compared BoxStream patch"]);
    // Neither crate has sources at either moment: another crate is named.
    repo.write("src/lib.rs", &uses("streams::stream::BoxStream"));
    repo.commit("and back");
    assert_eq!(changes(&repo), ["demo::Backend::get return_type_changed major"]);
}

/// The bug: a module that only a tool's builds have counted, and hidden items were not mentioned.
#[test]
fn what_only_tools_build_is_no_part_and_hidden_changes_are_counted() {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", &manifest("0.1.0"));
    let lib = "#[cfg(any(doc, unix))]
pub fn stays() {}
#[cfg(fuzzing)]
pub mod fuzzing { pub fn go() {} pub use crate::stays; }
#[cfg(all(test, unix))]
pub mod tests { pub fn t() {} }
#[doc(hidden)]
pub mod summary { pub struct A; pub fn f() {} }
";
    repo.write("src/lib.rs", lib);
    repo.commit("old");
    repo.write("src/lib.rs", "");
    repo.commit("new");
    assert_eq!(changes(&repo), ["demo::stays item_removed major"]);
    let shown = text(&repo.root, &["api", "--diff", "HEAD~1..HEAD"]);
    assert!(shown.ends_with("\n  3 changes to hidden items left out\n"), "{shown}");
}
