//! The program, as a user runs it: arguments in, output and exit code out.
#![allow(dead_code, reason = "each test uses its own part")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value as Json;

/// The program with these arguments in this folder, whatever the variables of the tests' own
/// environment say of colours and pagers.
pub fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("asof"));
    command.current_dir(dir).args(args);
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "PAGER", "ASOF_PAGER", "ASOF_ACTOR"] {
        command.env_remove(variable);
    }
    command
}

pub fn asof(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().unwrap()
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

/// The answer with `--format json`, whatever the exit code: no match is an answer too.
#[track_caller]
pub fn json(dir: &Path, args: &[&str]) -> Json {
    let output = asof(dir, &[args, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{args:?}: {e}: {}{}", out(&output), err(&output)))
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
