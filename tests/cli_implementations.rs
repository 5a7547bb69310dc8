//! `asof implementations` through the binary, `refs --summary`, and kinds that are meant.

use crate::support;

use std::fs;

use serde_json::{Value, json as value};
use support::cli::{asof, err, fails, json, text};
use support::tempdir;

const LIB: &str = "//! Shapes.
use std::fmt;
pub trait Shape { fn area(&self) -> u32; }
pub struct A;
#[derive(Clone, Debug)]
pub struct B;
pub struct C;
impl Shape for A { fn area(&self) -> u32 { 1 } }
impl<T: Shape> Shape for Vec<T> { fn area(&self) -> u32 { 1 } }
impl Clone for A { fn clone(&self) -> A { A } }
impl<T: Clone> From<T> for A { fn from(_: T) -> A { A } }
impl fmt::Display for A {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) }
}
macro_rules! shape { ($t:ty) => { impl Shape for $t { fn area(&self) -> u32 { 2 } } } }
shape!(u8);
pub fn user(_: &dyn Shape, _: A) {}
#[cfg(test)]
mod tests {
    struct D;
    impl super::Shape for D { fn area(&self) -> u32 { 3 } }
    impl Clone for D { fn clone(&self) -> D { D } }
}
";

fn workspace() -> tempfile::TempDir {
    let dir = tempdir();
    let manifest = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
    };
    for (file, source) in [
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"demo\", \"tool\"]\nresolver = \"2\"\n".to_owned(),
        ),
        ("demo/Cargo.toml", manifest("demo")),
        ("demo/src/lib.rs", LIB.to_owned()),
        ("tool/Cargo.toml", manifest("tool") + "[dependencies]\ndemo = { path = \"../demo\" }\n"),
        (
            "tool/src/main.rs",
            "use demo::A;\nfn main() { demo::user(&A, A); demo::user(&A, A); }\n".to_owned(),
        ),
    ] {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, source).unwrap();
    }
    text(dir.path(), &["index"]);
    dir
}

/// How and which type, in order.
fn listed(found: &Value) -> Vec<(String, String)> {
    let part = |item: &Value, key: &str| item[key].as_str().unwrap().to_owned();
    let items = found["items"].as_array().unwrap();
    items.iter().map(|item| (part(item, "impl_kind"), part(item, "type_path"))).collect()
}

#[track_caller]
fn check(dir: &tempfile::TempDir, args: &[&str], expected: &[(&str, &str)]) {
    let found = json(dir.path(), &[&["implementations"], args].concat());
    let found = listed(&found);
    let found: Vec<_> = found.iter().map(|(how, of)| (how.as_str(), of.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn impls_and_derives_of_traits_of_any_crate_are_listed() {
    let dir = workspace();
    check(
        &dir,
        &["demo::Shape"],
        &[
            ("direct", "demo::A"),
            ("direct", "demo::tests::D"),
            ("direct", "u8"),
            ("generic", "Vec"),
        ],
    );
    check(&dir, &["demo::Shape", "--exclude-tests", "--limit", "1"], &[("direct", "demo::A")]);
    // A bound of an impl is no implementation.
    check(
        &dir,
        &["std::clone::Clone"],
        &[("direct", "demo::A"), ("direct", "demo::tests::D"), ("derived", "demo::B")],
    );
    check(&dir, &["std::fmt::Display"], &[("direct", "demo::A")]);
    check(&dir, &["std::convert::From"], &[("generic", "demo::A")]);
    let said = asof(dir.path(), &["implementations", "demo::Shape"]);
    assert!(err(&said).contains("3 direct, 1 generic, 0 derived"), "{}", err(&said));
    let shown = text(dir.path(), &["impls", "demo::Shape"]);
    assert!(shown.contains("impl<T: Shape> Shape for Vec<T>"), "{shown}");
    fails(dir.path(), &["implementations", "demo::A"], 2, "only traits are implemented");
    fails(dir.path(), &["implementations", "demo::Nothing"], 1, "no item");
}

#[test]
fn uses_are_counted_by_file_and_package() {
    let dir = workspace();
    let found = json(dir.path(), &["refs", "demo::A", "--summary"]);
    assert_eq!((&found["uses"], &found["total"]), (&value!(14), &value!(2)), "{found}");
    let files = found["items"].as_array().unwrap();
    assert_eq!(files[0]["package"], "demo");
    assert_eq!(files[0]["file_path"], "demo/src/lib.rs");
    assert_eq!((&files[0]["uses"], &files[0]["uses_in_package"]), (&value!(9), &value!(9)));
    assert_eq!((&files[1]["package"], &files[1]["uses"]), (&value!("tool"), &value!(5)));
    let listed = json(dir.path(), &["refs", "demo::A", "--limit", "0"]);
    assert_eq!(listed["total"], found["uses"]);
    let shown = text(dir.path(), &["refs", "demo::A", "--summary"]);
    assert!(shown.contains("tool  5 uses\n      5  tool/src/main.rs\n"), "{shown}");
    fails(dir.path(), &["refs", "demo::A", "--summary", "--snippets"], 2, "cannot be used with");
}

#[test]
fn hints_name_each_candidate_and_the_kind_that_is_meant() {
    let dir = workspace();
    fails(dir.path(), &["search", "shape", "--kind", "fn"], 2, "did you mean `function`?");
    fails(dir.path(), &["refs", "demo::A", "--kind", "struct"], 2, "which is a kind of items");
    fs::write(dir.path().join("demo/src/a.rs"), "pub fn same() {}\n").unwrap();
    fs::write(dir.path().join("demo/src/b.rs"), "pub fn same() {}\n").unwrap();
    let lib = format!("{LIB}pub mod a;\npub mod b;\n");
    fs::write(dir.path().join("demo/src/lib.rs"), lib).unwrap();
    let said = "add `--file demo/src/a.rs` or `--file demo/src/b.rs`; or `--all` for all of them";
    fails(dir.path(), &["refs", "same"], 3, said);
}
