//! The commands that `asof review` lists make the later state of the earlier one.

use crate::support;

use support::cli::{err, json, shell, text};
use support::repository::Repository;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

/// The commands of a change of a library, which give its text.
fn check(old: &str, new: &str) -> Vec<String> {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    repo.write("src/lib.rs", old);
    repo.commit("old");
    repo.write("src/lib.rs", new);
    repo.commit("new");
    let found = json(&repo.root, &["review", "HEAD~1..HEAD"]);
    let commands = found["commands"].as_array().unwrap().iter();
    let commands: Vec<String> = commands.map(|one| one.as_str().unwrap().to_owned()).collect();
    repo.git(&["checkout", "--quiet", "HEAD~1"]);
    text(&repo.root, &["index"]);
    for command in &commands {
        let done = shell(&repo.root, command);
        assert!(done.status.success(), "{command}: {}", err(&done));
    }
    let made = std::fs::read_to_string(repo.root.join("src/lib.rs")).unwrap();
    assert_eq!(made, new, "{commands:?}");
    commands
}

#[test]
fn a_new_order_and_new_parameters_are_commands() {
    let order = check(
        "fn scale(value: u64, by: u64) -> u64 {\n    value * by + 1\n}\npub fn area(a: u64, b: u64) -> u64 {\n    scale(a, b)\n}\n",
        "fn scale(by: u64, value: u64) -> u64 {\n    value * by + 1\n}\npub fn area(a: u64, b: u64) -> u64 {\n    scale(b, a)\n}\n",
    );
    assert_eq!(order, ["asof change-signature demo::scale --order by,value"]);
    let more = check(
        "fn scale(value: u64, by: u64) -> u64 {\n    value * by + 1\n}\npub fn area(a: u64, b: u64) -> u64 {\n    scale(a, b)\n}\n",
        "fn scale(_first: u8, _second: bool, by: u64, value: u64, _word: &'static str) -> u64 {\n    value * by + 1\n}\npub fn area(a: u64, b: u64) -> u64 {\n    scale(1, false, b, a, \"x\")\n}\n",
    );
    assert_eq!(
        more,
        ["asof change-signature demo::scale --order by,value --add '_first: u8 = 1' --before by \
          --add '_second: bool = false' --before by --add '_word: &'\\''static str = \"x\"'"]
    );
    let method = check(
        "pub struct S;\nimpl S {\n    fn m(&self, a: u8) -> u8 {\n        a\n    }\n}\npub fn f(s: &S) -> u8 {\n    s.m(1) + S::m(s, 2)\n}\n",
        "pub struct S;\nimpl S {\n    fn m(&self, _depth: u32, a: u8) -> u8 {\n        a\n    }\n}\npub fn f(s: &S) -> u8 {\n    s.m(0, 1) + S::m(s, 0, 2)\n}\n",
    );
    assert_eq!(method, ["asof change-signature demo::S::m --add '_depth: u32 = 0' --before a"]);
}

#[test]
fn names_of_parameters_are_commands() {
    let renamed = check(
        "fn minus(a: u64, b: u64) -> u64 {\n    a - b\n}\npub fn f(a: u64, b: u64) -> u64 {\n    minus(a, b)\n}\n",
        "fn minus(from: u64, what: u64) -> u64 {\n    from - what\n}\npub fn f(a: u64, b: u64) -> u64 {\n    minus(a, b)\n}\n",
    );
    assert_eq!(renamed, ["asof change-signature demo::minus --rename a=from --rename b=what"]);
}

#[test]
fn a_signature_changes_behind_the_names_that_it_uses() {
    let commands = check(
        "pub struct Old;\nfn f(a: u8) -> u8 {\n    a\n}\npub fn g(_: Old) -> u8 {\n    f(1)\n}\n",
        "pub struct New;\nfn first(a: u8, _new: Option<New>) -> u8 {\n    a\n}\npub fn g(_: New) -> u8 {\n    first(1, None)\n}\n",
    );
    assert_eq!(
        commands,
        [
            "asof rename demo::Old New",
            "asof rename demo::f first",
            "asof change-signature demo::first --add '_new: Option<New> = None'"
        ]
    );
}
