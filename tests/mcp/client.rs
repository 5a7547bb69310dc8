//! A client of `asof mcp` that writes and reads JSON-RPC by hand.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value as Json, json};

use super::cli::command;

/// How a session speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revision {
    /// With `initialize`.
    Session(&'static str),
    /// Without: every request says what it needs.
    Inline,
}

pub const NEWEST: &str = "2026-07-28";

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    revision: Revision,
    next: u64,
    /// Notifications that came before the answers that were waited for.
    pub notifications: Vec<Json>,
}

impl Client {
    /// A server for a folder, after the handshake of 2025-06-18.
    pub fn start(root: &Path, options: &[&str]) -> Self {
        let mut client = Self::speaking(root, options, Revision::Session("2025-06-18"));
        client.initialize();
        client
    }

    pub fn speaking(root: &Path, options: &[&str], revision: Revision) -> Self {
        let mut child = command(root, &["mcp"])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdin, stdout, revision, next: 0, notifications: Vec::new() }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The handshake; what the server says of itself.
    pub fn initialize(&mut self) -> Json {
        let Revision::Session(version) = self.revision else { panic!("no handshake") };
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({
            "protocolVersion": version, "capabilities": {}, "clientInfo": client
        });
        let answer = self.request("initialize", params)["result"].clone();
        self.notify("notifications/initialized", json!({}));
        answer
    }

    pub fn send(&mut self, message: &Json) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{message}\n").as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    pub fn notify(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request; its id.
    pub fn ask(&mut self, method: &str, mut params: Json) -> u64 {
        self.next += 1;
        if self.revision == Revision::Inline {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = NEWEST.into();
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// A line of standard output: a message of the protocol, or the test fails.
    pub fn message(&mut self) -> Json {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        if line.is_empty() {
            let mut said = String::new();
            self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            panic!("the server ended: {said}");
        }
        let message: Json = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// The answer to a request.
    pub fn answer(&mut self, id: u64) -> Json {
        loop {
            let message = self.message();
            if message["id"] == id {
                return message;
            }
            assert!(message.get("id").is_none(), "not asked for: {message}");
            self.notifications.push(message);
        }
    }

    pub fn request(&mut self, method: &str, params: Json) -> Json {
        let id = self.ask(method, params);
        self.answer(id)
    }

    pub fn tools(&mut self) -> Vec<Json> {
        let answer = self.request("tools/list", json!({}));
        answer["result"]["tools"].as_array().unwrap().clone()
    }

    /// The result of a call, whether it is an error or not.
    #[track_caller]
    pub fn result(&mut self, tool: &str, arguments: Json) -> Json {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer.get("error").is_none(), "{tool}: {answer}");
        answer["result"].clone()
    }

    /// The text of a call that succeeds.
    #[track_caller]
    pub fn text(&mut self, tool: &str, arguments: Json) -> String {
        let result = self.result(tool, arguments);
        let text = text_of(&result);
        assert_eq!(result["isError"], false, "{tool}: {text}");
        text
    }

    /// The text of a call that fails.
    #[track_caller]
    pub fn error(&mut self, tool: &str, arguments: Json) -> String {
        let result = self.result(tool, arguments);
        let text = text_of(&result);
        assert_eq!(result["isError"], true, "{tool}: {text}");
        text
    }

    /// Closes standard input; the server ends by itself, and has written nothing but messages.
    pub fn close(mut self) {
        drop(self.stdin.take());
        let mut line = String::new();
        while self.stdout.read_line(&mut line).unwrap() > 0 {
            serde_json::from_str::<Json>(&line).unwrap();
            line.clear();
        }
        assert!(self.child.wait().unwrap().success());
    }
}

impl Client {
    /// Closes the input of the server, and waits for its end.
    pub fn hang_up(mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn text_of(result: &Json) -> String {
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}
