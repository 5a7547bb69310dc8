//! Checks whether clients reach the server, with the command that mends each failure.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use asof_engine::Database;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::clients::{Client, Homes, Place, Scope, WORKSPACE};
use super::entry::{Entry, NAME};
use super::file;
use super::launch;

/// A check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    pub name: String,
    pub ok: bool,
    /// What was found.
    pub found: String,
    /// What mends it; none if it is fine.
    pub mend: Option<String>,
}

/// What is checked.
#[derive(Debug)]
pub struct Doctor<'a> {
    pub root: &'a Path,
    pub homes: &'a Homes,
    /// Folders of programs: the value of PATH.
    pub path: &'a OsStr,
    /// How this program is started.
    pub start: &'a Entry,
    /// One client; else all that have an entry.
    pub client: Option<Client>,
    /// One scope; else both.
    pub scope: Option<Scope>,
}

/// How long a server may take for its first answer.
const PATIENCE: Duration = Duration::from_secs(10);

impl Doctor<'_> {
    /// Every check, in the order in which to mend what fails.
    pub fn checks(&self) -> Vec<Check> {
        let mut checks = vec![self.program(), self.database()];
        let mut entries: Vec<Entry> = Vec::new();
        for place in self.places() {
            let (check, entry) = self.configuration(&place);
            checks.extend(check);
            entries.extend(entry.filter(|entry| !entries.contains(entry)));
        }
        if checks.len() == 2 {
            checks.push(self.no_entry());
        }
        checks.extend(entries.iter().map(|entry| self.server(entry)));
        checks
    }

    /// A workspace need not be set up for any client, unless one is asked for.
    fn no_entry(&self) -> Check {
        let install = |client: &str| format!("asof mcp install --client {client}");
        let name = "configuration";
        match self.client {
            Some(client) => failed(name, "it has no entry".to_owned(), install(client.name())),
            None => {
                passed(name, format!("no client has an entry; `{}` adds one", install("CLIENT")))
            }
        }
    }

    fn places(&self) -> Vec<Place> {
        let clients = Client::ALL.into_iter();
        let clients = clients.filter(|client| self.client.is_none_or(|one| one == *client));
        let scopes = |client| {
            let scopes = Scope::ALL.into_iter();
            let scopes = scopes.filter(|scope| self.scope.is_none_or(|one| one == *scope));
            // A client without a file for this scope has nothing to check.
            scopes.filter_map(move |scope| Place::new(client, scope, self.root, self.homes).ok())
        };
        clients.flat_map(scopes).collect()
    }

    fn program(&self) -> Check {
        if launch::is_by_runner(self.start) {
            return passed("program", format!("started by {}", self.start));
        }
        match launch::find(NAME, self.path) {
            Some(path) => passed("program", path.display().to_string()),
            None => {
                let here = std::env::current_exe().ok();
                let folder = here.as_deref().and_then(Path::parent);
                let folder = folder.map_or_else(String::new, |at| at.display().to_string());
                failed(
                    "program",
                    format!("no program `{NAME}` in the folders of PATH"),
                    format!("export PATH=\"$PATH:{folder}\""),
                )
            }
        }
    }

    /// The program of an entry.
    fn find(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            Some(self.root.join(name)).filter(|path| launch::is_program(path))
        } else {
            launch::find(name, self.path)
        }
    }

    fn database(&self) -> Check {
        let path = Database::path_of(self.root);
        let index = format!("asof -C '{}' index", self.root.display());
        if path.symlink_metadata().is_err() {
            return failed("index", format!("{} is not indexed", self.root.display()), index);
        }
        match Database::open(self.root).and_then(|database| database.status()) {
            Ok(status) => passed(
                "index",
                format!(
                    "{}: {} files, {} definitions",
                    path.display(),
                    status.files,
                    status.definitions
                ),
            ),
            Err(error) => failed("index", error.to_string(), format!("{index} --rebuild")),
        }
    }

    /// The check of a file, and its entry. No check of a file that need not have one.
    fn configuration(&self, place: &Place) -> (Option<Check>, Option<Entry>) {
        let name = format!("{} ({})", place.client.name(), place.scope.name());
        let path = place.file.path().display().to_string();
        let options = format!("--client {} --scope {}", place.client.name(), place.scope.name());
        let install = format!("asof mcp install {options}");
        let is_wanted = self.client.is_some() && self.scope.is_some();
        let found = match file::read(&place.file) {
            Ok(text) => text.map(|text| place.syntax().find(&text)).transpose(),
            Err(problem) => return (Some(failed(&name, problem.message, by_hand(&path))), None),
        };
        match found {
            Err(refusal) => {
                (Some(failed(&name, format!("{path}: {refusal}"), by_hand(&path))), None)
            }
            Ok(Some(Some(entry))) if entry.args.iter().any(|arg| arg == "mcp") => {
                (Some(passed(&name, format!("{path}: {entry}"))), Some(entry))
            }
            Ok(Some(Some(entry))) => {
                let found = format!("{path}: {entry} does not start the server");
                let mend = format!("asof mcp uninstall {options} && {install}");
                (Some(failed(&name, found, mend)), None)
            }
            Ok(Some(None) | None) if is_wanted => {
                (Some(failed(&name, format!("{path} has no server `{NAME}`"), install)), None)
            }
            Ok(Some(None) | None) => (None, None),
        }
    }

    /// Starts the server as a client does, and shakes hands.
    fn server(&self, entry: &Entry) -> Check {
        let name = format!("server {entry}");
        let mend = format!("run {entry} in a shell to see what it says");
        match self.greet(entry) {
            Ok(version) => passed(&name, format!("asof {version} answers")),
            Err(reason) => failed(&name, reason, mend),
        }
    }

    fn greet(&self, entry: &Entry) -> Result<String, String> {
        let program = self.find(&entry.command);
        let program = program.ok_or_else(|| format!("no program `{}`", entry.command))?;
        let root = self.root.display().to_string();
        let mut child = Command::new(program)
            .args(entry.args.iter().map(|arg| arg.replace(WORKSPACE, &root)))
            .current_dir(self.root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("it does not start: {error}"))?;
        let request = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "asof doctor", "version": env!("CARGO_PKG_VERSION") }
            }
        });
        let (send, answer) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut line = String::new();
                let read = BufReader::new(output).read_line(&mut line);
                let _ = send.send(read.map(|_| line));
            });
        }
        // It may have ended: then there is no answer either.
        let input = child.stdin.take();
        let _ = input.as_ref().map(|mut input| writeln!(input, "{request}"));
        let answer = answer.recv_timeout(PATIENCE);
        drop(input);
        let _ = child.kill();
        let _ = child.wait();
        match answer {
            Ok(Ok(line)) if line.is_empty() => Err("it ended without an answer".to_owned()),
            Ok(Ok(line)) => {
                let answer: Json = serde_json::from_str(&line)
                    .map_err(|_| format!("it answers with `{}`", line.trim()))?;
                let server = answer.pointer("/result/serverInfo");
                let text = |name| server.and_then(|server| server.get(name)?.as_str());
                match (text("name"), text("version")) {
                    (Some(NAME), Some(version)) => Ok(version.to_owned()),
                    _ => Err(format!("it is another server: {}", line.trim())),
                }
            }
            Ok(Err(error)) => Err(format!("its answer cannot be read: {error}")),
            Err(_) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
        }
    }
}

fn by_hand(path: &str) -> String {
    format!("mend {path} by hand")
}

fn passed(name: &str, found: String) -> Check {
    Check { name: name.to_owned(), ok: true, found, mend: None }
}

fn failed(name: &str, found: String, mend: String) -> Check {
    Check { name: name.to_owned(), ok: false, found, mend: Some(mend) }
}
