//! Handshakes, lists, errors of the protocol, cancellation, progress.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::client::{Client, NEWEST, Revision};
use super::{bare, index, indexed};

use crate::support::tempdir;

#[test]
fn sessions_that_begin_with_initialize() {
    let work = indexed();
    for version in ["2025-06-18", "2025-11-25"] {
        let mut client = Client::speaking(work.path(), &[], Revision::Session(version));
        let server = client.initialize();
        assert_eq!(server["protocolVersion"], version);
        assert_eq!(server["serverInfo"]["name"], "asof");
        for capability in ["tools", "resources", "prompts"] {
            assert!(server["capabilities"][capability].is_object(), "{server}");
        }
        let text = client.text("show", json!({ "path": ["crate::wait"] }));
        assert!(text.contains("retry::next_delay(n)"), "{text}");
        client.close();
    }
}

#[test]
fn sessions_without_initialize() {
    let work = indexed();
    let mut client = Client::speaking(work.path(), &[], Revision::Inline);
    let found = client.request("server/discover", json!({}))["result"].clone();
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&NEWEST.into()), "{found}");
    assert!(found["capabilities"]["tools"].is_object(), "{found}");
    let list = client.request("tools/list", json!({}))["result"].clone();
    assert!(list["ttlMs"].as_u64().unwrap() > 0 && list["cacheScope"].is_string(), "{list}");
    assert_eq!(list["resultType"], "complete");
    let text = client.text("show", json!({ "path": ["next_delay"] }));
    assert!(text.contains("src/retry.rs:3-6"), "{text}");
    client.close();
}

#[test]
fn a_client_that_leaves_at_once_is_no_failure() {
    let work = bare();
    Client::speaking(work.path(), &[], Revision::Inline).close();
}

/// Bytes of `tools/list`, and a token is hardly more than four of them.
fn tokens(tools: &[Json]) -> usize {
    serde_json::to_string(tools).unwrap().len().div_ceil(4)
}

#[test]
fn few_tools_by_default() {
    let work = indexed();
    let list = |options: &[&str]| Client::start(work.path(), options).tools();
    let names = |tools: &[Json]| -> Vec<String> {
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let tools = list(&[]);
    let default = [
        "search",
        "show",
        "outline",
        "where_used",
        "request_code_context",
        "history",
        "diff",
        "query",
    ];
    assert!(default.len() <= 8);
    assert_eq!(names(&tools), default);
    assert!(tokens(&tools) <= 2_000, "{} tokens: {tools:#?}", tokens(&tools));
    assert_eq!(tools, list(&[]), "the same list in the same order");
    let edits = list(&["--allow-edits"]);
    let edit_tools = ["plan_code_edit", "apply_code_edit", "undo_code_edit"];
    assert_eq!(names(&edits), [default.as_slice(), &edit_tools].concat());
    assert!(tokens(&edits) <= 3_000, "{} tokens", tokens(&edits));
    let all = names(&list(&["--all-tools", "--allow-edits"]));
    for name in [
        "get_file_metadata", "lineage", "resolve", "apply_code_edit", "log", "blame", "status",
        "quality", "verify", "ast_query",
    ] {
        assert!(all.iter().any(|known| known == name), "{name}: {all:?}");
    }
    let reading = names(&list(&["--all-tools"]));
    assert!(reading.iter().all(|name| !name.ends_with("_edit")), "{reading:?}");
}

#[test]
fn every_tool_says_what_it_does() {
    let work = indexed();
    let options = ["--all-tools", "--allow-edits", "--structured"];
    for tool in Client::start(work.path(), &options).tools() {
        let name = tool["name"].as_str().unwrap();
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{name}");
        let description = tool["description"].as_str().unwrap();
        assert!(description.starts_with("Use "), "{name}: {description}");
        let hints = &tool["annotations"];
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{name}: {hints}");
        }
        assert_eq!(hints["openWorldHint"], false, "{name}");
        let writes = ["apply_code_edit", "undo_code_edit"].contains(&name);
        assert_eq!(hints["destructiveHint"], writes, "{name}");
        assert_eq!(hints["readOnlyHint"], !name.contains("_edit"), "{name}");
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{name}: {}", tool[schema]);
        }
        // Validators warn of formats that they do not know.
        let output = tool["outputSchema"].to_string();
        assert!(!output.contains("\"format\":\"uint"), "{name}: {output}");
        if name == "query" {
            // Rows, or the list of queries.
            assert_eq!(tool["outputSchema"]["anyOf"].as_array().unwrap().len(), 2, "{output}");
        }
    }
}

#[test]
fn what_may_be_text_of_the_repository_is_marked() {
    let work = indexed();
    let mut client = Client::start(work.path(), &[]);
    let mark = |block: &Json| block["_meta"]["asof/untrusted"].clone();
    let shown = client.result("show", json!({ "path": ["crate::wait"] }));
    assert_eq!(mark(&shown["content"][0]), true, "{shown}");
    let error = client.result("show", json!({ "path": ["crate::gone"] }));
    assert_eq!((&error["isError"], mark(&error["content"][0])), (&json!(true), json!(true)));
    let mut read = |uri: &str| {
        client.request("resources/read", json!({ "uri": uri }))["result"]["contents"][0].clone()
    };
    assert_eq!(mark(&read("asof://file/src/retry.rs")), true);
    assert_eq!(mark(&read("asof://schema")), Json::Null, "it is our own");
}

#[test]
fn what_is_not_offered_is_empty_or_an_error_of_the_protocol() {
    let work = indexed();
    let mut client = Client::start(work.path(), &[]);
    assert_eq!(client.request("prompts/list", json!({}))["result"]["prompts"], json!([]));
    let mut refused = |name: &str, says: &str| {
        let answer = client.request("tools/call", json!({ "name": name, "arguments": {} }));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(says), "{message}");
    };
    refused("apply_code_edit", "--allow-edits");
    refused("lineage", "--all-tools");
    refused("grep", "no tool `grep`; tools: search, show, outline");
    let answer = client.request("no/such", json!({}));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    // What is no JSON is skipped.
    client.send(&json!("{ no message"));
    assert!(client.text("outline", json!({ "path": "crate" })).contains("pub fn wait"));
}

#[test]
fn an_unindexed_root_says_how_to_index_it() {
    let work = bare();
    let mut client = Client::start(work.path(), &[]);
    let begin = Instant::now();
    let error = client.error("outline", json!({ "path": "crate" }));
    assert!(begin.elapsed() < Duration::from_secs(1));
    assert!(error.contains("is not indexed"), "{error}");
    assert!(error.contains("asof -C /") && error.contains(" index`"), "{error}");
    assert!(!work.path().join(".asof").exists(), "it only reads");
    // The same server answers once somebody has indexed.
    index(work.path());
    assert!(client.text("outline", json!({ "path": "crate" })).contains("pub fn wait"));
}

#[test]
fn indexing_reports_progress() {
    let work = bare();
    let mut client = Client::start(work.path(), &["--index"]);
    let params = json!({
        "name": "outline", "arguments": { "path": "crate" }, "_meta": { "progressToken": "p1" }
    });
    let answer = client.request("tools/call", params);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let progress: Vec<&Json> = client.notifications.iter().map(|one| &one["params"]).collect();
    assert!(progress.len() > 2, "{progress:?}");
    assert!(progress.iter().all(|one| one["progressToken"] == "p1"), "{progress:?}");
    let steps: Vec<f64> = progress.iter().map(|one| one["progress"].as_f64().unwrap()).collect();
    assert!(steps.windows(2).all(|two| two[0] < two[1]), "{steps:?}");
}

#[test]
fn a_second_worktree_starts_from_the_first() {
    let work = indexed();
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.current_dir(work.path()).args(["-c", "user.name=a", "-c", "user.email=a@b.c"]);
        assert!(command.args(args).output().unwrap().status.success(), "git {args:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "Cargo.toml", "src"]);
    git(&["commit", "-q", "-m", "one"]);
    let other = tempdir();
    let second = other.path().join("second");
    git(&["worktree", "add", "-q", "--detach", second.to_str().unwrap()]);
    let mut client = Client::start(&second, &["--index"]);
    let params = json!({
        "name": "outline", "arguments": { "path": "crate" }, "_meta": { "progressToken": "p1" }
    });
    let answer = client.request("tools/call", params);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let said = client.notifications.iter().map(|one| one["params"]["message"].as_str().unwrap());
    let said: Vec<&str> = said.collect();
    assert!(said.contains(&"copying a database"), "{said:?}");
    assert!(!said.contains(&"resolving names"), "{said:?}");
}

/// Runs until it is stopped.
const ENDLESS: &str = "?[count(a)] := a in int_range(0, 100000), b in int_range(0, 100000), \
                       c in int_range(0, 100000), a + b + c < 0";

#[test]
fn a_cancelled_query_ends() {
    let work = indexed();
    let mut client = Client::start(work.path(), &[]);
    let arguments = json!({ "script": ENDLESS, "timeout_s": 60 });
    let id = client.ask("tools/call", json!({ "name": "query", "arguments": arguments }));
    let worker = worker_of(client.pid());
    client.notify("notifications/cancelled", json!({ "requestId": id, "reason": "test" }));
    let begin = Instant::now();
    while std::path::Path::new(&format!("/proc/{worker}")).exists() {
        assert!(begin.elapsed() < Duration::from_secs(10), "the query goes on");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Other calls go on.
    assert!(client.text("query", json!({ "script": "?[a] <- [[1]]" })).starts_with("a\n1\n"));
}

#[test]
fn a_query_is_stopped_at_its_limit() {
    let work = indexed();
    let mut client = Client::start(work.path(), &[]);
    let error = client.error("query", json!({ "script": ENDLESS, "timeout_s": 1 }));
    assert!(error.contains("ran longer than 1s") || error.contains("time"), "{error}");
    assert!(error.contains("`timeout_s`"), "{error}");
}

fn worker_of(parent: u32) -> u32 {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(30) {
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let Some((_, rest)) = stat.rsplit_once(") ") else { continue };
            let line = std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
            if rest.split(' ').nth(1) == Some(&parent.to_string()) && line.contains("query-worker")
            {
                return entry.file_name().to_str().unwrap().parse().unwrap();
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no query began");
}

#[test]
fn arguments_that_are_no_object_are_wrong_parameters() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &[]);
    let mut code =
        |method: &str, params: Json| client.request(method, params)["error"]["code"].clone();
    assert_eq!(code("tools/call", json!({ "name": "show", "arguments": "x" })), -32602);
    assert_eq!(code("tools/call", json!({ "arguments": {} })), -32602);
    assert_eq!(code("resources/read", json!({ "uri": 1 })), -32602);
    assert_eq!(code("tools/unknown", json!({})), -32601);
}
