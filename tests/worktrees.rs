//! The first database of a worktree is a copy of that of another one, with the rows that an index
//! of all its files would have.

use crate::support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use asof::{Database, Origin, StartFrom};
use asof_index::Silent;
use support::cli::{self, code, err};
use support::differences_from_fresh;
use support::repository::Repository;

/// A repository whose main worktree is indexed.
fn repository() -> Repository {
    let mut repo = Repository::new();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    repo.write("Cargo.toml", manifest);
    repo.write("src/lib.rs", "pub mod a;\npub mod b;\npub use a::f;\n");
    repo.write("src/a.rs", "/// F.\npub fn f() -> u8 { super::b::g() }\n");
    repo.write("src/b.rs", "pub fn g() -> u8 { 1 }\npub struct S { pub x: u8 }\n");
    repo.commit("first");
    repo.write("src/b.rs", "pub fn g() -> u8 { 2 }\npub struct S { pub x: u16 }\n");
    repo.commit("second");
    cli::text(&repo.root, &["index"]);
    repo
}

/// A worktree beside the main one, at a commit.
fn add(repo: &Repository, name: &str, commit: &str) -> PathBuf {
    repo.git(&["worktree", "add", "-q", "--detach", &format!("../{name}"), commit]);
    fs::canonicalize(repo.root.join("..").join(name)).unwrap()
}

#[track_caller]
fn equals_a_fresh_index(root: &Path) {
    let database = Database::open(root).unwrap();
    assert_eq!(differences_from_fresh(database.store(), root), "");
}

/// Causes of the revisions, newest first.
fn causes(root: &Path) -> Vec<String> {
    let log = cli::answer(root, &["log"]);
    let items = log["items"].as_array().unwrap().iter();
    items.map(|item| item["cause"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn only_what_differs_is_indexed() {
    let repo = repository();
    let edits = r#"{"edits": [{"mode": "delete", "path": "crate::b::S"}]}"#;
    let plan = cli::command(&repo.root, &["edit", "plan", "--file", "-"]);
    assert_eq!(code(&cli::with_input(plan, edits.as_bytes())), 0);

    let second = add(&repo, "second", "HEAD~1");
    fs::write(second.join("src/c.rs"), "pub fn new() { crate::b::g(); }\n").unwrap();
    fs::write(second.join("src/lib.rs"), "pub mod b;\npub mod c;\n").unwrap();
    fs::remove_file(second.join("src/a.rs")).unwrap();
    let report = cli::answer(&second, &["index"]);
    let main = fs::canonicalize(&repo.root).unwrap();
    assert_eq!(report["copied_from"], main.to_str().unwrap());
    equals_a_fresh_index(&second);
    assert_eq!(causes(&second), ["scan", "copy", "scan"]);
    assert_eq!(cli::answer(&second, &["edit", "list"])["items"].as_array().unwrap().len(), 0);
    assert_eq!(cli::answer(&repo.root, &["edit", "list"])["items"].as_array().unwrap().len(), 1);
    assert_eq!(causes(&repo.root), ["scan"], "the source is as it was");

    // Without a difference nothing is parsed, and no state folder is needed in the main worktree.
    fs::rename(repo.root.join(".asof"), repo.root.join("moved")).unwrap();
    let third = add(&repo, "third", "HEAD~1");
    fs::write(third.join("src/c.rs"), "pub fn new() { crate::b::g(); }\n").unwrap();
    fs::write(third.join("src/lib.rs"), "pub mod b;\npub mod c;\n").unwrap();
    fs::remove_file(third.join("src/a.rs")).unwrap();
    let report = cli::answer(&third, &["index"]);
    assert_eq!(report["copied_from"], second.to_str().unwrap());
    assert_eq!((&report["parsed"], &report["revision"]), (&0.into(), &serde_json::Value::Null));
    equals_a_fresh_index(&third);
    // The main worktree can start from a linked one, too.
    let main = cli::asof(&repo.root, &["index"]);
    assert!(err(&main).contains("started from the database of the worktree"), "{}", err(&main));
    equals_a_fresh_index(&repo.root);
}

#[test]
fn a_root_within_the_repository_and_names_of_commits() {
    let mut repo = Repository::new();
    repo.write("part/lib.rs", "pub fn one() {}\n");
    repo.commit("one");
    repo.write("part/lib.rs", "pub fn two() {}\n");
    repo.commit("two");
    let part = repo.root.join("part");
    cli::text(&repo.root, &["index", "part", "--history"]);
    let second = add(&repo, "second", "HEAD~1").join("part");
    cli::text(&repo.root, &["index", second.to_str().unwrap()]);
    equals_a_fresh_index(&second);
    let at = |root: &Path, moment: &str, path: &str| {
        code(&cli::asof(root, &["--at", moment, "resolve", path])) == 0
    };
    assert!(at(&second, "HEAD", "one") && !at(&second, "HEAD", "two"), "its own HEAD");
    assert!(at(&part, "HEAD", "two") && at(&second, "main", "two"));
}

#[test]
fn a_database_that_cannot_be_used_is_named() {
    let repo = repository();
    let state = repo.root.join(".asof");
    let database = state.join("asof.db");
    let intact = fs::read(&database).unwrap();
    let check = |name: &str, says: &str| {
        let second = add(&repo, name, "HEAD");
        let output = cli::asof(&second, &["index"]);
        assert_eq!(code(&output), 0, "{name}: {}", err(&output));
        let said = err(&output);
        assert!(said.contains("cannot start from another worktree"), "{name}: {said}");
        assert!(said.contains(says), "{name}: {said}");
        equals_a_fresh_index(&second);
        assert_eq!(causes(&second), ["scan"], "{name}");
        fs::remove_dir_all(&second).unwrap();
        repo.git(&["worktree", "prune"]);
    };
    let mut damaged = intact.clone();
    let pages = damaged.len() / 16384;
    assert!(pages > 4);
    damaged[16384 * (pages / 2) + 5000] ^= 1;
    fs::write(&database, &damaged).unwrap();
    check("damaged", "is damaged");
    fs::write(&database, &intact[..intact.len() / 2]).unwrap();
    check("cut", "is damaged");
    fs::write(&database, "SQLite format 3\0 of somebody").unwrap();
    check("foreign", "is not an asof database");
    fs::write(&database, &intact).unwrap();
    fs::hard_link(&database, state.join("other")).unwrap();
    check("hard-link", "has another name");
    fs::remove_file(state.join("other")).unwrap();
    fs::rename(&database, state.join("other")).unwrap();
    symlink(state.join("other"), &database).unwrap();
    check("link", "is a symbolic link");
    fs::remove_file(&database).unwrap();
    fs::rename(state.join("other"), &database).unwrap();
    fs::rename(&state, repo.root.join("elsewhere")).unwrap();
    symlink(repo.root.join("elsewhere"), &state).unwrap();
    check("linked-folder", "is a symbolic link");
    fs::remove_file(&state).unwrap();
    drop(Database::create_or_open(&repo.root).unwrap());
    check("unfinished", "it has no revision yet");
}

#[test]
fn it_can_be_turned_off() {
    let repo = repository();
    let second = add(&repo, "second", "HEAD");
    cli::text(&second, &["index", "--from-scratch"]);
    assert_eq!(causes(&second), ["scan"]);
    let third = add(&repo, "third", "HEAD");
    let mut command = cli::command(&third, &["index"]);
    assert_eq!(code(&command.env("ASOF_FROM_SCRATCH", "1").output().unwrap()), 0);
    assert_eq!(causes(&third), ["scan"]);
    let fourth = add(&repo, "fourth", "HEAD");
    let mut command = cli::command(&fourth, &["index"]);
    assert_eq!(code(&command.env("ASOF_FROM_SCRATCH", "0").output().unwrap()), 0);
    assert_eq!(causes(&fourth), ["copy", "scan"]);
}

#[test]
fn a_folder_that_claims_to_be_a_worktree_gets_nothing() {
    let repo = repository();
    let second = add(&repo, "second", "HEAD");
    let claim = repo.root.parent().unwrap().join("claim");
    support::copy_tree(&second.join("src"), &claim.join("src"));
    fs::copy(second.join(".git"), claim.join(".git")).unwrap();
    cli::text(&claim, &["index"]);
    assert_eq!(causes(&claim), ["scan"]);
    // Nor does a link in the place of the root lead elsewhere.
    let mut other = Repository::new();
    other.write("sub/lib.rs", "pub fn one() {}\n");
    other.commit("one");
    let third = add(&other, "third", "HEAD");
    fs::remove_dir_all(other.root.join("sub")).unwrap();
    symlink(&repo.root, other.root.join("sub")).unwrap();
    cli::text(&third, &["index", "sub"]);
    assert_eq!(causes(&third.join("sub")), ["scan"]);
}

#[test]
fn a_worktree_without_code_has_no_database_afterwards() {
    let repo = repository();
    let second = add(&repo, "second", "HEAD");
    fs::remove_dir_all(second.join("src")).unwrap();
    fs::remove_file(second.join("Cargo.toml")).unwrap();
    assert_ne!(code(&cli::asof(&second, &["index"])), 0);
    assert!(!second.join(".asof").exists());
}

#[test]
fn the_source_may_be_in_use() {
    let repo = repository();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let database = Database::open(&repo.root).unwrap();
            let mut n = 0;
            while !done.load(Ordering::Relaxed) {
                n += 1;
                repo.write("src/a.rs", &format!("pub fn f() -> u32 {{ {n} }}\n"));
                database.refresh(&support::options(), &Silent).unwrap();
            }
            n
        });
        for n in 0..5 {
            let root = add(&repo, &format!("w{n}"), "HEAD");
            let made = Database::create_or_open_from(&root, StartFrom::OtherWorktree, &Silent);
            let (database, origin) = made.unwrap();
            assert!(matches!(origin, Origin::Copy { .. }), "{origin:?}");
            database.verify_pages().unwrap();
            database.refresh(&support::options(), &Silent).unwrap();
            equals_a_fresh_index(&root);
        }
        done.store(true, Ordering::Relaxed);
        assert!(writer.join().unwrap() > 5, "it wrote meanwhile");
    });
    equals_a_fresh_index(&repo.root);
}
