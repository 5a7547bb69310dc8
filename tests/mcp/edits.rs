//! Edits: plan, apply, undo, by the proposal's id.

use std::fs;

use serde_json::json;

use super::client::Client;
use super::{RETRY, indexed};

/// The id in the last line about a proposal.
fn id(text: &str) -> String {
    let (_, rest) = text.rsplit_once("proposal ").unwrap();
    rest.split_whitespace().next().unwrap().trim_end_matches(',').to_owned()
}

#[test]
fn an_edit_is_planned_applied_and_undone() {
    let work = indexed();
    let file = work.path().join("src/retry.rs");
    let read = || fs::read_to_string(&file).unwrap();
    let client = &mut Client::start(work.path(), &["--allow-edits"]);
    let edit = json!({
        "mode": "canonical", "path": "crate::retry::next_delay", "find": "* 2", "code": "* 3"
    });
    let plan = client.text("plan_code_edit", json!({ "edits": [edit], "reason": "faster" }));
    assert!(plan.contains("+    if n > LIMIT { LIMIT } else { n * 3 }"), "{plan}");
    assert_eq!(read(), RETRY, "a plan writes nothing");
    let first = id(&plan);
    let done = client.text("apply_code_edit", json!({ "proposal_id": first }));
    assert!(done.contains("applied canonical demo::retry::next_delay"), "{done}");
    assert!(done.contains("src/retry.rs file_hash "), "{done}");
    assert!(done.contains("now demo::retry::next_delay src/retry.rs:3-6 bytes 27.."), "{done}");
    assert!(done.contains(" tracking_hash "), "{done}");
    assert_eq!(read(), RETRY.replace("* 2", "* 3"));
    assert!(client.text("show", json!({ "path": ["next_delay"] })).contains("* 3"));

    // Another edit elsewhere in the file stays when the first is undone.
    let other =
        json!({ "mode": "canonical", "path": "crate::retry::LIMIT", "find": "8", "code": "9" });
    let plan = client.text("plan_code_edit", json!({ "edits": [other] }));
    client.text("apply_code_edit", json!({ "proposal_id": id(&plan) }));
    let undone = client.text("undo_code_edit", json!({ "proposal_id": first }));
    assert!(undone.contains("undone"), "{undone}");
    assert_eq!(read(), RETRY.replace("= 8", "= 9"));
    let again = client.error("undo_code_edit", json!({ "proposal_id": first }));
    assert!(again.contains("is already undone, by revision "), "{again}");
    let history = client.text("history", json!({ "path": "crate::retry::LIMIT" }));
    assert!(history.contains("test"), "the client is the actor: {history}");
}

#[test]
fn an_edit_of_what_cargo_runs_carries_a_warning() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &["--allow-edits"]);
    let edit = json!({ "mode": "create_file", "file_path": "build.rs", "code": "fn main() {}" });
    let plan = client.text("plan_code_edit", json!({ "edits": [edit] }));
    assert!(plan.contains("warning: build.rs is code of a build script"), "{plan}");
}

#[test]
fn what_is_wrong_with_an_edit_is_said() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &["--allow-edits", "--all-tools"]);
    let mut refused = |edit: serde_json::Value, says: &str| {
        let error = client.error("plan_code_edit", json!({ "edits": [edit] }));
        assert!(error.contains(says), "{error}");
    };
    refused(json!({ "mode": "canonical", "path": "crate::wait" }), "missing field `code`");
    refused(json!({ "mode": "replace" }), "edits[0].mode");
    refused(json!({ "mode": "delete", "path": "crate::gone" }), "crate::gone");
    refused(
        json!({ "mode": "canonical", "path": "crate::wait", "find": "u32", "code": "u64" }),
        "occurs 2 times in `crate::wait`: src/lib.rs:6",
    );
    refused(json!({ "mode": "create_file", "file_path": "../out.rs", "code": "" }), "../out.rs");
    let error = client.error("apply_code_edit", json!({ "proposal_id": "ffffffffffff" }));
    assert!(error.contains("ffffffffffff"), "{error}");
}

#[test]
fn a_stale_proposal_is_refused_with_what_there_is_now() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &["--allow-edits", "--all-tools"]);
    let edit =
        json!({ "mode": "canonical", "path": "crate::retry::LIMIT", "find": "8", "code": "9" });
    let plan = client.text("plan_code_edit", json!({ "edits": [edit] }));
    super::write(work.path(), "src/retry.rs", &RETRY.replace("= 8", "= 80"));
    let error = client.error("apply_code_edit", json!({ "proposal_id": id(&plan) }));
    assert!(error.contains("now: src/retry.rs:1-1 bytes 0..26"), "{error}");
    assert!(error.contains("tracking_hash: ") && error.contains("`show`"), "{error}");
    let list = client.text("list_code_edits", json!({}));
    assert!(list.contains(&id(&plan)) && list.contains("planned"), "{list}");
    let denied = client.text("deny_code_edit", json!({ "proposal_id": id(&plan) }));
    assert!(denied.contains("denied"), "{denied}");
}

#[test]
fn every_occurrence_is_replaced_on_request() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &["--allow-edits"]);
    let path = "crate::retry::next_delay";
    let edit = |more: serde_json::Value| {
        let mut edit =
            json!({ "mode": "canonical", "path": path, "find": "LIMIT", "code": "MOST" });
        edit.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "edits": [edit] })
    };
    let error = client.error("plan_code_edit", edit(json!({})));
    let says = "occurs 2 times in `crate::retry::next_delay`: src/retry.rs:5";
    assert!(error.contains(says) && error.contains("\"all\": true"), "{error}");
    let plan = client.text("plan_code_edit", edit(json!({ "all": true })));
    client.text("apply_code_edit", json!({ "proposal_id": id(&plan) }));
    let now = fs::read_to_string(work.path().join("src/retry.rs")).unwrap();
    // Only within the item.
    assert_eq!(now, RETRY.replace("if n > LIMIT { LIMIT }", "if n > MOST { MOST }"));
    let error = client.error(
        "plan_code_edit",
        json!({ "edits": [{ "mode": "canonical", "path": path, "all": true, "code": "fn f() {}" }] }),
    );
    assert!(error.contains("`find`, which is missing"), "{error}");
    // A second undo says which one did it.
    let undo = json!({ "proposal_id": id(&plan) });
    client.text("undo_code_edit", undo.clone());
    let error = client.error("undo_code_edit", undo);
    assert!(error.contains("is already undone, by revision "), "{error}");
}

/// Two clients of two servers: what the second does to the item makes the first one's plan stale;
/// what it does beside the item does not.
#[test]
fn a_plan_of_one_client_meets_the_edit_of_another() {
    let work = indexed();
    let first = &mut Client::start(work.path(), &["--allow-edits"]);
    let second = &mut Client::start(work.path(), &["--allow-edits"]);
    let apply = |client: &mut Client, edit: serde_json::Value| {
        let plan = client.text("plan_code_edit", json!({ "edits": [edit] }));
        client.text("apply_code_edit", json!({ "proposal_id": id(&plan) }))
    };
    let of_item = |code: &str| {
        json!({
            "mode": "canonical", "path": "crate::retry::LIMIT", "find": "8", "code": code
        })
    };
    let plan = first.text("plan_code_edit", json!({ "edits": [of_item("9")] }));
    apply(second, of_item("80"));
    let error = first.error("apply_code_edit", json!({ "proposal_id": id(&plan) }));
    assert!(error.contains("now: src/retry.rs:1-1 bytes 0..26"), "{error}");
    assert!(error.contains("tracking_hash: "), "{error}");
    let file = work.path().join("src/retry.rs");
    assert_eq!(fs::read_to_string(&file).unwrap(), RETRY.replace("= 8", "= 80"));

    let plan = first.text("plan_code_edit", json!({ "edits": [of_item("7")] }));
    let beside = json!({
        "mode": "insert", "anchor": "crate::retry::LIMIT", "position": "before",
        "code": "pub const LEAST: u32 = 1;"
    });
    apply(second, beside);
    let done = first.text("apply_code_edit", json!({ "proposal_id": id(&plan) }));
    assert!(done.contains("rebased"), "{done}");
    let now = fs::read_to_string(&file).unwrap();
    assert!(now.contains("= 70") && now.contains("LEAST"), "{now}");
}

/// The client goes away after it asked for an edit: the files are old or new, and the next client
/// can go on.
#[test]
fn a_client_that_leaves_in_the_middle_of_an_edit_does_no_harm() {
    let work = indexed();
    let file = work.path().join("src/retry.rs");
    for (number, wait) in [0, 1, 5, 20, 60].into_iter().enumerate() {
        let mut client = Client::start(work.path(), &["--allow-edits"]);
        let old = fs::read_to_string(&file).unwrap();
        let code = format!("if n > LIMIT {{ LIMIT }} else {{ n * {} }}", number + 10);
        let edit = json!({
            "mode": "canonical", "path": "crate::retry::next_delay", "part": "body",
            "code": code
        });
        let plan = client.text("plan_code_edit", json!({ "edits": [edit] }));
        let arguments = json!({ "proposal_id": id(&plan) });
        client.ask("tools/call", json!({ "name": "apply_code_edit", "arguments": arguments }));
        std::thread::sleep(std::time::Duration::from_millis(wait));
        // Every second one is killed with its server.
        if number % 2 == 0 {
            client.hang_up()
        } else {
            drop(client)
        }
        let next = &mut Client::start(work.path(), &["--allow-edits", "--all-tools"]);
        let list = next.text("list_code_edits", json!({}));
        let now = fs::read_to_string(&file).unwrap();
        assert!(now == old || now.contains(&code), "after {wait} ms: {now}");
        let line = list.lines().find(|line| line.contains(&id(&plan))).unwrap();
        assert_eq!(line.contains("applied"), now != old, "after {wait} ms: {line}");
        let edit = json!({
            "mode": "insert", "anchor": "crate::retry::LIMIT", "position": "before",
            "code": format!("pub const N{number}: u32 = 1;")
        });
        let plan = next.text("plan_code_edit", json!({ "edits": [edit] }));
        next.text("apply_code_edit", json!({ "proposal_id": id(&plan) }));
    }
}
