//! `asof edit` through the binary: what is written, what is refused and why, what is undone.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

const LIB: &str = "\
//! Demo.
pub mod retry;

/// Adds.
#[inline]
pub fn add(a: u32, b: u32) -> u32 {
    a + b
}

pub const LIMIT: u32 = 4;
";

const RETRY: &str = "\
pub struct Policy {
    pub base: u64,
    max: u64,
}

impl Policy {
    /// Milliseconds.
    pub fn next_delay(&self, n: u32) -> u64 {
        self.base * u64::from(n)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self { base: 1, max: 2 }
    }
}

pub enum Kind { Fixed, Growing }
";

struct Workspace(TempDir);

impl Workspace {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
        fs::create_dir(dir.path().join("src")).unwrap();
        fs::write(dir.path().join("src/lib.rs"), LIB).unwrap();
        fs::write(dir.path().join("src/retry.rs"), RETRY).unwrap();
        let workspace = Self(dir);
        assert_eq!(workspace.asof(&["index"]).status.code(), Some(0));
        workspace
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.root().join(path), text).unwrap();
    }

    fn asof(&self, args: &[&str]) -> Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("asof"));
        command.current_dir(self.root()).args(args).env_remove("ASOF_ACTOR");
        command.output().unwrap()
    }

    fn with_input(&self, args: &[&str], input: &[u8]) -> Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("asof"));
        command.current_dir(self.root()).args(args).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap()
    }

    fn edit(&self, verb: &str, edits: &Json, more: &[&str]) -> Output {
        let request = json!({ "edits": edits }).to_string();
        let args = [&["--format", "json", "edit", verb, "--file", "-"], more].concat();
        self.with_input(&args, request.as_bytes())
    }

    #[track_caller]
    fn done(&self, verb: &str, edits: Json, more: &[&str]) -> Json {
        let output = self.edit(verb, &edits, more);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{err}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Refused with this code and message; no source file has changed.
    #[track_caller]
    fn refused(&self, edits: Json, code: i32, says: &str) -> Json {
        let before = (self.read("src/lib.rs"), self.read("src/retry.rs"));
        let output = self.edit("apply", &edits, &[]);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{err}");
        assert!(err.contains(says), "{err}");
        assert_eq!((self.read("src/lib.rs"), self.read("src/retry.rs")), before);
        let error: Json = serde_json::from_str(&err).unwrap();
        assert!(!error["error"]["hint"].as_str().unwrap().is_empty(), "{err}");
        error["error"].clone()
    }

    fn json(&self, args: &[&str]) -> Json {
        let output = self.asof(&[&["--format", "json"], args].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn hash(&self, path: &str) -> String {
        self.json(&["file", path])["items"][0]["file_hash"].as_str().unwrap().to_owned()
    }
}

fn canonical(canon: &str, code: &str) -> Json {
    json!({ "mode": "canonical", "path": canon, "code": code })
}

#[test]
fn several_edits_of_several_files_are_one_revision_and_one_undo() {
    let ws = Workspace::new();
    let done = ws.done(
        "apply",
        json!([
            canonical("crate::retry::Policy::next_delay", "pub fn next_delay(&self) -> u64 {\n    7\n}"),
            { "mode": "canonical", "path": "crate::add", "part": "body", "code": "b + a" },
            { "mode": "insert", "anchor": "crate::retry::Kind", "position": "last_child",
              "code": "Never" },
            { "mode": "delete", "path": "crate::retry::Policy::max" },
            { "mode": "canonical", "path": "<crate::retry::Policy as Default>::default",
              "part": "body", "code": "{ Self { base: 1 } }" },
        ]),
        &["--actor", "ana", "--reason", "simpler"],
    );
    assert_eq!(done["ok"], true);
    assert_eq!(done["applied"], true);
    insta::assert_snapshot!("applied_lib", ws.read("src/lib.rs"));
    insta::assert_snapshot!("applied_retry", ws.read("src/retry.rs"));
    // NOW holds it, and the log says who and why.
    let now = ws.json(&["--no-refresh", "show", "crate::add"]);
    assert!(now["items"][0]["text"].as_str().unwrap().contains("b + a"));
    assert_eq!(now["basis"]["revision"], done["revision"]);
    let log = ws.json(&["query", "--name", "history/revisions", "--param", "limit=1"]);
    let log = log.to_string();
    assert!(log.contains("\"edit\"") && log.contains("ana") && log.contains("simpler"), "{log}");
    let id = done["proposal_id"].as_str().unwrap();
    let undone = ws.json(&["edit", "undo", id]);
    assert_eq!(undone["status"], "undone");
    assert_eq!((ws.read("src/lib.rs"), ws.read("src/retry.rs")), (LIB.into(), RETRY.into()));
    let again = ws.asof(&["edit", "undo", id]);
    assert_eq!(again.status.code(), Some(7));
}

#[test]
fn a_dry_run_prints_a_diff_that_git_takes_and_stores_nothing() {
    let ws = Workspace::new();
    ws.write(
        "e.json",
        &json!({ "edits": [canonical("crate::LIMIT", "pub const LIMIT: u32 = 5;")] }).to_string(),
    );
    let output = ws.asof(&["edit", "apply", "--file", "e.json", "--dry-run"]);
    insta::assert_snapshot!("dry_run", String::from_utf8(output.stdout).unwrap());
    assert_eq!(ws.read("src/lib.rs"), LIB);
    assert_eq!(ws.json(&["edit", "list"])["total"], 0);
    let coloured = ws.asof(&["--color", "always", "edit", "apply", "-f", "e.json", "--dry-run"]);
    assert!(String::from_utf8(coloured.stdout).unwrap().contains("\u{1b}[32m+pub const"));
}

#[test]
fn a_proposal_is_listed_shown_denied_or_applied_once() {
    let ws = Workspace::new();
    let plan = |n: u32| {
        let code = format!("pub const LIMIT: u32 = {n};");
        let planned = ws.done("plan", json!([canonical("crate::LIMIT", &code)]), &[]);
        assert_eq!(planned["status"], "planned");
        planned["proposal_id"].as_str().unwrap().to_owned()
    };
    let (first, second) = (plan(5), plan(6));
    assert_eq!(ws.read("src/lib.rs"), LIB);
    assert_eq!(ws.json(&["edit", "list"])["total"], 2);
    let shown = ws.json(&["edit", "show", &first[..6]]);
    assert!(
        shown["summary"]["files"][0]["diff"]
            .as_str()
            .unwrap()
            .contains("+pub const LIMIT: u32 = 5;")
    );
    assert_eq!(ws.asof(&["edit", "deny", &first]).status.code(), Some(0));
    assert_eq!(ws.asof(&["edit", "apply", &first]).status.code(), Some(2));
    assert_eq!(ws.asof(&["edit", "apply", &second]).status.code(), Some(0));
    assert!(ws.read("src/lib.rs").contains("LIMIT: u32 = 6"));
    let twice = ws.asof(&["edit", "apply", &second]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&twice.stderr).contains("is already applied"));
    assert_eq!(ws.asof(&["edit", "apply", "zz"]).status.code(), Some(1));
}

#[test]
fn an_item_that_only_moved_is_followed_and_one_that_changed_is_refused() {
    let ws = Workspace::new();
    let code = "pub fn next_delay(&self) -> u64 {\n    9\n}";
    let edit = json!([canonical("crate::retry::Policy::next_delay", code)]);
    let planned = ws.done("plan", edit.clone(), &[]);
    let id = planned["proposal_id"].as_str().unwrap();
    ws.write("src/retry.rs", &format!("// A comment above.\n\n{}", RETRY.replace("max", "most")));
    let applied = ws.json(&["edit", "apply", id]);
    assert_eq!(applied["edits"][0]["status"], "rebased");
    assert_eq!(applied["edits"][0]["span_before"]["start_line"], 9);
    let text = ws.read("src/retry.rs");
    assert!(text.starts_with("// A comment above.\n\npub struct Policy {\n    pub base"), "{text}");
    assert!(text.contains("    pub fn next_delay(&self) -> u64 {\n        9\n    }\n}"), "{text}");

    ws.write("src/retry.rs", RETRY);
    let planned = ws.done("plan", edit, &[]);
    let id = planned["proposal_id"].as_str().unwrap();
    ws.write("src/retry.rs", &RETRY.replace("u64::from(n)", "u64::from(n) + 1"));
    let refused = ws.asof(&["--format", "json", "edit", "apply", id]);
    assert_eq!(refused.status.code(), Some(7));
    let error: Json = serde_json::from_slice(&refused.stderr).unwrap();
    let details = &error["error"]["details"];
    assert_eq!(details["span"]["start_line"], 7);
    assert!(details["diff"].as_str().unwrap().contains("+        self.base * u64::from(n) + 1"));
    assert!(details["tracking_hash"].is_string() && details["file_hash"].is_string());
    assert!(ws.read("src/retry.rs").contains("+ 1"));
}

#[test]
fn a_splice_is_carried_over_where_its_item_is_as_it_was() {
    let ws = Workspace::new();
    let (hash, at) = (ws.hash("src/lib.rs"), LIB.find("a + b").unwrap());
    let splice = json!([{ "mode": "splice", "file_path": "src/lib.rs", "expected_file_hash": hash,
        "start_byte": at, "end_byte": at + 5, "replacement": "a.wrapping_add(b)" }]);
    ws.write("src/lib.rs", &LIB.replace("//! Demo.", "//! Demo.\n//! More."));
    let done = ws.done("apply", splice.clone(), &[]);
    assert_eq!(done["edits"][0]["status"], "rebased");
    assert!(ws.read("src/lib.rs").contains("{\n    a.wrapping_add(b)\n}"));
    let error = ws.refused(splice, 7, "has changed");
    assert_eq!(error["details"]["file_path"], "src/lib.rs");
}

#[test]
fn what_the_edit_expects_is_checked() {
    let ws = Workspace::new();
    let hash = ws.json(&["resolve", "crate::add"])["items"][0]["tracking_hash"].clone();
    let edit = json!([{ "mode": "canonical", "path": "crate::add", "part": "docs",
        "code": "Sums.", "expected_tracking_hash": hash }]);
    ws.done("apply", edit.clone(), &[]);
    assert!(ws.read("src/lib.rs").contains("/// Sums.\n#[inline]\npub fn add"));
    let error = ws.refused(edit, 7, "has changed since");
    assert!(error["details"]["diff"].as_str().unwrap().contains("-/// Adds.\n+/// Sums."));
}

#[test]
fn a_check_that_fails_takes_everything_back() {
    let ws = Workspace::new();
    let edit = json!([canonical("crate::LIMIT", "pub const LIMIT: u32 = 5;")]);
    let check = "grep -q 'LIMIT: u32 = 5' src/lib.rs && echo seen && exit 3";
    let failed = ws.edit("apply", &edit, &["--check", check]);
    assert_eq!(failed.status.code(), Some(8));
    assert!(String::from_utf8_lossy(&failed.stderr).contains("seen"));
    assert_eq!(ws.read("src/lib.rs"), LIB);
    let listed = ws.json(&["edit", "list"]);
    assert_eq!(listed["items"][0]["status"], "planned");
    ws.done("apply", edit, &["--check", "grep -q 'LIMIT: u32 = 5' src/lib.rs"]);
}

#[test]
fn rustfmt_formats_what_changes_and_nothing_else() {
    let ws = Workspace::new();
    ws.write("src/lib.rs", &LIB.replace("a + b", "a  +  b"));
    let edit = json!([canonical("crate::LIMIT", "pub   const LIMIT:u32=  5;")]);
    ws.done("apply", edit, &["--rustfmt"]);
    let text = ws.read("src/lib.rs");
    assert!(text.contains("pub const LIMIT: u32 = 5;") && text.contains("a  +  b"), "{text}");
}

#[test]
fn files_are_made_moved_and_removed() {
    let ws = Workspace::new();
    let done = ws.done(
        "apply",
        json!([
            { "mode": "create_file", "file_path": "src/deep/mod.rs", "code": "pub fn f() {}\n" },
            { "mode": "insert", "anchor": "crate::retry", "position": "after", "code": "mod deep;" },
        ]),
        &[],
    );
    assert!(ws.read("src/lib.rs").contains("pub mod retry;\nmod deep;\n"));
    assert_eq!(ws.json(&["resolve", "crate::deep::f"])["total"], 1);
    ws.done(
        "apply",
        json!([{ "mode": "rename_file", "path": "crate::deep", "to": "src/deep.rs" }]),
        &[],
    );
    assert_eq!(ws.json(&["resolve", "crate::deep::f"])["items"][0]["file_path"], "src/deep.rs");
    ws.done("apply", json!([{ "mode": "delete", "path": "crate::deep" }]), &[]);
    assert_eq!(ws.read("src/lib.rs"), LIB);
    assert!(!ws.root().join("src/deep.rs").exists());
    for _ in 0..3 {
        assert_eq!(ws.asof(&["edit", "undo"]).status.code(), Some(0));
    }
    assert_eq!(ws.read("src/lib.rs"), LIB);
    assert!(!ws.root().join("src/deep").exists());
    assert_eq!(done["files"][0]["op"], "create");
}

#[test]
fn bad_requests_are_refused_with_what_to_do() {
    let ws = Workspace::new();
    let add = |code: &str| json!([canonical("crate::add", code)]);
    ws.refused(json!([]), 2, "empty");
    ws.refused(json!([{ "mode": "canonical", "path": "crate::add", "kode": "" }]), 2, "kode");
    ws.refused(json!([{ "mode": "replace", "path": "crate::add" }]), 2, "replace");
    ws.refused(json!([{ "mode": "canonical", "code": "fn f() {}" }]), 2, "path");
    let mut both = canonical("crate::add", "fn add() {}");
    both["start_byte"] = 3.into();
    ws.refused(json!([both]), 2, "start_byte");
    ws.refused(add("pub fn add( {}"), 2, "does not parse");
    ws.refused(add("pub struct Add;"), 2, "is a function");
    ws.refused(add("pub fn add() {}\npub fn other() {}"), 2, "is a function");
    ws.refused(add("  \n"), 2, "empty");
    ws.refused(add("pub fn add() {} /*"), 2, "does not parse");
    ws.refused(add("pub fn add() {}\nmod x {"), 2, "does not parse");
    ws.refused(
        json!([canonical(
            "crate::retry::Policy::next_delay",
            "fn next_delay() {} } impl Kind { fn x() {}"
        )]),
        2,
        "would change items outside",
    );
    ws.refused(json!([canonical("crate::none", "fn none() {}")]), 1, "no item named");
    ws.refused(
        json!([canonical("crate::LIMIT", "pub const LIMIT: u32 = 4;")]),
        2,
        "changes nothing",
    );
    ws.refused(
        json!([{ "mode": "canonical", "path": "crate::LIMIT", "part": "docs", "code": "" }]),
        2,
        "changes nothing",
    );
    ws.refused(
        json!([{ "mode": "canonical", "path": "crate::retry::Kind::Fixed", "part": "body",
        "code": "{}" }]),
        2,
        "has no body",
    );
    ws.refused(
        json!([{ "mode": "insert", "anchor": "crate::add", "position": "last_child",
        "code": "fn f() {}" }]),
        2,
        "cannot have children",
    );
    ws.refused(
        json!([canonical("crate::add", "pub fn add() {}"),
        { "mode": "canonical", "path": "crate::add", "part": "body", "code": "{ }" }]),
        2,
        "overlap",
    );
    let docs = json!({ "mode": "canonical", "path": "crate::LIMIT", "part": "docs", "code": "A." });
    ws.refused(json!([docs, docs]), 2, "overlap");
    let bytes = ws.with_input(&["edit", "apply", "--file", "-"], b"{\xff}");
    assert_eq!(bytes.status.code(), Some(2));
    let missing = ws.asof(&["edit", "plan", "--file", "none.json"]);
    assert_eq!(missing.status.code(), Some(5));
}

#[test]
fn bad_splices_are_refused_with_what_to_do() {
    let ws = Workspace::new();
    ws.write("src/lib.rs", &LIB.replace("Demo", "Dämo"));
    let splice = |more: Json| {
        let mut edit = json!({ "mode": "splice", "file_path": "src/lib.rs",
            "expected_file_hash": ws.hash("src/lib.rs"), "start_byte": 4, "end_byte": 5,
            "replacement": "d" });
        edit.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([edit])
    };
    ws.refused(splice(json!({ "start_byte": 6 , "end_byte": 7 })), 2, "multi-byte");
    ws.refused(splice(json!({ "end_byte": 70000 })), 2, "the file has");
    ws.refused(splice(json!({ "start_byte": 9 })), 2, "before it starts");
    ws.refused(
        splice(json!({ "expected_file_hash": "1AAAAAAAAAAAAAAAAAAAAAA" })),
        7,
        "never indexed",
    );
    ws.refused(splice(json!({ "expected_file_hash": "abc" })), 2, "hash");
    ws.refused(splice(json!({ "namespace": "x" })), 2, "project");
    ws.refused(splice(json!({ "replacement": "}" , "start_byte": 0, "end_byte": 2 })), 2, "parse");
    ws.refused(splice(json!({ "file_path": "Cargo.toml" })), 1, "not indexed");
    ws.refused(splice(json!({ "file_path": "src/none.rs" })), 1, "does not exist");
}

#[test]
fn nothing_outside_of_the_root_is_touched() {
    let ws = Workspace::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x.rs"), "fn x() {}\n").unwrap();
    let absolute = outside.path().join("x.rs").to_str().unwrap().to_owned();
    std::os::unix::fs::symlink(outside.path(), ws.root().join("src/out")).unwrap();
    std::os::unix::fs::symlink(&absolute, ws.root().join("src/link.rs")).unwrap();
    let inside = ws.root().join(".git/hooks/x.rs");
    for path in [
        "../x.rs",
        "src/../../x.rs",
        &absolute,
        "src/out/x.rs",
        "src/link.rs",
        ".git/x.rs",
        ".asof/x.rs",
        inside.to_str().unwrap(),
        "",
        "src",
    ] {
        let create = json!([{ "mode": "create_file", "file_path": path, "code": "fn y() {}" }]);
        let output = ws.edit("apply", &create, &[]);
        assert_eq!(output.status.code(), Some(2), "{path}: {output:?}");
        let delete = json!([{ "mode": "delete_file", "file_path": path }]);
        let output = ws.edit("apply", &delete, &[]);
        assert_eq!(output.status.code(), Some(2), "{path}: {output:?}");
    }
    assert_eq!(fs::read_to_string(&absolute).unwrap(), "fn x() {}\n");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn a_read_only_file_is_refused() {
    let ws = Workspace::new();
    let path = ws.root().join("src/lib.rs");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    ws.refused(json!([canonical("crate::LIMIT", "pub const LIMIT: u32 = 5;")]), 5, "read-only");
}

#[test]
fn what_surrounds_an_edit_keeps_its_bytes() {
    let ws = Workspace::new();
    let path = ws.root().join("src/lib.rs");
    let text = format!("\u{feff}{}", LIB.replace('\n', "\r\n"));
    let text = text.trim_end();
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    ws.done("apply", json!([canonical("crate::add", "pub fn add() {\n    1;\n}")]), &[]);
    let expected = text.replace(
        "/// Adds.\r\n#[inline]\r\npub fn add(a: u32, b: u32) -> u32 {\r\n    a + b\r\n}",
        "pub fn add() {\r\n    1;\r\n}",
    );
    assert_eq!(ws.read("src/lib.rs"), expected);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn a_proposal_from_before_a_restore_is_refused() {
    let ws = Workspace::new();
    let edit = json!([canonical("crate::LIMIT", "pub const LIMIT: u32 = 5;")]);
    let planned = ws.done("plan", edit, &[]);
    let id = planned["proposal_id"].as_str().unwrap();
    assert_eq!(ws.asof(&["backup", "create", "b.asof"]).status.code(), Some(0));
    let restored = ws.asof(&["backup", "restore", "b.asof"]);
    assert_eq!(restored.status.code(), Some(0), "{restored:?}");
    let refused = ws.asof(&["edit", "apply", id]);
    assert_eq!(refused.status.code(), Some(7));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("older than the restore"));
    assert_eq!(ws.read("src/lib.rs"), LIB);
}

/// A workspace with uses of `add`, `LIMIT` and `Policy` in a second file.
fn with_uses() -> Workspace {
    let ws = Workspace::new();
    ws.write("src/lib.rs", &LIB.replace("pub mod retry;", "pub mod retry;\npub mod user;"));
    ws.write(
        "src/user.rs",
        "use crate::{LIMIT, add};\nuse crate::retry::Policy;\n\n\
         pub fn one() -> u32 {\n    add(1, LIMIT)\n}\n\npub fn two(p: &Policy) -> u64 {\n    \
         p.next_delay(add(2, 3))\n}\n",
    );
    ws
}

#[track_caller]
fn warns(edits: Json, expected: &[&str]) {
    let done = with_uses().done("plan", edits, &[]);
    let warnings: Vec<&str> =
        done["warnings"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(warnings, expected);
}

#[test]
fn warnings_name_the_uses_that_are_left_and_only_those() {
    let sum = "/// Adds.\n#[inline]\npub fn sum(a: u32, b: u32) -> u32 {\n    a + b\n}";
    warns(
        json!([canonical("crate::add", sum)]),
        &["`demo::add` is renamed to `sum`; 3 uses are left as before: src/user.rs:1, \
           src/user.rs:5, src/user.rs:9"],
    );
    let fixed = |edits: Json| -> Json {
        let mut all = edits.as_array().unwrap().clone();
        all.push(json!({ "mode": "canonical", "path": "crate::user::one", "find": "add(1, LIMIT)", "code": "sum(1, LIMIT)" }));
        all.push(json!({ "mode": "canonical", "path": "crate::user", "find": "{LIMIT, add}", "code": "{LIMIT, sum}" }));
        Json::Array(all)
    };
    warns(
        fixed(json!([canonical("crate::add", sum)])),
        &["`demo::add` is renamed to `sum`; 1 use is left as before: src/user.rs:9"],
    );
    // Imports need no edit for another signature, and what the request edits is its own business.
    let wider = json!({ "mode": "canonical", "path": "crate::add", "part": "signature",
        "code": "pub fn add(a: u64, b: u32) -> u32" });
    warns(
        json!([wider, { "mode": "canonical", "path": "crate::user::one", "part": "body", "code": "{ 3 }" }]),
        &["the signature of `demo::add` changes; 1 use is left as before: src/user.rs:9"],
    );
    // Names of parameters are no part of it.
    let renamed = json!({ "mode": "canonical", "path": "crate::add", "part": "signature",
        "code": "pub fn add(a: u32, c: u32) -> u32" });
    warns(json!([renamed]), &[]);
    warns(
        json!([{ "mode": "canonical", "path": "crate::add", "part": "body", "code": "{ 1 }" }]),
        &[],
    );
}

#[test]
fn deleting_what_is_in_use_warns() {
    warns(
        json!([{ "mode": "delete", "path": "crate::LIMIT" }]),
        &["`demo::LIMIT` is deleted; 2 uses are left as before: src/user.rs:1, src/user.rs:5"],
    );
    warns(json!([{ "mode": "delete", "path": "crate::retry::Kind" }]), &[]);
    warns(
        json!([canonical("<crate::retry::Policy>", "impl Policy {}")]),
        &["`demo::retry::Policy::next_delay` is deleted; 1 use is left as before: src/user.rs:9"],
    );
    // It stays where it was under its name.
    warns(
        json!([{ "mode": "delete", "path": "crate::LIMIT" },
               { "mode": "insert", "anchor": "crate::add", "position": "after", "code": "pub use retry::LIMIT;" },
               { "mode": "insert", "anchor": "crate::retry::Kind", "position": "after", "code": "pub const LIMIT: u32 = 4;" }]),
        &[],
    );
    let gone = with_uses().done(
        "plan",
        json!([{ "mode": "delete_file", "file_path": "src/retry.rs" }]),
        &[],
    );
    let warnings = gone["warnings"].to_string();
    assert!(
        warnings.contains("the declaration in src/lib.rs:2 still names src/retry.rs"),
        "{warnings}"
    );
    assert!(
        warnings.contains("4 uses are left as before: src/user.rs:2, src/user.rs:8, src/user.rs:9"),
        "{warnings}"
    );
    warns(json!([{ "mode": "delete", "path": "crate::user" }]), &[]);
}

#[test]
fn errors_of_a_request_point_at_the_field() {
    let ws = Workspace::new();
    let insert = |position: &str| json!({ "mode": "insert", "anchor": "crate::add", "position": position, "code": "fn f() {}" });
    let delete = |path: &str| json!({ "mode": "delete", "path": path });
    for (edits, code, says) in [
        (
            json!([delete("crate::add"), insert("behind")]),
            2,
            "edits[1].position: unknown variant `behind`",
        ),
        (
            json!([{ "mode": "replace", "path": "x" }]),
            2,
            "edits[0].mode: unknown variant `replace`",
        ),
        (json!([{ "path": "x" }]), 2, "edits[0].mode: missing field `mode`"),
        (json!([{ "mode": "delete", "cannon": "x" }]), 2, "edits[0]: unknown field `cannon`"),
        (json!([{ "mode": "delete" }]), 2, "edits[0]: missing field `path`"),
        (json!([{ "mode": "delete", "path": 3 }]), 2, "edits[0].path: invalid type"),
        (json!([3]), 2, "edits[0]: "),
        (json!([insert("after"), delete("crate::nothing")]), 1, "edits[1].path: no item named"),
    ] {
        ws.refused(edits, code, says);
    }
    // Every edit of the help reads as a request.
    let help = String::from_utf8(ws.asof(&["edit", "plan", "--help"]).stdout).unwrap();
    let request = help.split("all edits are applied, or none):\n").nth(1).unwrap();
    let request =
        request.split("\n  canonical:").next().unwrap().replace("HASH", &ws.hash("src/lib.rs"));
    let read = asof::wire::EditRequest::parse(&request).unwrap();
    let modes: std::collections::BTreeSet<&str> =
        read.edits.iter().map(asof::edit::Edit::mode).collect();
    assert_eq!(modes.len(), asof::edit::Edit::MODES.len());
}
