//! `asof impact --diff` through the binary: which tests a change affects.

use crate::support;

use serde_json::Value;
use support::cli::{asof, code, err, json, text};
use support::repository::Repository;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

const LIB: &str = "//! A library.
pub mod shape;
use std::sync::atomic::{AtomicU32, Ordering};

static CALLS: AtomicU32 = AtomicU32::new(0);

/// Twice.
pub fn twice(n: u32) -> u32 {
    n * 2
}
pub fn four(n: u32) -> u32 {
    twice(twice(n))
}
pub fn lonely() -> u32 {
    1
}
pub fn count() {
    CALLS.fetch_add(1, Ordering::Relaxed);
}
pub fn counted() -> u32 {
    CALLS.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Circle, Named, Shape, Square};

    #[test]
    fn twice_doubles() {
        assert_eq!(twice(1), 2);
    }
    #[test]
    fn four_is_twice_twice() {
        assert_eq!(four(1), 4);
    }
    #[test]
    fn lonely_is_one() {
        assert_eq!(lonely(), 1);
    }
    #[test]
    fn counted_counts() {
        assert!(counted() < 9);
    }
    #[test]
    fn areas() {
        let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square)];
        assert_eq!(shapes.iter().map(|s| s.area()).sum::<u32>(), 1);
    }
    #[test]
    fn shown() {
        assert_eq!(format!(\"{}\", Circle { radius: 1 }), \"1\");
    }
    #[test]
    fn default_name() {
        assert_eq!(Square.name(), \"shape\");
    }
}
";

const SHAPE: &str = "//! Shapes.
use std::fmt;

pub trait Shape {
    fn area(&self) -> u32;
}
pub trait Named {
    fn name(&self) -> &'static str {
        \"shape\"
    }
}
pub struct Square;
impl Shape for Square {
    fn area(&self) -> u32 {
        1
    }
}
impl Named for Square {}
pub struct Circle {
    pub radius: u32,
}
impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, \"{}\", self.radius)
    }
}
";

const MAIN: &str = "fn main() {
    println!(\"{}\", demo::four(1));
}
";

const PROGRAM: &str = "#[test]
fn runs() {
    let path = env!(\"CARGO_BIN_EXE_demo\");
    assert!(std::process::Command::new(path).status().unwrap().success());
}
";

fn base() -> Repository {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    repo.write("src/lib.rs", LIB);
    repo.write("src/shape.rs", SHAPE);
    repo.write("src/main.rs", MAIN);
    repo.write("tests/program.rs", PROGRAM);
    repo.write("tests/data.txt", "1\n");
    repo.write("NEWS.md", "# News\n");
    repo.commit("base");
    repo
}

fn names(tests: &Value) -> Vec<String> {
    let name = |test: &Value| match test["name"].as_str() {
        Some(name) => name.to_owned(),
        None => format!("all of {}", test["target"].as_str().unwrap()),
    };
    tests["selected"].as_array().unwrap().iter().map(name).collect()
}

/// The tests that are selected after `old` became `new` in `file`. The answer is the same with the
/// change on disk and committed, with a database and without one.
fn check(file: &str, old: &str, new: &str, selected: &[&str]) -> Value {
    let mut repo = base();
    let before = std::fs::read_to_string(repo.root.join(file)).unwrap();
    assert!(before.contains(old), "{file} has no {old}");
    repo.write(file, &before.replacen(old, new, 1));
    let on_disk = json(&repo.root, &["impact", "--diff", "HEAD", "--limit", "0"]);
    repo.commit("change");
    let committed = json(&repo.root, &["impact", "--diff", "HEAD~1..HEAD", "--limit", "0"]);
    text(&repo.root, &["index", "--history"]);
    let imported = json(&repo.root, &["impact", "--diff", "HEAD~1..HEAD", "--limit", "0"]);
    for other in [&committed, &imported] {
        assert_eq!(on_disk["tests"], other["tests"]);
        assert_eq!(on_disk["items"], other["items"]);
    }
    assert_eq!(names(&on_disk["tests"]), selected);
    on_disk
}

#[test]
fn tests_that_call_a_changed_function_through_others_are_selected() {
    let found = check(
        "src/lib.rs",
        "n * 2",
        "n + n",
        &["tests::twice_doubles", "tests::four_is_twice_twice", "all of program"],
    );
    assert_eq!(found["tests"]["run_everything"], serde_json::json!([]));
    assert_eq!(found["tests"]["doc_tests"], serde_json::json!(["demo"]));
    assert_eq!(found["tests"]["count"], 3);
    assert_eq!(found["tests"]["total"], 8);
}

#[test]
fn a_change_selects_no_other_test() {
    check("src/lib.rs", "u32 {\n    1\n", "u32 {\n    2 - 1\n", &["tests::lonely_is_one"]);
    check("src/lib.rs", "fn lonely_is_one", "fn one_is_lonely", &["tests::one_is_lonely"]);
}

#[test]
fn what_runs_without_being_named_is_followed() {
    // A method behind `dyn`.
    check("src/shape.rs", "        1\n", "        2\n", &["tests::areas"]);
    // An impl of a trait from another crate is reached through its type.
    check("src/shape.rs", "\"{}\", self", "\"<{}>\", self", &["tests::shown"]);
    // A default method that an impl now overrides.
    let own = "impl Named for Square {\n    fn name(&self) -> &'static str { \"square\" }\n}";
    check("src/shape.rs", "impl Named for Square {}", own, &["tests::default_name"]);
    // Another function reads what this one writes.
    check("src/lib.rs", "fetch_add(1", "fetch_add(2", &["tests::counted_counts"]);
}

#[test]
fn each_of_several_cfgs_is_followed() {
    let mut repo = base();
    let block = |n: &str| {
        format!(
            "pub struct Block(pub u8);\nimpl Block {{\n    pub fn is_empty(&self) -> bool {{\n        self.0 == {n}\n    }}\n}}\n"
        )
    };
    repo.write("src/a.rs", &block("0"));
    repo.write("src/b.rs", &block("0"));
    let lib = "#[cfg(windows)]\nmod a;\n#[cfg(not(windows))]\nmod b;\n#[cfg(windows)]\npub use self::a::*;\n\
               #[cfg(not(windows))]\npub use self::b::*;\n\
               #[test]\nfn empty() {\n    assert!(Block(0).is_empty());\n}\n";
    repo.write("src/lib.rs", lib);
    repo.commit("two kinds of blocks");
    for file in ["src/a.rs", "src/b.rs"] {
        repo.write(file, &block("1"));
        let found = json(&repo.root, &["impact", "--diff", "HEAD"]);
        assert_eq!(names(&found["tests"]), ["empty"], "{file}: {found}");
        repo.write(file, &block("0"));
    }
}

#[test]
fn comments_and_documents_affect_nothing() {
    check("src/lib.rs", "    n * 2", "    // Twice.\n    n * 2", &[]);
    let found = check("NEWS.md", "News", "Old news", &[]);
    assert_eq!(found["tests"]["ignored_files"], serde_json::json!(["NEWS.md"]));
    assert_eq!(found["tests"]["run_everything"], serde_json::json!([]));
    // Documentation has tests of its own.
    let found = check("src/lib.rs", "/// Twice.", "/// Two times.", &[]);
    assert_eq!(found["tests"]["doc_tests"], serde_json::json!(["demo"]));
}

#[test]
fn where_the_tests_cannot_be_known_all_have_to_run() {
    let reason = |file: &str, old: &str, new: &str| {
        let found = check(file, old, new, &[]);
        let reasons = found["tests"]["run_everything"].as_array().unwrap().clone();
        assert_eq!(reasons.len(), 1, "{reasons:?}");
        reasons[0]["what"].as_str().unwrap().to_owned()
    };
    assert_eq!(reason("tests/data.txt", "1", "2"), "tests/data.txt");
    assert_eq!(reason("Cargo.toml", "0.1.0", "0.1.1"), "Cargo.toml");
}

#[test]
fn a_module_with_the_name_of_a_test_has_its_own_tests() {
    let mut repo = base();
    let lib = "pub fn one() -> u8 { 1 }\n#[test]\nfn both() { one(); }\n\
               #[cfg(test)]\nmod both {\n    #[test]\n    fn inner() { super::one(); }\n}\n";
    repo.write("src/lib.rs", lib);
    repo.commit("a function and a module of one name");
    repo.write("src/lib.rs", &lib.replace("{ 1 }", "{ 2 }"));
    // Build output is no data file, whether or not Git ignores it.
    repo.write("target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    repo.write("target/debug/out.txt", "1\n");
    let found = json(&repo.root, &["impact", "--diff", "HEAD"]);
    assert_eq!(names(&found["tests"]), ["both", "both::inner"]);
    assert_eq!(found["tests"]["count"], 2);
    assert_eq!(found["tests"]["run_everything"], serde_json::json!([]));
}

#[test]
fn words_of_messages_are_affected_by_no_item() {
    let mut repo = base();
    let lib = "fn run() -> u8 { 1 }\npub fn go() -> u8 { run() }\n\
               #[derive(Error)]\npub enum Failure {\n    #[error(\"failed to run\")]\n    Run,\n\
               #[serde(rename = \"to run, or not\")]\n    Renamed,\n}\n\
               pub struct Options {\n    #[serde(default = \"run\")]\n    width: u8,\n}\n\
               pub fn fails() -> Failure { Failure::Run }\n\
               #[test]\nfn fails_to_run() { fails(); }\n#[test]\nfn goes() { go(); }\n";
    repo.write("src/lib.rs", lib);
    repo.commit("messages");
    repo.write("src/lib.rs", &lib.replace("{ 1 }", "{ 2 }"));
    let found = json(&repo.root, &["impact", "--diff", "HEAD"]);
    assert_eq!(names(&found["tests"]), ["goes"]);
    let items = found["items"].as_array().unwrap();
    let mut paths: Vec<&str> =
        items.iter().filter_map(|item| item["item"]["path"].as_str()).collect();
    paths.sort_unstable();
    // What a derive calls by name is affected, as before.
    assert_eq!(paths, ["demo::Options", "demo::go", "demo::goes", "demo::run"]);
}

#[test]
fn a_removed_method_affects_those_who_now_call_another() {
    let own = "impl Square {\n    pub fn name(&self) -> &'static str { \"own\" }\n}\nimpl Named for Square {}";
    let mut repo = base();
    repo.write("src/shape.rs", &SHAPE.replace("impl Named for Square {}", own));
    repo.commit("own");
    repo.write("src/shape.rs", SHAPE);
    let found = json(&repo.root, &["impact", "--diff", "HEAD", "--limit", "0"]);
    assert_eq!(
        found["removed"],
        serde_json::json!(["<demo::shape::Square>", "demo::shape::Square::name"])
    );
    assert!(names(&found["tests"]).contains(&"tests::default_name".to_owned()), "{found}");
}

#[test]
fn filters_are_for_scripts() {
    let repo = base();
    repo.write("src/lib.rs", &LIB.replace("n * 2", "n + n"));
    let tests = |runner: &str| text(&repo.root, &["impact", "--diff", "HEAD", "--tests", runner]);
    assert_eq!(
        tests("cargo"),
        "cargo test --package demo --lib -- tests::twice_doubles tests::four_is_twice_twice
cargo test --package demo --test program
cargo test --package demo --doc
"
    );
    assert_eq!(
        tests("nextest"),
        "(package(=demo) & kind(lib) & test(/^(tests::twice_doubles|tests::four_is_twice_twice)(::|$)/)) \
         | (package(=demo) & kind(test) & binary(=program))\n"
    );
    repo.write("src/lib.rs", LIB);
    let tests = |runner: &str| text(&repo.root, &["impact", "--diff", "HEAD", "--tests", runner]);
    assert_eq!((tests("cargo").as_str(), tests("nextest").as_str()), ("", "none()\n"));
    repo.write("tests/data.txt", "3\n");
    let tests = |runner: &str| text(&repo.root, &["impact", "--diff", "HEAD", "--tests", runner]);
    assert_eq!(
        (tests("cargo").as_str(), tests("nextest").as_str()),
        ("cargo test --workspace\n", "all()\n")
    );
}

#[test]
fn an_item_and_a_difference_exclude_each_other() {
    let repo = base();
    let both = asof(&repo.root, &["impact", "demo::twice", "--diff", "HEAD"]);
    assert_eq!(code(&both), 2, "{}", err(&both));
    let none = asof(&repo.root, &["impact"]);
    assert_eq!(code(&none), 2);
    assert!(err(&none).contains("--diff"), "{}", err(&none));
}

#[test]
fn a_planned_edit_affects_what_its_difference_would() {
    let repo = base();
    text(&repo.root, &["index"]);
    let code_of = "pub fn twice(n: u32) -> u32 {\n    n + n\n}";
    let edit = serde_json::json!({ "path": "demo::twice", "mode": "canonical", "code": code_of });
    repo.write("request.json", &serde_json::json!({ "edits": [edit] }).to_string());
    let plan = json(&repo.root, &["edit", "plan", "--file", "request.json"]);
    let id = plan["proposal_id"].as_str().unwrap().to_owned();
    let found = json(&repo.root, &["impact", "--proposal", &id]);
    assert_eq!(
        names(&found["tests"]),
        ["tests::twice_doubles", "tests::four_is_twice_twice", "all of program"]
    );
    assert_eq!(found["items"][0]["item"]["path"], "demo::twice");
    // Nothing was written.
    assert_eq!(std::fs::read_to_string(repo.root.join("src/lib.rs")).unwrap(), LIB);
    text(&repo.root, &["edit", "apply", &id]);
    let applied = asof(&repo.root, &["impact", "--proposal", &id]);
    assert_eq!(code(&applied), 2, "{}", err(&applied));
}

#[test]
fn tests_of_an_item_are_known_before_it_changes() {
    let repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    let lib = "pub struct Config { pub depth: u8 }\nimpl Config {\n    pub fn new() -> Self { Self { depth: 1 } }\n    \
               pub fn name() -> u8 { 1 }\n}\npub fn lonely() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    \
               fn reads() { assert_eq!(crate::Config::new().depth, 1) }\n    #[test]\n    \
               fn names() { crate::Config::name(); }\n    #[test]\n    fn alone() { crate::lonely() }\n}\n";
    repo.write("src/lib.rs", lib);
    repo.write("src/main.rs", "fn main() { run() }\nfn run() { demo::Config::new(); }\n");
    repo.write("tests/program.rs", "#[test]\nfn runs() {}\n");
    let root = &repo.root;
    text(root, &["index"]);
    let tests = |item: &str, runner: &str| text(root, &["impact", item, "--tests", runner]);
    let all = "cargo test --package demo --lib -- tests::names tests::reads\n\
               cargo test --package demo --test program\ncargo test --package demo --doc\n";
    let mut lines: Vec<String> =
        tests("demo::Config", "cargo").lines().map(str::to_owned).collect();
    let mut expected: Vec<&str> = all.lines().collect();
    lines.sort();
    expected.sort_unstable();
    assert_eq!(lines, expected);
    // The program makes the struct, and a test of the package may run it.
    let field = tests("demo::Config::depth", "cargo");
    assert!(field.contains("tests::reads") && field.contains("--test program"), "{field}");
    assert_eq!(
        tests("demo::lonely", "nextest"),
        "(package(=demo) & kind(lib) & test(/^(tests::alone)(::|$)/))\n"
    );
    let refused = asof(root, &["impact", "demo::nowhere", "--tests", "cargo"]);
    assert_eq!(code(&refused), 1, "{}", err(&refused));
}
