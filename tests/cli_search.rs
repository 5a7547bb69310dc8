//! `search`, through the binary: what is found, in which order, and what is refused.

use crate::support::cli;
use crate::support::tempdir;

use std::fs;

use cli::{fails, json, text};
use serde_json::Value as Json;
use tempfile::TempDir;

const LIB: &str = "\
//! Tasks and timers.
pub mod timer;

/// A collection of running tasks.
pub struct JoinSet { len: usize }

impl JoinSet {
    /// Starts a task, and keeps it in the set.
    pub fn spawn(&mut self) { self.len += 1 }
    /// Waits for the task that ends first.
    pub fn join_next(&mut self) -> Option<usize> {
        if self.len == 0 { None } else { Some(self.len) }
    }
}

pub struct Router;

impl Router {
    pub fn route(&self, path: &str) -> bool { path.is_empty() }
}

pub fn route() {}
";

const TIMER: &str = "\
//! The wheel that keeps deadlines of sleeping tasks.

/// Slots of deadlines, by the time that is left.
pub struct Wheel { slots: Vec<u64> }

impl Wheel {
    /// Adds a deadline to the slot of its time.
    pub fn insert(&mut self, deadline: u64) {
        // TODO: deadlines that are already over
        self.slots.push(deadline);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn insert_keeps_deadlines() { let _ = super::Wheel { slots: vec![1] }; }
}
";

fn indexed() -> TempDir {
    let dir = tempdir();
    fs::create_dir(dir.path().join("src")).unwrap();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    fs::write(dir.path().join("src/lib.rs"), LIB).unwrap();
    fs::write(dir.path().join("src/timer.rs"), TIMER).unwrap();
    text(dir.path(), &["index"]);
    dir
}

/// Canonical paths of the results.
fn paths(found: &Json) -> Vec<&str> {
    found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["canonical_path"].as_str().unwrap())
        .collect()
}

#[track_caller]
fn check_first(dir: &TempDir, args: &[&str], first: &str) {
    let found = json(dir.path(), &[&["search"], args].concat());
    assert_eq!(paths(&found).first(), Some(&first), "{args:?}: {found}");
}

#[test]
fn names_and_questions_find_what_they_mean() {
    let dir = indexed();
    check_first(&dir, &["JoinSet"], "demo::JoinSet");
    check_first(&dir, &["join_set"], "demo::JoinSet");
    check_first(&dir, &["JionSet"], "demo::JoinSet");
    check_first(&dir, &["Router::route"], "demo::Router::route");
    check_first(&dir, &["wait for the task that ends first"], "demo::JoinSet::join_next");
    check_first(
        &dir,
        &["which slots hold the deadlines", "--kind", "struct"],
        "demo::timer::Wheel",
    );
    let files = json(dir.path(), &["search", "how the wheel tracks sleep deadlines", "--files"]);
    assert_eq!(files["results"][0]["file_path"], "src/timer.rs");
    // A change is found at once, and what it replaces is not.
    fs::write(dir.path().join("src/timer.rs"), TIMER.replace("Wheel", "Heap")).unwrap();
    check_first(&dir, &["Heap"], "demo::timer::Heap");
}

#[test]
fn results_say_why_and_stand_for_what_is_alike() {
    let dir = indexed();
    let shapes = ["Circle", "Square", "Line"].map(|shape| {
        format!("pub struct {shape};\nimpl Paint for {shape} {{ fn paint(&self) {{}} }}\n")
    });
    let source = format!(
        "{LIB}/// Puts colour on a surface.\npub trait Paint {{ fn paint(&self); }}\n{}\
         /// Deletes entries that nobody needs.\npub fn purge() {{}}\n\
         pub fn housekeeping() {{ purge() }}\n",
        shapes.concat()
    );
    fs::write(dir.path().join("src/lib.rs"), source).unwrap();
    let found = json(dir.path(), &["search", "paint", "--kind", "method"]);
    let alike: Vec<usize> = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["function_name"] == "paint")
        .map(|one| one["alike"].as_array().map_or(0, Vec::len))
        .collect();
    // The trait's own method, and one for the three that implement it.
    assert_eq!((alike.len(), alike.iter().sum::<usize>()), (2, 2), "{found}");
    assert_eq!(found["results"][0]["why"][0], "name", "{found}");

    // No word of the question is in the item.
    let found = json(dir.path(), &["search", "remove unused items", "--exclude-tests"]);
    assert_eq!(found["model"], "word vectors");
    assert_eq!(paths(&found)[0], "demo::purge", "{found}");
    assert_eq!(found["results"][0]["why"][0], "meaning", "{found}");
    let past =
        json(dir.path(), &["search", "remove unused items", "--at", "NOW", "--by", "meaning"]);
    assert_eq!(paths(&past)[0], "demo::purge", "{past}");
    let words = json(dir.path(), &["search", "remove unused items", "--by", "words"]);
    assert!(words["model"].is_null() && !paths(&words).contains(&"demo::purge"), "{words}");
}

#[test]
fn filters_leave_out_what_does_not_fit() {
    let dir = indexed();
    let all = json(dir.path(), &["search", "insert deadlines"]);
    assert!(paths(&all).iter().any(|path| path.contains("tests")));
    let found = json(dir.path(), &["search", "insert deadlines", "--exclude-tests"]);
    assert!(!paths(&found).is_empty() && !paths(&found).iter().any(|p| p.contains("tests")));
    let found = json(dir.path(), &["search", "task", "--path", "src/timer.rs"]);
    assert!(found["results"].as_array().unwrap().iter().all(|r| r["file_path"] == "src/timer.rs"));
    let found = json(dir.path(), &["search", "task", "--package", "demo", "--limit", "1"]);
    assert_eq!(
        (found["result_count"].as_u64(), found["truncated"].as_bool()),
        (Some(1), Some(true))
    );
    let found = json(dir.path(), &["search", "task", "--max-complexity", "1"]);
    let complexities: Vec<_> =
        found["results"].as_array().unwrap().iter().map(|r| r["complexity"].as_u64()).collect();
    assert!(!complexities.is_empty() && complexities.iter().all(|c| *c == Some(1)), "{found}");
    let found =
        json(dir.path(), &["search", "task", "--kind", "method", "--rank-by", "complexity"]);
    assert_eq!(paths(&found).first(), Some(&"demo::JoinSet::join_next"));
    for order in ["grade", "loc", "pagerank", "churn", "recency"] {
        let found = json(dir.path(), &["search", "task", "--rank-by", order]);
        assert!(found["result_count"].as_u64() > Some(0), "{order}: {found}");
    }
}

#[test]
fn patterns_find_lines() {
    let dir = indexed();
    let found = json(dir.path(), &["search", r"fn \w+_next", "--regex"]);
    assert_eq!(paths(&found), ["demo::JoinSet::join_next"]);
    assert_eq!(found["results"][0]["matches"][0]["line"], 11);
    let found = json(dir.path(), &["search", "self.slots.push(", "--literal"]);
    assert_eq!(paths(&found), ["demo::timer::Wheel::insert"]);
    let none = json(dir.path(), &["search", "no such line", "--literal"]);
    assert_eq!((none["result_count"].as_u64(), none["total"].as_u64()), (Some(0), Some(0)));
}

#[test]
fn every_form_has_the_summary() {
    let dir = indexed();
    let found = text(dir.path(), &["search", "insert deadline", "--exclude-tests", "--explain"]);
    assert!(found.contains("demo::timer::Wheel::insert") && found.contains("lexical"), "{found}");
    assert!(found.contains("Total SATD: 1"), "{found}");
    let found = text(dir.path(), &["search", "insert deadline", "--format", "markdown"]);
    assert!(found.contains("| score |") && found.contains("Summary: "), "{found}");
    let found = json(dir.path(), &["search", "insert deadline", "--exclude-tests"]);
    let summary = &found["summary"];
    assert_eq!(summary["total_satd"], 1);
    let graded: u64 =
        summary["grades"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert!(graded > 0 && graded <= summary["count"].as_u64().unwrap(), "{summary}");
    let lines =
        text(dir.path(), &["search", "task", "--format", "jsonl", "--fields", "canonical_path"]);
    assert!(lines.lines().all(|line| line.starts_with("{\"canonical_path\":")), "{lines}");
    let source = json(dir.path(), &["search", "Router::route", "--include-source", "--limit", "1"]);
    assert!(source["results"][0]["source"].as_str().unwrap().contains("path.is_empty()"));
}

#[test]
fn the_past_is_searched_as_it_was() {
    let dir = indexed();
    fs::write(dir.path().join("src/timer.rs"), TIMER.replace("Wheel", "Heap")).unwrap();
    text(dir.path(), &["index"]);
    let log = json(dir.path(), &["log"]);
    let first =
        log["items"].as_array().unwrap().last().unwrap()["revision"].as_str().unwrap().to_owned();
    let found = json(dir.path(), &["search", "Wheel", "--at", &first]);
    assert_eq!(paths(&found).first(), Some(&"demo::timer::Wheel"));
    assert_eq!(found["source"], "AS_OF");
    let found = json(dir.path(), &["search", "slots of deadlines"]);
    assert!(!paths(&found).iter().any(|path| path.contains("Wheel")), "{found}");
}

#[test]
fn an_empty_answer_says_what_was_searched_and_what_to_try() {
    let dir = indexed();
    let check = |args: &[&str], expected: [&str; 2]| {
        let out = text(dir.path(), &[&["search"], args].concat());
        assert!(expected.iter().all(|part| out.contains(part)), "{args:?}: {out}");
        assert_eq!(out.lines().count(), 2, "{args:?}: {out}");
    };
    check(&["zebra"], ["no item has a word of `zebra` in its name, path", "try other words"]);
    check(&["zebra", "--files"], ["no file has a word of `zebra`", "try other words"]);
    check(&["zebra", "--docs"], ["no item or section has a word", "try other words"]);
    check(&["zebra", "--literal"], ["no line of the source contains `zebra`", "search by words"]);
    check(&["ze.ra", "--regex"], ["the regular expression `ze.ra`", "a literal search"]);
    check(
        &["Wheel", "--kind", "trait,enum", "--exclude-tests"],
        ["within kind trait or enum, code that is no test", "search without filters"],
    );
}

#[test]
fn what_cannot_be_searched_for_is_refused() {
    let dir = indexed();
    fails(dir.path(), &["search", ""], 2, "the query is empty");
    fails(dir.path(), &["search", "?!"], 2, "contains no word");
    fails(dir.path(), &["search", &"word ".repeat(20_000)], 2, "the limit is 16384");
    fails(dir.path(), &["search", "fn (", "--regex"], 2, "the pattern cannot be read");
    fails(dir.path(), &["search", "", "--literal"], 2, "the query is empty");
    fails(dir.path(), &["search", "task", "--path", "a["], 2, "is not a glob pattern");
    fails(dir.path(), &["search", "task", "--path", "nowhere"], 1, "no indexed file matches");
    fails(dir.path(), &["search", "task", "--package", "dmo"], 1, "no package named `dmo`");
    fails(dir.path(), &["search", "task", "--kind", "thing"], 2, "unknown kind");
    fails(dir.path(), &["search", "task", "--min-grade", "Z"], 2, "no grade `Z`");
    fails(dir.path(), &["search", "task", "--files", "--rank-by", "loc"], 2, "by relevance alone");
    let empty = tempdir();
    fails(empty.path(), &["search", "task"], 5, "no database");
}
