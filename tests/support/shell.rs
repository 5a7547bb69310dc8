//! A workspace that is worked on with the program, as a user does.
#![allow(dead_code, reason = "each test uses its own part")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

pub struct Workspace(TempDir);

impl Workspace {
    /// A package with these files, indexed.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let workspace = Self(tempfile::tempdir().unwrap());
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        workspace.write("Cargo.toml", manifest);
        for (path, text) in files {
            workspace.write(path, text);
        }
        assert_eq!(workspace.asof(&["index"]).status.code(), Some(0));
        workspace
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The text of a file that another process is about to write, once it is there.
    pub fn wait_for(&self, path: &str) -> String {
        let begin = Instant::now();
        loop {
            match fs::read_to_string(self.root().join(path)) {
                Ok(text) if !text.is_empty() => return text,
                _ => assert!(begin.elapsed() < Duration::from_secs(20), "there is no {path}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub fn asof(&self, args: &[&str]) -> Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("asof"));
        command.current_dir(self.root()).args(args).env_remove("ASOF_ACTOR");
        command.output().unwrap()
    }

    pub fn json(&self, args: &[&str]) -> Json {
        let output = self.asof(&[&["--format", "json"], args].concat());
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    }

    /// `asof edit VERB` with a request of these edits.
    pub fn edit(&self, verb: &str, edits: &Json, more: &[&str]) -> Output {
        let request = json!({ "edits": edits }).to_string();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("asof"));
        command.current_dir(self.root()).env_remove("ASOF_ACTOR");
        command.args(["--format", "json", "edit", verb, "--file", "-"]).args(more);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(request.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }
}
