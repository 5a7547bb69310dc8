//! Edits of one request that change the same text.

use crate::support::cli::{code, err};
use crate::support::shell::Workspace;
use serde_json::{Value as Json, json};

type Files<'a> = &'a [(&'a str, &'a str)];

/// The request is proven, leaves these files, and can be taken back.
#[track_caller]
fn check(files: Files<'_>, edits: Json, after: Files<'_>) {
    let workspace = Workspace::with(files);
    let planned = workspace.done("plan", edits.clone(), &[]);
    assert_eq!(planned["proof"]["proven"], true, "{planned}");
    let applied = workspace.done("apply", edits, &[]);
    assert_eq!(applied["status"], "applied", "{applied}");
    workspace.has(after);
    workspace.undone(files);
}

#[track_caller]
fn check_lib(text: &str, edits: Json, after: &str) {
    check(&[("src/lib.rs", text)], edits, &[("src/lib.rs", after)]);
}

const CALLER: &str = "\
pub fn old() -> u8 {
    1
}

pub fn caller() -> u8 {
    old()
}

pub fn other() -> u8 {
    old() + 1
}
";

#[test]
fn new_code_is_taken_as_it_is_given() {
    let rename = json!({ "mode": "rename", "path": "crate::old", "to": "fresh" });
    let body = json!({ "mode": "canonical", "path": "crate::caller", "part": "body", "code": "{\n    fresh() + fresh()\n}" });
    let after =
        CALLER.replace("{\n    old()\n}", "{\n    fresh() + fresh()\n}").replace("old", "fresh");
    check_lib(CALLER, json!([rename, body]), &after);
    // The body of the renamed function itself.
    let own =
        json!({ "mode": "canonical", "path": "crate::old", "part": "body", "code": "{\n    2\n}" });
    check_lib(
        CALLER,
        json!([own, rename]),
        &CALLER.replace("old", "fresh").replace("    1\n", "    2\n"),
    );
    // A use of the old name in new code is no use of anything.
    let stale = json!({ "mode": "canonical", "path": "crate::caller", "part": "body", "code": "{\n    old() + 2\n}" });
    let workspace = Workspace::with(&[("src/lib.rs", CALLER)]);
    let planned = workspace.done("plan", json!([rename, stale]), &[]);
    assert_eq!(planned["proof"]["proven"], false, "{planned}");
    assert_eq!(planned["proof"]["look_at"][0]["reason"], "new_code", "{planned}");
}

const TWO_MODULES: &str = "\
mod a {
    pub fn helper() -> u8 {
        1
    }

    pub fn old(x: u8) -> u8 {
        x + helper()
    }
}

mod b {}

pub fn f() -> u8 {
    a::old(1) + a::helper()
}
";

#[test]
fn a_text_that_moves_takes_changes_along() {
    let goes = json!({ "mode": "move", "path": "crate::a::old", "to": "crate::b" });
    let renamed = json!({ "mode": "rename", "path": "crate::a::helper", "to": "fresh" });
    let after = "\
mod a {
    pub fn fresh() -> u8 {
        1
    }
}

mod b {
    use super::a::fresh;

    pub fn old(x: u8) -> u8 {
        x + fresh()
    }
}

pub fn f() -> u8 {
    b::old(1) + a::fresh()
}
";
    let workspace = Workspace::with(&[("src/lib.rs", TWO_MODULES)]);
    let planned = workspace.done("apply", json!([goes, renamed]), &[]);
    assert_eq!(planned["proof"]["proven"], true, "{planned}");
    let text = workspace.read("src/lib.rs");
    assert!(!text.contains("helper"), "{text}");
    assert_eq!(text.matches("fresh").count(), after.matches("fresh").count(), "{text}");
    workspace.undone(&[("src/lib.rs", TWO_MODULES)]);
    // What moves is renamed itself, and gets another body.
    let renamed = json!({ "mode": "rename", "path": "crate::a::old", "to": "fresh" });
    let body = json!({ "mode": "canonical", "path": "crate::a::old", "part": "body", "code": "{\n    x\n}" });
    let workspace = Workspace::with(&[("src/lib.rs", TWO_MODULES)]);
    let applied = workspace.done("apply", json!([goes, renamed, body]), &[]);
    let text = workspace.read("src/lib.rs");
    assert_eq!(applied["proof"]["proven"], true, "{applied}\n{text}");
    assert!(text.contains("pub fn fresh(x: u8) -> u8 {\n        x\n    }"), "{text}");
    assert!(text.contains("b::fresh(1)") && !text.contains("old"), "{text}");
    workspace.undone(&[("src/lib.rs", TWO_MODULES)]);
}

#[test]
fn a_signature_and_a_name_change_together() {
    let text = "pub fn old(a: u8) -> u8 {\n    a\n}\n\npub fn g() -> u8 {\n    old(old(1))\n}\n";
    let after = "pub fn fresh(a: u8, n: u8) -> u8 {\n    a\n}\n\npub fn g() -> u8 {\n    fresh(fresh(1, 0), 0)\n}\n";
    let signature = json!({ "mode": "change_signature", "path": "crate::old", "changes": [
        { "add": { "name": "n", "type": "u8", "value": "0" } },
    ] });
    let rename = json!({ "mode": "rename", "path": "crate::old", "to": "fresh" });
    check_lib(text, json!([signature, rename]), after);
    check_lib(text, json!([rename, signature]), after);
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let edits = json!([
        { "mode": "move", "path": "crate::a::old", "to": "crate::b" },
        { "mode": "delete", "path": "crate::a::old", "uses": "if_unused" },
    ]);
    let workspace = Workspace::with(&[("src/lib.rs", TWO_MODULES)]);
    let output = workspace.edit("plan", &edits, &[]);
    assert_ne!(code(&output), 0);
    assert!(
        err(&output).contains("is used") || err(&output).contains("overlap"),
        "{}",
        err(&output)
    );
    workspace.has(&[("src/lib.rs", TWO_MODULES)]);
}

#[test]
fn a_stale_edit_shows_its_difference_once() {
    let workspace = Workspace::with(&[("src/lib.rs", CALLER)]);
    let body =
        json!([{ "mode": "canonical", "path": "crate::old", "part": "body", "code": "{ 2 }" }]);
    let planned = workspace.done("plan", body, &[]);
    workspace.write("src/lib.rs", &CALLER.replace("    1\n", "    3\n"));
    let id = planned["proposal_id"].as_str().unwrap();
    for format in ["text", "json"] {
        let output = workspace.asof(&["--format", format, "edit", "apply", id]);
        assert_eq!(code(&output), 7, "{}", err(&output));
        assert_eq!(err(&output).matches("+    3").count(), 1, "{}", err(&output));
        assert!(
            err(&output).contains("has changed since the edit was planned"),
            "{}",
            err(&output)
        );
    }
}
