//! A workspace that is worked on with the program, as a user does. Needs `cli` beside it.
#![allow(dead_code, reason = "each test uses its own part")]

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::cli::{self, code, err};
use super::tempdir;

/// Two texts in one: `«old|new»` is a place with what it becomes; `«old»` becomes `new`, if there is
/// one.
pub fn marked(text: &str, new: Option<&str>) -> (String, String) {
    let (mut before, mut after) = (String::new(), String::new());
    let mut rest = text;
    while let Some((plain, marked)) = rest.split_once('«') {
        let (inside, behind) = marked.split_once('»').expect("a mark is not closed");
        let one_side = || (inside, new.expect("a mark has two sides"));
        let (old, new) = inside.split_once('|').unwrap_or_else(one_side);
        (before, after) = (before + plain + old, after + plain + new);
        rest = behind;
    }
    (before + rest, after + rest)
}

/// A command on these files is refused with this code and message; nothing is written.
#[track_caller]
pub fn refused(files: &[(&str, &str)], args: &[&str], expected: i32, says: &str) {
    let workspace = Workspace::with(files);
    let output = workspace.asof(args);
    assert_eq!(code(&output), expected, "{}{}", cli::out(&output), err(&output));
    assert!(err(&output).contains(says), "{}", err(&output));
    workspace.has(files);
    assert_eq!(workspace.json(&["edit", "list"])["total"], 0);
}

pub struct Workspace(TempDir);

impl Workspace {
    /// A package with these files, indexed.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let workspace = Self(tempdir());
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        workspace.write("Cargo.toml", manifest);
        for (path, text) in files {
            workspace.write(path, text);
        }
        cli::text(workspace.root(), &["index"]);
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

    /// The files have these texts.
    #[track_caller]
    pub fn has(&self, files: &[(&str, &str)]) {
        for (name, text) in files {
            assert_eq!(self.read(name), *text, "{name}");
        }
    }

    /// The last edit is taken back, and the files have these texts again.
    #[track_caller]
    pub fn undone(&self, files: &[(&str, &str)]) {
        let undone = self.asof(&["edit", "undo"]);
        assert_eq!(code(&undone), 0, "{}", err(&undone));
        self.has(files);
    }

    /// The text of a file that another process is about to write, once it exists.
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
        cli::asof(self.root(), args)
    }

    #[track_caller]
    pub fn json(&self, args: &[&str]) -> Json {
        cli::json(self.root(), args)
    }

    /// Hash of a file's bytes, as the database has it.
    pub fn hash(&self, path: &str) -> String {
        self.json(&["file", path])["items"][0]["file_hash"].as_str().unwrap().to_owned()
    }

    /// `asof edit VERB` with a request of these edits.
    pub fn edit(&self, verb: &str, edits: &Json, more: &[&str]) -> Output {
        let request = json!({ "edits": edits }).to_string();
        let args = [&["--format", "json", "edit", verb, "--file", "-"], more].concat();
        cli::with_input(cli::command(self.root(), &args), request.as_bytes())
    }

    /// The answer to a request that succeeds.
    #[track_caller]
    pub fn done(&self, verb: &str, edits: Json, more: &[&str]) -> Json {
        let output = self.edit(verb, &edits, more);
        assert_eq!(code(&output), 0, "{}", err(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Refused with this code and message; no source file has changed.
    #[track_caller]
    pub fn refused(&self, edits: Json, expected: i32, says: &str) -> Json {
        let before = self.sources();
        let output = self.edit("apply", &edits, &[]);
        assert_eq!(code(&output), expected, "{}", err(&output));
        assert!(err(&output).contains(says), "{}", err(&output));
        assert_eq!(self.sources(), before);
        let error: Json = serde_json::from_slice(&output.stderr).unwrap();
        assert!(!error["error"]["hint"].as_str().unwrap().is_empty(), "{error}");
        error["error"].clone()
    }

    /// Names and texts of the files in `src`.
    fn sources(&self) -> Vec<(String, String)> {
        let files = fs::read_dir(self.root().join("src")).unwrap().map(|entry| entry.unwrap());
        let plain = files.filter(|entry| entry.file_type().unwrap().is_file());
        let mut sources: Vec<(String, String)> = plain
            .map(|entry| {
                let name = entry.file_name().into_string().unwrap();
                (name, fs::read_to_string(entry.path()).unwrap())
            })
            .collect();
        sources.sort();
        sources
    }
}
