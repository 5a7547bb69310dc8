//! `asof merge` as Git's driver in merges of whole commits, and `asof merge --finish`.

use crate::cli_merge::{self, Files};
use crate::support;

use std::fs;
use std::process::{Command, Output};

use support::cli::{asof, code, err, json, out, text};
use support::repository::Repository;

/// `main` and `topic` with different changes of one base, and the driver.
fn forked(base: Files<'_>, ours: Files<'_>, theirs: Files<'_>) -> Repository {
    let base: Vec<_> = base.iter().copied().chain([(".gitignore", ".asof\n")]).collect();
    let repo = cli_merge::forked(&base, ours, theirs);
    text(&repo.root, &["merge", "--install"]);
    repo
}

/// Runs Git, whatever it says.
fn git(repo: &Repository, args: &[&str]) -> Output {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    let args = [&identity[..], args].concat();
    let mut command = Command::new("git");
    command.args(args).current_dir(&repo.root).env("GIT_EDITOR", "true");
    command.output().unwrap()
}

fn file(repo: &Repository, path: &str) -> String {
    fs::read_to_string(repo.root.join(path)).unwrap()
}

const LIB: &str = "mod a;\nmod b;\n";
const OLD: &str = "pub fn old() -> u8 {\n    1\n}\n";
const NEW: &str = "pub fn new() -> u8 {\n    1\n}\n";
const B: &str = "//! B.\n\npub fn first() {}\n\npub fn second() {}\n\npub fn third() {}\n";

/// Ours calls `a::old` in a file in which theirs changes other lines, and renames `a::old`.
fn renamed_elsewhere() -> Repository {
    let ours = format!("{B}\npub fn caller() -> u8 {{\n    crate::a::old()\n}}\n");
    let theirs = B.replace("//! B.", "//! Better.");
    forked(
        &[("src/lib.rs", LIB), ("src/a.rs", OLD), ("src/b.rs", B)],
        &[("src/b.rs", &ours)],
        &[("src/a.rs", NEW), ("src/b.rs", &theirs)],
    )
}

#[track_caller]
fn check_followed(repo: &Repository, done: &Output) {
    let text = file(repo, "src/b.rs");
    assert!(text.contains("crate::a::new()") && !text.contains("old"), "{text}{}", err(done));
    assert!(text.starts_with("//! Better."), "{text}");
    assert_eq!(code(done), 0, "{}", err(done));
}

#[test]
fn a_caller_follows_a_rename_in_another_file() {
    let repo = renamed_elsewhere();
    let done = git(&repo, &["merge", "--no-edit", "topic"]);
    check_followed(&repo, &done);
    assert!(err(&done).contains("src/b.rs:10: `old` becomes `new`"), "{}", err(&done));
}

#[test]
fn commits_that_are_applied_elsewhere_are_known() {
    let repo = renamed_elsewhere();
    check_followed(&repo, &git(&repo, &["rebase", "topic"]));
    let repo = renamed_elsewhere();
    check_followed(&repo, &git(&repo, &["cherry-pick", "topic"]));
    // What a revert brings back follows what happened since.
    let mut repo = renamed_elsewhere();
    let caller = file(&repo, "src/b.rs");
    repo.write("src/b.rs", B);
    repo.commit("no caller");
    repo.write("src/a.rs", NEW);
    repo.write("src/b.rs", &B.replace("//! B.", "//! Better."));
    repo.commit("renamed");
    assert!(caller.contains("old"));
    check_followed(&repo, &git(&repo, &["revert", "--no-edit", "HEAD~1"]));
}

#[test]
fn where_the_commits_are_not_known_the_file_is_merged_alone() {
    let repo = renamed_elsewhere();
    let caller = file(&repo, "src/b.rs");
    git(&repo, &["reset", "-q", "--hard", "HEAD~1"]);
    repo.write("src/b.rs", &caller);
    git(&repo, &["stash"]);
    git(&repo, &["checkout", "-q", "topic"]);
    let done = git(&repo, &["stash", "pop"]);
    let text = file(&repo, "src/b.rs");
    assert!(text.contains("crate::a::old()") && text.starts_with("//! Better."), "{text}");
    let note = "src/b.rs: names are not compared: which commits are merged is not known";
    assert!(err(&done).contains(note), "{}", err(&done));
}

#[test]
fn what_does_not_fit_is_a_conflict_with_both_meanings() {
    let ours = format!("{B}\npub fn caller() -> u8 {{\n    crate::a::old()\n}}\n");
    let theirs = B.replace("//! B.", "//! Better.");
    let repo = forked(
        &[("src/lib.rs", LIB), ("src/a.rs", OLD), ("src/b.rs", B)],
        &[("src/b.rs", &ours)],
        &[("src/a.rs", "pub fn other() {}\n"), ("src/b.rs", &theirs)],
    );
    let done = git(&repo, &["merge", "--no-edit", "topic"]);
    assert_eq!(code(&done), 1, "{}", err(&done));
    let said =
        "src/b.rs:10: lost: `old` of ours means `demo::a::old`, which the other side removes";
    assert!(err(&done).contains(said), "{}", err(&done));
    // The bytes are Git's, and Git knows of the conflict.
    assert_eq!(file(&repo, "src/b.rs"), ours.replace("//! B.", "//! Better."));
    assert_eq!(repo.git(&["status", "--porcelain", "src/b.rs"]), "UU src/b.rs");
}

/// A name that the other side gives would mean something else here.
#[test]
fn a_name_that_would_mean_something_else_is_not_written() {
    let ours = format!(
        "{B}\npub fn caller() -> u8 {{\n    use crate::a::*;\n    fn new() -> u8 {{ 9 }}\n    new() + old()\n}}\n"
    );
    let theirs = B.replace("//! B.", "//! Better.");
    let repo = forked(
        &[("src/lib.rs", LIB), ("src/a.rs", OLD), ("src/b.rs", B)],
        &[("src/b.rs", &ours)],
        &[("src/a.rs", NEW), ("src/b.rs", &theirs)],
    );
    let done = git(&repo, &["merge", "--no-edit", "topic"]);
    assert_eq!(code(&done), 1, "{}", err(&done));
    assert!(file(&repo, "src/b.rs").contains("new() + old()"));
    assert!(err(&done).contains("`old` of ours means `demo::a::old`"), "{}", err(&done));
}

#[test]
fn files_of_one_side_follow_when_the_merge_is_finished() {
    let fork = || {
        let caller = "pub fn caller() -> u8 {\n    crate::a::old()\n}\n";
        let base = [("src/lib.rs", LIB), ("src/a.rs", OLD), ("src/b.rs", "")];
        forked(&base, &[("src/b.rs", caller)], &[("src/a.rs", NEW)])
    };
    for args in [&["merge", "--no-edit", "topic"][..], &["merge", "--no-commit", "topic"]] {
        let repo = fork();
        git(&repo, args);
        assert!(file(&repo, "src/b.rs").contains("old"));
        text(&repo.root, &["index"]);
        let found = json(&repo.root, &["merge", "--finish"]);
        assert_eq!(found["adapted"][0]["after"], "new", "{found}");
        assert!(file(&repo, "src/b.rs").contains("crate::a::new()"));
        // Nothing is left.
        let shown = text(&repo.root, &["merge", "--finish"]);
        assert!(shown.contains("no conflict of names") && !shown.contains("becomes"), "{shown}");
    }
    let repo = fork();
    text(&repo.root, &["index"]);
    let done = asof(&repo.root, &["merge", "--finish"]);
    assert!(code(&done) != 0 && err(&done).contains("HEAD is no merge"), "{}", out(&done));
}

#[test]
fn a_file_with_conflicts_is_compared_once_they_are_decided() {
    let ours = B.replace("fn first", "fn ours");
    let ours = format!("{ours}\npub fn caller() -> u8 {{\n    crate::a::old()\n}}\n");
    let theirs = B.replace("fn first", "fn theirs");
    let repo = forked(
        &[("src/lib.rs", LIB), ("src/a.rs", OLD), ("src/b.rs", B)],
        &[("src/b.rs", &ours)],
        &[("src/a.rs", NEW), ("src/b.rs", &theirs)],
    );
    let done = git(&repo, &["merge", "--no-edit", "topic"]);
    assert_eq!(code(&done), 1, "{}", err(&done));
    assert!(
        err(&done).contains("decide the conflicts, then `asof merge --finish`"),
        "{}",
        err(&done)
    );
    text(&repo.root, &["index"]);
    assert_eq!(code(&asof(&repo.root, &["merge", "--finish"])), 8);
    assert!(file(&repo, "src/b.rs").contains("old"));
    repo.write("src/b.rs", &ours);
    text(&repo.root, &["merge", "--finish"]);
    assert_eq!(file(&repo, "src/b.rs"), ours.replace("old", "new"));
}
