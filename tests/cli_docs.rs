//! `search --docs` and `search --project`, through the binary.

use crate::support::cli;
use crate::support::tempdir;

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use cli::{code, err, fails, json, out, text};
use serde_json::Value as Json;
use tempfile::TempDir;

const LIB: &str = "\
//! Tasks and timers.
//!
//! # Shutdown
//!
//! Call [`Wheel::stop`] before the wheel is dropped.
pub mod timer;
pub use timer::Wheel;

pub fn common() {}
";

const TIMER: &str = "\
/// Slots of deadlines.
pub struct Wheel;

impl Wheel {
    /// Adds a deadline.
    pub fn insert(&mut self) {}
    /// Ends the wheel.
    pub fn stop(&self) {}
}

pub struct Other;

impl Other {
    pub fn insert(&self) {}
}
";

const README: &str = "\
---
title: Front matter
---
A common word in the preamble.

# Demo

## Backpressure

When producers are faster than consumers, `demo::timer::Wheel` refuses deadlines.

```rust
# // a comment, not a heading
let wheel = demo::Wheel::default();
```

Ambiguous
---------

Calls `insert()` of something, and `Wheel::insert(deadline)`.
";

fn indexed() -> TempDir {
    let dir = tempdir();
    package(dir.path(), "demo");
    text(dir.path(), &["index"]);
    dir
}

fn package(root: &Path, name: &str) {
    fs::create_dir_all(root.join("src")).unwrap();
    let manifest =
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    fs::write(root.join("Cargo.toml"), manifest).unwrap();
    fs::write(root.join("src/lib.rs"), LIB).unwrap();
    fs::write(root.join("src/timer.rs"), TIMER).unwrap();
    fs::write(root.join("src/NOTES.md"), "# Notes\n\nBeside the code.\n").unwrap();
    fs::write(root.join("README.md"), README).unwrap();
}

/// The sections among the results, as `file heading > heading`.
fn sections(found: &Json) -> Vec<String> {
    let results = found["results"].as_array().unwrap().iter();
    let told = |hit: &Json| {
        let headings: Vec<&str> =
            hit["heading"].as_array().unwrap().iter().map(|h| h.as_str().unwrap()).collect();
        format!("{} {}", hit["file_path"].as_str().unwrap(), headings.join(" > "))
    };
    results.filter(|hit| hit["tag"] == "doc").map(told).collect()
}

#[track_caller]
fn check_first(dir: &TempDir, question: &str, section: &str) {
    let found = json(dir.path(), &["search", question, "--docs"]);
    assert_eq!(sections(&found).first().map(String::as_str), Some(section), "{found}");
}

#[test]
fn sections_of_documents_and_modules_are_found() {
    let dir = indexed();
    check_first(&dir, "producers faster than consumers", "README.md Demo > Backpressure");
    check_first(&dir, "preamble", "README.md ");
    check_first(&dir, "what to call before it is dropped", "src/lib.rs demo > Shutdown");
    check_first(&dir, "notes beside the code", "src/NOTES.md Notes");
    let found = json(dir.path(), &["search", "comment heading", "--docs"]);
    assert!(sections(&found).iter().all(|s| !s.contains("a comment")), "{found}");
    let found = json(dir.path(), &["search", "Wheel", "--docs"]);
    let first = &found["results"][0];
    assert_eq!(
        (&first["tag"], &first["canonical_path"]),
        (&"fn".into(), &"demo::timer::Wheel".into())
    );
    // Without `--docs` nothing of it is listed.
    let found = json(dir.path(), &["search", "producers faster than consumers"]);
    assert!(found["results"].as_array().unwrap().iter().all(|hit| hit["heading"].is_null()));
}

#[test]
fn items_and_sections_refer_to_each_other() {
    let dir = indexed();
    let found = json(dir.path(), &["search", "Wheel::insert", "--docs", "--limit", "20"]);
    let items = || found["results"].as_array().unwrap().iter().filter(|hit| hit["tag"] == "fn");
    let links = |path: &str| -> Vec<(String, String, String)> {
        let item = items().find(|hit| hit["canonical_path"] == path).unwrap();
        let text = |json: &Json| json.as_str().unwrap_or_default().to_owned();
        let links = item["doc_backlinks"].as_array().unwrap().iter();
        links
            .map(|l| {
                let heading = l["heading"].as_array().unwrap().last().map(text).unwrap_or_default();
                (text(&l["reason"]), text(&l["file_path"]), heading)
            })
            .collect()
    };
    let link = |reason: &str, file: &str, heading: &str| {
        (reason.to_owned(), file.to_owned(), heading.to_owned())
    };
    let notes = link("beside", "src/NOTES.md", "Notes");
    // `insert()` alone may mean either.
    let insert = link("mentions", "README.md", "Ambiguous");
    assert_eq!(links("demo::timer::Wheel::insert"), [insert, notes.clone()]);
    assert_eq!(links("demo::timer::Other::insert"), std::slice::from_ref(&notes));
    // A path through a re-export, and a qualified one.
    let wheel = link("mentions", "README.md", "Backpressure");
    assert_eq!(links("demo::timer::Wheel"), [wheel, notes]);

    let found = json(dir.path(), &["search", "producers faster than consumers", "--docs"]);
    let results = found["results"].as_array().unwrap();
    let section = results.iter().find(|hit| hit["heading"][1] == "Backpressure").unwrap();
    assert_eq!(section["mentions"][0]["path"], "demo::timer::Wheel");
    assert_eq!((&section["start_line"], &section["end_line"]), (&8.into(), &15.into()));
    assert!(section["excerpt"].as_str().unwrap().starts_with("When producers"), "{section}");
    // A common word mentions nothing.
    let found = json(dir.path(), &["search", "common", "--docs"]);
    let common =
        found["results"].as_array().unwrap().iter().find(|h| h["function_name"] == "common");
    let links = common.unwrap()["doc_backlinks"].as_array().unwrap();
    assert!(links.iter().all(|link| link["reason"] == "beside"), "{links:?}");
}

#[test]
fn documents_follow_saves_and_their_past_stays() {
    let dir = indexed();
    let saved = README.replace("Backpressure", "Pressure").replace("producers", "writers");
    fs::write(dir.path().join("README.md"), saved).unwrap();
    let report = json(dir.path(), &["index"]);
    assert_eq!(report["changed"], serde_json::json!(["README.md"]));
    let written: Vec<&String> = report["rows"].as_object().unwrap().keys().collect();
    let expected = ["document", "file_stat", "meta", "revision", "section_terms", "text"];
    assert!(written.iter().all(|name| expected.contains(&name.as_str())), "{report}");
    assert_eq!(report["rows"]["document"], 1);
    check_first(&dir, "writers faster", "README.md Demo > Pressure");
    let log = json(dir.path(), &["log"]);
    let first = log["items"].as_array().unwrap().last().unwrap()["revision"].as_str().unwrap();
    let args = ["search", "producers faster", "--docs", "--at", first];
    let found = json(dir.path(), &args);
    assert_eq!(sections(&found)[0], "README.md Demo > Backpressure", "{found}");
    // The texts that are still used stay.
    text(dir.path(), &["gc", "--keep-revisions", "1"]);
    check_first(&dir, "writers faster", "README.md Demo > Pressure");
    assert_eq!(json(dir.path(), &["status", "--verify"])["sound"], true);
    fs::remove_file(dir.path().join("README.md")).unwrap();
    let found = json(dir.path(), &["search", "writers faster", "--docs"]);
    assert!(sections(&found).iter().all(|section| !section.starts_with("README")), "{found}");
    assert!(json(dir.path(), &["index"])["revision"].is_null());
}

#[test]
fn bad_documents_are_issues_and_cost_nothing_when_unchanged() {
    let dir = indexed();
    let write = |path: &str, bytes: &[u8]| fs::write(dir.path().join(path), bytes).unwrap();
    write("binary.md", b"# A\n\xff\xfe\x00binary");
    write("empty.md", b"");
    write("large.md", "# Large\n\ntext text text\n".repeat(10 << 16).as_bytes());
    write("deep.md", format!("{} deep\n\n{}", "#".repeat(10_000), "> ".repeat(10_000)).as_bytes());
    write("flat.md", "# x\n".repeat(20_000).as_bytes());
    std::os::unix::fs::symlink("/etc/passwd", dir.path().join("link.md")).unwrap();
    let run = cli::within(Duration::from_secs(60), cli::command(dir.path(), &["index"]));
    assert_eq!(code(&run), 0, "{}", err(&run));
    let issues = json(dir.path(), &["inspect", "issues"]);
    let told: Vec<(&str, &str)> = issues["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["file_path"].as_str().unwrap(), row["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [("binary.md", "not_utf8"), ("flat.md", "too_large"), ("large.md", "too_large")]
    );
    assert!(json(dir.path(), &["index"])["revision"].is_null());
    let verified = json(dir.path(), &["status", "--verify"]);
    assert_eq!(
        (&verified["sound"], verified["stale_files"].as_array().map_or(0, Vec::len)),
        (&true.into(), 0)
    );
    // What is mended is found.
    write("binary.md", b"# Mended\n\nNow it reads.\n");
    check_first(&dir, "mended", "binary.md Mended");
    let issues = json(dir.path(), &["inspect", "issues"]);
    assert_eq!(issues["items"].as_array().unwrap().len(), 2, "{issues}");
}

#[test]
fn every_form_has_tags_and_wrong_requests_are_refused() {
    let dir = indexed();
    let found = text(dir.path(), &["search", "producers", "--docs", "--explain"]);
    assert!(found.contains("[doc] ") && found.contains("rrf"), "{found}");
    assert!(found.contains("Demo > Backpressure") && found.contains("README.md:8"), "{found}");
    let found = text(dir.path(), &["search", "Wheel", "--docs", "--format", "markdown"]);
    assert!(found.contains("| fn |") && found.contains("| doc |"), "{found}");
    let found = json(dir.path(), &["search", "demo", "--docs", "--path", "README.md"]);
    assert!(found["results"].as_array().unwrap().iter().all(|hit| hit["tag"] == "doc"));
    fails(dir.path(), &["search", "x", "--docs", "--path", "nowhere"], 1, "no indexed file");
    fails(dir.path(), &["search", "x", "--docs", "--rank-by", "loc"], 2, "by relevance alone");
    fails(dir.path(), &["search", "x", "--docs", "--regex"], 2, "cannot be used with");
    fails(dir.path(), &["search", "", "--docs"], 2, "the query is empty");
}

/// The program with a registry of its own.
fn asof_in(config: &Path, dir: &Path, args: &[&str]) -> Output {
    let mut command = cli::command(dir, args);
    command.env("ASOF_CONFIG_DIR", config).output().unwrap()
}

#[test]
fn projects_are_registered_and_searched_together() {
    let dir = tempdir();
    let config = dir.path().join("config");
    let run = |args: &[&str]| asof_in(&config, dir.path(), args);
    let ok = |args: &[&str]| {
        let output = run(args);
        assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
        out(&output)
    };
    let refused = |args: &[&str], expected: i32, says: &str| {
        let output = run(args);
        assert_eq!(code(&output), expected, "{args:?}: {}", err(&output));
        assert!(err(&output).contains(says), "{args:?}: {}", err(&output));
        assert!(err(&output).contains("hint: "), "{args:?}: {}", err(&output));
    };
    for name in ["one", "two", "group/three"] {
        package(&dir.path().join(name), name.rsplit('/').next().unwrap());
    }
    refused(&["search", "wheel", "--all-projects"], 1, "no project is registered");
    ok(&["project", "add", "one"]);
    let found = ok(&["project", "discover", "."]);
    assert!(found.contains("three") && !ok(&["project", "list"]).contains("three"), "{found}");
    ok(&["project", "discover", ".", "--add"]);
    assert!(ok(&["project", "list", "--format", "csv"]).contains("group/three"));
    ok(&["project", "remove", "three"]);
    refused(&["project", "remove", "three"], 1, "no project named `three`");
    refused(&["project", "add", "none"], 5, "none");
    refused(&["project", "add", "one", "--name", "other"], 2, "is registered as `one`");
    refused(&["project", "add", "two", "--name", "a/b"], 2, "is not a name");
    refused(&["search", "wheel", "--project", "tow"], 1, "no project named `tow`");
    refused(&["-C", "one", "search", "wheel", "--project", "two"], 2, "at their own roots");

    // Neither has a database: that is the error.
    refused(&["search", "wheel", "--all-projects"], 5, "no project gave an answer");
    text(&dir.path().join("one"), &["index"]);
    let output = run(&["search", "Wheel", "--all-projects", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(err(&output).contains("project `two`"), "{}", err(&output));
    let found: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["projects"][0]["error"].is_null() && found["projects"][1]["basis"].is_null());
    let error = &found["projects"][1]["error"];
    assert_eq!(error["kind"], "failure");
    assert!(error["hint"].as_str().unwrap().contains("asof index"), "{error}");

    text(&dir.path().join("two"), &["index"]);
    let json = |args: &[&str]| -> Json {
        serde_json::from_str(&ok(&[args, &["--format", "json"]].concat())).unwrap()
    };
    // Saved after the index: every project is refreshed.
    let better = TIMER.replace("Adds a deadline", "Escalates overdue deadlines");
    fs::write(dir.path().join("two/src/timer.rs"), better).unwrap();
    let found = json(&["search", "escalate overdue", "--project", "one", "--project", "two"]);
    assert_eq!(found["results"][0]["project"], "two", "{found}");
    assert_eq!(found["results"][0]["canonical_path"], "two::timer::Wheel::insert");
    let found = json(&["search", "Wheel", "--all-projects", "--limit", "2"]);
    let projects: Vec<&Json> =
        found["results"].as_array().unwrap().iter().map(|hit| &hit["project"]).collect();
    assert_eq!(projects, ["one", "two"]);
    assert_eq!((&found["results"][0]["rank"], &found["truncated"]), (&1.into(), &true.into()));
    assert!(ok(&["search", "Wheel", "--all-projects"]).contains("[two] "));
    assert!(ok(&["search", "Wheel", "--all-projects", "--format", "markdown"]).contains("| one |"));
    fs::write(config.join("projects.toml"), "nonsense").unwrap();
    refused(&["project", "list"], 5, "is no registry of projects");
}
