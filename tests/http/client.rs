//! A server that listens on a free port, and a client that writes and reads HTTP by hand.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::cli::command;

/// Time limit for each answer, and for the end of the server.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct Server {
    child: Child,
    pub address: SocketAddr,
    /// Sent with each request.
    pub token: Option<String>,
}

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Response {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(':')?;
            known.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    #[track_caller]
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Server {
    /// `asof serve` with these options.
    pub fn start(root: &Path, options: &[&str]) -> Self {
        Self::run(root, &[&["serve"], options].concat())
    }

    /// Any command that listens.
    pub fn run(root: &Path, arguments: &[&str]) -> Self {
        Self::spawn(command(root, arguments), root)
    }

    /// A command of any form, which listens for the workspace at `root`.
    pub fn spawn(mut command: Command, root: &Path) -> Self {
        let mut child = command
            .args(["--port", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said = String::new();
        let address = loop {
            let Some(Ok(line)) = lines.next() else { panic!("it does not listen: {said}") };
            if let Some((_, rest)) = line.split_once("listening on http://") {
                break rest.split(';').next().unwrap().trim().parse().unwrap();
            }
            said.push_str(&line);
        };
        // A full pipe would block the server.
        std::thread::spawn(move || lines.for_each(drop));
        let token = std::fs::read_to_string(root.join(".asof/http-token")).ok();
        let token = token.map(|token| token.trim().to_owned());
        Self { child, address, token }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn get(&self, target: &str) -> Response {
        self.request("GET", target, &[], "")
    }

    /// The answer to a request that succeeds.
    #[track_caller]
    pub fn answer(&self, target: &str) -> Json {
        let response = self.get(target);
        assert_eq!(response.status, 200, "{target}: {response:?}");
        response.json()
    }

    pub fn post(&self, target: &str, body: &Json) -> Response {
        let kind = [("Content-Type", "application/json")];
        self.request("POST", target, &kind, &body.to_string())
    }

    /// A request with the token, unless the headers have another.
    pub fn request(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response {
        let has = |name: &str| headers.iter().any(|(known, _)| *known == name);
        // Answers to HTTP/1.0 end with the connection.
        let mut text = format!("{method} {target} HTTP/1.0\r\n");
        if !has("Host") {
            text.push_str(&format!("Host: {}\r\n", self.address));
        }
        if let Some(token) = self.token.as_ref().filter(|_| !has("Authorization")) {
            text.push_str(&format!("Authorization: Bearer {token}\r\n"));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.send(text.as_bytes())
    }

    /// Sends bytes as they are, and reads to the end of the connection.
    pub fn send(&self, bytes: &[u8]) -> Response {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // A server that refuses a request may close before it has read it.
        let _ = stream.write_all(bytes);
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            panic!("no response: {read:?} {text}");
        };
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Response { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Sends a signal, by its name.
    pub fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let status = std::process::Command::new("kill").args([name, &pid]).status().unwrap();
        assert!(status.success());
    }

    /// Waits until the server ends.
    pub fn wait(&mut self) -> ExitStatus {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the server does not end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
