//! `asof hotspots` through the binary: what changed how often, together, and by whom.

use std::path::Path;

use crate::support::cli;
use crate::support::repository;

use cli::{fails, json, text};
use repository::Repository;

/// `busy` and its test change in every commit, `calm` never; `busy` is called `begin` at first.
fn repository() -> Repository {
    let mut repository = Repository::new();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    repository.write("Cargo.toml", manifest);
    for n in 0..5 {
        let name = if n == 0 { "begin" } else { "busy" };
        let text = format!(
            "pub fn {name}(a: u32) -> u32 {{\n    let most = a.max(1).min(100).pow(2);\n    \
             if most > {n} {{ most / 2 }} else {{ most + 1 }}\n}}\n\
             pub fn calm() -> u8 {{\n    7\n}}\n\
             #[cfg(test)]\nmod tests {{\n    #[test]\n    fn holds() {{ assert!({n} < 9); }}\n}}\n"
        );
        repository.write("src/lib.rs", &text);
        repository.commit(&format!("commit {n}"));
    }
    repository
}

fn check(root: &Path, args: &[&str], field: &str, expected: &[(&str, u64)]) {
    let found = json(root, &[&["hotspots"], args].concat());
    let rows: Vec<(String, u64)> = found["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let of = |key: &str| row.get(key).and_then(|value| value.as_str()).map(str::to_owned);
            let pair = || {
                let side = |key: &str| row[key]["path"].as_str().unwrap().to_owned();
                format!("{} {}", side("first"), side("second"))
            };
            (of("path").or_else(|| of("actor")).unwrap_or_else(pair), row[field].as_u64().unwrap())
        })
        .collect();
    let rows: Vec<(&str, u64)> = rows.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    assert_eq!(rows, expected, "{args:?}: {found}");
}

#[test]
fn what_changes_often_is_listed() {
    let repository = repository();
    let root = &repository.root;
    text(root, &["index", "--history"]);
    // The rename is followed, and the first version is no change.
    check(root, &["src/lib.rs"], "changes", &[("demo::busy", 4), ("demo::tests::holds", 4)]);
    check(root, &["--exclude-tests", "src/lib.rs"], "score", &[("demo::busy", 8)]);
    check(root, &["demo::calm"], "changes", &[]);
    check(root, &["--since", "HEAD~1", "demo::busy"], "changes", &[("demo::busy", 1)]);
    check(root, &["--at", "HEAD~3", "demo::busy"], "changes", &[("demo::busy", 1)]);
    let owners = json(root, &["hotspots", "--owners", "demo::busy"]);
    assert_eq!(owners["items"][0]["versions"], 5, "{owners}");
    assert_eq!(owners["items"][0]["share"], 1.0);
    assert!(text(root, &["hotspots"]).contains("demo::busy"));
    fails(root, &["hotspots", "demo::nothing"], 1, "no item named");
}

#[test]
fn what_changes_together_is_listed() {
    let repository = repository();
    let root = &repository.root;
    text(root, &["index", "--history"]);
    // `busy` has that name, and this id, since the second commit.
    let pairs = ["--pairs", "--exclude-tests"];
    check(root, &pairs, "together", &[]);
    check(root, &["--pairs"], "together", &[("demo::busy demo::tests::holds", 3)]);
}
