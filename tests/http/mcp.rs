//! MCP over HTTP: each revision of the protocol, on `asof mcp --http` and `asof serve`.

use serde_json::{Value as Json, json};

use super::client::{Response, Server};
use super::{LIB, indexed};

const NEWEST: &str = "2026-07-28";

/// A client, with a session or without.
struct Client<'s> {
    server: &'s Server,
    version: &'static str,
    session: Option<String>,
}

impl<'s> Client<'s> {
    /// A client after its handshake.
    fn start(server: &'s Server, version: &'static str) -> (Self, Json) {
        let mut client = Self { server, version, session: None };
        let info = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": info });
        let response = client.post(&message(Some(1), "initialize", params), "initialize", None);
        client.session = response.header("mcp-session-id").map(str::to_owned);
        assert!(client.session.is_some(), "{response:?}");
        let answer = result(&response);
        let initialized = message(None, "notifications/initialized", json!({}));
        assert_eq!(client.post(&initialized, "notifications/initialized", None).status, 202);
        (client, answer)
    }

    fn post(&self, message: &Json, method: &str, name: Option<&str>) -> Response {
        let mut headers = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        if method != "initialize" {
            headers.push(("MCP-Protocol-Version", self.version));
        }
        if self.version == NEWEST {
            headers.push(("Mcp-Method", method));
            headers.extend(name.map(|name| ("Mcp-Name", name)));
        }
        if let Some(session) = &self.session {
            headers.push(("Mcp-Session-Id", session));
        }
        self.server.request("POST", "/mcp", &headers, &message.to_string())
    }

    #[track_caller]
    fn request(&self, method: &str, mut params: Json) -> Json {
        if self.version == NEWEST {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = NEWEST.into();
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        let name = params["name"].as_str().map(str::to_owned);
        result(&self.post(&message(Some(7), method, params), method, name.as_deref()))
    }

    #[track_caller]
    fn text(&self, tool: &str, arguments: Json) -> String {
        let result = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(result["isError"], false, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

fn message(id: Option<u32>, method: &str, params: Json) -> Json {
    let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    if let Some(id) = id {
        message["id"] = id.into();
    }
    message
}

/// The result in a response: JSON, or the last event of a stream.
#[track_caller]
fn result(response: &Response) -> Json {
    assert_eq!(response.status, 200, "{response:?}");
    let text = match response.header("content-type") {
        Some(kind) if kind.starts_with("text/event-stream") => {
            let events = response.body.lines().filter_map(|line| line.strip_prefix("data:"));
            events.map(str::trim).rfind(|data| !data.is_empty()).unwrap().to_owned()
        }
        _ => response.body.clone(),
    };
    let message: Json = serde_json::from_str(&text).unwrap();
    assert!(message.get("error").is_none(), "{message}");
    message["result"].clone()
}

fn check(server: &Server) {
    for version in ["2025-06-18", "2025-11-25"] {
        let (client, answer) = Client::start(server, version);
        assert_eq!(answer["protocolVersion"], version);
        assert_eq!(answer["serverInfo"]["name"], "asof");
        let tools = client.request("tools/list", json!({}));
        assert_eq!(tools["tools"].as_array().unwrap().len(), 8);
        let text = client.text("show", json!({ "paths": ["crate::wait"] }));
        assert!(text.contains("retry::next_delay(n)"), "{text}");
        // The session ends with its client.
        let session = client.session.clone().unwrap();
        let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", version)];
        let gone = server.request("DELETE", "/mcp", &headers, "").status;
        assert_eq!(gone, 204, "202 is a failure for some clients");
        let list = message(Some(9), "tools/list", json!({}));
        assert_eq!(client.post(&list, "tools/list", None).status, 404);
    }
    // Without `initialize`, and without a session.
    let client = Client { server, version: NEWEST, session: None };
    let found = client.request("server/discover", json!({}));
    assert!(found["supportedVersions"].as_array().unwrap().contains(&NEWEST.into()), "{found}");
    let tools = client.request("tools/list", json!({}));
    assert!(tools["ttlMs"].as_u64().unwrap() > 0, "{tools}");
    let text = client.text("outline", json!({ "path": "src/retry.rs" }));
    assert!(text.contains("fn next_delay"), "{text}");
}

#[test]
fn each_revision_of_the_protocol() {
    let (work, _) = indexed();
    check(&Server::run(work.path(), &["mcp", "--http"]));
    check(&Server::start(work.path(), &[]));
}

#[test]
fn mcp_alone_has_no_api() {
    let (work, _) = indexed();
    let server = Server::run(work.path(), &["mcp", "--http"]);
    assert_eq!(server.get("/api/status").status, 404);
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(server.request("POST", "/mcp", &[("Authorization", "")], "{}").status, 401);
    drop(server);
    let options = ["mcp", "--port", "1"];
    super::cli::fails(work.path(), &options, 2, "without `--http`");
    std::fs::remove_dir_all(work.path().join(".asof")).unwrap();
    let unindexed = ["mcp", "--http", "--port", "0"];
    super::cli::fails(work.path(), &unindexed, 5, "is not indexed");
    assert!(!work.path().join(".asof").exists(), "it only reads");
}

#[test]
fn the_number_of_sessions_has_a_limit() {
    let (work, _) = indexed();
    let server = Server::run(work.path(), &["mcp", "--http"]);
    let info = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
    let begin = message(Some(1), "initialize", params);
    let (first, _) = Client::start(&server, "2025-06-18");
    let client = Client { server: &server, version: "2025-06-18", session: None };
    for n in 1..256 {
        assert_eq!(client.post(&begin, "initialize", None).status, 200, "{n}");
    }
    let refused = client.post(&begin, "initialize", None);
    assert_eq!(refused.status, 503, "{refused:?}");
    let says = refused.json()["detail"].as_str().unwrap().to_owned();
    assert_eq!(says, "256 MCP sessions are open");
    assert!(refused.header("retry-after").is_some());
    // Sessions that are open, and clients that need none, go on.
    assert!(first.text("outline", json!({ "path": "crate" })).contains("pub fn wait"));
    let newest = Client { server: &server, version: NEWEST, session: None };
    assert!(newest.text("outline", json!({ "path": "crate" })).contains("pub fn wait"));
    // One that ends makes room.
    let session = first.session.clone().unwrap();
    let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-06-18")];
    assert_eq!(server.request("DELETE", "/mcp", &headers, "").status, 204);
    assert_eq!(client.post(&begin, "initialize", None).status, 200);
}

#[test]
fn requests_of_the_api_are_traced() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &["--trace", "trace.jsonl"]);
    server.answer("/api/outline?path=crate");
    let missing = server.get("/api/resolve?path=no_such_item");
    assert_eq!(missing.status, 404);
    drop(server);
    let trace = super::cli::answer(work.path(), &["trace", "trace.jsonl"]);
    assert_eq!(trace["iterations"].as_array().unwrap().len(), 2, "{trace}");
    let text = std::fs::read_to_string(work.path().join("trace.jsonl")).unwrap();
    assert!(text.contains("/api/outline") && text.contains("/api/resolve"), "{text}");
}

#[test]
fn cursors_of_one_client_and_edits_of_another() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &["--allow-edits"]);
    let (one, _) = Client::start(&server, "2025-06-18");
    let two = Client { server: &server, version: NEWEST, session: None };
    let arguments = json!({ "path": "crate", "depth": 3, "max_tokens": 100 });
    let first = one.text("outline", arguments.clone());
    let cursor = first.lines().find_map(|line| line.split_once("cursor ")).unwrap().1.trim();
    let mut next = arguments;
    next["cursor"] = cursor.into();
    assert_ne!(one.text("outline", next.clone()), first);
    let edit = json!({
        "mode": "canonical", "path": "crate::wait", "find": "n)", "code": "n + 1)"
    });
    let plan = two.text("plan_code_edit", json!({ "edits": [edit] }));
    let (_, id) = plan.rsplit_once("proposal ").unwrap();
    let id = id.split_whitespace().next().unwrap().trim_end_matches(',');
    two.text("apply_code_edit", json!({ "proposal_id": id }));
    let text = std::fs::read_to_string(work.path().join("src/lib.rs")).unwrap();
    assert_ne!(text, LIB);
    // The cursor belongs to the revision before.
    let stale = one.request("tools/call", json!({ "name": "outline", "arguments": next }));
    let said = stale["content"][0]["text"].as_str().unwrap();
    assert!(stale["isError"] == true && said.contains("stale"), "{stale}");
}
