//! Bundles: the index of a commit is the same bytes wherever it is made, and a database that begins
//! with one has the rows of an index of its files.

use crate::support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use asof::Database;
use asof_model::Micros;
use asof_store::{Batch, Params, Store, StoreError, Value, backup};
use support::cli::{self, answer, asof, code, err, fails, text};
use support::repository::Repository;
use support::{differences_from_fresh, tempdir};

/// A repository with two commits, which differ in a body and in a name; `folder` has the package.
fn repository(folder: &str) -> Repository {
    let mut repo = Repository::new();
    if !folder.is_empty() {
        repo.write("Cargo.toml", "[workspace]\nmembers = [\"*\"]\n");
    }
    let write = |path: &str, text: &str| repo.write(&format!("{folder}{path}"), text);
    write("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    write("README.md", "# Demo\n\nUses `f`.\n");
    write("src/lib.rs", "pub mod a;\npub mod b;\npub use a::f;\n");
    write("src/a.rs", "/// F.\npub fn f() -> u8 {\n    super::b::g()\n}\n");
    let old = "pub fn g() -> u8 {\n    std::mem::drop(1);\n    1\n}\npub struct S { pub x: u8 }\n";
    write("src/b.rs", old);
    repo.commit("first");
    let new =
        "pub fn g() -> u8 {\n    std::mem::forget(1);\n    2\n}\npub struct T { pub x: u8 }\n";
    repo.write(&format!("{folder}src/b.rs"), new);
    repo.commit("second");
    repo
}

/// A clone in a folder of its own name.
fn clone(repo: &Repository, folder: &Path, name: &str) -> PathBuf {
    let to = folder.join(name);
    repo.git(&["clone", "-q", repo.root.to_str().unwrap(), to.to_str().unwrap()]);
    to
}

fn git(root: &Path, args: &[&str]) {
    let done = Command::new("git").current_dir(root).args(args).output().unwrap();
    assert!(done.status.success(), "{args:?}: {done:?}");
}

/// Writes the bundle of a commit.
#[track_caller]
fn bundle(root: &Path, commit: &str, to: &Path) -> Vec<u8> {
    text(root, &["backup", "bundle", to.to_str().unwrap(), "--commit", commit]);
    fs::read(to).unwrap()
}

#[track_caller]
fn equals_a_fresh_index(root: &Path) {
    let database = Database::open(root).unwrap();
    assert_eq!(differences_from_fresh(database.store(), root), "");
}

/// Relations in which two bundles differ, for the message of a failure.
fn difference(folder: &Path, bundles: [&Path; 2]) -> String {
    let rows = bundles.map(|bundle| {
        let path = folder.join("compared.db");
        let _ = fs::remove_file(&path);
        backup::create_database(bundle, &path, |_| Ok::<_, StoreError>(())).unwrap();
        let store = Store::open(&path).unwrap();
        let relations = asof_store::Relation::all();
        let rows = relations.flat_map(|relation| {
            let rows = store.versions(relation).unwrap().to_json();
            rows.into_iter().map(|row| format!("{} {row:?}", relation.name))
        });
        rows.collect::<std::collections::BTreeSet<String>>()
    });
    let only = |a: usize, b: usize| rows[a].difference(&rows[b]).cloned().collect::<Vec<_>>();
    let lines = [only(0, 1), only(1, 0)].concat();
    let short = lines.iter().map(|line| line.chars().take(300).collect::<String>());
    short.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_bundle_is_the_same_bytes_wherever_it_is_made() {
    for folder in ["", "part/"] {
        let repo = repository(folder);
        let places = tempdir();
        let at = |name: &str| places.path().join(name);
        // Without a database, from Git alone.
        let one = clone(&repo, places.path(), "one");
        let plain = bundle(&one, "HEAD", &at("plain"));
        assert!(!one.join(".asof").exists());
        let check = |name: &str, root: &Path| {
            let found = bundle(root, "HEAD", &at(name)) == plain;
            assert!(found, "{name}: {}", difference(places.path(), [&at("plain"), &at(name)]));
            // The file is there, and is not overwritten.
            let file = at(name);
            let again = asof(root, &["backup", "bundle", file.to_str().unwrap()]);
            assert_eq!(code(&again), 5, "{}", err(&again));
        };
        // From a database of the same files.
        text(&one, &["index"]);
        check("indexed", &one);
        // From a database of other files, with a past of its own.
        let two = clone(&repo, places.path(), "two");
        git(&two, &["checkout", "-q", "HEAD~1"]);
        text(&two, &["index", "--threads", "3"]);
        git(&two, &["checkout", "-q", "main"]);
        let file = two.join(format!("{folder}src/b.rs"));
        let committed = fs::read_to_string(&file).unwrap();
        fs::write(&file, "pub fn other() { std::process::abort() }\n").unwrap();
        text(&two, &["index"]);
        check("stale", &two);
        fs::write(&file, committed).unwrap();
        text(&two, &["index", "--actor", "eve"]);
        check("with a past", &two);
        // From a database with imported commits.
        let three = clone(&repo, places.path(), "three");
        text(&three, &["index", "--history"]);
        fs::write(three.join("untracked.rs"), "fn untracked() {}\n").unwrap();
        check("with a history", &three);
        // From one that began with a bundle of the commit before.
        let four = clone(&repo, places.path(), "four");
        bundle(&four, "HEAD~1", &at("before"));
        text(&four, &["index", "--from", at("before").to_str().unwrap(), "--verify", "all"]);
        equals_a_fresh_index(&four);
        check("from a bundle", &four);
    }
}

#[test]
fn only_what_differs_is_indexed() {
    for folder in ["", "part/"] {
        let repo = repository(folder);
        let places = tempdir();
        let file = places.path().join("first");
        bundle(&repo.root, "HEAD~1", &file);
        let from = file.to_str().unwrap();
        let check = |name: &str, distance: u64, parsed: u64, change: &dyn Fn(&Path)| {
            let root = clone(&repo, places.path(), name);
            change(&root);
            let report = answer(&root, &["index", "--from", from]);
            let start = &report["bundle"];
            assert_eq!(start["commit"], repo.git(&["rev-parse", "HEAD~1"]), "{name}");
            let counts = [&start["distance"], &start["verified"], &report["parsed"]];
            assert_eq!(counts, [distance, 3, parsed], "{name}: {report}");
            equals_a_fresh_index(&root);
            let again = text(&root, &["index"]);
            assert!(again.starts_with("up to date: 3 files;"), "{again}");
            let log = answer(&root, &["log"]);
            let first = log["items"].as_array().unwrap().last().unwrap();
            assert_eq!(first["commit"], start["commit"], "{name}: {log}");
        };
        let back = |root: &Path| git(root, &["checkout", "-q", "HEAD~1"]);
        check("same", 0, 0, &back);
        check("later", 1, 1, &|_| {});
        check("edited", 0, 1, &|root| {
            back(root);
            let lib = root.join(format!("{folder}src/a.rs"));
            fs::write(lib, "pub fn f() -> u8 { super::b::g() + 1 }\n").unwrap();
        });
    }
}

#[test]
fn the_nearest_bundle_of_a_folder_is_taken() {
    let mut repo = repository("");
    repo.write("src/a.rs", "pub fn f() -> u8 {\n    3\n}\n");
    repo.commit("third");
    let places = tempdir();
    let bundles = places.path().join("bundles");
    fs::create_dir(&bundles).unwrap();
    let folder = bundles.to_str().unwrap();
    let make = |commit: &str, keep: &[&str]| {
        answer(&repo.root, &[&["backup", "bundle", folder, "--commit", commit], keep].concat())
    };
    let names = || {
        let mut names: Vec<_> = fs::read_dir(&bundles)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let named = |commit: &str| format!("{}.bundle", repo.git(&["rev-parse", commit]));
    assert_eq!(make("HEAD~2", &[])["is_new"], true);
    assert_eq!(make("HEAD~2", &[])["is_new"], false);
    make("HEAD~1", &[]);
    // What is no bundle is passed over, and not removed.
    fs::write(bundles.join("notes.bundle"), "not ours").unwrap();
    fs::write(bundles.join("cut.bundle"), "asof-backup\n{\"format\":1").unwrap();
    let one = clone(&repo, places.path(), "one");
    let report = answer(&one, &["index", "--from", folder]);
    assert_eq!(report["bundle"]["distance"], 1);
    assert!(report["bundle"]["file"].as_str().unwrap().ends_with(&named("HEAD~1")));
    equals_a_fresh_index(&one);
    let removed = make("HEAD", &["--keep", "2"])["removed"].as_array().unwrap().len();
    let mut kept = vec!["notes.bundle".to_owned(), named("HEAD"), named("HEAD~1")];
    kept.sort();
    assert_eq!((removed, names()), (2, kept));
    // A damaged file of this name is made again.
    fs::write(bundles.join(named("HEAD")), "asof-backup\n{\"format\":1").unwrap();
    assert_eq!(make("HEAD", &["--keep", "1"])["is_new"], true);
    assert_eq!(names().len(), 2);
    text(&repo.root, &["backup", "verify", bundles.join(named("HEAD")).to_str().unwrap()]);
}

#[test]
fn a_bundle_that_does_not_fit_says_why_and_leaves_nothing() {
    let repo = repository("");
    let places = tempdir();
    let at = |name: &str| places.path().join(name);
    let good = bundle(&repo.root, "HEAD", &at("good"));
    let one = clone(&repo, places.path(), "one");
    let check = |file: &Path, exit: i32, says: &str| {
        let from = file.to_str().unwrap();
        fails(&one, &["index", "--from", from], exit, says);
        assert!(!one.join(".asof").exists(), "{says}");
    };
    check(&at("nothing"), 1, "there is no such file or folder");
    fs::create_dir(at("empty")).unwrap();
    check(&at("empty"), 1, "no file in it ends with `.bundle`");
    let write = |name: &str, bytes: &[u8]| {
        fs::write(at(name), bytes).unwrap();
        at(name)
    };
    check(&write("foreign", b"PK\x03\x04"), 5, "not a backup of asof");
    check(&write("cut", &good[..good.len() / 2]), 5, "does not fit a payload");
    check(&write("head", &good[..40]), 5, "the manifest is cut off");
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    check(&write("flipped", &flipped), 5, "the content hash differs");
    let end = good.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
    let manifest = String::from_utf8(good[..end].to_vec()).unwrap();
    let edited = |name: &str, from: &str, to: &str| {
        let other = manifest.replacen(from, to, 1);
        assert_ne!(other, manifest, "{from}");
        write(name, &[other.as_bytes(), &good[end..]].concat())
    };
    let version = format!("\"tool_version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    check(&edited("other", &version, "\"tool_version\":\"0.0.7\""), 1, "made by asof 0.0.7");
    check(&edited("rules", " rules ", " laws "), 1, "its names were resolved with");
    let schema = format!("\"schema_version\":\"{}\"", asof_store::SCHEMA_VERSION);
    check(&edited("schema", &schema, "\"schema_version\":\"3\""), 5, "schema version 3");
    let head = repo.git(&["rev-parse", "HEAD"]);
    let before = repo.git(&["rev-parse", "HEAD~1"]);
    // A manifest that lies about its database.
    check(&edited("lies", &head, &before), 5, "is not of the commit");
    let plain = at("plain");
    text(&repo.root, &["index"]);
    text(&repo.root, &["backup", "create", plain.to_str().unwrap()]);
    check(&plain, 1, "a backup of a database, not a bundle");
    // Of another repository, and of a commit that HEAD does not come from.
    let other = Repository::two_commits();
    bundle(&other.root, "HEAD", &at("elsewhere"));
    check(&at("elsewhere"), 1, "does not have its commit");
    git(&one, &["checkout", "-q", "HEAD~1"]);
    check(&at("good"), 1, "is not an ancestor of HEAD");
    // Of a folder of the repository.
    let nested = repository("part/");
    let part = nested.root.join("part");
    let out = at("part");
    let made = ["--root", ".", "backup", "bundle", out.to_str().unwrap(), "--commit", "HEAD~1"];
    text(&part, &made);
    let from = at("part");
    fails(&nested.root, &["index", "--from", from.to_str().unwrap()], 1, "of the folder `part`");
    // A shallow clone does not know what HEAD comes from.
    let shallow = places.path().join("shallow");
    let url = format!("file://{}", repo.root.display());
    git(places.path(), &["clone", "-q", "--depth", "1", &url, shallow.to_str().unwrap()]);
    bundle(&repo.root, "HEAD~1", &at("older"));
    let from = at("older");
    fails(&shallow, &["index", "--from", from.to_str().unwrap()], 1, "fetch more of it");
    text(&shallow, &["index", "--from", at("good").to_str().unwrap()]);
    equals_a_fresh_index(&shallow);
    // No repository at all.
    let loose = places.path().join("loose");
    fs::create_dir(&loose).unwrap();
    fs::write(loose.join("a.rs"), "fn a() {}\n").unwrap();
    fails(&loose, &["index", "--from", at("good").to_str().unwrap()], 1, "not in a Git repository");
    fails(&loose, &["backup", "bundle", at("x").to_str().unwrap()], 1, "not in a Git repository");
    let out = at("x");
    let nowhere = ["backup", "bundle", out.to_str().unwrap(), "--commit", "nowhere"];
    fails(&repo.root, &nowhere, 1, "no commit `nowhere`");
    assert!(!at("x").exists());
}

#[test]
fn what_to_do_without_a_bundle() {
    let repo = repository("");
    let places = tempdir();
    let one = clone(&repo, places.path(), "one");
    let missing = places.path().join("missing");
    let missing = missing.to_str().unwrap();
    let said = asof(&one, &["index", "--from", missing, "--fallback"]);
    assert_eq!(code(&said), 0, "{}", err(&said));
    assert!(err(&said).contains("no such file or folder; every file is parsed"), "{}", err(&said));
    equals_a_fresh_index(&one);
    // A database that is there stays: it has a past that no bundle has.
    let revisions = answer(&one, &["log"])["total"].clone();
    let file = places.path().join("bundle");
    bundle(&repo.root, "HEAD", &file);
    let said = asof(&one, &["index", "--from", file.to_str().unwrap()]);
    assert_eq!(code(&said), 0, "{}", err(&said));
    assert!(err(&said).contains("has a database"), "{}", err(&said));
    assert_eq!(answer(&one, &["log"])["total"], revisions);
    let both = asof(&one, &["index", "--from", missing, "--rebuild"]);
    assert_eq!(code(&both), 2, "{}", err(&both));
}

#[test]
fn a_bundle_that_saves_nothing_is_left_alone() {
    let mut repo = repository("");
    let body = |value: usize, number: usize| format!("pub fn f{number}() -> usize {{ {value} }}\n");
    for number in 0..40 {
        repo.write(&format!("src/more/m{number}.rs"), &body(1, number));
    }
    repo.commit("many files");
    let places = tempdir();
    let file = places.path().join("bundle");
    bundle(&repo.root, "HEAD", &file);
    for number in 0..20 {
        repo.write(&format!("src/more/m{number}.rs"), &body(2, number));
    }
    repo.commit("half of them");
    let one = clone(&repo, places.path(), "one");
    let said = asof(&one, &["index", "--from", file.to_str().unwrap()]);
    assert_eq!(code(&said), 0, "{}", err(&said));
    assert!(err(&said).contains("saves nothing: 20 of 43 files differ"), "{}", err(&said));
    assert_eq!(answer(&one, &["log"])["total"], 1);
    equals_a_fresh_index(&one);
}

/// A bundle in which the rows of an item were changed.
fn forged(bundle: &Path, folder: &Path) -> PathBuf {
    let path = folder.join("forged.db");
    let manifest = backup::create_database(bundle, &path, |_| Ok::<_, StoreError>(())).unwrap();
    let store = Store::open(&path).unwrap();
    let at = Micros(manifest.created_from_revision.unwrap());
    let rows = store.rows_at("metric", at).unwrap();
    let row = rows.iter().next().expect("a function is measured");
    let mut cells: Vec<Value> =
        rows.headers().iter().map(|name| row.get(name.as_str()).unwrap()).collect();
    let values = cells.split_off(1);
    let mut batch = Batch::new();
    let lines = [Value::from(77i64)];
    batch.assert("metric", at, cells, lines.into_iter().chain(values.into_iter().skip(1))).unwrap();
    store.commit(batch).unwrap();
    let forged = folder.join("forged");
    backup::create_bundle(&store, &forged, manifest.bundle.unwrap()).unwrap();
    assert!(!store.run("?[id] := *metric{id, loc: 77}", &Params::new()).unwrap().is_empty());
    forged
}

#[test]
fn rows_that_the_files_do_not_give_are_found() {
    let repo = repository("");
    let places = tempdir();
    let good = places.path().join("good");
    bundle(&repo.root, "HEAD", &good);
    let forged = forged(&good, places.path());
    let from = forged.to_str().unwrap();
    text(&repo.root, &["backup", "verify", from]);
    let one = clone(&repo, places.path(), "one");
    for verify in ["sample", "all"] {
        fails(&one, &["index", "--from", from, "--verify", verify], 5, "is wrong");
        assert!(!one.join(".asof").exists());
    }
    let said = asof(&one, &["index", "--from", from, "--fallback"]);
    assert_eq!(code(&said), 0, "{}", err(&said));
    equals_a_fresh_index(&one);
    let two = clone(&repo, places.path(), "two");
    let report = answer(&two, &["index", "--from", from, "--verify", "none"]);
    assert_eq!(report["bundle"]["verified"], 0);
}

/// The scripts of the action, with a cache that is a folder.
#[test]
fn the_action_begins_with_the_index_of_the_merge_base() {
    let mut repo = repository("");
    let places = tempdir();
    let bundles = places.path().join("bundles");
    let outputs = places.path().join("outputs");
    let run = |script: &str, root: &Path, variables: &[(&str, &str)]| -> (Output, String) {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("action/index");
        let mut command = Command::new("bash");
        command.current_dir(root).arg(scripts.join(script)).env("ASOF", cli::program());
        command.env("BUNDLES", &bundles).env("GITHUB_OUTPUT", &outputs);
        let done = command.envs(variables.iter().copied()).output().unwrap();
        assert_eq!(code(&done), 0, "{script}: {}", err(&done));
        let written = fs::read_to_string(&outputs).unwrap_or_default();
        let _ = fs::remove_file(&outputs);
        (done, written)
    };
    // A push to the default branch, with an empty cache.
    let version = env!("CARGO_PKG_VERSION");
    let base = repo.git(&["rev-parse", "HEAD"]);
    let before = repo.git(&["rev-parse", "HEAD~1"]);
    let main = clone(&repo, places.path(), "main");
    let (_, keys) = run("keys.sh", &main, &[]);
    let prefix = format!("asof-index-{version}-");
    assert!(keys.starts_with(&format!("prefix={prefix}\nkey={prefix}{base}\n")), "{keys}");
    assert!(keys.contains(&format!("\n{prefix}{base}\n{prefix}{before}\n{prefix}\n")), "{keys}");
    let (done, saves) = run("index.sh", &main, &[("SAVE", "true"), ("HIT", "false")]);
    assert!(err(&done).contains("every file is parsed"), "{}", err(&done));
    assert_eq!(saves, "saves=true\n");
    // A pull request: its keys are those of where it left the branch.
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("src/c.rs", "pub fn c() {}\n");
    let head = repo.commit("topic");
    let topic = clone(&repo, places.path(), "topic");
    let (_, keys) = run("keys.sh", &topic, &[("BASE", &base)]);
    assert!(keys.contains(&format!("key={prefix}{head}\n")), "{keys}");
    assert!(keys.contains(&format!("\n{prefix}{base}\n{prefix}{before}\n{prefix}\n")), "{keys}");
    let (done, saves) = run("index.sh", &topic, &[("SAVE", "false"), ("VERIFY", "all")]);
    assert!(err(&done).contains("1 commit before HEAD"), "{}", err(&done));
    assert_eq!(saves, "");
    equals_a_fresh_index(&topic);
    // The next push has one bundle, its own.
    let (_, saves) = run("index.sh", &topic, &[("SAVE", "true"), ("HIT", "false")]);
    assert_eq!(saves, "saves=true\n");
    let names: Vec<_> = fs::read_dir(&bundles).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, [format!("{head}.bundle").as_str()]);
    // What the cache has is not saved again.
    let (_, saves) = run("index.sh", &topic, &[("SAVE", "true"), ("HIT", "true")]);
    assert_eq!(saves, "");
}

#[test]
fn the_action_removes_old_entries() {
    use std::os::unix::fs::PermissionsExt;
    let tools = tempdir();
    // Lists two entries for this version and one of another; `$FAKE/forbidden` allows nothing.
    let script = r#"#!/bin/bash
case "$*" in
"cache list"*"--key asof-index-0.1.0-"*) [ -e "$FAKE/unlisted" ] && exit 1; echo 11; echo 12 ;;
"cache list"*) echo 7 ;;
"cache delete"*) [ -e "$FAKE/forbidden" ] && exit 1; echo "$3" >> "$FAKE/deleted" ;;
esac
"#;
    let gh = tools.path().join("gh");
    fs::write(&gh, script).unwrap();
    fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).unwrap();
    let run = || {
        let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("action/index/clean.sh");
        let variables = [("REPOSITORY", "ana/demo"), ("REF", "refs/heads/main")];
        let mut command = Command::new("bash");
        command.arg(script).env("PATH", path).env("FAKE", tools.path()).envs(variables);
        command.env("PREFIX", "asof-index-0.1.0-").output().unwrap()
    };
    let done = run();
    assert_eq!(code(&done), 0, "{}", err(&done));
    let deleted = || fs::read_to_string(tools.path().join("deleted")).unwrap();
    assert_eq!(deleted(), "11\n12\n7\n");
    for (file, says) in [("forbidden", "actions:write"), ("unlisted", "could not be listed")] {
        fs::write(tools.path().join(file), "").unwrap();
        let done = run();
        assert_eq!(code(&done), 0, "{}", err(&done));
        assert!(cli::out(&done).contains(says), "{}", cli::out(&done));
    }
    assert_eq!(deleted(), "11\n12\n7\n");
}
