//! `asof blame` and `asof history` through merges, and of what is not committed.

use crate::support;

use support::cli::{json, text};
use support::repository::Repository;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

/// `main` with `one`, `two` and `three`; a branch that changes `one` twice, moves `two` to another
/// file and changes it there; a change of `three` on `main`; the merge.
struct Merged {
    repo: Repository,
    /// The commits of the branch, oldest first.
    branch: Vec<String>,
    main: String,
    merge: String,
}

fn merged() -> Merged {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    let lib = |one: u8, two: &str, three: u8| {
        // Git merges changes that are some lines apart.
        let between = "const A: u8 = 0;\nconst B: u8 = 0;\nconst C: u8 = 0;\nconst D: u8 = 0;";
        let head = format!("mod a;\npub fn one() -> u8 {{ {one} }}\n{between}\n{two}");
        format!("{head}\n{}\npub fn three() -> u8 {{ {three} }}\n", between.to_lowercase())
    };
    let two = |n: u8| format!("pub fn two(n: u64) -> u64 {{ n.rotate_left({n}).swap_bytes() }}\n");
    repo.write("src/lib.rs", &lib(1, &two(1), 1));
    repo.write("src/a.rs", "");
    repo.commit("begin");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    let mut branch = Vec::new();
    repo.write("src/lib.rs", &lib(2, &two(1), 1));
    branch.push(repo.commit("one is two"));
    repo.write("src/lib.rs", &lib(3, &two(1), 1));
    branch.push(repo.commit("one is three"));
    repo.write("src/lib.rs", &lib(3, &two(2), 1));
    branch.push(repo.commit("two turns further"));
    repo.write("src/lib.rs", &lib(3, "mod b;", 1));
    repo.write("src/b.rs", &two(2));
    branch.push(repo.commit("two has a file"));
    repo.git(&["checkout", "-q", "main"]);
    repo.write("src/lib.rs", &lib(1, &two(1), 9));
    let main = repo.commit("three is nine");
    repo.clock += 60;
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge topic", "topic"]);
    let merge = repo.git(&["rev-parse", "HEAD"]);
    assert!(repo.git(&["show", "HEAD:src/lib.rs"]).contains("three() -> u8 { 9 }"));
    text(&repo.root, &["index", "--history"]);
    Merged { repo, branch, main, merge }
}

/// The commit that changed an item, and the merge that brought it.
fn blamed(merged: &Merged, args: &[&str]) -> (String, Option<String>) {
    let blame = json(&merged.repo.root, &[&["blame"], args].concat());
    let item = &blame["items"][0];
    let string = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    (string(&item["commit"]).unwrap(), string(&item["branch_commit"]["commit"]))
}

#[test]
fn a_merge_is_followed_to_the_commit_that_made_the_change() {
    let merged = merged();
    let [first, second, third, _] = merged.branch.as_slice() else { panic!() };
    let merge = merged.merge.clone();
    assert_eq!(blamed(&merged, &["crate::one"]), (merge.clone(), Some(second.clone())));
    assert_eq!(blamed(&merged, &["crate::b::two"]), (merge.clone(), Some(third.clone())));
    assert_eq!(blamed(&merged, &["crate::three"]), (merged.main.clone(), None));
    assert_eq!(blamed(&merged, &["crate::one", "--first-parent"]), (merge.clone(), None));

    let shown = text(&merged.repo.root, &["blame", "crate::one"]);
    assert!(shown.contains(&second[..10]), "{shown}");
    assert!(shown.contains(&format!("merged by {}", &merge[..10])), "{shown}");

    let history = json(&merged.repo.root, &["history", "crate::one"]);
    let commits: Vec<_> =
        history["items"][0]["branch_commits"].as_array().unwrap().iter().collect();
    let hashes: Vec<_> = commits.iter().map(|commit| commit["commit"].as_str().unwrap()).collect();
    assert_eq!(hashes, [second.as_str(), first.as_str()]);
    assert_eq!(commits[0]["message"], "one is three");
    let history = json(&merged.repo.root, &["history", "crate::one", "--first-parent"]);
    assert!(history["items"][0].get("branch_commits").is_none());
}

#[test]
fn what_git_does_not_have_is_not_committed_yet() {
    let merged = merged();
    let root = &merged.repo.root;
    let lib = std::fs::read_to_string(root.join("src/lib.rs")).unwrap();
    merged.repo.write("src/lib.rs", &lib.replace("{ 9 }", "{ 10 }"));
    let item = |path: &str| json(root, &["blame", path])["items"][0].clone();
    assert_eq!(item("crate::three")["uncommitted"], true);
    assert!(item("crate::one").get("uncommitted").is_none());
    assert!(text(root, &["blame", "crate::three"]).contains("not committed yet"));
}
