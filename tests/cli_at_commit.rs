//! `--at` with a commit that was never imported.

use crate::support;

use support::cli::{asof, code, err, json, text};
use support::repository::Repository;

fn check(repo: &Repository) {
    let root = &repo.root;
    assert_eq!(text(root, &["show", "demo::gone", "--at", "v1"]), "fn gone() -> u8 { 1 }\n");
    let found = json(root, &["resolve", "crate::old", "--at", "HEAD~1"]);
    assert_eq!(found["items"][0]["path"], "demo::old");
    assert_eq!(found["source"], "AS_OF");
    assert!(found["basis"]["note"].as_str().unwrap().contains("is not imported"), "{found}");
    let found = json(root, &["refs", "demo::gone", "--at", "v1"]);
    assert_eq!(found["items"][0]["item"]["path"], "demo::old");
    let found = json(root, &["callees", "demo::old", "--at", "v1"]);
    assert_eq!(found["items"][0]["item"]["path"], "demo::gone");
    // The answer says what it is based on.
    let shown = asof(root, &["outline", "src/lib.rs", "--at", "v1"]);
    assert!(err(&shown).contains("v1 is not imported"), "{}", err(&shown));
    let unknown = asof(root, &["show", "demo::gone", "--at", "v2"]);
    assert_ne!(code(&unknown), 0);
    // What needs a history says how to get one.
    let history = asof(root, &["history", "demo::old", "--at", "v1"]);
    assert_ne!(code(&history), 0);
}

#[test]
fn a_commit_is_read_from_its_files_without_a_database() {
    let repo = Repository::two_commits();
    check(&repo);
    assert!(!repo.root.join(".asof").exists());
}

#[test]
fn a_commit_is_read_from_its_files_beside_a_database() {
    let repo = Repository::two_commits();
    text(&repo.root, &["index"]);
    check(&repo);
    assert_eq!(text(&repo.root, &["show", "demo::new"]), "pub fn new() {}\n");
    // Items have the ids that they have after an import.
    let before = json(&repo.root, &["resolve", "demo::gone", "--at", "v1"]);
    text(&repo.root, &["index", "--history"]);
    let after = json(&repo.root, &["resolve", "demo::gone", "--at", "v1"]);
    assert_eq!(before["items"], after["items"]);
    assert!(after["basis"]["note"].is_null(), "{after}");
}

#[test]
fn the_last_commits_are_kept_for_the_next_question_until_gc() {
    let mut repo = Repository::two_commits();
    let kept = |repo: &Repository| -> Vec<String> {
        let folder = std::fs::read_dir(repo.root.join(".asof/commits"));
        let names = folder.into_iter().flatten().map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| name.into_string().unwrap());
        names.filter(|name| name.ends_with(".db")).collect()
    };
    let ask = |repo: &Repository, at: &str| text(&repo.root, &["outline", "demo", "--at", at]);
    // Without a database there is no place for them.
    let first = ask(&repo, "v1");
    assert!(!repo.root.join(".asof").exists());
    text(&repo.root, &["index"]);
    assert_eq!((ask(&repo, "v1"), ask(&repo, "v1")), (first.clone(), first.clone()));
    let names = kept(&repo);
    assert_eq!(names.len(), 1, "{names:?}");
    // It is read, not made again: what is not a database is replaced, and what is one is used.
    let file = repo.root.join(".asof/commits").join(&names[0]);
    std::fs::write(&file, "no database").unwrap();
    assert_eq!(ask(&repo, "v1"), first);
    let written = std::fs::metadata(&file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    assert_eq!(ask(&repo, "v1"), first);
    assert_eq!(std::fs::read(&file).unwrap(), whole);
    assert!(std::fs::metadata(&file).unwrap().modified().unwrap() > written.modified().unwrap());
    for number in 0..4 {
        repo.write("src/lib.rs", &format!("pub fn number_{number}() {{}}\n"));
        repo.commit("next");
        assert!(ask(&repo, "HEAD").contains(&format!("number_{number}")));
    }
    let names = kept(&repo);
    assert_eq!(names.len(), 3, "{names:?}");
    text(&repo.root, &["gc", "--keep-revisions", "1"]);
    assert_eq!(kept(&repo), [""; 0]);
    assert!(ask(&repo, "HEAD").contains("number_3"));
}

/// The bugs: names in a damaged `packed-refs` or in a reftable seemed not to exist, and a commit that
/// `git replace` replaces to be damaged.
#[test]
fn references_that_cannot_be_read_are_named() {
    let repo = Repository::two_commits();
    let root = &repo.root;
    repo.git(&["replace", "HEAD", "HEAD~1"]);
    assert_eq!(text(root, &["show", "demo::new", "--at", "HEAD"]), "pub fn new() {}\n");
    repo.git(&["pack-refs", "--all"]);
    let packed = root.join(".git/packed-refs");
    let whole = std::fs::read(&packed).unwrap();
    std::fs::write(&packed, &whole[..whole.len() - 12]).unwrap();
    let output = asof(root, &["show", "demo::gone", "--at", "unknown"]);
    assert!(err(&output).contains("packed-refs"), "{}", err(&output));
    std::fs::write(&packed, whole).unwrap();
    repo.git(&["config", "core.repositoryformatversion", "1"]);
    let config = root.join(".git/config");
    let before = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{before}[extensions]\n\trefStorage = reftable\n")).unwrap();
    let output = asof(root, &["show", "demo::gone", "--at", "v1"]);
    assert!(err(&output).contains("reftable"), "{}", err(&output));
}
