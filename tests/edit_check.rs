//! `asof edit apply --check`: after a check that fails, hangs, writes, prints or loses its parent,
//! every file of the edit is as before, and no process is left.

use crate::support::cli;
use crate::support::shell;

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value as Json, json};
use shell::Workspace;

const LIB: &str = "pub mod other;\n\npub const LIMIT: u32 = 4;\n";
const OTHER: &str = "pub fn other() -> u32 {\n    1\n}\n";

fn workspace() -> Workspace {
    Workspace::with(&[("src/lib.rs", LIB), ("src/other.rs", OTHER)])
}

fn edits() -> Json {
    json!([
        { "mode": "canonical", "path": "crate::LIMIT", "code": "pub const LIMIT: u32 = 5;" },
        { "mode": "canonical", "path": "crate::other::other", "part": "body", "code": "2" },
        { "mode": "create_file", "file_path": "src/new.rs", "code": "fn new() {}\n" },
    ])
}

fn message_and_hint(output: &Output) -> (String, String) {
    let error: Json =
        serde_json::from_slice(&output.stderr).unwrap_or_else(|_| panic!("{}", cli::err(output)));
    let text = |name: &str| error["error"][name].as_str().unwrap().to_owned();
    (text("message"), text("hint"))
}

/// Every file is as before, and the proposal was not applied.
#[track_caller]
fn unchanged(ws: &Workspace) {
    assert_eq!((ws.read("src/lib.rs"), ws.read("src/other.rs")), (LIB.into(), OTHER.into()));
    assert!(!ws.root().join("src/new.rs").exists());
    let listed = ws.json(&["edit", "list"]);
    assert!(listed["items"].as_array().unwrap().iter().all(|item| item["status"] == "planned"));
    let left: Vec<_> = fs::read_dir(ws.root().join("src")).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// A check that changes a file of the edit, whatever its exit code: exit code 8, all files as
/// before, and what it wrote is kept.
#[test]
fn a_check_that_changes_a_file_of_the_edit_is_taken_back() {
    for (check, kept) in [
        ("printf '// formatted\\n' >> src/lib.rs", true),
        ("printf '// formatted\\n' >> src/lib.rs; exit 3", true),
        ("echo '// all new' > src/tmp && mv src/tmp src/lib.rs", true),
        ("rm src/other.rs", false),
        ("echo 'fn newer() {}' > src/new.rs", true),
        ("rm src/new.rs; exit 1", false),
        ("echo >> src/lib.rs; echo >> src/other.rs; echo >> src/new.rs", true),
    ] {
        let ws = workspace();
        let output = ws.edit("apply", &edits(), &["--check", check]);
        assert_eq!(output.status.code(), Some(8), "{check}: {output:?}");
        let (message, hint) = message_and_hint(&output);
        assert!(message.contains("changed src/"), "{check}: {message}");
        assert!(hint.contains("as it was before"), "{hint}");
        unchanged(&ws);
        let journal = ws.root().join(".asof/journal");
        let folders = fs::read_dir(&journal).unwrap().map(|entry| entry.unwrap().path());
        let folders: Vec<_> =
            folders.filter(|path| path.extension().is_some_and(|e| e == "check")).collect();
        assert_eq!(folders.len(), usize::from(kept), "{check}: {folders:?}");
        if kept {
            assert!(hint.contains(folders[0].to_str().unwrap()), "{hint}");
        }
        // Nothing is left that a later edit would trip over.
        let done = ws.edit("apply", &edits(), &["--check", "true"]);
        assert_eq!(done.status.code(), Some(0), "{check}: {done:?}");
    }
}

#[test]
fn a_check_that_only_looks_may_write_elsewhere() {
    let ws = workspace();
    let check = "mkdir -p target && cp src/lib.rs target/copy && touch src/lib.rs";
    let done = ws.edit("apply", &edits(), &["--check", check]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert!(ws.read("target/copy").contains("= 5"));
    // A source file that is none of the edit's is named.
    let ws = Workspace::with(&[
        ("src/lib.rs", "mod other;\nconst A: u8 = 1;\n"),
        ("src/other.rs", OTHER),
    ]);
    let edit = json!([{ "mode": "canonical", "path": "crate::A", "code": "const A: u8 = 2;" }]);
    let done = ws.edit("apply", &edit, &["--check", "echo '// more' >> src/other.rs"]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let done: Json = serde_json::from_slice(&done.stdout).unwrap();
    let warning = done["warnings"][0].as_str().unwrap();
    assert!(warning.contains("src/other.rs") && !warning.contains("lib.rs"), "{warning}");
}

/// Whether a process is alive.
fn lives(pid: &str) -> bool {
    let pid = Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
    if test_kill_process(pid).is_err() {
        return false;
    }
    // One that nobody has reaped yet is dead too.
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    stat.is_ok_and(|stat| !stat.contains(") Z"))
}

#[track_caller]
fn dies(pid: &str) {
    let begin = Instant::now();
    while lives(pid) {
        assert!(begin.elapsed() < Duration::from_secs(10), "{pid} is alive");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Writes its process ids, and then runs forever; the second process ignores SIGTERM.
const ENDLESS: &str = "(trap '' TERM INT HUP; echo $$ > pid.own; sh -c 'echo $$ > pid.child; \
                       exec sleep 1000' & wait; sleep 1000)";

fn pids(ws: &Workspace) -> [String; 2] {
    ["pid.own", "pid.child"].map(|name| ws.wait_for(name))
}

#[test]
fn a_check_that_hangs_is_ended_with_its_group() {
    let ws = workspace();
    let begin = Instant::now();
    let more = ["--check", ENDLESS, "--check-timeout", "1"];
    let output = ws.edit("apply", &edits(), &more);
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(8), "{output:?}");
    assert!(message_and_hint(&output).0.contains("longer than 1s"), "{output:?}");
    pids(&ws).iter().for_each(|pid| dies(pid));
    unchanged(&ws);
}

fn start(ws: &Workspace, check: &str) -> std::process::Child {
    ws.write("e.json", &json!({ "edits": edits() }).to_string());
    let args = ["--format", "json", "edit", "apply", "--file", "e.json", "--check", check];
    let mut command = cli::command(ws.root(), &args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn an_interrupt_ends_the_check_and_takes_the_edit_back() {
    let ws = workspace();
    let child = start(&ws, ENDLESS);
    let pids = pids(&ws);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    pids.iter().for_each(|pid| dies(pid));
    unchanged(&ws);
}

#[test]
fn a_check_does_not_outlive_a_killed_edit() {
    let ws = workspace();
    let mut child = start(&ws, ENDLESS);
    let pids = pids(&ws);
    child.kill().unwrap();
    child.wait().unwrap();
    pids.iter().for_each(|pid| dies(pid));
    // The next command takes the edit back.
    assert_eq!(ws.asof(&["edit", "list"]).status.code(), Some(0));
    unchanged(&ws);
}

#[test]
fn what_a_check_leaves_running_is_ended() {
    let ws = workspace();
    let check = "sleep 1000 & echo $! > pid.own";
    let done = ws.edit("apply", &edits(), &["--check", check]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    dies(&ws.wait_for("pid.own"));
}

/// Endless output of a check is reported in part, and takes no memory.
#[test]
fn the_output_of_a_check_is_bounded() {
    let ws = workspace();
    let check = "yes 'a line of output' | head -c 1500000000; echo the end; exit 1";
    ws.write("e.json", &json!({ "edits": edits() }).to_string());
    let limited = format!(
        "ulimit -v 1300000; exec {} --format json edit apply --file e.json --check \"{check}\"",
        cli::program().display()
    );
    let mut shell = Command::new("sh");
    // What allocators reserve counts too.
    shell.env("MIMALLOC_ARENA_RESERVE", "16MiB").env("MALLOC_ARENA_MAX", "2");
    let output = shell.current_dir(ws.root()).args(["-c", &limited]).output().unwrap();
    assert_eq!(output.status.code(), Some(8), "{output:?}");
    let (message, _) = message_and_hint(&output);
    assert!(message.ends_with("the end") && message.contains("bytes before)"), "{message}");
    assert!(message.len() < 10_000, "{}", message.len());
    unchanged(&ws);
}
