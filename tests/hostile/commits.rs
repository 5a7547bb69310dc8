//! Commits that no checkout could hold, and damaged repositories, through the binary: nothing is
//! written outside `.asof`, what is refused is an issue of its commit, and what cannot be read is
//! an error that names it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{MANIFEST, done, pipe, refused};
use crate::support::cli;
use crate::support::repository::Repository;
use crate::support::tempdir;

/// Git plumbing.
struct Plumbing {
    repo: Repository,
}

impl Plumbing {
    fn new() -> Self {
        Self { repo: Repository::new() }
    }

    fn root(&self) -> &Path {
        &self.repo.root
    }

    fn object(&self, kind: &str, bytes: &[u8]) -> String {
        let mut command = Command::new("git");
        command.current_dir(self.root()).args(["hash-object", "-t", kind, "--literally", "-w"]);
        let command = command.arg("--stdin").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn blob(&self, text: &str) -> String {
        self.object("blob", text.as_bytes())
    }

    /// A tree whatever its entries are: mode, name, id.
    fn tree(&self, entries: &[(&str, &str, &str)]) -> String {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend_from_slice(format!("{mode} {name}\0").as_bytes());
            let digits = id.as_bytes().chunks(2);
            let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
            bytes.extend(digits.map(byte));
        }
        self.object("tree", &bytes)
    }

    /// Makes a tree the next commit of `main`.
    fn commit(&mut self, tree: &str) -> String {
        self.repo.clock += 60;
        let parent = Command::new("git")
            .current_dir(self.root())
            .args(["rev-parse", "-q", "--verify", "HEAD"])
            .output()
            .unwrap();
        let parent = String::from_utf8(parent.stdout).unwrap().trim().to_owned();
        let mut args = vec!["commit-tree", tree, "-m", "made"];
        if !parent.is_empty() {
            args.extend(["-p", &parent]);
        }
        let commit = self.repo.git(&args);
        self.repo.git(&["update-ref", "refs/heads/main", &commit]);
        commit
    }

    /// The first commit, and NOW, are a package.
    fn with_package() -> Self {
        let mut made = Self::new();
        made.repo.write("Cargo.toml", MANIFEST);
        made.repo.write("src/lib.rs", "pub fn f() {}\n");
        made.repo.commit("a package");
        made
    }

    fn issues(&self, at: &str) -> String {
        done(self.root(), &["inspect", "issues", "--at", at, "--no-refresh", "--format", "json"])
    }
}

/// Everything below a folder with its bytes.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(contents(&path));
        } else {
            let bytes = if path.is_symlink() { Vec::new() } else { fs::read(&path).unwrap() };
            found.push((path.display().to_string(), bytes));
        }
    }
    found.sort();
    found
}

#[test]
fn an_import_writes_nothing_through_a_name_that_is_link_and_folder() {
    let outside = tempdir();
    fs::write(outside.path().join("build.rs"), "fn main() {}\n").unwrap();
    fs::write(outside.path().join("gone.rs"), "fn kept() {}\n").unwrap();
    let before = contents(outside.path());
    let mut made = Plumbing::with_package();
    let evil = made.blob("fn main() { evil() }\n");
    let first = made.tree(&[("100644", "build.rs", &evil), ("100644", "gone.rs", &evil)]);
    let second = made.tree(&[("100644", "build.rs", &evil)]);
    let link = made.blob(outside.path().to_str().unwrap());
    let lib = made.blob("pub fn f() {}\n");
    let mut hashes = Vec::new();
    for folder in [&first, &second] {
        for order in [true, false] {
            let mut entries = vec![("120000", "a", link.as_str()), ("40000", "a", folder)];
            if !order {
                entries.reverse();
            }
            entries.push(("100644", "lib.rs", &lib));
            let tree = made.tree(&entries);
            hashes.push(made.commit(&tree));
        }
    }
    let temporary = tempdir();
    let mut import = cli::command(made.root(), &["index", "--history", "-q"]);
    let output = import.env("TMPDIR", temporary.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(contents(outside.path()), before);
    assert_eq!(contents(temporary.path()), [], "nothing is checked out");
    for hash in &hashes {
        let issues = made.issues(hash);
        assert!(issues.contains("several entries of the tree have this name"), "{issues}");
    }
    let names = done(
        made.root(),
        &["query", "?[name] := *node{name @ $at}", "--at", &hashes[0], "--no-refresh"],
    );
    assert!(names.contains('f') && !names.contains("main"), "{names}");
}

#[test]
fn names_that_git_refuses_are_issues_and_are_never_followed() {
    let mut made = Plumbing::with_package();
    let code = made.blob("pub fn hidden() {}\n");
    let folder = made.tree(&[("100644", "x.rs", &code)]);
    let lib = made.blob("pub fn f() {}\n");
    let names =
        [".git", ".GIT", "git~1", ".g\u{200c}it", ".git::$INDEX_ALLOCATION", "..", ".", "/tmp", ""];
    for name in names {
        let tree = made.tree(&[("40000", name, &folder), ("100644", "lib.rs", &lib)]);
        made.commit(&tree);
    }
    let slash = made.tree(&[("100644", "../../x.rs", &code), ("100644", "lib.rs", &lib)]);
    made.commit(&slash);
    let mode = made.tree(&[("20666", "x.rs", &code), ("100644", "lib.rs", &lib)]);
    made.commit(&mode);
    done(made.root(), &["index", "--history", "-q"]);
    let commits = made.repo.git(&["rev-list", "--first-parent", "main"]);
    let (last, commits) = (names.len() + 2, commits.lines().collect::<Vec<_>>());
    for commit in &commits[..last] {
        let issues = made.issues(commit);
        assert!(issues.contains("is not read"), "{commit}: {issues}");
        let found = ["query", "?[name] := *node{name @ $at}", "--no-refresh", "--at", commit];
        assert!(!done(made.root(), &found).contains("hidden"));
    }
    assert!(!made.issues(commits[last]).contains("is not read"));
}

#[test]
fn links_stay_within_their_commit() {
    let outside = tempdir();
    fs::write(outside.path().join("secret.rs"), "pub fn secret() {}\n").unwrap();
    let secret = outside.path().join("secret.rs");
    let mut made = Plumbing::with_package();
    let link = |text: &str| made.blob(text);
    let real = made.blob("pub fn real() {}\n");
    let entries = [
        ("120000", "absolute.rs", link(secret.to_str().unwrap())),
        ("120000", "alias.rs", link("real.rs")),
        ("120000", "around.rs", link("../demo/real.rs")),
        ("120000", "empty.rs", link("")),
        ("120000", "folder", link("/etc")),
        ("120000", "long.rs", link(&"a/".repeat(40_000))),
        ("120000", "loop.rs", link("loop.rs")),
        ("120000", "nul.rs", link("real.rs\0")),
        ("100644", "real.rs", real),
        ("120000", "up.rs", link("../../../../etc/passwd")),
    ];
    let entries: Vec<(&str, &str, &str)> =
        entries.iter().map(|(mode, name, id)| (*mode, *name, id.as_str())).collect();
    let tree = made.tree(&entries);
    let linked = made.commit(&tree);
    let report = done(made.root(), &["index", "--history", "--format", "json"]);
    assert!(report.contains("\"imported\": 2") || report.contains("\"imported\":2"), "{report}");
    let issues: serde_json::Value = serde_json::from_str(&made.issues(&linked)).unwrap();
    let told: Vec<(&str, &str)> = issues["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| (issue["file_path"].as_str().unwrap(), issue["message"].as_str().unwrap()))
        .collect();
    let out = "the symbolic link points outside the workspace";
    let nowhere = "the symbolic link is dangling";
    assert_eq!(
        told,
        [
            ("absolute.rs", out),
            ("around.rs", out),
            ("empty.rs", nowhere),
            ("long.rs", nowhere),
            ("loop.rs", "the symbolic link goes through too many links"),
            ("nul.rs", nowhere),
            ("up.rs", out),
        ]
    );
}

/// A tree of eleven objects that stands for 10^10 files.
#[test]
fn a_tree_that_names_itself_over_and_over_has_a_budget() {
    let mut made = Plumbing::with_package();
    let mut id = made.blob("not code\n");
    let mut mode = "100644";
    for _ in 0..10 {
        let names: Vec<String> = (0..10).map(|n| format!("d{n}")).collect();
        let entries: Vec<_> = names.iter().map(|name| (mode, name.as_str(), id.as_str())).collect();
        let tree = made.tree(&entries);
        (id, mode) = (tree, "40000");
    }
    let lib = made.blob("pub fn f() {}\n");
    let top = made.tree(&[("40000", "bomb", &id), ("100644", "a.rs", &lib)]);
    let bomb = made.commit(&top);
    done(made.root(), &["index", "--history", "-q"]);
    let issues = made.issues(&bomb);
    assert!(issues.contains("there are more than 1000000 entries"), "{issues}");
}

#[test]
fn folders_nested_too_deep_are_an_issue() {
    let mut made = Plumbing::with_package();
    let mut tree = made.tree(&[("100644", "deep.rs", &made.blob("fn deep() {}\n"))]);
    for _ in 0..400 {
        tree = made.tree(&[("40000", "d", &tree)]);
    }
    let top = made.tree(&[("40000", "d", &tree), ("100644", "a.rs", &made.blob("fn a() {}\n"))]);
    let deep = made.commit(&top);
    done(made.root(), &["index", "--history", "-q"]);
    assert!(made.issues(&deep).contains("it is nested too deep"));
}

/// Where a loose object lies.
fn loose(root: &Path, id: &str) -> std::path::PathBuf {
    root.join(".git/objects").join(&id[..2]).join(&id[2..])
}

fn damage(root: &Path, id: &str) {
    let path = loose(root, id);
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 0x55;
    fs::remove_file(&path).unwrap();
    fs::write(&path, bytes).unwrap();
}

#[test]
fn a_damaged_or_missing_object_is_an_error_that_names_it() {
    for kind in ["commit", "tree", "blob"] {
        for broken in [damage, |root: &Path, id: &str| fs::remove_file(loose(root, id)).unwrap()] {
            let made = Plumbing::with_package();
            let mut repo = made.repo;
            let middle = repo.commit("between");
            repo.write("src/lib.rs", "pub fn g() {}\n");
            let changed = repo.commit("a change");
            let id = match kind {
                "commit" => middle,
                "tree" => repo.git(&["rev-parse", &format!("{changed}:src")]),
                _ => repo.git(&["rev-parse", &format!("{changed}:src/lib.rs")]),
            };
            broken(&repo.root, &id);
            let error = refused(&repo.root, &["index", "--history"], 5);
            assert!(error.contains(&id) && error.contains(kind), "{kind}: {error}");
            assert!(error.contains("git fsck"), "{error}");
        }
    }
}

/// An object whose bytes are another's: the file is whole, and the name is not that of its hash.
#[test]
fn an_object_under_a_wrong_name_is_an_error() {
    let made = Plumbing::with_package();
    let one = made.repo.git(&["rev-parse", "HEAD:src/lib.rs"]);
    let other = made.blob("pub fn forged() {}\n");
    let path = loose(made.root(), &one);
    fs::remove_file(&path).unwrap();
    fs::copy(loose(made.root(), &other), &path).unwrap();
    let error = refused(made.root(), &["index", "--history"], 5);
    assert!(error.contains(&one) && error.contains(&other), "{error}");
}

#[test]
fn a_shallow_clone_ends_where_it_says() {
    let mut made = Plumbing::with_package();
    for n in 0..4 {
        made.repo.write("src/lib.rs", &format!("pub fn f{n}() {{}}\n"));
        made.repo.commit("more");
    }
    let work = tempdir();
    let clone = work.path().join("demo");
    let from = format!("file://{}", made.root().display());
    made.repo.git(&["clone", "-q", "--depth", "3", &from, clone.to_str().unwrap()]);
    let report = done(&clone, &["index", "--history", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert!(report.to_string().contains("\"imported\":3"), "{report}");
}

#[test]
fn repositories_with_sha_256_are_refused_by_name() {
    let work = tempdir();
    let root = work.path().join("demo");
    let mut command = Command::new("git");
    let command = command.args(["init", "-q", "--object-format=sha256"]).arg(&root);
    assert!(command.status().unwrap().success());
    fs::write(root.join("Cargo.toml"), MANIFEST).unwrap();
    fs::create_dir(root.join("src")).unwrap();
    fs::write(root.join("src/lib.rs"), "pub fn f() {}\n").unwrap();
    let error = refused(&root, &["index", "--history"], 5);
    assert!(error.contains("SHA-256"), "{error}");
    // What is there is indexed all the same.
    done(&root, &["index", "-q"]);
    assert!(done(&root, &["resolve", "demo::f"]).contains("src/lib.rs"));
}

/// Whatever gix opens below `.git`.
#[test]
fn a_pipe_within_the_repository_is_refused_and_not_waited_for() {
    let places = [
        "HEAD",
        "config",
        "packed-refs",
        "shallow",
        "commondir",
        "refs/heads/other",
        "refs/tags/v1",
        "objects/info/alternates",
        "objects/pack/pack-1.idx",
        "objects/12/3456789012345678901234567890123456789a",
    ];
    for place in places {
        let made = Plumbing::with_package();
        let path = made.root().join(".git").join(place);
        let _ = fs::remove_file(&path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        pipe(&path);
        let error = refused(made.root(), &["index", "--history"], 5);
        let name = place.rsplit('/').next().unwrap();
        assert!(error.contains(name) && error.contains("a named pipe"), "{place}: {error}");
        // What is there is indexed all the same.
        done(made.root(), &["index", "-q"]);
    }
    let made = Plumbing::with_package();
    fs::remove_dir_all(made.root().join(".git")).unwrap();
    pipe(&made.root().join(".git"));
    assert!(refused(made.root(), &["index", "--history"], 5).contains("a named pipe"));
}

/// A workspace that is a folder of the repository inherits from the manifest above it, at each
/// commit as on disk.
#[test]
fn a_member_given_as_root_inherits_from_above_at_each_commit() {
    let mut repo = Repository::new();
    let above = |edition: &str| {
        format!("[workspace]\nmembers = [\"m\"]\n[workspace.package]\nedition = \"{edition}\"\n")
    };
    repo.write("Cargo.toml", &above("2018"));
    repo.write("m/Cargo.toml", "[package]\nname = \"m\"\nedition.workspace = true\n");
    repo.write("m/src/lib.rs", "pub fn f() {}\n");
    repo.write("m/up.rs", "");
    repo.commit("one");
    repo.write("Cargo.toml", &above("2024"));
    repo.write("m/src/lib.rs", "pub fn g() {}\n");
    repo.commit("two");
    let root = repo.root.join("m");
    done(&root, &["index", "--history", "-q"]);
    for (at, edition) in [("HEAD~1", "2018"), ("HEAD", "2024")] {
        let asked = ["query", "?[edition] := *package{edition @ $at}", "--at", at];
        assert!(done(&root, &asked).contains(edition), "{at}");
    }
}
