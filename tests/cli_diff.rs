//! `asof diff` of commits that are not imported.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod support;

use serde_json::Value as Json;
use support::cli::{asof, code, err, json, out};
use support::repository::Repository;

/// What a difference says, without the time that it took and the revisions of its two ends.
fn facts(diff: &Json) -> (Json, Json, Json) {
    (diff["items"].clone(), diff["summary"].clone(), diff["folded"].clone())
}

#[test]
fn neighbours_differ_as_after_an_import() {
    let (repo, commits) = Repository::scripted();
    let run = |from: &str, to: &str| {
        asof(&repo.root, &["diff", from, to, "--all", "--patch", "--format", "json", "-q"])
    };
    let ask = |from: &str, to: &str| -> Json {
        let answer = run(from, to);
        serde_json::from_str(&out(&answer)).unwrap_or_else(|_| panic!("{}", err(&answer)))
    };
    let mut pairs: Vec<(&String, &String)> = commits.iter().zip(commits.iter().skip(1)).collect();
    let count = pairs.len();
    pairs.retain(|(from, to)| {
        let refused = run(from, to);
        let is_broken = code(&refused) == 2 && err(&refused).contains("root manifest");
        !is_broken
    });
    assert_eq!(pairs.len(), count - 2, "one commit has a broken manifest");
    let without: Vec<_> = pairs.iter().map(|(from, to)| facts(&ask(from, to))).collect();
    assert!(!repo.root.join(".asof").exists(), "nothing is written");
    assert!(asof(&repo.root, &["index", "--history", "-q"]).status.success());
    let mut items = 0;
    for ((from, to), without) in pairs.iter().zip(without) {
        items += without.0.as_array().unwrap().len();
        assert_eq!(without, facts(&ask(from, to)), "{from}..{to}");
    }
    assert!(items > 10, "only {items} items differ");
}

#[test]
fn a_commit_is_compared_with_the_files_on_disk() {
    let (repo, _) = Repository::scripted();
    repo.write("src/lib.rs", "mod a;\npub use a::f;\npub fn fresh() {}\n");
    let found = asof(&repo.root, &["diff", "HEAD", "--fields", "classes,path"]);
    assert!(out(&found).contains("demo::fresh"), "{}", out(&found));
    assert!(!repo.root.join(".asof").exists(), "nothing is written");
}

#[test]
fn a_database_without_the_commit_keeps_its_ids_and_its_rows() {
    let (repo, commits) = Repository::scripted();
    assert!(asof(&repo.root, &["index", "-q"]).status.success());
    let before = json(&repo.root, &["status"]);
    let last = commits.len() - 1;
    let found = json(&repo.root, &["diff", &commits[last - 4], "NOW"]);
    let renamed = &found["items"][0];
    assert_eq!((&renamed["classes"][0], &renamed["kind"]), (&"renamed".into(), &"method".into()));
    let known = json(&repo.root, &["resolve", renamed["path"].as_str().unwrap()]);
    assert_eq!(known["items"][0]["id"], renamed["id"]);
    let after = json(&repo.root, &["status"]);
    assert_eq!(before["revisions"], after["revisions"]);
}

#[test]
fn what_has_no_files_is_an_error() {
    let (repo, _) = Repository::scripted();
    let unknown = asof(&repo.root, &["diff", "v9", "HEAD"]);
    assert_eq!(code(&unknown), 1, "{}", err(&unknown));
    assert!(err(&unknown).contains("`v9`"), "{}", err(&unknown));
    let age = asof(&repo.root, &["diff", "-1h", "HEAD"]);
    assert_eq!(code(&age), 2, "{}", err(&age));
    assert!(err(&age).contains("asof index"), "{}", err(&age));
    let nowhere = tempfile::tempdir().unwrap();
    let nowhere = asof(nowhere.path(), &["diff", "HEAD~1", "HEAD"]);
    assert_ne!(code(&nowhere), 0);
    assert!(err(&nowhere).contains("not in a Git repository"), "{}", err(&nowhere));
}
