//! Every command and flag that a hint names exists, and what an error hints at works.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use super::home::{BEGIN, Home, helps, now};
use crate::support::cli::{code, err};

/// The workspace `demo`: a past from 2024 to an hour ago, tags, a dependency called `tokio`.
fn demo() -> Home {
    let home = Home::new();
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
    };
    fs::create_dir(home.path().join("demo")).unwrap();
    home.works("demo", "git init -q -b main");
    home.write(
        "demo/Cargo.toml",
        &format!("{}\n[workspace]\nmembers = [\"tokio\"]\n", package("demo")),
    );
    home.write("demo/tokio/Cargo.toml", &package("tokio"));
    home.write("demo/tokio/src/lib.rs", "pub mod sync;\n");
    let mutex = "/// A lock.\npub struct Mutex;\n\nimpl Mutex {\n    pub fn lock(&self) {}\n}\n";
    home.write("demo/tokio/src/sync.rs", mutex);
    home.write(
        "demo/src/lib.rs",
        "\
//! Demo.
use std::fmt;

pub mod config;
pub mod old;
pub mod platform;
pub mod retry;

pub use config::Config;

pub struct Type;

pub struct Parser;

impl Parser {
    pub fn parse(&self) {
        let _ = std::fs::read(\"demo\");
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(\"Type\")
    }
}

pub fn parse(text: &str) -> Config {
    Config { name: text.to_owned() }
}

pub fn main() {
    let _ = config::load();
    Parser.parse();
}
",
    );
    home.write("demo/src/config.rs", "pub struct Config {\n    pub name: String,\n}\n");
    let twins = "#[cfg(unix)]\npub fn open() {}\n#[cfg(not(unix))]\npub fn open() {}\n";
    home.write("demo/src/platform.rs", twins);
    home.write("demo/src/old.rs", "pub fn name() {}\n");
    home.write("demo/src/retry.rs", "pub const LIMIT: u32 = 3;\n");
    home.commit("demo", "begin", BEGIN);
    for step in 1..8 {
        let time = if step < 7 { BEGIN + step * 86_400 * 30 } else { now() - 7_200 };
        home.write(
            "demo/src/config.rs",
            &format!(
                "pub struct Config {{\n    pub name: String,\n}}\n\n\
             pub fn load() -> Config {{\n    crate::parse(\"{step}\")\n}}\n"
            ),
        );
        if step == 6 {
            let path = home.path().join("demo/src/lib.rs");
            let more = "\npub fn late() {}\n";
            fs::write(&path, fs::read_to_string(&path).unwrap() + more).unwrap();
        }
        if step == 4 {
            home.write("demo/src/old.rs", "\n");
        }
        home.commit("demo", &format!("step {step}"), time);
        match step {
            2 => home.works("demo", "git tag v1.0"),
            5 => home.works("demo", "git tag v1.1"),
            7 => home.works("demo", "git branch topic"),
            _ => {}
        }
    }
    home.write(
        "demo/edits.json",
        r#"{"edits": [
        {"mode": "insert", "anchor": "crate::retry::LIMIT", "position": "after",
         "code": "pub const STEP: u32 = 1;"}]}"#,
    );
    home.write("src/tokio/Cargo.toml", &package("tokio"));
    home.write("src/tokio/src/lib.rs", "pub fn spawn() {}\n");
    home.works("demo", "asof index --history");
    home
}

/// Texts between backticks that begin with this.
fn quoted<'t>(text: &'t str, begin: &str) -> Vec<&'t str> {
    let begin = format!("`{begin}");
    text.match_indices(&begin)
        .filter_map(|(at, _)| text[at + 1..].split_once('`').map(|(inside, _)| inside))
        .filter(|inside| !inside.contains('\n'))
        .collect()
}

/// All messages of the program: its source without comments and tests.
fn sayings() -> String {
    fn read(folder: &Path, all: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && name != "tests" {
                read(&path, all);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                    all.push_str(line.trim_start());
                    // A text goes on behind a backslash.
                    if all.ends_with('\\') {
                        all.pop();
                    } else {
                        all.push('\n');
                    }
                }
            }
        }
    }
    let mut all = String::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    all
}

/// A command of a hint with values for its placeholders.
fn filled_in(command: &str) -> String {
    let mut words = Vec::new();
    for word in command.split(' ') {
        words.push(match word {
            "PATH" => "crate::config::Config",
            "FILE" if command.contains("backup") => "../before.backup",
            "FILE" if command.contains("edit") => "edits.json",
            "FILE" => "src/config.rs",
            "ID" => "3f0c",
            "NAME" | "{name}" => "main",
            "COMMAND" => "refs",
            word => word,
        });
    }
    words.join(" ")
}

/// Whether the command line itself was refused.
fn is_usage_error(output: &Output) -> bool {
    code(output) == 2 && err(output).contains("Usage:")
}

#[test]
fn hints_name_commands_and_flags_that_there_are() {
    let all = sayings();
    let home = demo();
    home.works("demo", "asof backup create ../before.backup");
    let mut wrong = Vec::new();
    let commands: BTreeSet<&str> = quoted(&all, "asof ").into_iter().collect();
    for command in &commands {
        // What dropped versions, not what to type.
        if *command == "asof gc" {
            continue;
        }
        let output = home.copy().run("demo", &filled_in(command));
        if is_usage_error(&output) || err(&output).contains("bug in asof") {
            wrong.push(format!("{command}: {}", err(&output)));
        }
    }
    let helps: String = helps(&home, "demo").into_iter().map(|(_, help)| help).collect();
    let flags: BTreeSet<&str> = quoted(&all, "--").into_iter().collect();
    for flag in &flags {
        let name = flag.split([' ', '=']).next().unwrap();
        if !helps.contains(&format!("{name} ")) && !helps.contains(&format!("{name}\n")) {
            wrong.push(format!("no command has `{name}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(commands.len() > 15 && flags.len() > 10, "{commands:?} {flags:?}");
}

/// Requests that fail, and whose hints must work.
#[test]
fn errors_hint_at_what_works() {
    let home = demo();
    home.works("demo", "asof backup create ../before.backup");
    home.write("demo/twins.json", r#"{"edits": [{"mode": "delete", "path": "crate::twin"}]}"#);
    home.write("demo/none.json", r#"{"edits": [{"mode": "delete", "path": "crate::none"}]}"#);
    home.write(
        "demo/nofile.json",
        r#"{"edits": [{"mode": "delete_file", "file_path": "src/x.rs"}]}"#,
    );
    home.write("demo/broken.json", "{");
    home.write("demo/src/retry.rs", "pub struct twin {}\npub fn twin() {}\n");
    let mut hints = Vec::new();
    for (line, exit) in [
        ("asof resolve crate::confg::Config", 1),
        ("asof resolve crate::zzzzzz", 1),
        ("asof resolve 'a b;'", 2),
        ("asof resolve crate::retry::twin", 3),
        ("asof refs crate::retry::twin", 3),
        ("asof show crate::retry::twin", 3),
        ("asof refs 'zzz::*'", 1),
        ("asof refs .zzz", 1),
        ("asof history crate::none", 1),
        ("asof blame crate::none", 1),
        ("asof log --path crate::none", 1),
        ("asof inspect modules crate::parse", 1),
        ("asof inspect outline src/none.rs", 1),
        ("asof status --at v9.9", 1),
        ("asof query '?[a] := *no_such{a}'", 2),
        ("asof query '?[a] := *node{id: a @ \"v9.9\"}'", 2),
        ("asof query '?[a] <- [[1]] :put x'", 2),
        ("asof query", 2),
        ("asof query --name resolve/none", 2),
        ("asof query --name resolve/by_name", 2),
        ("asof query --name resolve/by_name --param x=1", 2),
        ("asof edit plan --file nofile.json", 1),
        ("asof edit plan --file none.json", 1),
        ("asof edit plan --file broken.json", 2),
        ("asof edit show zzzz", 1),
        ("asof backup restore edits.json", 5),
        ("asof -C ~/src/tokio resolve crate", 5),
        ("asof index --history nowhere", 5),
    ] {
        let output = home.run("demo", line);
        assert_eq!(code(&output), exit, "{line}: {}", err(&output));
        let hint = err(&output).split("hint: ").nth(1).unwrap_or_default().trim().to_owned();
        assert!(!hint.is_empty(), "{line} hints at nothing");
        for command in quoted(&hint, "asof ") {
            let output = home.copy().run("demo", &filled_in(command));
            assert!(code(&output) != 2, "{line}: {command}: {}", err(&output));
        }
        // A filter that is hinted at leaves one.
        if let Some(filter) = hint.strip_prefix("add `").and_then(|hint| hint.split_once('`')) {
            home.works("demo", &format!("{line} {}", filter.0));
        }
        hints.push(hint);
    }
    assert!(hints.iter().filter(|hint| hint.contains("`asof ")).count() > 8, "{hints:#?}");
    home.write(
        "demo/twins.json",
        r#"{"edits": [{"mode": "delete", "path": "crate::retry::twin"}]}"#,
    );
    let output = home.run("demo", "asof edit apply --dry-run --file twins.json");
    assert_eq!(code(&output), 3, "{}", err(&output));
    assert!(err(&output).contains("hint: add `\"kind\": "), "{}", err(&output));
    let named =
        r#"{"edits": [{"mode": "delete", "path": "crate::retry::twin", "kind": "function"}]}"#;
    home.write("demo/twins.json", named);
    home.works("demo", "asof edit apply --dry-run --file twins.json");
}
