//! Every command in help, README, guide and hints works, and shows something.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::support::cli;
use crate::support::scip;

use cli::{code, err, out};
use tempfile::TempDir;

/// Examples that do not end with 0.
const EXPECTED: &[(&str, i32)] = &[
    // Nobody knows the id of a proposal beforehand.
    ("asof edit apply 3f0c", 1),
    ("asof edit show 3f0c", 1),
    ("asof edit deny 3f0c", 1),
    // There is no model, and without the feature `dense` nothing that could run one.
    ("asof embed", if cfg!(feature = "dense") { 5 } else { 2 }),
    ("asof embed --model ~/models/all-MiniLM-L6-v2", if cfg!(feature = "dense") { 5 } else { 2 }),
    // The client has no entry of ours.
    ("asof mcp doctor --client cursor --scope user", 5),
];

/// Examples that print nothing and write no file that they name.
const SILENT: &[&str] = &[
    // A program of others, which prints nothing here.
    "cargo test --locked",
    "cargo install --locked --path .",
    "rust-analyzer scip . --output index.scip",
    // The answer is that there is nothing.
    "asof ast-query errors --path crate::parse",
    r#"asof ast-query '((identifier) @id (#match? @id "^unsafe_"))' --file 'src/**/*.rs'"#,
    "asof inspect issues --limit 5",
    // What they say is for a person, on standard error; servers answer requests.
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

/// A home folder with `demo`, the workspace that the examples of the help are about.
struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(home.path().join("bin")).unwrap();
        let asof = cli::program().display();
        // These run until Ctrl-C.
        home.program(
            "asof",
            &format!(
                "for arg; do if [[ $arg = watch || $arg = serve || $arg = web || $arg = --http ]]; then\n\
             timeout --preserve-status -s INT 2 '{asof}' \"$@\"; code=$?\n\
             [ $code = 130 ] && exit 0; exit $code\n\
             fi; done\nexec '{asof}' \"$@\"\n"
            ),
        );
        // Programs of others that examples name.
        home.program(
            "cargo",
            "case $1 in run | install | test) mkdir -p target;; esac\n\
             [ $1 = run ] || exit 0\n\
             while [ $1 != -- ]; do shift; done; shift; exec asof \"$@\"\n",
        );
        home.program("man", "cat\n");
        home.program("rust-analyzer", "exit 0\n");
        home.program("xdg-open", "exit 0\n");
        home
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.path().join("bin").join(name);
        fs::write(&path, format!("#!/usr/bin/env bash\n{text}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A line of the shell in a folder of this home.
    fn run(&self, folder: &str, line: &str) -> Output {
        let path = std::env::var("PATH").unwrap();
        let output = Command::new("bash")
            .args(["-c", &format!("set -o pipefail\n{line}")])
            .current_dir(self.path().join(folder))
            .env("HOME", self.path())
            .env("PATH", format!("{}:{path}", self.path().join("bin").display()))
            .env_remove("ASOF_ROOT")
            .stdin(std::process::Stdio::null())
            .output();
        output.unwrap()
    }

    #[track_caller]
    fn works(&self, folder: &str, line: &str) {
        let output = self.run(folder, line);
        assert_eq!(code(&output), 0, "{line}: {}", err(&output));
    }

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

    /// What Git lists as untracked or changed.
    fn git_status(&self, folder: &str) -> String {
        out(&self.run(folder, "git status --porcelain"))
    }

    fn commit(&self, folder: &str, message: &str, time: u64) {
        self.works(
            folder,
            &format!(
                "export GIT_COMMITTER_DATE='@{time} +0000' GIT_AUTHOR_DATE='@{time} +0000'\n\
             git add -A && git -c user.name=Ana -c user.email=a@b.c -c commit.gpgsign=false \
             commit -q --allow-empty -m '{message}'"
            ),
        );
    }

    /// The same folders again, for a test that changes them.
    fn copy(&self) -> Self {
        let copy = Self { folder: tempfile::tempdir().unwrap() };
        let from = format!("{}/.", self.path().display());
        let status = Command::new("cp").args(["-a", &from]).arg(copy.path()).status().unwrap();
        assert!(status.success());
        copy
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// Midnight of 1 January 2024, UTC.
const BEGIN: u64 = 1_704_067_200;

/// The workspace `demo`: a past from 2024 to an hour ago, tags, a dependency called `tokio`.
fn demo() -> Home {
    static READY: OnceLock<Home> = OnceLock::new();
    READY.get_or_init(make_demo).copy()
}

fn make_demo() -> Home {
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
    let claim = "{\"query\": \"return type of crate::parse\", \"answer\": \"Config\"}\n";
    home.write("demo/traces.jsonl", claim);
    let event = "{\"kind\": \"tool_call\", \"tokens\": 12}";
    home.write("demo/trace.jsonl", event);
    home.write("demo/trace.json", &format!("{{\"token_budget\": 100, \"events\": [{event}]}}"));
    let texts = "[{\"file_path\": \"src/a.rs\", \"after\": \"fn f() {}\"}]";
    home.write("demo/texts.json", texts);
    home.write("demo/old.rs", "pub fn one() {}\n");
    home.write("demo/new.rs", "pub fn one() -> u8 { 1 }\n");
    home.write("demo/slow.cozo", "?[count(id)] := *node{id}\n");
    home.write("src/tokio/Cargo.toml", &package("tokio"));
    home.write("src/tokio/src/lib.rs", "pub fn spawn() {}\n");
    home.works("demo", "git add new.rs");
    home.works("demo", "asof index --history");
    // The index of another tool, which says what we do.
    home.works("demo", "asof export --what scip --out index.scip");
    let index = home.path().join("demo/index.scip");
    let mut other = scip::Index::read(&fs::read(&index).unwrap());
    other.tool = "rust-analyzer".to_owned();
    fs::write(index, other.bytes()).unwrap();
    home.works("demo", "asof import scip index.scip");
    home
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

/// Commands and subcommands, each with its help.
fn helps(home: &Home) -> Vec<(String, String)> {
    let help = |command: String| {
        let output = home.run("demo", &format!("{command} --help"));
        assert_eq!(code(&output), 0, "{command}");
        (command, out(&output))
    };
    cli::commands().into_iter().map(help).collect()
}

#[test]
fn every_example_of_help_works() {
    let mut failures = Vec::new();
    let (mut count, mut own) = (0, 0);
    for (command, help) in helps(&demo()) {
        let Some((title, examples)) =
            help.split("\nExamples").nth(1).and_then(|rest| rest.split_once(":\n"))
        else {
            continue;
        };
        let (home, folder) = match title {
            "" => (demo(), "demo"),
            ", in the repository of asof itself" => (own_source(), "asof"),
            title => panic!("{command}: where are examples{title}?"),
        };
        if folder == "asof" {
            home.works(folder, "asof index");
            own += 1;
        }
        for line in examples.lines().take_while(|line| line.starts_with("  ")) {
            count += 1;
            let fault = home.try_example(folder, without_gloss(line.trim()));
            failures.extend(fault.map(|fault| format!("{command}: {fault}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 70 && own > 3, "only {count} examples, {own} commands with our own names");
}

/// A Git repository with a part of our own source, for the commands of the README.
fn own_source() -> Home {
    let home = Home::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(home.path().join("asof/src")).unwrap();
    let ignored = fs::read_to_string(root.join(".gitignore")).unwrap();
    home.write("asof/.gitignore", &ignored);
    for part in ["lib.rs", "main.rs", "edit", "engine", "index", "model", "store", "wire"] {
        let status = Command::new("cp")
            .arg("-r")
            .arg(root.join("src").join(part))
            .arg(home.path().join("asof/src"))
            .status();
        assert!(status.unwrap().success());
    }
    let manifest = "[package]\nname = \"asof\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    home.write("asof/Cargo.toml", manifest);
    home.works("asof", "git init -q -b main");
    for step in 0..8 {
        home.write("asof/src/step.rs", &format!("pub const STEP: u32 = {step};\n"));
        home.write(&format!("asof/src/step_{step}.rs"), "pub struct Step;\n");
        let time = if step < 7 { BEGIN + step * 86_400 * 30 } else { now() - 7_200 };
        home.commit("asof", &format!("step {step}"), time);
    }
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
    let home = own_source();
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
    let helps: String = helps(&home).into_iter().map(|(_, help)| help).collect();
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
