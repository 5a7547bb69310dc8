//! Answers of commands in clients that have no code for them.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::client::{Client, uri};
use super::demo::bare;
use super::repository::Repository;
use super::session::past;

#[test]
fn actions_are_for_those_who_ask() {
    let folder = bare();
    let mut client = Client::session(folder.path(), "utf-8", json!({}));
    let at = json!({ "line": 3, "character": 8 });
    for (context, expected) in [
        (json!({ "diagnostics": [] }), 5),
        (json!({ "diagnostics": [], "only": ["source"] }), 5),
        (json!({ "diagnostics": [], "only": ["quickfix", "source.fixAll"] }), 0),
        (json!({ "diagnostics": [], "triggerKind": 2 }), 0),
    ] {
        let params = json!({
            "textDocument": { "uri": uri(&folder.path().join("src/retry.rs")) },
            "range": { "start": at, "end": at },
            "context": context,
        });
        let found = client.request("textDocument/codeAction", params);
        assert_eq!(found.as_array().unwrap().len(), expected, "{context}");
    }
    assert_eq!(client.quit(), Some(0));
}

/// Runs the code action of a command on the item `old`, as a client does; what it is told then.
fn choose(client: &mut Client, repo: &Repository, command: &str) -> Option<Json> {
    let at = json!({ "line": 2, "character": 8 });
    let params = json!({
        "textDocument": { "uri": uri(&repo.root.join("src/lib.rs")) },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [] },
    });
    let actions = client.request("textDocument/codeAction", params);
    let actions = actions.as_array().unwrap();
    let chosen = actions.iter().find(|action| action["command"]["command"] == command).unwrap();
    let mut run = chosen["command"].clone();
    if command == "asof.showAt" {
        run["arguments"][0]["at"] = json!("v1");
    }
    client.told.clear();
    client.request("workspace/executeCommand", run);
    client.told.iter().find(|told| told["method"].as_str().unwrap().contains("/show")).cloned()
}

/// The file that a client is asked to show.
fn file(told: Option<Json>) -> PathBuf {
    let told = told.unwrap();
    assert_eq!(told["method"], "window/showDocument");
    assert!(told.get("id").is_some());
    PathBuf::from(told["params"]["uri"].as_str().unwrap().strip_prefix("file://").unwrap())
}

#[test]
fn a_client_that_shows_documents_gets_files_until_it_leaves() {
    let repo = past();
    let window = json!({ "showDocument": { "support": true } });
    let (mut client, _) = Client::able(&repo.root, json!({ "window": window }), json!({}));
    let mut shown = Vec::new();
    for (command, end, part) in [
        ("asof.history", "history.txt", "new"),
        ("asof.diffItem", "change.diff", "-pub fn old() -> u8 { gone() }"),
        ("asof.impact", "impact.txt", "old"),
        ("asof.testsAffected", "tests.txt", "0 of 0 tests affected"),
        ("asof.showAt", "lib.rs", "fn gone() -> u8 { 1 }"),
    ] {
        let path = file(choose(&mut client, &repo, command));
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name.ends_with(end), "{name}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(part), "{command}: {text}");
        assert!(std::fs::metadata(&path).unwrap().permissions().readonly());
        shown.push(path);
    }
    // Such a file is no workspace, and gets none.
    client.open(shown.last().unwrap(), "fn gone() {}");
    let found = client.at("definition", shown.last().unwrap(), (0, 3));
    assert_eq!(found, Json::Null);
    let folder = shown[0].parent().unwrap().to_owned();
    assert!(!folder.join(".asof").exists());
    assert_eq!(client.quit(), Some(0));
    assert!(!Path::new(&folder).exists());
}

#[test]
fn documents_of_the_past_are_shown_where_the_client_knows_them() {
    let repo = past();
    let capabilities = json!({
        "window": { "showDocument": { "support": true } },
        "workspace": { "textDocumentContent": {} },
    });
    let (mut client, _) = Client::able(&repo.root, capabilities, json!({}));
    let told = choose(&mut client, &repo, "asof.showAt").unwrap();
    let shown = told["params"]["uri"].as_str().unwrap();
    assert!(shown.starts_with("asof://") && shown.ends_with("src/lib.rs"), "{shown}");
    assert_eq!(told["params"]["selection"]["start"], json!({ "line": 0, "character": 0 }));
}

#[test]
fn other_clients_get_a_message() {
    let repo = past();
    let (mut client, _) = Client::able(&repo.root, json!({}), json!({}));
    let told = choose(&mut client, &repo, "asof.history").unwrap();
    assert_eq!(told["method"], "window/showMessage");
    let message = told["params"]["message"].as_str().unwrap();
    assert!(message.starts_with("asof: ") && message.contains("new"), "{message}");
}

#[test]
fn nothing_is_shown_to_a_client_that_does_it_by_itself() {
    let repo = past();
    let window = json!({ "showDocument": { "support": true } });
    let (mut client, _) = Client::able(&repo.root, json!({ "window": window }), json!({}));
    let given = json!({ "uri": uri(&repo.root.join("src/lib.rs")), "position": { "line": 2, "character": 8 } });
    let params = json!({ "command": "asof.history", "arguments": [given] });
    let answer = client.request("workspace/executeCommand", params);
    assert!(answer["text"].is_string());
    assert!(client.told.iter().all(|told| told["method"] != "window/showDocument"));
}
