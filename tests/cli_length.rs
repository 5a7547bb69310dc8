//! No answer as text is long unless more is asked for.

use serde_json::Value as Json;
use std::fs;
use tempfile::TempDir;

use crate::support::cli;
use crate::support::tempdir;

use cli::{code, err, run, shell};

/// The longest answer that nobody asked for, bytes.
const LONGEST: usize = 10_240;

/// Questions about [`large`], each command at least once.
const QUESTIONS: &[&str] = &[
    "affected HEAD~1..HEAD",
    "api --diff HEAD~1..HEAD",
    "api demo --members",
    "ast-query functions",
    "blame src/lib.rs",
    "callees demo::long",
    "callers demo::target",
    "cfg",
    "context 'find the target of a caller'",
    "diff HEAD~1 NOW",
    "diff HEAD~1 NOW --all --patch",
    "diff HEAD~1 NOW --stat",
    "diff-edges index.scip",
    "edit list",
    "edit show {proposal}",
    "file src/lib.rs",
    "history demo::target",
    "hotspots",
    "unused",
    "reach panic --guesses",
    "deps",
    "implementations std::mem::drop",
    "impact --diff HEAD~1..HEAD",
    "impact demo::target",
    "import list",
    "inspect at src/lib.rs 30",
    "inspect counts",
    "inspect issues",
    "inspect item demo::target",
    "inspect kinds",
    "inspect modules demo",
    "inspect node 5f0c2a51-0d5e-5f0a-9c8e-0f6f1c1b2a3d",
    "inspect outline src/lib.rs",
    "inspect unresolved",
    "lineage demo::target --snippets",
    "log",
    "outline demo",
    "path demo::long demo::target",
    "project discover .",
    "project list",
    "quality",
    "query '?[name, kind, path] := *node{name, kind, path}'",
    "query --list",
    "query --list inspect/",
    "query --schema",
    "query --name inspect/file_items --param file_path=src/lib.rs",
    "refs demo::target --snippets",
    "refs demo::target --summary",
    "refs std::mem::drop --snippets",
    "resolve demo::target",
    "review HEAD~1..HEAD",
    "search 'caller target' --include-source",
    "search --regex 'fn .*'",
    "search caller --docs",
    "search caller --files",
    "show demo::long",
    "show demo::line",
    "show src/lib.rs:1-4000",
    "status",
    "trace trace.json",
    "verify --query 'find all lines containing \"fn \"' --answer x",
];

/// Commands that answer no question, and those whose answer was asked for in whole.
const OTHERS: &[&str] = &[
    "agents", "backup", "cache", "change-signature", "completions", "delete", "edit", "edit apply",
    "edit deny", "edit plan", "edit undo", "embed", "export", "gc", "import", "import remove",
    "import scip", "index", "inspect", "man", "lsp", "mcp", "merge", "move", "project",
    "project add", "project index-all", "project remove", "rename", "serve", "watch", "web",
];

/// A repository with a long function, a long line, and 300 callers of one function.
fn large() -> TempDir {
    let dir = tempdir();
    let write = |path: &str, text: &str| fs::write(dir.path().join(path), text).unwrap();
    write("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    fs::create_dir(dir.path().join("src")).unwrap();
    write("src/lib.rs", "pub fn target() -> u8 {\n    1\n}\n");
    run(dir.path(), "git init -q -b main && git add . && git commit -qm begin");
    let caller = |n| {
        format!(
            "/// A caller of the target, one of many.\n\
             pub fn caller_{n:03}() {{\n    target();\n    std::mem::drop(unknown_{n:03}());\n}}\n"
        )
    };
    let body: String = (0..600).map(|n| format!("    let _ = target() + {};\n", n % 7)).collect();
    let callers: String = (0..300).map(caller).collect();
    let text = "text ".repeat(6_000);
    write(
        "src/lib.rs",
        &format!(
            "pub fn target() -> u8 {{\n    2\n}}\npub fn long() {{\n{body}}}\n\
             pub fn line() -> &'static str {{ \"{text}\" }}\n{callers}"
        ),
    );
    run(dir.path(), "git add . && git commit -qm callers && asof index --history");
    run(dir.path(), "asof export --what scip --out index.scip && asof import scip index.scip");
    let event = "{\"kind\": \"tool_call\", \"tokens\": 12}";
    let events = vec![event; 900].join(",");
    write("trace.json", &format!("{{\"token_budget\": 100, \"events\": [{events}]}}"));
    let edit = r#"{"edits": [{"mode": "delete", "path": "crate::long"}]}"#;
    write("edits.json", edit);
    dir
}

#[test]
fn no_answer_is_longer_than_ten_kilobytes_unless_asked_for() {
    let dir = large();
    let planned = run(dir.path(), "asof edit plan --file edits.json --format json");
    let planned: Json = serde_json::from_str(&planned).unwrap();
    let proposal = planned["proposal_id"].as_str().unwrap();
    let ask = |line: &str, form: &str| {
        let line = line.replace("{proposal}", proposal);
        shell(dir.path(), &format!("asof --no-refresh {line} {form}"))
    };
    let mut cut = 0;
    for line in QUESTIONS {
        let short = ask(line, "");
        let said = err(&short);
        assert!(short.stdout.len() <= LONGEST, "{line}: {}", short.stdout.len());
        let whole = ask(line, "--full");
        assert_eq!((code(&short), code(&whole)), (0, 0), "{line}: {said}");
        let is_cut = whole.stdout.len() > LONGEST;
        // What has about this length may be either, and a long line is cut.
        let close = whole.stdout.len().abs_diff(LONGEST) < 600;
        let has_line = whole.stdout.split(|byte| *byte == b'\n').any(|line| line.len() > 1_000);
        assert!(
            said.contains("`--full`") == (is_cut || has_line) || close,
            "{line}: {} {said}",
            whole.stdout.len()
        );
        cut += usize::from(is_cut);
    }
    assert!(cut > 10, "only {cut} of the answers are long");
    let asked: Vec<String> = cli::commands();
    for command in asked.iter().filter_map(|name| name.strip_prefix("asof ")) {
        let is =
            |line: &&str| line.strip_prefix(command).is_some_and(|rest| !rest.starts_with('-'));
        let other = OTHERS.iter().any(|other| {
            command == *other
                || command.starts_with("mcp ")
                || command.starts_with("backup ")
                || command.starts_with("cache ")
                || command.starts_with("export ")
        });
        assert!(other || QUESTIONS.iter().any(is), "no question for {command}");
    }
}

#[test]
fn a_long_answer_ends_with_a_line_and_is_whole_when_asked_for() {
    let dir = large();
    let run = |line: &str| run(dir.path(), line);
    let whole = run("asof show demo::long --full");
    assert!(whole.lines().count() > 600, "{whole}");
    let part = run("asof show demo::long");
    assert!(whole.starts_with(&part) && part.ends_with(";\n"), "{part}");
    let said = err(&shell(dir.path(), "asof show demo::long -q"));
    let (lines, bytes) = (whole.lines().count() - part.lines().count(), whole.len() - part.len());
    assert_eq!(said, format!("… {lines} lines and {bytes} bytes more; `--full` shows all\n"));
    let line = run("asof show demo::line");
    assert!(line.ends_with("…\n") && line.len() > 900, "{}", line.len());
    // A number of entries asks for them; what is for a program is whole.
    assert_eq!(run("asof query '?[a] := a in int_range(5000)' -n 4000").lines().count(), 4001);
    let shown: Json = serde_json::from_str(&run("asof show demo::long --format json")).unwrap();
    assert_eq!(shown["items"][0]["text"].as_str().unwrap(), whole.trim_end());
    assert!(run("asof refs demo::target --graph dot").ends_with("}\n"));
    assert!(
        run("asof query '?[a] := a in int_range(5000)' -n 0 --format csv").lines().count() == 5001
    );
}
