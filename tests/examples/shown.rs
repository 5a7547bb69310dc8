//! Every command in help, README and guide works in this repository, and shows something.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::home::{BEGIN, Home, helps, now};
use crate::support::cli::{code, err, out};
use crate::support::scip;

/// Examples that do not end with 0.
const EXPECTED: &[(&str, i32)] = &[
    // Nobody knows the id of a proposal beforehand.
    ("asof edit apply 3f0c", 1),
    ("asof edit show 3f0c", 1),
    ("asof edit deny 3f0c", 1),
    // Places differ where a name stands for what a macro makes, and where we give no reference.
    ("asof diff-edges index.scip --check", 8),
    // Something is left to read.
    ("asof review HEAD~1..HEAD --check", 8),
    // Nothing in the part of the source that is indexed here uses some of its items.
    ("asof unused --check", 8),
    // There is no model, and without the feature `dense` nothing that could run one.
    ("asof embed", if cfg!(feature = "dense") { 5 } else { 2 }),
    ("asof embed --model ~/models/all-MiniLM-L6-v2", if cfg!(feature = "dense") { 5 } else { 2 }),
    // The client has no entry of ours.
    ("asof mcp doctor --client cursor --scope user", 5),
    // The client leaves without a word.
    ("asof lsp", 1),
    ("asof lsp --stdio", 1),
];

/// Examples that print nothing and write no file that they name.
const SILENT: &[&str] = &[
    // A program of others, which prints nothing here.
    "cargo test --locked",
    "cargo install --locked --path .",
    "rust-analyzer scip . --output index.scip",
    // The answer is that there is nothing.
    "asof inspect issues --limit 5",
    "asof diff",
    // No package may be affected, and then there are no arguments.
    "asof affected HEAD~1..HEAD --packages",
    "asof affected HEAD~1..HEAD --tests",
    // What they say is for a person, on standard error; servers answer requests.
    "asof lsp",
    "asof lsp --stdio",
    "asof mcp",
    "asof mcp --allow-edits",
    "asof mcp --index",
    "asof -C /path/to/workspace mcp",
    "asof mcp --http --port 7979",
    "asof mcp install --client claude-code",
    "asof mcp install --client codex --scope user",
    "asof mcp install --client zed -- --allow-edits",
    "asof mcp uninstall --client claude-code",
    "asof mcp uninstall --client codex --scope user --dry-run",
    "asof serve",
    "asof serve --port 0 --log",
    "asof serve --allow-edits",
    "asof web",
    "asof web --port 0",
    "asof web --allow-edits",
];

impl Home {
    /// Runs an example and says what is wrong with it: its exit code, or that it shows nothing.
    fn try_example(&self, folder: &str, line: &str) -> Option<String> {
        let output = self.run(folder, line);
        let wanted = expected(line);
        if code(&output) != wanted {
            return Some(format!("{line}\n  {}: {}", code(&output), err(&output)));
        }
        let shows = match written(line) {
            Some(path) => {
                let files = self.run(folder, &format!("find {path} -type f -size +0"));
                !files.stdout.is_empty()
            }
            None => !out(&output).trim().is_empty() || SILENT.contains(&without_comment(line)),
        };
        (wanted == 0 && !shows).then(|| format!("{line}\n  shows nothing: {}", err(&output)))
    }
}

/// A command without its explanation: two blanks outside quotes separate them.
fn without_gloss(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if line[at..].starts_with("  ") => return &line[..at],
            None => {}
        }
    }
    line
}

fn without_comment(line: &str) -> &str {
    line.split("  #").next().unwrap().trim()
}

fn expected(line: &str) -> i32 {
    let line = without_comment(line);
    EXPECTED.iter().find(|(example, _)| *example == line).map_or(0, |(_, code)| *code)
}

/// The file or folder that a command writes instead of standard output.
fn written(line: &str) -> Option<&str> {
    let mut words = without_comment(line.lines().next().unwrap()).split_whitespace();
    words.find(|word| matches!(*word, ">" | ">>" | "--out" | "--tables"))?;
    words.next()
}

#[test]
fn every_example_of_help_works() {
    let mut failures = Vec::new();
    let mut count = 0;
    let ready = indexed_source();
    for (command, help) in helps(&ready, "asof") {
        let Some((title, examples)) =
            help.split("\nExamples").nth(1).and_then(|rest| rest.split_once(":\n"))
        else {
            continue;
        };
        // Without the addition they name nothing of a workspace.
        assert!(["", ", in the repository of asof itself"].contains(&title), "{command}: {title}");
        let home = ready.copy();
        for line in examples.lines().take_while(|line| line.starts_with("  ")) {
            count += 1;
            let line = without_gloss(line.trim());
            let names_code = line.contains("::") || line.contains(".rs");
            if title.is_empty() && names_code && line.starts_with("asof") {
                failures.push(format!("{command}: {line}\n  in which repository?"));
            }
            let fault = home.try_example("asof", line);
            failures.extend(fault.map(|fault| format!("{command}: {fault}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 150, "only {count} examples");
}

/// What the README and the guide name of our source.
const FOR_PAGES: &[&str] =
    &["lib.rs", "main.rs", "edit", "engine", "index", "model", "store", "wire"];

/// What help names. There are many examples, each with a database of its own.
const FOR_HELP: &[&str] = &[
    "lib.rs", "main.rs", "edit", "engine/database", "engine/edit", "engine/lib.rs",
    "engine/Cargo.toml", "model", "store", "wire",
];

/// A Git repository with a part of our own source.
fn own_source(parts: &[&str]) -> Home {
    let home = Home::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(home.path().join("asof/src")).unwrap();
    let ignored = fs::read_to_string(root.join(".gitignore")).unwrap();
    home.write("asof/.gitignore", &ignored);
    for part in parts {
        let to = home.path().join("asof/src").join(part);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let from = root.join("src").join(part);
        let status = Command::new("cp").arg("-r").args([&from, &to]).status();
        assert!(status.unwrap().success());
    }
    home.write("asof/Cargo.toml", &manifest(parts));
    home.works("asof", "git init -q -b main");
    // Two functions that every step changes; the last one leaves them as they are.
    let moment = fs::read_to_string(root.join("src/wire/moment.rs")).unwrap();
    let line = |name: &str| {
        let line = moment.split_inclusive('\n').find(|line| line.contains(name));
        line.unwrap().to_owned()
    };
    let (parse, range) = (line("pub fn parse("), line("pub fn parse_range("));
    for step in 0..8 {
        home.write("asof/src/step.rs", &format!("pub const STEP: u32 = {step};\n"));
        home.write(&format!("asof/src/step_{step}.rs"), "pub struct Step;\n");
        let text = match step {
            7 => moment.clone(),
            _ => moment
                .replace(&parse, &format!("{parse}        let _ = {step};\n"))
                .replace(&range, &format!("{range}        let _ = {step};\n")),
        };
        home.write("asof/src/wire/moment.rs", &text);
        let time = if step < 7 { BEGIN + step * 86_400 * 30 } else { now() - 7_200 };
        home.commit("asof", &format!("step {step}"), time);
    }
    home
}

/// A manifest of a workspace with these crates only.
fn manifest(parts: &[&str]) -> String {
    let folder = |part: &&str| part.split('/').next().unwrap().to_owned();
    let crates: BTreeSet<String> =
        parts.iter().map(folder).filter(|folder| !folder.ends_with(".rs")).collect();
    let member = |name: &String| format!("\"src/{name}\"");
    let path = |name: &String| format!("asof-{name} = {{ path = \"src/{name}\" }}\n");
    let dependency = |name: &String| format!("asof-{name} = {{ workspace = true }}\n");
    let members: Vec<String> = crates.iter().map(member).collect();
    format!(
        "[workspace]\nmembers = [{}]\n\n[workspace.package]\nversion = \"0.1.0\"\n\
         edition = \"2024\"\n\n[workspace.dependencies]\n{}\n[package]\nname = \"asof\"\n\
         version.workspace = true\nedition.workspace = true\n\n[dependencies]\n{}",
        members.join(", "),
        crates.iter().map(path).collect::<String>(),
        crates.iter().map(dependency).collect::<String>(),
    )
}

/// The same with all of its past in the database, and the files that examples of help name.
fn indexed_source() -> Home {
    let home = own_source(FOR_HELP);
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/reexports");
    fs::create_dir(home.path().join("asof/fixtures")).unwrap();
    let to = home.path().join("asof/fixtures");
    assert!(Command::new("cp").arg("-r").args([&fixture, &to]).status().unwrap().success());
    home.write(
        "asof/edits.json",
        r#"{"edits": [
        {"mode": "insert", "anchor": "asof_wire::moment::time", "position": "after",
         "code": "pub const STEP: u32 = 1;"}]}"#,
    );
    let claim =
        "{\"query\": \"return type of asof_wire::moment::age\", \"answer\": \"Option<i64>\"}\n";
    home.write("asof/traces.jsonl", claim);
    let event = "{\"kind\": \"tool_call\", \"tokens\": 12}";
    home.write("asof/trace.jsonl", event);
    home.write("asof/trace.json", &format!("{{\"token_budget\": 100, \"events\": [{event}]}}"));
    let texts = "[{\"file_path\": \"src/a.rs\", \"after\": \"fn f() {}\"}]";
    home.write("asof/texts.json", texts);
    home.write("asof/old.rs", "pub fn one() {}\n");
    home.write("asof/new.rs", "pub fn one() -> u8 { 1 }\n");
    home.write("asof/slow.cozo", "?[count(id)] := *node{id}\n");
    home.works("asof", "git add new.rs");
    home.works("asof", "asof index --history");
    // The index of another tool, which says what we do.
    home.works("asof", "asof export --what scip --out index.scip");
    let index = home.path().join("asof/index.scip");
    let mut other = scip::Index::read(&fs::read(&index).unwrap());
    other.tool = "rust-analyzer".to_owned();
    fs::write(index, other.bytes()).unwrap();
    home.works("asof", "asof import scip index.scip");
    home
}

/// The commands of a page's blocks for the shell, here-documents included.
fn commands_of(page: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
    let mut commands: Vec<String> = Vec::new();
    for block in text.split("```sh\n").skip(1) {
        let mut document = false;
        for line in block.split("```").next().unwrap().lines() {
            if document {
                commands.last_mut().unwrap().push_str(&format!("\n{line}"));
                document = line != "JSON";
            } else if !line.trim().is_empty() {
                document = line.contains("<<'JSON'");
                commands.push(line.to_owned());
            }
        }
    }
    commands
}

#[test]
fn every_command_of_readme_and_guide_works_in_their_order() {
    let home = own_source(FOR_PAGES);
    let mut failures = Vec::new();
    for (page, least) in [("README.md", 7), ("docs/guide.md", 70)] {
        let commands = commands_of(page);
        assert!(commands.len() >= least, "{page}: only {} commands", commands.len());
        for line in commands {
            failures.extend(home.try_example("asof", &line));
            if home.git_status("asof").contains("?? ") {
                failures.push(format!("{line}\n  left behind: {}", home.git_status("asof")));
                home.works("asof", "git clean -qfd");
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(home.git_status("asof"), "", "a file was left changed");
    let hidden = |name: &String| name.starts_with('.');
    let mut beside: Vec<String> = fs::read_dir(home.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !hidden(name))
        .collect();
    beside.sort();
    assert_eq!(beside, ["asof", "bin"], "something was left beside the repository");
}
