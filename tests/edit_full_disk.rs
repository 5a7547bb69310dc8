//! A disk that is full at every step of an edit: on a small file system, filled so that k bytes
//! are left, for k from none to enough. What the message says about the files is true,
//! and once there is space, the next command makes files, proposal and NOW agree.
//!
//! Needs the right to mount; with `ASOF_REQUIRE_TMPFS=1` it fails without it.
//! `ASOF_FULL_STEPS=1` tries every page, and in a larger workspace.

use crate::support;
use crate::support::tempdir;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::http::client::Server;
use serde_json::{Value as Json, json};
use support::cli::{answer, asof_json, code};
use support::copy_tree;
use tempfile::TempDir;

const PAGE: u64 = 4096;
const SIZE: &str = "size=8m";

/// A small file system in memory.
struct Disk {
    at: PathBuf,
}

impl Disk {
    /// None, with the reason told, where it cannot be mounted.
    fn mount(at: &Path) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let mut mount = Command::new("mount");
        let output = mount.args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(at).output();
        let why = match &output {
            Ok(output) if output.status.success() => return Some(Self { at: at.to_owned() }),
            Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
            Err(error) => error.to_string(),
        };
        let needed = std::env::var_os("ASOF_REQUIRE_TMPFS").is_some_and(|value| value == "1");
        assert!(!needed, "cannot mount a tmpfs: {why}");
        println!("skipped: cannot mount a tmpfs: {why}");
        None
    }

    fn remount(&self, option: &str) {
        let options = format!("remount,{option},{SIZE}");
        let status = Command::new("mount").args(["-o", &options]).arg(&self.at).status().unwrap();
        assert!(status.success());
    }

    fn fill(&self) -> PathBuf {
        self.at.join("fill")
    }

    fn free(&self) -> u64 {
        let stat = rustix::fs::statvfs(&self.at).unwrap();
        stat.f_bavail * stat.f_frsize
    }

    /// Leaves this many bytes.
    fn leave(&self, bytes: u64) {
        let len = self.free().saturating_sub(bytes) as usize;
        let mut file = fs::File::create(self.fill()).unwrap();
        file.write_all(&vec![0; len]).unwrap();
        // The folder's entry takes nothing.
        assert!(self.free() <= bytes, "{} bytes are free, not {bytes}", self.free());
    }

    fn wipe(&self) {
        for entry in fs::read_dir(&self.at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.at).status();
    }
}

type Files = BTreeMap<String, String>;

fn sources(root: &Path) -> Files {
    let all = support::files(root).into_iter().filter(|path| path.ends_with(".rs"));
    all.map(|path| (path.clone(), fs::read_to_string(root.join(&path)).unwrap())).collect()
}

/// Which part of a workspace is on the disk that is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Full {
    All,
    State,
    Sources,
}

/// A workspace, a request for it, and the small disk.
struct Trial {
    disk: Disk,
    folder: TempDir,
    full: Full,
    template: TempDir,
    old: Files,
    new: Files,
}

fn every_step() -> bool {
    std::env::var("ASOF_FULL_STEPS").is_ok_and(|value| value == "1")
}

impl Trial {
    fn new(full: Full, undo: bool) -> Option<Self> {
        let (folder, template) = (tempdir(), tempdir());
        let mount = folder.path().join("ws");
        let disk = Disk::mount(&match full {
            Full::All => mount.clone(),
            Full::State => mount.join(".asof"),
            Full::Sources => mount.join("src"),
        })?;
        let root = template.path();
        fs::create_dir(root.join("src")).unwrap();
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        fs::write(root.join("Cargo.toml"), manifest).unwrap();
        fs::write(root.join("src/lib.rs"), "mod a;\nmod b;\n\npub fn first() {}\n").unwrap();
        for name in ["a", "b"] {
            let line = |n: usize| format!("pub fn {name}{n}() -> usize {{\n    {n}\n}}\n");
            let functions = if every_step() { 300 } else { 30 };
            let text: String = (0..functions).map(line).collect();
            fs::write(root.join(format!("src/{name}.rs")), text).unwrap();
        }
        let edits = json!({ "edits": [
            { "mode": "canonical", "path": "crate::a::a7", "part": "body", "code": "70" },
            { "mode": "canonical", "path": "crate::b::b7", "part": "body", "code": "70" },
            { "mode": "insert", "anchor": "crate::first", "position": "before", "code": "mod c;" },
            { "mode": "create_file", "file_path": "src/c.rs", "code": "pub fn c() {}\n" },
        ] });
        fs::write(folder.path().join("e.json"), edits.to_string()).unwrap();
        answer(root, &["index"]);
        let (mut old, request) = (sources(root), folder.path().join("e.json"));
        let copy = tempdir();
        copy_tree(root, copy.path());
        answer(copy.path(), &["edit", "apply", "--file", request.to_str().unwrap()]);
        let mut new = sources(copy.path());
        let template = if undo { copy } else { template };
        if undo {
            std::mem::swap(&mut old, &mut new);
        }
        Some(Self { disk, folder, full, template, old, new })
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("ws")
    }

    fn prepare(&self) {
        let root = self.root();
        self.disk.wipe();
        for part in ["src", ".asof", "Cargo.toml"] {
            let (from, to) = (self.template.path().join(part), root.join(part));
            if from.is_dir() {
                if to != self.disk.at && to.exists() {
                    fs::remove_dir_all(&to).unwrap();
                }
                copy_tree(&from, &to);
            } else {
                fs::copy(from, to).unwrap();
            }
        }
        answer(&root, &["index"]);
        assert_eq!(sources(&root), self.old);
    }

    /// One attempt with this many bytes left; returns the kind of its outcome.
    fn attempt(&self, left: u64, args: &[&str]) -> String {
        self.prepare();
        let root = self.root();
        self.disk.leave(left);
        let output = asof_json(&root, args);
        let found = sources(&root);
        let told = format!("{:?}, {left} bytes left: {output:?}", self.full);
        assert!(found == self.old || found == self.new, "{told}: files are mixed");
        let end = if output.status.success() {
            assert_eq!(found, self.new, "{told}");
            "done".to_owned()
        } else {
            assert_eq!(code(&output), 5, "{told}");
            let error: Json = serde_json::from_slice(&output.stderr).expect(&told);
            let text = |name: &str| error["error"][name].as_str().unwrap().to_owned();
            let (message, hint) = (text("message"), text("hint"));
            let written = message.contains("its files are written");
            let unsure = hint.contains("may be old and some new");
            let kept = hint.contains("as they were") || hint.contains("no source file was changed");
            if written {
                assert_eq!(found, self.new, "{told}");
            } else if !unsure {
                assert_eq!(found, self.old, "{told}");
            }
            assert!(hint.contains("space"), "{told}: it does not say what to do");
            assert!(!message.contains("damaged") && !hint.contains("backup"), "{told}");
            let state = match (written, unsure, kept) {
                (true, ..) => "written",
                (_, true, _) => "unsure",
                (_, _, true) => "kept",
                _ => "silent",
            };
            let what = message.split(['/', ':']).next().unwrap_or_default();
            format!("{state}: {}", what.trim_end_matches(char::is_alphanumeric))
        };
        // A disk that stays full for the next command makes nothing worse.
        asof_json(&root, &["edit", "list"]);
        let later = sources(&root);
        assert!(later == self.old || later == self.new, "{told}: files are mixed");
        fs::remove_file(self.disk.fill()).unwrap();
        self.agree(&found, &told);
        end
    }

    /// The next commands find files, proposal and NOW in agreement.
    fn agree(&self, found: &Files, told: &str) {
        let root = self.root();
        let listed = answer(&root, &["edit", "list"]);
        let status = listed["items"][0]["status"].as_str().unwrap_or("none").to_owned();
        let files = sources(&root);
        assert_eq!(files, *found, "{told}");
        let applied = self.new.contains_key("src/c.rs") == (files == self.new);
        let fits = if applied { "applied" } else { "planned" };
        let undone = !applied && status == "undone";
        assert!(status == fits || undone || !applied && status == "none", "{told}: {status}");
        let shown = answer(&root, &["--no-refresh", "show", "crate::a::a7"]);
        assert_eq!(shown["basis"]["freshness_state"], "fresh", "{told}: {shown}");
        let text = shown["items"][0]["text"].as_str().unwrap();
        assert!(files["src/a.rs"].contains(text), "{told}: {text}");
        let left = support::files(&root).into_iter().filter(|path| path.contains("/.asof-"));
        assert_eq!(left.count(), 0, "{told}");
        assert!(!root.join(".asof/edit.pending").exists(), "{told}");
    }

    /// Attempts with more and more space, until it is enough.
    fn run(&self, args: &[&str]) -> BTreeSet<String> {
        let mut ends: BTreeMap<String, usize> = BTreeMap::new();
        let (mut left, mut done) = (0, 0);
        while done < 2 {
            let end = self.attempt(left, args);
            done = if end == "done" { done + 1 } else { 0 };
            *ends.entry(end).or_default() += 1;
            assert!(left < 4 << 20, "it never succeeds: {ends:?}");
            // The steps of the journal take little, those of the database more.
            left += PAGE * if every_step() || left < 12 * PAGE { 1 } else { 4 };
        }
        println!("{:?} {args:?}: {ends:#?}", self.full);
        ends.into_keys().collect()
    }
}

#[test]
fn an_edit_on_a_full_disk_says_what_is_there() {
    for full in [Full::All, Full::State, Full::Sources] {
        let Some(trial) = Trial::new(full, false) else { return };
        let request = trial.folder.path().join("e.json");
        let ends = trial.run(&["edit", "apply", "--file", request.to_str().unwrap()]);
        let has = |state: &str| ends.iter().any(|end| end.starts_with(state));
        assert!(has("kept"), "{full:?}: {ends:?}");
        assert!(!has("silent"), "{full:?}: {ends:?}");
        // The database is written after the files.
        assert!(full == Full::Sources || has("written"), "{full:?}: {ends:?}");
    }
}

#[test]
fn an_undo_on_a_full_disk_says_what_is_there() {
    let Some(trial) = Trial::new(Full::All, true) else { return };
    let ends = trial.run(&["edit", "undo"]);
    let has = |state: &str| ends.iter().any(|end| end.starts_with(state));
    assert!(has("kept") && has("written") && !has("silent"), "{ends:?}");
}

#[test]
fn a_disk_that_is_mounted_read_only_says_so() {
    for full in [Full::All, Full::State, Full::Sources] {
        let Some(trial) = Trial::new(full, false) else { return };
        trial.prepare();
        let (root, request) = (trial.root(), trial.folder.path().join("e.json"));
        trial.disk.remount("ro");
        let output = asof_json(&root, &["edit", "apply", "--file", request.to_str().unwrap()]);
        let told = format!("{full:?}: {output:?}");
        assert_eq!(code(&output), 5, "{told}");
        assert_eq!(sources(&root), trial.old, "{told}");
        let error = String::from_utf8_lossy(&output.stderr).to_lowercase();
        assert!(error.contains("read-only") || error.contains("readonly"), "{told}");
        assert!(!error.contains("damaged"), "{told}");
        trial.disk.remount("rw");
        trial.agree(&trial.old, &told);
        answer(&root, &["edit", "apply", "--file", request.to_str().unwrap()]);
        assert_eq!(sources(&root), trial.new);
    }
}

/// It answers what it knows, says that it cannot write, and goes on once there is space.
#[test]
fn a_server_on_a_full_disk_answers_and_refuses_edits_until_there_is_space() {
    let Some(trial) = Trial::new(Full::All, false) else { return };
    trial.prepare();
    let server = Server::start(&trial.root(), &["--allow-edits"]);
    let request = fs::read_to_string(trial.folder.path().join("e.json")).unwrap();
    let planned = server.post("/api/edit/plan", &serde_json::from_str(&request).unwrap());
    let id = json!({ "proposal_id": planned.json()["proposal_id"] });
    let apply = || server.post("/api/edit/apply", &id);
    let first = || server.get("/api/show?paths=crate::first");
    trial.disk.leave(0);
    let refused = apply();
    assert_eq!(refused.status, 500, "{refused:?}");
    let said = refused.body.to_lowercase();
    assert!(said.contains("disk is full") || said.contains("no space left"), "{refused:?}");
    assert_eq!(sources(&trial.root()), trial.old, "{refused:?}");
    assert_eq!(first().status, 200);
    // A change that cannot be indexed is said to be unknown, or refused; it is not left out.
    let lib = trial.root().join("src/lib.rs");
    let old = fs::read_to_string(&lib).unwrap();
    fs::write(&lib, "mod a;\nmod b;\npub fn other() {}\n").unwrap();
    let found = first();
    match found.status {
        200 => assert_ne!(found.json()["basis"]["freshness_state"], "fresh", "{found:?}"),
        status => assert_eq!(status, 500, "{found:?}"),
    }
    fs::remove_file(trial.disk.fill()).unwrap();
    fs::write(&lib, old).unwrap();
    assert_eq!(first().status, 200);
    let applied = apply();
    assert_eq!(applied.status, 200, "{applied:?}");
    assert_eq!(sources(&trial.root()), trial.new);
}
