//! Edits over HTTP, only with `--allow-edits`.

use std::fs;
use std::io::Write;
use std::net::TcpStream;

use serde_json::{Value as Json, json};

use super::client::Server;
use super::{LIB, indexed};

#[test]
fn edits_are_planned_applied_and_undone() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &["--allow-edits"]);
    let file = work.path().join("src/lib.rs");
    let done = |target: &str, body: &Json| {
        let response = server.post(target, body);
        assert_eq!(response.status, 200, "{target}: {response:?}");
        response.json()
    };
    let plan = json!({
        "edits": [{
            "mode": "canonical", "path": "crate::wait", "find": "next_delay(n)",
            "code": "next_delay(n + 1)"
        }],
        "actor": "tester", "reason": "later"
    });
    let planned = done("/api/edit/plan", &plan);
    assert_eq!(planned["applied"], false);
    assert_eq!(fs::read_to_string(&file).unwrap(), LIB);
    let id = json!({ "proposal_id": planned["proposal_id"], "actor": "tester" });
    let applied = done("/api/edit/apply", &id);
    assert_eq!(applied["applied"], true, "{applied}");
    assert!(fs::read_to_string(&file).unwrap().contains("next_delay(n + 1)"));
    let shown = server.answer("/api/show?paths=crate::wait");
    assert!(shown["items"][0]["text"].as_str().unwrap().contains("n + 1"), "{shown}");
    let list = server.answer("/api/edit/list?status=applied");
    assert_eq!((&list["total"], &list["items"][0]["actor"]), (&json!(1), &json!("tester")));
    done("/api/edit/undo", &id);
    assert_eq!(fs::read_to_string(&file).unwrap(), LIB);

    // A stale edit is refused with the present state of its target.
    let body = json!({
        "edits": [{ "mode": "canonical", "path": "crate::wait", "part": "body", "code": "n + 2" }]
    });
    let id = json!({ "proposal_id": done("/api/edit/plan", &body)["proposal_id"] });
    fs::write(&file, LIB.replace("next_delay(n)", "next_delay(9)")).unwrap();
    let refused = server.post("/api/edit/apply", &id);
    assert_eq!(refused.status, 412, "{refused:?}");
    assert_eq!(refused.json()["details"]["file_path"], "src/lib.rs");
    let misspelled = json!({ "proposal_id": id["proposal_id"], "reson": "why" });
    assert_eq!(server.post("/api/edit/apply", &misspelled).status, 400);
    assert_eq!(done("/api/edit/deny", &id)["status"], "denied");
}

#[test]
fn an_edit_of_what_cargo_runs_carries_a_warning() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &["--allow-edits"]);
    let edit = json!({ "mode": "create_file", "file_path": "build.rs", "code": "fn main() {}" });
    let plan = server.post("/api/edit/plan", &json!({ "edits": [edit] })).json();
    let says = "build.rs is code of a build script";
    assert!(plan["warnings"][0].as_str().unwrap().starts_with(says), "{plan}");
    let id = plan["proposal_id"].as_str().unwrap();
    let page = server.get(&format!("/proposals/{id}"));
    assert!(page.body.contains(says), "{page:?}");
}

#[test]
fn an_edit_outside_the_root_is_refused() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &["--allow-edits"]);
    for path in ["../outside.rs", "/tmp/outside.rs", ".asof/x.rs"] {
        let edit = json!({ "mode": "create_file", "file_path": path, "code": "fn x() {}" });
        let refused = server.post("/api/edit/plan", &json!({ "edits": [edit] }));
        assert_eq!(refused.status, 400, "{path}: {refused:?}");
    }
}

#[test]
fn a_reading_server_has_no_edits() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &[]);
    for command in ["plan", "apply", "undo", "deny"] {
        let refused = server.post(&format!("/api/edit/{command}"), &json!({ "proposal_id": "x" }));
        assert_eq!(refused.status, 404, "{command}: {refused:?}");
    }
    let document = server.answer("/openapi.json").to_string();
    assert!(!document.contains("/api/edit/"));
}

/// The connection is dropped in the middle of a request, or before its answer: the files are old or
/// new, no lock is left, and the server goes on.
#[test]
fn a_dropped_connection_leaves_an_edit_whole() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &["--allow-edits"]);
    let file = work.path().join("src/lib.rs");
    for (number, wait) in [0, 1, 5, 20, 60].into_iter().enumerate() {
        let new = format!("next_delay(n + {})", number + 10);
        let old = fs::read_to_string(&file).unwrap();
        let body = json!({
            "edits": [{
                "mode": "canonical", "path": "crate::wait", "part": "body",
                "code": format!("retry::{new}")
            }]
        });
        let planned = server.post("/api/edit/plan", &body);
        assert_eq!(planned.status, 200, "{planned:?}");
        let id = planned.json()["proposal_id"].as_str().unwrap().to_owned();
        let body = json!({ "proposal_id": id }).to_string();
        let token = server.token.clone().unwrap_or_default();
        let head = format!(
            "POST /api/edit/apply HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            server.address,
            body.len()
        );
        // Half of a request does nothing.
        let mut half = TcpStream::connect(server.address).unwrap();
        half.write_all(&format!("{head}{body}").as_bytes()[..head.len() + 4]).unwrap();
        drop(half);
        assert_eq!(fs::read_to_string(&file).unwrap(), old);
        let mut whole = TcpStream::connect(server.address).unwrap();
        whole.write_all(format!("{head}{body}").as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        drop(whole);
        // Waits for the edit, if it is under way.
        let state = || {
            let list = server.answer("/api/edit/list");
            let items = list["items"].as_array().unwrap().iter();
            items.clone().find(|item| item["proposal_id"] == id.as_str()).cloned()
        };
        let mut item = state();
        for _ in 0..500 {
            if item.as_ref().is_none_or(|item| item["status"] != "applying") {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
            item = state();
        }
        let found = fs::read_to_string(&file).unwrap();
        assert!(found == old || found.contains(&new), "after {wait} ms: {found}");
        let item = item.unwrap();
        assert!(item["status"] == "planned" || item["status"] == "applied", "{item}");
        let body = json!({
            "edits": [{
                "mode": "insert", "anchor": "crate::wait", "position": "before",
                "code": format!("pub const N{number}: u32 = 1;")
            }]
        });
        let again =
            json!({ "proposal_id": server.post("/api/edit/plan", &body).json()["proposal_id"] });
        assert_eq!(server.post("/api/edit/apply", &again).status, 200);
    }
    let now = fs::read_to_string(&file).unwrap();
    assert!((0..5).all(|n| now.contains(&format!("pub const N{n}:"))), "{now}");
}
