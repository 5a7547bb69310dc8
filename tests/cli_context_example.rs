//! `context` for a task that asks for one more of a kind: where the kind is listed, one of it with its
//! test, and where its value is read.

use crate::support::cli;
use crate::support::tempdir;

use std::fs;

use cli::{asof, json, out, text};
use serde_json::Value as Json;
use tempfile::TempDir;

const FLAGS: &str = "\
use crate::args::LowArgs;

pub trait Flag {
    fn name(&self) -> &'static str;
    fn update(&self, value: &str, args: &mut LowArgs);
}

pub const FLAGS: &[&dyn Flag] = &[&Color, &MaxDepth, &Threads, &Quiet];

pub struct Color;
impl Flag for Color {
    fn name(&self) -> &'static str { \"color\" }
    fn update(&self, value: &str, args: &mut LowArgs) { args.color = value.to_owned(); }
}

pub struct MaxDepth;
impl Flag for MaxDepth {
    fn name(&self) -> &'static str { \"max-depth\" }
    fn update(&self, value: &str, args: &mut LowArgs) { args.max_depth = value.parse().ok(); }
}

#[cfg(test)]
#[test]
fn test_max_depth() {
    let mut args = LowArgs::default();
    FLAGS[1].update(\"3\", &mut args);
    assert_eq!(args.max_depth, Some(3));
}

pub struct Threads;
impl Flag for Threads {
    fn name(&self) -> &'static str { \"threads\" }
    fn update(&self, value: &str, args: &mut LowArgs) { args.threads = value.len(); }
}

pub struct Quiet;
impl Flag for Quiet {
    fn name(&self) -> &'static str { \"quiet\" }
    fn update(&self, _: &str, args: &mut LowArgs) { args.threads = 1; args.quiet = true; }
}
";

const ARGS: &str = "\
#[derive(Default)]
pub struct LowArgs { pub color: String, pub max_depth: Option<usize>, pub threads: usize, pub quiet: bool }
";

const MAIN: &str = "\
pub mod args;
pub mod flags;
pub enum Subcommand { List, Show, Delete }
pub fn run(command: Subcommand) -> u8 {
    match command { Subcommand::List => list(), Subcommand::Show => 1, Subcommand::Delete => 2 }
}
fn list() -> u8 { 0 }
pub fn parse(text: &str) -> Subcommand { if text == \"show\" { Subcommand::Show } else { Subcommand::List } }
pub fn walk(args: &args::LowArgs) -> usize { args.max_depth.unwrap_or(9) }
";

fn workspace() -> TempDir {
    let dir = tempdir();
    fs::create_dir(dir.path().join("src")).unwrap();
    let write = |path: &str, text: &str| fs::write(dir.path().join(path), text).unwrap();
    write("Cargo.toml", "[package]\nname = \"tool\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    write("src/lib.rs", MAIN);
    write("src/args.rs", ARGS);
    write("src/flags.rs", FLAGS);
    text(dir.path(), &["index"]);
    dir
}

/// The example of an answer: its path, then each item with its role.
fn example(answer: &Json) -> Vec<String> {
    let Some(example) = answer.get("example") else { return Vec::new() };
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    let item = |item: &Json| format!("{} {}", text(&item["role"]), text(&item["path"]));
    let items = example["items"].as_array().unwrap().iter().map(item);
    let what = format!("{} of {}", example["members"], text(&example["path"]));
    [what].into_iter().chain(items).collect()
}

#[test]
fn one_more_type_of_a_trait() {
    let dir = workspace();
    let task = "add a new flag that limits the depth";
    let expected = [
        "4 of tool::flags::Flag",
        "registry tool::flags::FLAGS",
        "member tool::flags::MaxDepth",
        "member <tool::flags::MaxDepth as Flag>",
        "kind tool::flags::Flag",
        "test tool::flags::test_max_depth",
        "reader tool::walk",
    ];
    assert_eq!(example(&json(dir.path(), &["context", task])), expected);
    // Whole items come first, in the same order.
    let code = ["context", "--token-budget", "2000", "--hint", task];
    let found = json(dir.path(), &code);
    assert_eq!(example(&found), expected);
    let items = found["items"].as_array().unwrap();
    let first: Vec<&str> =
        items.iter().take(6).map(|item| item["path"].as_str().unwrap()).collect();
    let paths: Vec<&str> =
        expected[1..].iter().map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(first, paths);
    assert!(items[..6].iter().all(|item| item["form"] == "source"), "{items:?}");
    assert_eq!(items[0]["why"], "lists each `Flag`");
    let shown = out(&asof(dir.path(), &["context", task]));
    assert!(shown.contains("one more of tool::flags::Flag  4 types implement it"), "{shown}");
    let without = json(dir.path(), &[&code[..], &["--exclude-tests"]].concat());
    let paths = without["items"].as_array().unwrap().iter().map(|item| &item["path"]);
    assert!(!paths.clone().any(|path| path == "tool::flags::test_max_depth"), "{without}");
}

#[test]
fn one_more_variant_and_one_more_field() {
    let dir = workspace();
    let found = json(dir.path(), &["context", "add a subcommand to show everything"]);
    let expected = [
        "3 of tool::Subcommand",
        "registry tool::Subcommand",
        "registry tool::run",
        "member tool::Subcommand::Show",
        "reader tool::parse",
    ];
    assert_eq!(example(&found), expected);
    let found = json(dir.path(), &["context", "support a new low args field for threads"]);
    let example = example(&found);
    assert_eq!(example[0], "4 of tool::args::LowArgs", "{example:?}");
    assert!(example.contains(&"member tool::args::LowArgs::threads".to_owned()), "{example:?}");
}

#[test]
fn other_tasks_have_no_example() {
    let dir = workspace();
    for task in ["fix the flag of the depth", "add a new widget", "remove the subcommand"] {
        let found = json(dir.path(), &["context", task]);
        assert_eq!(example(&found), Vec::<String>::new(), "{task}");
    }
}
