//! The program, as a user runs it: arguments in, output and exit code out.
#![allow(dead_code, reason = "each test uses its own part")]

use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::tempdir;

/// Path of the binary.
pub fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_asof"))
}

/// The program with these arguments in this folder, whatever the variables of the tests' own
/// environment say of colours and pagers.
pub fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.current_dir(dir).args(args).env("TZ", "UTC");
    let unset = [
        "NO_COLOR", "CLICOLOR_FORCE", "PAGER", "ASOF_PAGER", "ASOF_ACTOR", "ASOF_FAULT", "ASOF_LOG",
    ];
    for variable in unset {
        command.env_remove(variable);
    }
    command
}

pub fn asof(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().unwrap()
}

/// All commands and subcommands as typed, `asof` first: each has a manual page that begins with it.
pub fn commands() -> Vec<String> {
    let pages = tempdir();
    let made = asof(pages.path(), &["man", "--out", "."]);
    assert_eq!(code(&made), 0, "{}", err(&made));
    let name = |page: std::io::Result<fs::DirEntry>| {
        let page = fs::read_to_string(page.unwrap().path()).unwrap();
        let (_, synopsis) = page.split_once("\n.SH SYNOPSIS\n\\fB").unwrap();
        synopsis.split_once("\\fR").unwrap().0.replace("\\-", "-")
    };
    let mut commands: Vec<String> = fs::read_dir(pages.path()).unwrap().map(name).collect();
    commands.sort();
    assert!(commands[0] == "asof" && commands.len() > 60, "{commands:?}");
    commands
}

/// Runs a command with these bytes on standard input.
pub fn with_input(mut command: Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// Runs a command without input; kills it and fails if it takes longer than `limit`.
#[track_caller]
pub fn within(limit: Duration, mut command: Command) -> Output {
    // Into files: a full pipe would block the command.
    let (out, err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    command.stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap());
    let mut child = command.stdin(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begin.elapsed() > limit {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let bytes = |mut file: File| {
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    };
    Output { status, stdout: bytes(out), stderr: bytes(err) }
}

/// Exit code; -1 of a process that a signal ended.
pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Standard output of a run that succeeds.
#[track_caller]
pub fn text(dir: &Path, args: &[&str]) -> String {
    let output = asof(dir, args);
    assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
    out(&output)
}

/// Runs with `--format json`: errors are JSON too.
pub fn asof_json(dir: &Path, args: &[&str]) -> Output {
    asof(dir, &[&["--format", "json"], args].concat())
}

/// The answer with `--format json`, whatever the exit code: no match is an answer too.
#[track_caller]
pub fn json(dir: &Path, args: &[&str]) -> Json {
    let output = asof_json(dir, args);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{args:?}: {e}: {}{}", out(&output), err(&output)))
}

/// The answer of a run with `--format json` that succeeds.
#[track_caller]
pub fn answer(dir: &Path, args: &[&str]) -> Json {
    let output = asof_json(dir, args);
    assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Ends with this exit code, and says this on standard error, with what to do next.
#[track_caller]
pub fn fails(dir: &Path, args: &[&str], expected: i32, says: &str) {
    let output = asof(dir, args);
    assert_eq!(code(&output), expected, "{args:?}: {}", err(&output));
    assert!(err(&output).contains(says), "{args:?}: {}", err(&output));
    let next = ["hint: ", "For more information, try"].iter().any(|s| err(&output).contains(s));
    assert!(next, "{args:?}: {}", err(&output));
}

/// Runs a line of the shell, with `asof` and git as nobody in particular.
pub fn shell(dir: &Path, line: &str) -> Output {
    let asof = program();
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("bash");
    command.current_dir(dir).args(["-c", line]).env("TZ", "UTC");
    command.env("PATH", format!("{}:{path}", asof.parent().unwrap().display()));
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@b.c");
    }
    for unset in ["NO_COLOR", "PAGER", "ASOF_PAGER", "LESS"] {
        command.env_remove(unset);
    }
    command.env("TERM", "xterm").output().unwrap()
}

/// What a line of the shell prints; it must succeed.
#[track_caller]
pub fn run(dir: &Path, line: &str) -> String {
    let output = shell(dir, line);
    assert!(output.status.success(), "{line}: {}", err(&output));
    out(&output)
}
