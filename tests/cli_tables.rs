//! `asof export tables` and `asof project index-all`, through the binary.

use std::fs;
use std::path::Path;

use crate::support::cli;
use crate::support::tempdir;

use cli::{code, command, err, fails, json, out, text};
use serde_json::{Value as Json, json};

fn package(folder: &Path, name: &str, lib: &str) {
    let root = folder.join(name);
    fs::create_dir_all(root.join("src")).unwrap();
    let manifest =
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    fs::write(root.join("Cargo.toml"), manifest).unwrap();
    fs::write(root.join("src/lib.rs"), lib).unwrap();
}

#[test]
fn an_export_counts_its_rows_and_a_second_one_writes_nothing() {
    let work = tempdir();
    package(work.path(), "one", "pub fn f() { g(); }\nfn g() {}\n");
    let root = work.path().join("one");
    fails(&root, &["export", "tables", "--out", "../lake"], 5, "asof index");
    text(&root, &["index"]);
    let report = json(&root, &["export", "tables", "--out", "../lake"]);
    assert_eq!(report["project"], "one");
    assert_eq!((&report["sequence"], &report["unchanged"]), (&json!(1), &json!(false)));
    let tables = report["tables"].as_array().unwrap();
    let rows = |name: &str| &tables.iter().find(|t| t["table"] == name).unwrap()["rows"];
    // The crate, `f` and `g`; one use.
    assert_eq!(
        (rows("definition"), rows("use"), rows("public_path")),
        (&json!(3), &json!(1), &json!(1))
    );
    let again = json(&root, &["export", "tables", "--out", "../lake"]);
    assert_eq!((&again["unchanged"], &again["new_bytes"]), (&json!(true), &json!(0)));
    fails(&root, &["export", "tables", "--out", "../lake", "--delta"], 5, "another folder");
    fails(&root, &["export", "tables", "--out", "../lake", "--name", ""], 2, "1 to 100 characters");
    fails(&root, &["export", "tables"], 2, "--out");
}

/// An answer of `index-all`, its code, and what it says beside it.
fn index_all(folder: &Path, more: &[&str]) -> (Json, i32, String) {
    let mut args = vec!["project", "index-all", "--format", "json", "--tables", "lake"];
    args.extend(["--done", "finished.jsonl"]);
    args.extend(more);
    let mut command = command(folder, &args);
    let output = command.env("ASOF_CONFIG_DIR", folder.join("config")).output().unwrap();
    let first = out(&output);
    let answer = serde_json::from_str(first.lines().next().unwrap_or_default());
    (answer.unwrap_or(Json::Null), code(&output), err(&output))
}

#[test]
fn many_workspaces_are_indexed_and_failures_are_listed_at_the_end() {
    let work = tempdir();
    let folder = work.path();
    for n in 0..4 {
        package(&folder.join("all"), &format!("p{n}"), "pub fn f() {}\n");
    }
    fs::create_dir(folder.join("all/p2/.asof")).unwrap();
    fs::write(folder.join("all/p2/.asof/asof.db"), "junk").unwrap();
    let (answer, code, _) = index_all(folder, &["all", "--jobs", "2"]);
    assert_eq!((&answer["total"], &answer["done"], code), (&json!(4), &json!(3), 5), "{answer}");
    let failed = answer["failed"].as_array().unwrap();
    assert_eq!((failed.len(), &failed[0]["project"]), (1, &json!("p2")));
    assert!(failed[0]["error"].as_str().unwrap().contains("not an asof database"), "{failed:?}");
    assert!(folder.join("lake/export/project=p3/00000000000000000001.parquet").is_file());
    assert!(!folder.join("lake/export/project=p2").exists());

    // The second run does what is left.
    fs::remove_dir_all(folder.join("all/p2/.asof")).unwrap();
    let (answer, code, _) = index_all(folder, &["all"]);
    assert_eq!(
        (&answer["finished_before"], &answer["done"], code),
        (&json!(3), &json!(1), 0),
        "{answer}"
    );

    // A list, with names.
    fs::write(folder.join("list"), "# two\nagain\tall/p0\nall/p9\n").unwrap();
    let (answer, code, _) = index_all(folder, &["list"]);
    assert_eq!(
        (&answer["done"], &answer["failed"][0]["project"], code),
        (&json!(1), &json!("p9"), 5)
    );
    assert!(folder.join("lake/export/project=again").is_dir());
    fs::write(folder.join("list"), "x\tall/p0\nx\tall/p1\n").unwrap();
    let (_, code, says) = index_all(folder, &["list"]);
    assert!(code == 2 && says.contains("two workspaces are named `x`"), "{says}");
}
