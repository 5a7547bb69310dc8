//! Repositories and folders that somebody else made to do harm, through the binary: nothing is
//! written or read outside, nothing is waited for, and what cannot be known is said.
#![cfg(unix)]

use crate::support;

mod commits;
mod files;
mod same;

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use support::cli;

/// Longer than any of these may take.
const PATIENCE: Duration = Duration::from_secs(90);

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

/// Runs the command, which must end.
fn asof(dir: &Path, args: &[&str]) -> Output {
    cli::within(PATIENCE, cli::command(dir, args))
}

#[track_caller]
fn done(dir: &Path, args: &[&str]) -> String {
    let output = asof(dir, args);
    let error = cli::err(&output);
    assert!(output.status.success(), "{args:?}: {error}");
    cli::out(&output)
}

#[track_caller]
fn refused(dir: &Path, args: &[&str], code: i32) -> String {
    let output = asof(dir, args);
    let error = cli::err(&output);
    assert_eq!(cli::code(&output), code, "{args:?}: {error}");
    error
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}
