//! The session of one client: its beginning and end, notifications, and requests on threads of their
//! own.

use std::collections::HashMap;
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use asof_engine::{Database, StartFrom};
use asof_index::{Options as IndexOptions, Silent};
use asof_workspace::root_above;
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, MessageType,
};
use rayon::ThreadPool;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::capabilities::capabilities;
use super::documents::Documents;
use super::folder::Folder;
use super::places::Document as Place;
use super::positions::Encoding;
use super::requests;
use super::session::{Abilities, Call, Client, Session, Settings};
use super::transport::{self, Incoming, codes};
use asof_surface::watch::{Event, Watched, watch};

/// Requests that are worked on at a time; others wait.
const AT_ONCE: usize = 4;
/// How long requests may go on after the client has left.
const LEAVE: Duration = Duration::from_secs(2);

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The client said `shutdown` and then `exit`, or closed the stream after it.
    Orderly,
    /// The client left without a word.
    Abrupt,
}

/// Serves one client until it leaves.
///
/// # Errors
/// There can be no threads.
pub fn serve(
    input: impl Read + Send + 'static,
    mut output: impl Write + Send + 'static,
    start: StartFrom,
) -> anyhow::Result<End> {
    let (sender, outgoing) = mpsc::channel();
    let writer = thread::Builder::new().name("write".to_owned()).spawn(move || {
        for message in outgoing {
            // The client is gone: what it would be told is lost.
            if transport::write(&mut output, &message).is_err() {
                return;
            }
        }
    })?;
    let (received, incoming) = mpsc::channel();
    thread::Builder::new().name("read".to_owned()).spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(message)) = transport::read(&mut input) {
            if received.send(message).is_err() {
                return;
            }
        }
    })?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(AT_ONCE)
        .thread_name(|n| format!("request-{n}"))
        .build()?;
    let server = Server {
        client: Client::new(sender),
        pool: Arc::new(pool),
        start,
        documents: Documents::default(),
        session: None,
        running: Arc::default(),
        stops: HashMap::new(),
        is_shut_down: false,
    };
    let end = server.run(&incoming);
    // What was answered is written before the process ends.
    let waited = std::time::Instant::now();
    while !writer.is_finished() && waited.elapsed() < LEAVE {
        thread::sleep(Duration::from_millis(5));
    }
    Ok(end)
}

/// The requests that are worked on, by id.
type Running = Arc<Mutex<HashMap<String, Arc<AtomicBool>>>>;

fn locked(running: &Running) -> MutexGuard<'_, HashMap<String, Arc<AtomicBool>>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Server {
    client: Client,
    pool: Arc<ThreadPool>,
    start: StartFrom,
    documents: Documents,
    /// Once it was initialized.
    session: Option<Arc<Session>>,
    running: Running,
    /// What ends the watching of each workspace, by its root.
    stops: HashMap<PathBuf, Arc<AtomicBool>>,
    is_shut_down: bool,
}

impl Server {
    fn run(mut self, incoming: &Receiver<Incoming>) -> End {
        let mut end = End::Abrupt;
        for message in incoming {
            match message {
                Incoming::Broken(response) => self.client.send(response),
                Incoming::Response { .. } => {}
                Incoming::Notification { method, .. } if method == "exit" => break,
                Incoming::Notification { method, params } => self.notified(&method, params),
                Incoming::Request { id, method, params } => self.asked(id, &method, params),
            }
        }
        if self.is_shut_down {
            end = End::Orderly;
        }
        locked(&self.running).values().for_each(|stop| stop.store(true, Ordering::Relaxed));
        self.stops.values().for_each(|stop| stop.store(true, Ordering::Relaxed));
        self.session.iter().for_each(|session| session.answers.remove());
        end
    }

    fn respond(&self, id: Json, answer: Result<Json, (i64, String)>) {
        respond(&self.client, id, answer);
    }

    fn asked(&mut self, id: Json, method: &str, params: Json) {
        let refuse = |code, reason: &str| Err((code, reason.to_owned()));
        match (method, &self.session) {
            _ if self.is_shut_down => {
                self.respond(id, refuse(codes::INVALID_REQUEST, "the server is shut down"));
            }
            ("initialize", None) => {
                let answer = self.initialize(params);
                self.respond(id, answer);
            }
            ("initialize", Some(_)) => {
                self.respond(id, refuse(codes::INVALID_REQUEST, "the server is initialized"));
            }
            (_, None) => {
                let reason = "`initialize` comes first";
                self.respond(id, refuse(codes::SERVER_NOT_INITIALIZED, reason));
            }
            ("shutdown", Some(_)) => {
                self.is_shut_down = true;
                self.respond(id, Ok(Json::Null));
            }
            (_, Some(session)) => {
                let session = Arc::clone(session);
                self.work(id, method, params, session);
            }
        }
    }

    /// Answers a request on another thread.
    fn work(&self, id: Json, method: &str, params: Json, session: Arc<Session>) {
        let stop = Arc::new(AtomicBool::new(false));
        locked(&self.running).insert(id.to_string(), Arc::clone(&stop));
        let call = Call { session, documents: self.documents.clone(), stop };
        let (client, running) = (self.client.clone(), Arc::clone(&self.running));
        let method = method.to_owned();
        self.pool.spawn(move || {
            let ask = || requests::answer(&call, &method, params);
            let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(ask));
            // A defect in one answer is not the end of the session.
            let answer = answer.unwrap_or_else(|_| {
                Err((codes::REQUEST_FAILED, format!("`{method}` failed; please report it")))
            });
            locked(&running).remove(&id.to_string());
            respond(&client, id, answer);
        });
    }

    fn initialize(&mut self, params: Json) -> Result<Json, (i64, String)> {
        let abilities = Abilities::from_params(&params);
        let roots = roots(&params);
        let params: InitializeParams = serde_json::from_value(params)
            .map_err(|error| (codes::INVALID_PARAMS, error.to_string()))?;
        let offered = params.capabilities.general.and_then(|general| general.position_encodings);
        let encoding = Encoding::choose(&offered.unwrap_or_default());
        let settings = match params.initialization_options {
            None | Some(Json::Null) => Settings::default(),
            Some(options) => serde_json::from_value(options).unwrap_or_else(|error| {
                let message = format!("asof: settings are not read: {error}");
                self.client.show(MessageType::Warning, &message);
                Settings::default()
            }),
        };
        let client = self.client.clone();
        let session = Arc::new(Session::new(client, encoding, abilities, settings, self.start));
        for root in roots {
            if let Some(folder) = session.add(&root) {
                self.begin(&session, folder);
            }
        }
        self.session = Some(session);
        Ok(json!({
            "capabilities": capabilities(encoding),
            "serverInfo": { "name": "asof", "version": env!("CARGO_PKG_VERSION") },
        }))
    }

    /// Indexes a workspace if it has no database, and keeps it up to date.
    fn begin(&mut self, session: &Arc<Session>, folder: Arc<Folder>) {
        let stop = Arc::new(AtomicBool::new(false));
        self.stops.insert(folder.root.clone(), Arc::clone(&stop));
        let session = Arc::clone(session);
        let keep = move || {
            let call = Call { session, documents: Documents::default(), stop: Arc::clone(&stop) };
            // With progress, where there is no database.
            if let Err(failure) = call.database(&folder) {
                let (_, message) = failure.code_and_message();
                call.session.client.show(MessageType::Error, &format!("asof: {message}"));
                return;
            }
            if call.session.abilities.status {
                let status = json!({ "health": "ok", "quiescent": true });
                call.session.client.notify("experimental/serverStatus", status);
            }
            let watched = Watched { workspace: &folder.workspace, stop, memory: || None };
            let client = &call.session.client;
            let mut tell = |event: Event<'_>| -> anyhow::Result<()> {
                match event {
                    Event::Started { .. } => {}
                    Event::Updated(_) if call.session.abilities.lens_refresh => {
                        client.ask("workspace/codeLens/refresh", Json::Null);
                    }
                    Event::Updated(_) => {}
                    Event::Warning(text) => client.log(MessageType::Warning, text),
                }
                Ok(())
            };
            if let Err(error) = watch(&watched, &mut tell) {
                client.log(MessageType::Error, &format!("asof: files are not watched: {error}"));
            }
        };
        let thread = thread::Builder::new().name("watch".to_owned()).spawn(keep);
        if let Err(error) = thread {
            self.client.log(MessageType::Error, &format!("asof: files are not watched: {error}"));
        }
    }

    fn notified(&mut self, method: &str, params: Json) {
        let Some(session) = self.session.clone().filter(|_| !self.is_shut_down) else { return };
        match method {
            "$/cancelRequest" => {
                let id = params.get("id").map(Json::to_string).unwrap_or_default();
                if let Some(stop) = locked(&self.running).get(&id) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            "textDocument/didOpen" => {
                let Some(params) = self.read::<DidOpenTextDocumentParams>(method, params) else {
                    return;
                };
                let document = params.text_document;
                self.add_folder_of(&session, &document.uri);
                self.documents.open(&document.uri, document.version, &document.text);
            }
            "textDocument/didChange" => {
                let Some(params) = self.read::<DidChangeTextDocumentParams>(method, params) else {
                    return;
                };
                let document = params.text_document;
                let (uri, version) = (document.text_document_identifier.uri, document.version);
                self.documents.change(&uri, version, params.content_changes, session.encoding);
            }
            "textDocument/didClose" => {
                if let Some(params) = self.read::<DidCloseTextDocumentParams>(method, params) {
                    self.documents.close(&params.text_document.uri);
                }
            }
            // Watching would find it too, a little later.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.refresh(&session),
            "workspace/didChangeWorkspaceFolders" => {
                if let Some(params) = self.read::<DidChangeWorkspaceFoldersParams>(method, params) {
                    self.change_folders(&session, params);
                }
            }
            _ => {}
        }
    }

    fn read<P: DeserializeOwned>(&self, method: &str, params: Json) -> Option<P> {
        let read = serde_json::from_value(params);
        if let Err(error) = &read {
            let message = format!("asof: `{method}` is not understood: {error}");
            self.client.log(MessageType::Error, &message);
        }
        read.ok()
    }

    /// A file outside of the folders that are open brings its own workspace, if it is in one.
    fn add_folder_of(&mut self, session: &Arc<Session>, uri: &gen_lsp_types::Uri) {
        let Some(place) = Place::from_uri(uri).filter(|place| place.revision.is_none()) else {
            return;
        };
        let Some(parent) = place.path.parent().filter(|_| session.find(&place.path).is_none())
        else {
            return;
        };
        if (Database::find(parent).is_some() || root_above(parent).is_some())
            && let Some(folder) = session.add(parent)
        {
            self.begin(session, folder);
        }
    }

    fn change_folders(&mut self, session: &Arc<Session>, params: DidChangeWorkspaceFoldersParams) {
        for gone in params.event.removed {
            let folder = Place::from_uri(&gone.uri).and_then(|place| session.remove(&place.path));
            let stop = folder.and_then(|folder| self.stops.remove(&folder.root));
            stop.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        }
        for new in params.event.added {
            let folder = Place::from_uri(&new.uri).and_then(|place| session.add(&place.path));
            folder.into_iter().for_each(|folder| self.begin(session, folder));
        }
    }

    fn refresh(&self, session: &Arc<Session>) {
        for folder in session.folders() {
            let session = Arc::clone(session);
            self.pool.spawn(move || {
                let stop = Arc::new(AtomicBool::new(false));
                let call = Call { session, documents: Documents::default(), stop };
                if let Ok(database) = call.database(&folder) {
                    // What fails here fails when files are watched, and is told there.
                    let _ = database.refresh(&IndexOptions::default(), &Silent);
                }
            });
        }
    }
}

fn respond(client: &Client, id: Json, answer: Result<Json, (i64, String)>) {
    client.send(match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message)) => transport::error(id, code, &message),
    });
}

/// The folders that a client opens.
fn roots(params: &Json) -> Vec<PathBuf> {
    let path = |uri: &Json| {
        let uri = gen_lsp_types::Uri(uri.as_str()?.to_owned());
        Place::from_uri(&uri).map(|place| place.path)
    };
    let folders = params.get("workspaceFolders").and_then(Json::as_array);
    let folders: Vec<PathBuf> =
        folders.into_iter().flatten().filter_map(|folder| path(folder.get("uri")?)).collect();
    if !folders.is_empty() {
        return folders;
    }
    let root = params.get("rootUri").and_then(path);
    let by_path = || params.get("rootPath").and_then(Json::as_str).map(PathBuf::from);
    root.or_else(by_path).into_iter().collect()
}
