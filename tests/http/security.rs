//! Who is refused.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Server;
use super::{cli, indexed};

use crate::support::tempdir;

#[test]
fn requests_need_the_token() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &[]);
    let file = work.path().join(".asof/http-token");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let status =
        |value: &str| server.request("GET", "/api/status", &[("Authorization", value)], "").status;
    let token = server.token.clone().unwrap();
    assert_eq!(token.len(), 64);
    assert_eq!(status(&format!("Bearer {token}")), 200);
    let wrong = token.replace(|c: char| c.is_ascii_digit(), "f");
    for refused in ["", "Bearer ", "Bearer x", &token, &format!("Bearer {wrong}")] {
        assert_eq!(status(refused), 401, "{refused}");
    }
    for target in ["/openapi.json", "/metrics", "/mcp", "/no/such"] {
        let response = server.request("GET", target, &[("Authorization", "")], "");
        assert_eq!(response.status, 401, "{target}");
        assert_eq!(response.header("www-authenticate"), Some("Bearer"));
    }
    assert_eq!(server.request("GET", "/healthz", &[("Authorization", "")], "").status, 200);
    // The next server has the same token.
    drop(server);
    assert_eq!(Server::start(work.path(), &[]).token, Some(token));
}

#[test]
fn without_authentication_on_loopback_only() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &["--no-auth"]);
    assert!(!work.path().join(".asof/http-token").exists());
    server.answer("/api/status");
    let open = ["serve", "--port", "0", "--bind", "0.0.0.0", "--no-auth"];
    cli::fails(work.path(), &open, 2, "0.0.0.0 is not a loopback address");
    let server = Server::start(work.path(), &["--bind", "0.0.0.0"]);
    assert_eq!(server.request("GET", "/api/status", &[("Authorization", "")], "").status, 401);
    server.answer("/api/status");
}

#[test]
fn a_token_file_that_others_may_know_is_refused() {
    let (work, _) = indexed();
    let file = work.path().join(".asof/http-token");
    let token = "0".repeat(64);
    let refused = |says: &str| {
        cli::fails(work.path(), &["serve", "--port", "0"], 5, says);
        fs::remove_file(&file).unwrap();
    };
    fs::write(&file, &token).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    refused("can be read by other users");
    let elsewhere = work.path().join("elsewhere");
    fs::write(&elsewhere, &token).unwrap();
    fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&elsewhere, &file).unwrap();
    refused("is a symbolic link");
    fs::write(&file, "short").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    refused("does not contain a token");
}

#[test]
fn pages_of_other_origins_are_refused() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &["--no-auth"]);
    let own = format!("http://{}", server.address);
    let status = |headers: &[(&str, &str)]| {
        let response = server.request("GET", "/api/status", headers, "");
        // Nothing allows a page to read an answer.
        assert_eq!(response.header("access-control-allow-origin"), None);
        response.status
    };
    assert_eq!(status(&[("Origin", &own)]), 200);
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "http://localhost"] {
        assert_eq!(status(&[("Origin", origin)]), 403, "{origin}");
    }
    for host in ["evil.example", "evil.example:7878", "127.0.0.1.evil.example", "10.0.0.1"] {
        assert_eq!(status(&[("Host", host)]), 421, "{host}");
    }
    let name = format!("localhost:{}", server.address.port());
    assert_eq!(status(&[("Host", &name)]), 200);
    // The same checks are in front of MCP.
    assert_eq!(server.request("GET", "/mcp", &[("Origin", "null")], "").status, 403);
    // A preflight gets no permission.
    let headers = [("Origin", own.as_str()), ("Access-Control-Request-Method", "POST")];
    let preflight = server.request("OPTIONS", "/api/query", &headers, "");
    assert_eq!(preflight.status, 405);
    assert_eq!(preflight.header("access-control-allow-methods"), None);
    // A form of a page cannot send JSON.
    let form = [("Content-Type", "text/plain")];
    assert_eq!(server.request("POST", "/api/query", &form, "{}").status, 415);
    let named = Server::start(work.path(), &["--no-auth", "--allow-host", "code.example"]);
    assert_eq!(named.request("GET", "/api/status", &[("Host", "code.example")], "").status, 200);
}

#[test]
fn requests_have_limits() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &[]);
    let token = server.token.clone().unwrap();
    // A body is refused by its size, before it is read to its end.
    let long = 20 << 20;
    let head = format!(
        "POST /api/query HTTP/1.0\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {long}\r\n\r\n",
        server.address
    );
    let body = " ".repeat(17 << 20);
    assert_eq!(server.send(format!("{head}{body}").as_bytes()).status, 413);
    // One that never comes is not waited for.
    let begin = Instant::now();
    for path in ["/api/query", "/mcp"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             Content-Length: 99999999999\r\n\r\n{{",
            server.address
        );
        assert_eq!(server.send(head.as_bytes()).status, 413, "{path}");
    }
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let long = format!("/api/resolve?path={}", "a".repeat(1 << 20));
    assert!([414, 431].contains(&server.get(&long).status));
    // A query ends at its limits, and cannot read files.
    let endless = "?[count(a)] := a in int_range(0, 100000), b in int_range(0, 100000), \
                   c in int_range(0, 100000), a + b + c < 0";
    let query = |script: &str, time: u64| {
        server.post("/api/query", &json!({ "script": { "text": script }, "time_ms": time }))
    };
    let begin = Instant::now();
    assert_eq!(query(endless, 300).status, 422);
    assert!(begin.elapsed() < Duration::from_secs(10));
    let reading = "?[a] <~ CsvReader(types: ['Any'], url: 'file:///etc/passwd')";
    let refused = query(reading, 1_000);
    assert_eq!(refused.status, 400, "{refused:?}");
    let writing = ":create evil {a}";
    assert_eq!(query(writing, 1_000).status, 400);
}

#[test]
fn files_outside_the_root_are_not_read() {
    let (work, _) = indexed();
    let outside = tempdir();
    fs::write(outside.path().join("secret.rs"), "pub const KEY: &str = \"secret\";").unwrap();
    symlink(outside.path().join("secret.rs"), work.path().join("src/link.rs")).unwrap();
    let server = Server::start(work.path(), &[]);
    let path = outside.path().join("secret.rs");
    for path in [path.to_str().unwrap(), "../secret.rs", "src/link.rs", "/etc/passwd"] {
        for target in
            ["/api/file?path=", "/api/outline?path=", "/api/blame?path=", "/api/show?paths="]
        {
            let response = server.get(&format!("{target}{path}"));
            assert!(!response.body.contains("KEY"), "{target}{path}: {response:?}");
            assert!(response.status < 500, "{target}{path}: {response:?}");
        }
    }
}

#[test]
fn control_characters_are_escaped() {
    let (work, _) = indexed();
    let text = "/// Bell \u{7} and right-to-left \u{202e}.\npub fn odd() {}\n";
    super::write(work.path(), "src/lib.rs", text);
    let server = Server::start(work.path(), &[]);
    let response = server.get("/api/show?paths=crate::odd");
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert!(!response.body.contains('\u{7}'), "{response:?}");
    assert!(response.body.contains("\\u0007"), "{response:?}");
    // Clients get the text of the source as it is.
    assert!(response.json()["items"][0]["text"].as_str().unwrap().contains('\u{202e}'));
}
