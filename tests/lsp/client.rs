//! A client of `asof lsp` that writes and reads messages by hand.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::cli::command;

/// No answer takes longer, on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Json>,
    next: u64,
    answers: HashMap<u64, Json>,
    /// Notifications and requests of the server.
    pub told: Vec<Json>,
}

impl Client {
    pub fn start(folder: &Path) -> Self {
        let mut child = command(folder, &["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self { child, stdin, messages, next: 0, answers: HashMap::new(), told: Vec::new() }
    }

    /// A session in a folder, counting columns in `encoding`, with these settings.
    pub fn session(root: &Path, encoding: &str, settings: Json) -> Self {
        let capabilities = json!({
            "general": { "positionEncodings": [encoding] },
            "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } },
            "window": { "workDoneProgress": true },
        });
        let (client, offered) = Self::able(root, capabilities, settings);
        assert_eq!(offered["positionEncoding"], encoding);
        client
    }

    /// A session of a client with these capabilities, and those of the server.
    pub fn able(root: &Path, capabilities: Json, settings: Json) -> (Self, Json) {
        let mut client = Self::start(root);
        let answer = client.request(
            "initialize",
            json!({
                "processId": null, "rootUri": uri(root), "capabilities": capabilities,
                "initializationOptions": settings,
            }),
        );
        client.notify("initialized", json!({}));
        (client, answer["capabilities"].clone())
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub fn send(&mut self, message: &Json) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub fn ask(&mut self, method: &str, params: Json) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The next message; none if the server ended.
    pub fn message(&mut self) -> Option<Json> {
        self.messages.recv_timeout(PATIENCE).ok()
    }

    /// The response to a request.
    pub fn response(&mut self, id: u64) -> Json {
        let begun = Instant::now();
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            assert!(begun.elapsed() < PATIENCE, "no answer");
            let message = self.message().expect("the server ended");
            match message.get("method") {
                Some(_) => self.told.push(message),
                None => drop(self.answers.insert(message["id"].as_u64().unwrap_or(0), message)),
            }
        }
    }

    /// The result of a request.
    pub fn request(&mut self, method: &str, params: Json) -> Json {
        let id = self.ask(method, params);
        let answer = self.response(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The error of a request: code and message.
    pub fn refused(&mut self, method: &str, params: Json) -> (i64, String) {
        let id = self.ask(method, params);
        let answer = self.response(id);
        let error = &answer["error"];
        assert!(!error.is_null(), "{method}: {answer}");
        (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
    }

    pub fn open(&mut self, path: &Path, text: &str) {
        let document =
            json!({ "uri": uri(path), "languageId": "rust", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Asks about a place.
    pub fn at(&mut self, method: &str, path: &Path, (line, character): (u32, u32)) -> Json {
        self.request(&format!("textDocument/{method}"), place(path, (line, character)))
    }

    /// Ends the session; the exit code.
    pub fn quit(mut self) -> Option<i32> {
        self.request("shutdown", Json::Null);
        self.notify("exit", Json::Null);
        self.stdin = None;
        self.child.wait().unwrap().code()
    }

    /// Leaves without a word; the exit code.
    pub fn leave(mut self) -> Option<i32> {
        self.stdin = None;
        self.child.wait().unwrap().code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Nothing is left behind by a test that fails.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(stdout: &mut impl BufRead) -> Option<Json> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some((_, value)) => length = value.parse().ok(),
            None => break,
        }
    }
    let mut body = vec![0; length?];
    stdout.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

pub fn place(path: &Path, (line, character): (u32, u32)) -> Json {
    json!({
        "textDocument": { "uri": uri(path) },
        "position": { "line": line, "character": character },
    })
}
