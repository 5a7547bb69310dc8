//! The command line, through the binary: output, error output and exit codes.

use crate::support::cli;
use crate::support::tempdir;

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cli::{asof, code, command, err, fails, json, out};
use tempfile::TempDir;

const LIB: &str = "\
//! Demo.
pub mod shapes;
pub use shapes::Circle as Round;

/// Adds.
pub fn add(a: u32, b: u32) -> u32 {
    a + b
}

#[cfg(unix)]
pub fn twin() {}
#[cfg(not(unix))]
pub fn twin() {}
";

fn workspace() -> TempDir {
    let dir = tempdir();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("src/lib.rs"), LIB).unwrap();
    fs::write(dir.path().join("src/shapes.rs"), "pub struct Circle { pub radius: f64 }\n").unwrap();
    dir
}

fn indexed() -> TempDir {
    let dir = workspace();
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    dir
}

#[test]
fn every_command_explains_itself_with_examples() {
    let dir = tempdir();
    let help = |command: &[&str]| {
        let help = asof(dir.path(), &[command, &["--help"]].concat());
        assert_eq!(code(&help), 0, "{command:?}");
        out(&help)
    };
    for name in cli::commands() {
        let command: Vec<&str> = name.split(' ').skip(1).collect();
        let examples =
            |help: String| help.split_once("\nExamples").is_some_and(|(_, e)| e.contains(&name));
        let (_, above) = command.split_last().unwrap_or((&"", &[]));
        assert!(examples(help(&command)) || examples(help(above)), "{name} has no example");
    }
    let help = out(&asof(dir.path(), &["--help"]));
    assert!(help.contains("Exit codes:") && !help.contains("__query-worker"));
    assert_eq!(code(&asof(dir.path(), &["frobnicate"])), 2);
    assert!(out(&asof(dir.path(), &["completions", "bash"])).contains("_asof"));
    assert!(out(&asof(dir.path(), &["man"])).contains(".TH asof 1"));
}

/// Cargo looks for a program `cargo-asof`, and passes `asof` as its first argument.
#[test]
fn a_link_makes_it_a_command_of_cargo() {
    let dir = indexed();
    let programs = tempdir();
    let link = programs.path().join("cargo-asof");
    std::os::unix::fs::symlink(cli::program(), &link).unwrap();
    let cargo = |args: &[&str]| {
        let path = format!("{}:{}", programs.path().display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(dir.path()).env("PATH", path).arg("asof").args(args).output().unwrap()
    };
    let found = cargo(&["resolve", "demo::add"]);
    assert_eq!(code(&found), 0, "{}", err(&found));
    assert_eq!(out(&found), out(&asof(dir.path(), &["resolve", "demo::add"])));
    assert_eq!(code(&cargo(&["resolve", "demo::no"])), 1);
    // A query has a process of its own.
    let rows = cargo(&["query", "?[n] <- [[1]]"]);
    assert_eq!(code(&rows), 0, "{}", err(&rows));
    let help = out(&cargo(&["refs", "--help"]));
    assert!(help.contains("Usage: asof refs"), "{help}");
    // Without Cargo, the link is a name like any other.
    let found = Command::new(&link).current_dir(dir.path()).args(["resolve", "asof"]).output();
    assert_eq!(code(&found.unwrap()), 1);
    let version = Command::new(&link).args(["asof", "--version"]).output().unwrap();
    assert!(out(&version).starts_with("asof "), "{version:?}");
}

#[test]
fn one_item_is_found_and_shown() {
    let dir = indexed();
    let found = asof(dir.path(), &["resolve", "demo::add"]);
    assert_eq!(code(&found), 0, "{}", err(&found));
    let lines: Vec<String> = out(&found).lines().take(4).map(str::to_owned).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    function demo::add
      place     src/lib.rs:5-8
      bytes     60..117
      signature pub fn add(a: u32, b: u32) -> u32
    ");
    let answer = json(dir.path(), &["resolve", "demo::Round"]);
    assert_eq!(answer["items"][0]["path"], "demo::shapes::Circle");
    assert_eq!((&answer["total"], &answer["truncated"]), (&1.into(), &false.into()));
    assert_eq!(answer["basis"]["freshness_state"], "fresh");
    assert_eq!(answer["source"], "NOW");
    let shown = asof(dir.path(), &["show", "crate::add"]);
    assert_eq!(out(&shown), "/// Adds.\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n");
}

#[test]
fn impls_are_found_whatever_their_lifetimes_are_called() {
    let dir = workspace();
    let text = "\
pub struct S<'a>(&'a str);
pub trait T { fn m(&self) {} }
pub struct K<const C: char>;
impl<'a> T for &'a mut S<'a> { fn m(&self) {} }
impl<'a> From<&'a str> for S<'a> { fn from(s: &'a str) -> Self { S(s) } }
impl<'x> T for Box<dyn Fn(&'x u8) + 'x> { fn m(&self) {} }
impl T for for<'b> fn(&'b u8) { fn m(&self) {} }
impl T for K<'a'> { fn m(&self) {} }
impl T for K<'<'> { fn m(&self) {} }
";
    fs::write(dir.path().join("src/shapes.rs"), text).unwrap();
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    for (path, line) in [
        ("<&'a mut S<'a> as T>::m", 4),
        ("<&'other mut S as T>::m", 4),
        ("<&mut S as T>::m", 4),
        ("<demo::shapes::S as From<&'a str>>::from", 5),
        ("<demo::shapes::S<'_> as From<&'static str>>::from", 5),
        ("<demo::shapes::S as From<&str>>::from", 5),
        ("<for<'z> fn(&'z u8) as T>::m", 7),
        ("<fn(&u8) as T>::m", 7),
    ] {
        let answer = json(dir.path(), &["resolve", path]);
        let found = &answer["items"];
        assert_eq!(
            (&answer["total"], &found[0]["span"]["start_line"]),
            (&1.into(), &line.into()),
            "{path}: {answer}"
        );
    }
}

#[test]
fn no_match_several_matches_and_failure_differ() {
    let dir = indexed();
    fails(dir.path(), &["resolve", "demo::ad"], 1, "no item named `demo::ad`");
    fails(dir.path(), &["resolve", "demo::ad"], 1, "did you mean demo::add?");
    fails(dir.path(), &["resolve", "demo::"], 2, "is not a path");
    fails(dir.path(), &["resolve", "demo::twin"], 3, "means 2 definitions");
    assert_eq!(out(&asof(dir.path(), &["resolve", "demo::twin"])).lines().count(), 3);
    fails(dir.path(), &["show", "demo::twin"], 3, "cfg(not(unix))");
    let all = asof(dir.path(), &["show", "demo::twin", "--all"]);
    assert_eq!((code(&all), out(&all).matches("fn twin").count()), (0, 2));
    fails(dir.path(), &["--at", "yesterday", "resolve", "demo::add"], 1, "no revision for");
}

#[test]
fn errors_are_json_where_answers_are() {
    let dir = indexed();
    let output = asof(dir.path(), &["show", "demo::none", "--format", "json"]);
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((code(&output), &error["error"]["kind"]), (1, &"no_match".into()));
    assert!(error["error"]["hint"].is_string() && error["error"]["causes"].is_array());
    let output = asof(dir.path(), &["show", "--format", "json"]);
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((code(&output), &error["error"]["kind"]), (2, &"bad_request".into()));
}

#[test]
fn queries_answer_in_four_formats_and_within_limits() {
    let dir = indexed();
    let script = "?[name, kind] := *node{name, kind @ $at}, kind == 'struct'";
    let answer = json(dir.path(), &["query", script]);
    assert_eq!(answer["headers"], serde_json::json!(["name", "kind"]));
    assert_eq!(answer["items"], serde_json::json!([["Circle", "struct"]]));
    assert_eq!(answer["basis"]["freshness_state"], "fresh");
    let csv = asof(dir.path(), &["query", script, "--format", "csv"]);
    assert_eq!(out(&csv), "name,kind\nCircle,struct\n");
    let table = asof(dir.path(), &["query", script]);
    assert_eq!(out(&table), "name    kind\nCircle  struct\n");
    let markdown = asof(dir.path(), &["query", script, "--format", "markdown"]);
    assert!(out(&markdown).contains("| Circle | struct |"));
    let named = ["query", "--name", "resolve/by_name", "--param", "name=add"];
    assert_eq!(json(dir.path(), &named)["total"], 1);
    assert_eq!(code(&asof(dir.path(), &["query", script, "--explain"])), 0);
    let cut = ["query", "?[a] := a in int_range(9)", "--rows", "2"];
    assert_eq!(json(dir.path(), &cut)["truncated"], true);
    fails(dir.path(), &["query"], 2, "no query was given");
    fails(dir.path(), &["query", "?[a] := "], 2, "");
    fails(dir.path(), &["query", "--name", "resolve/by_nam"], 2, "nearest name");
    let brief = cli::text(dir.path(), &["query", "--list"]);
    assert!(brief.len() < 10_000, "{} bytes", brief.len());
    assert!(brief.contains("resolve/\n") && brief.contains("  by_name(name)\n"), "{brief}");
    let some = cli::text(dir.path(), &["query", "--list", "graph/"]);
    assert!(some.contains("graph/users") && !some.contains("resolve/by_name"), "{some}");
    let list = json(dir.path(), &["query", "--list"]);
    assert!(list["items"].as_array().unwrap().iter().all(|p| p["source"] == "shipped"));
}

#[test]
fn a_script_that_kills_its_process_leaves_the_database_usable() {
    let dir = indexed();
    let nested = format!("?[a] := a = {}1{}", "(".repeat(20_000), ")".repeat(20_000));
    let output = asof(dir.path(), &["query", &nested]);
    assert!([2, 6].contains(&code(&output)), "{}", err(&output));
    let bomb = "?[a, b, c] := a in int_range(10000), b in int_range(100000), c = [a, b]";
    fails(dir.path(), &["query", bomb, "--memory", "64"], 6, "memory");
    let slow = "?[count(a)] := a in int_range(100000), b in int_range(100000), a + b == 1";
    let begin = Instant::now();
    let args = ["query", slow, "--timeout", "0.5", "--memory", "4096"];
    assert_eq!(code(&asof(dir.path(), &args)), 6);
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(code(&asof(dir.path(), &["resolve", "demo::add"])), 0);
}

#[test]
fn listings_work_and_exports_are_lines_of_json() {
    let dir = indexed();
    for what in ["counts", "issues", "unresolved", "kinds"] {
        let answer = json(dir.path(), &["inspect", what]);
        assert!(answer["items"].is_array(), "{what}");
        assert_eq!(code(&asof(dir.path(), &["inspect", what])), 0, "{what}");
    }
    let outline = out(&asof(dir.path(), &["inspect", "outline", "src/lib.rs"]));
    assert!(outline.contains("pub fn add(a: u32, b: u32) -> u32"));
    assert!(out(&asof(dir.path(), &["inspect", "at", "src/lib.rs", "100"])).contains("demo::add"));
    fails(dir.path(), &["inspect", "at", "src/none.rs", "1"], 1, "not indexed");
    for what in ["defs", "modules", "rows"] {
        let lines = asof(dir.path(), &["export", "--what", what, "--format", "jsonl"]);
        assert_eq!(code(&lines), 0, "{}", err(&lines));
        for line in out(&lines).lines() {
            assert!(serde_json::from_str::<serde_json::Value>(line).unwrap().is_object());
        }
    }
    let file = json(dir.path(), &["file", "src/lib.rs"]);
    assert_eq!(
        (&file["items"][0]["indexed"], &file["items"][0]["in_sync"]),
        (&true.into(), &true.into())
    );
    let status = json(dir.path(), &["status"]);
    assert_eq!((&status["files"], &status["revisions"]), (&2.into(), &1.into()));
}

#[test]
fn without_refresh_what_is_stale_is_named() {
    let dir = indexed();
    fs::write(dir.path().join("src/shapes.rs"), "pub struct Square;\n").unwrap();
    let stale = json(dir.path(), &["--no-refresh", "inspect", "kinds"]);
    assert_eq!(stale["basis"]["freshness_state"], "stale");
    assert_eq!(stale["basis"]["stale_files"], serde_json::json!(["src/shapes.rs"]));
    assert_eq!(code(&asof(dir.path(), &["resolve", "demo::shapes::Square"])), 0);
}

#[test]
fn colours_are_for_those_who_ask() {
    let dir = indexed();
    let colour = |args: &[&str]| out(&asof(dir.path(), args)).contains('\u{1b}');
    assert!(!colour(&["resolve", "demo::add"]));
    assert!(colour(&["resolve", "demo::add", "--color", "always"]));
    assert!(!colour(&["resolve", "demo::add", "--color", "never"]));
    let plain = command(dir.path(), &["resolve", "demo::add"]).env("NO_COLOR", "1").output();
    assert!(!out(&plain.unwrap()).contains('\u{1b}'));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = indexed();
    let mut child = command(dir.path(), &["export", "--what", "rows"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(status.success() && !said.contains("error"), "{status}: {said}");
}
