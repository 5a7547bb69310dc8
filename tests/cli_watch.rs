//! `asof watch` survives a replaced database, and ends when its folder is gone: it never keeps
//! running without effect.
#![cfg(unix)]

use crate::support::cli;
use crate::support::tempdir;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use cli::text;
use tempfile::TempDir;

/// Time limit for each step.
const PATIENCE: Duration = Duration::from_secs(30);

struct Watch {
    child: Child,
    lines: Receiver<String>,
    root: PathBuf,
    _folder: TempDir,
}

impl Watch {
    fn start() -> Self {
        let folder = tempdir();
        let root = folder.path().join("ws");
        fs::create_dir(&root).unwrap();
        fs::write(root.join("lib.rs"), "pub fn zero() {}\n").unwrap();
        let mut command = cli::command(&root, &["watch", "--format", "json"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (send, lines) = channel();
        let out = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        let watch = Self { child, lines, root, _folder: folder };
        assert!(watch.line().unwrap().contains("\"added\":[\"lib.rs\"]"));
        // The first line comes before the folder is watched to its end, if it is long.
        watch
    }

    /// The next line; none if the output ended.
    fn line(&self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("watch does nothing"),
        }
    }

    /// Saves a file, and waits until the database has it.
    fn expect_indexed(&self, name: &str) {
        fs::write(self.root.join("lib.rs"), format!("pub fn {name}() {{}}\n")).unwrap();
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let line = self.line().expect("watch ended");
            assert!(line.contains("lib.rs"), "{line}");
            let args = ["--no-refresh", "resolve", &format!("lib::{name}")];
            if cli::asof(&self.root, &args).status.success() {
                return;
            }
        }
        panic!("{name} was not indexed");
    }

    /// Waits until the command ends with an error.
    fn expect_error(mut self, words: &str) {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begin.elapsed() < PATIENCE, "watch does nothing");
            std::thread::sleep(Duration::from_millis(20));
        };
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(status.code(), Some(5), "{said}");
        assert!(said.contains(words), "{said}");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_database_that_was_removed_is_made_anew() {
    let watch = Watch::start();
    watch.expect_indexed("one");
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(watch.root.join(format!(".asof/asof.db{suffix}")));
    }
    watch.expect_indexed("two");
    watch.expect_indexed("three");
    fs::remove_dir_all(watch.root.join(".asof")).unwrap();
    watch.expect_indexed("four");
}

#[test]
fn a_database_that_was_restored_is_opened_again() {
    let watch = Watch::start();
    let kept = watch.root.with_file_name("kept");
    text(&watch.root, &["backup", "create", &kept.to_string_lossy()]);
    watch.expect_indexed("one");
    text(&watch.root, &["backup", "restore", &kept.to_string_lossy()]);
    watch.expect_indexed("two");
    text(&watch.root, &["log"]);
}

#[test]
fn something_else_in_the_place_of_the_database_is_an_error() {
    let watch = Watch::start();
    let path = watch.root.join(".asof/asof.db");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "no database").unwrap();
    watch.expect_error("not an asof database");
}

#[test]
fn a_folder_that_is_gone_ends_the_command() {
    let watch = Watch::start();
    fs::remove_dir_all(&watch.root).unwrap();
    watch.expect_error("was removed or replaced");

    let watch = Watch::start();
    fs::rename(&watch.root, watch.root.with_file_name("moved")).unwrap();
    fs::create_dir(&watch.root).unwrap();
    watch.expect_error("was removed or replaced");
}
