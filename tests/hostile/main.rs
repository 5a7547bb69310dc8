//! Repositories and folders that somebody else made to do harm, through the binary: nothing is
//! written or read outside, nothing is waited for, and what cannot be known is said.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

#[path = "../support/mod.rs"]
mod support;

mod commits;
mod files;
mod same;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Longer than any of these may take.
const PATIENCE: Duration = Duration::from_secs(90);

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

/// Runs the command, which must end.
fn asof(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("asof"));
    let command = command.current_dir(dir).args(args).stdin(Stdio::null());
    // Into files: a full pipe would hold the command up.
    let (out, err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    command.stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap());
    let mut child = command.spawn().unwrap();
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{args:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = |mut file: std::fs::File| {
        use std::io::{Read, Seek};
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    };
    Output { status, stdout: text(out), stderr: text(err) }
}

#[track_caller]
fn done(dir: &Path, args: &[&str]) -> String {
    let output = asof(dir, args);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(dir: &Path, args: &[&str], code: i32) -> String {
    let output = asof(dir, args);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
    error
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}
