//! `asof edit` through the binary: what is written, proposed, followed and undone.

use crate::support::cli;
use crate::support::edit_demo;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use cli::{code, err, out};
use edit_demo::{LIB, RETRY, canonical, demo};
use serde_json::{Value as Json, json};

#[test]
fn several_edits_of_several_files_are_one_revision_and_one_undo() {
    let ws = demo();
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
    assert_eq!(code(&again), 7);
    let says = format!("proposal {id} is already undone, by revision ");
    assert!(err(&again).contains(&says), "{}", err(&again));
    let revision = undone["revision"].as_str().unwrap();
    assert!(err(&again).contains(&revision[..8]), "{revision}: {}", err(&again));
}

#[test]
fn a_dry_run_prints_a_diff_that_git_takes_and_stores_nothing() {
    let ws = demo();
    ws.write(
        "e.json",
        &json!({ "edits": [canonical("crate::LIMIT", "pub const LIMIT: u32 = 5;")] }).to_string(),
    );
    let output = ws.asof(&["edit", "apply", "--file", "e.json", "--dry-run"]);
    insta::assert_snapshot!("dry_run", out(&output));
    assert_eq!(ws.read("src/lib.rs"), LIB);
    assert_eq!(ws.json(&["edit", "list"])["total"], 0);
    let coloured = ws.asof(&["--color", "always", "edit", "apply", "-f", "e.json", "--dry-run"]);
    assert!(out(&coloured).contains("\u{1b}[32m+pub const"));
}

#[test]
fn a_proposal_is_listed_shown_denied_or_applied_once() {
    let ws = demo();
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
    assert_eq!(code(&ws.asof(&["edit", "deny", &first])), 0);
    assert_eq!(code(&ws.asof(&["edit", "apply", &first])), 2);
    assert_eq!(code(&ws.asof(&["edit", "apply", &second])), 0);
    assert!(ws.read("src/lib.rs").contains("LIMIT: u32 = 6"));
    let twice = ws.asof(&["edit", "apply", &second]);
    assert_eq!(code(&twice), 2);
    assert!(err(&twice).contains("is already applied"));
    assert_eq!(code(&ws.asof(&["edit", "apply", "zz"])), 1);
}

#[test]
fn an_item_that_only_moved_is_followed_and_one_that_changed_is_refused() {
    let ws = demo();
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
    assert_eq!(cli::code(&refused), 7);
    let error: Json = serde_json::from_slice(&refused.stderr).unwrap();
    let details = &error["error"]["details"];
    assert_eq!(details["span"]["start_line"], 7);
    assert!(details["diff"].as_str().unwrap().contains("+        self.base * u64::from(n) + 1"));
    assert!(details["tracking_hash"].is_string() && details["file_hash"].is_string());
    assert!(ws.read("src/retry.rs").contains("+ 1"));
}

#[test]
fn a_text_that_is_no_longer_found_is_stale() {
    let ws = demo();
    let edit = json!([{ "mode": "canonical", "path": "crate::retry::Policy::next_delay",
        "find": "u64::from(n)", "code": "u64::from(n) * 2" }]);
    let planned = ws.done("plan", edit, &[]);
    let id = planned["proposal_id"].as_str().unwrap();
    let cases = [
        ("u64::from(n)", "u64::from(n + 1)", "no longer in the item"),
        ("u64::from(n)", "u64::from(n) + u64::from(n)", "several times"),
    ];
    for (from, to, reason) in cases {
        let text = RETRY.replace(from, to);
        ws.write("src/retry.rs", &text);
        let refused = ws.asof(&["edit", "apply", id]);
        assert_eq!(code(&refused), 7);
        assert!(err(&refused).contains(reason), "{}", err(&refused));
        assert_eq!(ws.read("src/retry.rs"), text);
    }
    ws.write("src/retry.rs", RETRY);
    assert_eq!(code(&ws.asof(&["edit", "apply", id])), 0);
    assert!(ws.read("src/retry.rs").contains("u64::from(n) * 2"));
}

#[test]
fn a_splice_is_carried_over_where_its_item_is_as_it_was() {
    let ws = demo();
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
    let ws = demo();
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
    let ws = demo();
    let edit = json!([canonical("crate::LIMIT", "pub const LIMIT: u32 = 5;")]);
    let check = "grep -q 'LIMIT: u32 = 5' src/lib.rs && echo seen && exit 3";
    let failed = ws.edit("apply", &edit, &["--check", check]);
    assert_eq!(code(&failed), 8);
    assert!(err(&failed).contains("seen"));
    assert_eq!(ws.read("src/lib.rs"), LIB);
    let listed = ws.json(&["edit", "list"]);
    assert_eq!(listed["items"][0]["status"], "planned");
    ws.done("apply", edit, &["--check", "grep -q 'LIMIT: u32 = 5' src/lib.rs"]);
}

#[test]
fn rustfmt_formats_what_changes_and_nothing_else() {
    let ws = demo();
    ws.write("src/lib.rs", &LIB.replace("a + b", "a  +  b"));
    let edit = json!([canonical("crate::LIMIT", "pub   const LIMIT:u32=  5;")]);
    ws.done("apply", edit, &["--rustfmt"]);
    let text = ws.read("src/lib.rs");
    assert!(text.contains("pub const LIMIT: u32 = 5;") && text.contains("a  +  b"), "{text}");
}

#[test]
fn files_are_made_moved_and_removed() {
    let ws = demo();
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
        assert_eq!(code(&ws.asof(&["edit", "undo"])), 0);
    }
    assert_eq!(ws.read("src/lib.rs"), LIB);
    assert!(!ws.root().join("src/deep").exists());
    assert_eq!(done["files"][0]["op"], "create");
}

#[test]
fn what_surrounds_an_edit_keeps_its_bytes() {
    let ws = demo();
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

/// The bug: a nested item of a replaced body was taken for the item itself.
#[test]
fn a_body_with_a_nested_item_loses_no_documentation() {
    let ws = demo();
    let lib = "/// Docs.\npub fn f() -> u8 {\n    /// Inner.\n    fn g() -> u8 { 1 }\n    g()\n}\n";
    ws.write("src/lib.rs", lib);
    let body = json!({ "mode": "canonical", "path": "crate::f", "part": "body",
                       "code": "{\n    fn g() -> u8 { 1 }\n    g() + 1\n}" });
    let warnings = |edit: Json| {
        let planned = ws.done("plan", json!([edit]), &[]);
        planned["warnings"].as_array().into_iter().flatten().cloned().collect::<Vec<Json>>()
    };
    let lost = |warnings: Vec<Json>| {
        warnings.iter().any(|one| one.as_str().unwrap().contains("loses its documentation"))
    };
    assert!(!lost(warnings(body)));
    let whole = canonical(
        "crate::f",
        "pub fn f() -> u8 {\n    /// Inner.\n    fn g() -> u8 { 1 }\n    g()\n}",
    );
    assert!(lost(warnings(whole)));
}
