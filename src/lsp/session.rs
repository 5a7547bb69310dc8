//! The state that the requests of a client share, and the context of each.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use asof_engine::{Database, EngineError, Refresh, Snapshot, StartFrom, standard_item};
use asof_index::Progress;
use asof_syntax::Wanted;
use asof_wire::Phase;
use asof_wire::When;
use asof_workspace::StandardSources;
use gen_lsp_types::{MessageType, Uri};
use serde_json::{Value as Json, json};

use super::answers::Answers;
use super::documents::Documents;
use super::folder::Folder;
use super::places::Document;
use super::positions::Encoding;
use super::spot::Outside;
use super::transport::codes;
use asof_surface::hint;
use asof_surface::phase::name;
use asof_surface::problem::Problem;

/// The way to the client.
#[derive(Debug, Clone)]
pub struct Client {
    sender: Sender<Json>,
    next: Arc<AtomicI64>,
}

impl Client {
    pub fn new(sender: Sender<Json>) -> Self {
        Self { sender, next: Arc::default() }
    }

    pub fn send(&self, message: Json) {
        // The writer is gone only at the very end.
        let _ = self.sender.send(message);
    }

    pub fn notify(&self, method: &str, params: Json) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks the client something whose answer does not matter.
    pub fn ask(&self, method: &str, params: Json) {
        let id = format!("asof-{}", self.next.fetch_add(1, Ordering::Relaxed));
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    /// A message for the user.
    pub fn show(&self, kind: MessageType, message: &str) {
        self.notify("window/showMessage", json!({ "type": kind, "message": message }));
    }

    /// A line in the log of the client.
    pub fn log(&self, kind: MessageType, message: &str) {
        self.notify("window/logMessage", json!({ "type": kind, "message": message }));
    }

    fn token(&self) -> String {
        format!("asof-progress-{}", self.next.fetch_add(1, Ordering::Relaxed))
    }
}

/// What the client said it can do, as far as it matters.
#[derive(Debug, Clone, Copy, Default)]
pub struct Abilities {
    pub links: bool,
    pub nested_symbols: bool,
    pub progress: bool,
    pub lens_refresh: bool,
    pub document_changes: bool,
    /// Edits that rename files.
    pub renames_files: bool,
    pub show_document: bool,
    /// Documents of the past, by `workspace/textDocumentContent`.
    pub text_content: bool,
    /// As rust-analyzer tells that it is ready.
    pub status: bool,
}

impl Abilities {
    /// Reads the parameters of `initialize`; whatever is missing is not supported.
    pub fn from_params(params: &Json) -> Self {
        let client = params.get("capabilities").unwrap_or(&Json::Null);
        let has = |pointer: &str| client.pointer(pointer).and_then(Json::as_bool) == Some(true);
        let operations = client.pointer("/workspace/workspaceEdit/resourceOperations");
        let mut operations = operations.and_then(Json::as_array).into_iter().flatten();
        Self {
            links: has("/textDocument/definition/linkSupport"),
            nested_symbols: has("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            progress: has("/window/workDoneProgress"),
            lens_refresh: has("/workspace/codeLens/refreshSupport"),
            document_changes: has("/workspace/workspaceEdit/documentChanges"),
            renames_files: operations.any(|operation| operation == "rename"),
            show_document: has("/window/showDocument/support"),
            text_content: client
                .pointer("/workspace/textDocumentContent")
                .is_some_and(Json::is_object),
            status: has("/experimental/serverStatusNotification"),
        }
    }
}

/// Settings that a client sends with `initialize`.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Whether references include guesses.
    pub guesses: bool,
    /// Whether lenses are shown.
    pub lenses: bool,
}

/// What all requests share.
#[derive(Debug)]
pub struct Session {
    pub client: Client,
    pub encoding: Encoding,
    pub abilities: Abilities,
    pub settings: Settings,
    pub start: StartFrom,
    pub answers: Answers,
    folders: Mutex<Vec<Arc<Folder>>>,
    standard: OnceLock<Option<StandardSources>>,
    /// Items of the standard library by path.
    known: Mutex<HashMap<(String, Wanted), Option<Outside>>>,
}

impl Session {
    pub fn new(
        client: Client,
        encoding: Encoding,
        abilities: Abilities,
        settings: Settings,
        start: StartFrom,
    ) -> Self {
        let (folders, standard, known) = (Mutex::default(), OnceLock::new(), Mutex::default());
        let answers = Answers::default();
        Self { client, encoding, abilities, settings, start, answers, folders, standard, known }
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Arc<Folder>>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn folders(&self) -> Vec<Arc<Folder>> {
        self.locked().clone()
    }

    /// Adds the workspace of a folder, unless it is known; then none.
    pub fn add(&self, folder: &Path) -> Option<Arc<Folder>> {
        let new = Arc::new(Folder::around(folder, self.start, |_| {}));
        let mut folders = self.locked();
        if folders.iter().any(|known| known.root == new.root) {
            return None;
        }
        folders.push(Arc::clone(&new));
        Some(new)
    }

    pub fn remove(&self, folder: &Path) -> Option<Arc<Folder>> {
        let root = Database::root_of(folder);
        let mut folders = self.locked();
        let at = folders.iter().position(|known| known.root == root)?;
        Some(folders.remove(at))
    }

    /// Where an item of the standard library is, if its sources are on this machine.
    pub fn standard(&self, path: &str, wanted: Wanted) -> Option<Outside> {
        let key = (path.to_owned(), wanted);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&key) {
            return found.clone();
        }
        let sources = self.standard.get_or_init(StandardSources::find).as_ref();
        let found = sources.and_then(|sources| standard_item(sources, path, wanted));
        let found = found.map(|found| Outside::new(found, self.encoding));
        known().insert(key, found.clone());
        found
    }

    /// The innermost workspace that has a path, and the path in it.
    pub fn find(&self, path: &Path) -> Option<(Arc<Folder>, String)> {
        let folders = self.locked();
        let inside = folders.iter().filter_map(|one| Some((one, one.relative(path)?)));
        let (folder, path) = inside.min_by_key(|(_, path)| path.len())?;
        Some((Arc::clone(folder), path))
    }
}

/// Why a request has no answer.
#[derive(Debug)]
pub enum Failure {
    Cancelled,
    Invalid(String),
    /// It is understood, and refused for this reason.
    Refused(String),
    Problem(Problem),
}

impl Failure {
    /// Code and message of the response.
    pub fn code_and_message(self) -> (i64, String) {
        match self {
            Self::Cancelled => (codes::REQUEST_CANCELLED, "cancelled".to_owned()),
            Self::Invalid(reason) => (codes::INVALID_PARAMS, reason),
            Self::Refused(reason) => (codes::REQUEST_FAILED, reason),
            Self::Problem(problem) => {
                let report = problem.report(hint::words);
                let mut text = report.message;
                report.causes.iter().for_each(|cause| text.push_str(&format!(": {cause}")));
                if !report.hint.is_empty() {
                    text.push_str(&format!("; {}", report.hint));
                }
                (codes::REQUEST_FAILED, text)
            }
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Problem(error.into())
    }
}

/// One request.
#[derive(Debug)]
pub struct Call {
    pub session: Arc<Session>,
    /// As they were when the request came.
    pub documents: Documents,
    pub stop: Arc<AtomicBool>,
}

/// A document of a workspace.
#[derive(Debug)]
pub struct Place {
    pub folder: Arc<Folder>,
    /// Relative to the root.
    pub path: String,
    pub document: Document,
}

impl Call {
    /// # Errors
    /// If the client cancelled the request.
    pub fn go_on(&self) -> Result<(), Failure> {
        if self.stop.load(Ordering::Relaxed) { Err(Failure::Cancelled) } else { Ok(()) }
    }

    /// The document of a name; none if it is of no workspace.
    pub fn place(&self, uri: &Uri) -> Option<Place> {
        let document = Document::from_uri(uri)?;
        let (folder, path) = self.session.find(&document.path)?;
        Some(Place { folder, path, document })
    }

    /// The database of a workspace, indexed first if there is none.
    pub fn database(&self, folder: &Folder) -> Result<Arc<Database>, Failure> {
        self.go_on()?;
        let progress = Told::new(&self.session);
        Ok(folder.workspace.database(&self.stop, &progress)?)
    }

    /// The database for a document: of its moment, if that is of the past.
    pub fn database_at(&self, place: &Place, when: &When) -> Result<Arc<Database>, Failure> {
        self.go_on()?;
        let progress = Told::new(&self.session);
        Ok(place.folder.workspace.database_at(when, &self.stop, &progress)?)
    }
}

/// A snapshot of the newest revision, or of another moment. Files are watched, so nothing is looked
/// for on disk.
pub fn snapshot<'d>(database: &'d Database, when: &When) -> Result<Snapshot<'d>, Failure> {
    Ok(database.snapshot(when, Refresh::Skip)?)
}

/// Progress as the client shows it: nothing before there is something to tell.
pub struct Told<'s> {
    session: &'s Session,
    state: Mutex<Option<Telling>>,
}

struct Telling {
    token: String,
    phase: Phase,
    total: Option<u64>,
    done: u64,
    percent: u64,
}

impl<'s> Told<'s> {
    pub fn new(session: &'s Session) -> Self {
        Self { session, state: Mutex::default() }
    }

    fn tell(&self, token: &str, value: Json) {
        self.session.client.notify("$/progress", json!({ "token": token, "value": value }));
    }
}

impl Progress for Told<'_> {
    fn begin(&self, phase: Phase, total: Option<u64>) {
        if !self.session.abilities.progress {
            return;
        }
        let client = &self.session.client;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let token = match state.take() {
            Some(telling) => telling.token,
            None => {
                let token = client.token();
                client.ask("window/workDoneProgress/create", json!({ "token": token }));
                let title = "asof: indexing";
                self.tell(&token, json!({ "kind": "begin", "title": title, "cancellable": false }));
                token
            }
        };
        self.tell(&token, json!({ "kind": "report", "message": name(phase) }));
        *state = Some(Telling { token, phase, total, done: 0, percent: 0 });
    }

    fn step(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(telling) = state.as_mut() else { return };
        telling.done += 1;
        let Some(total) = telling.total.filter(|total| *total > 0) else { return };
        let percent = (telling.done * 100 / total).min(100);
        if percent > telling.percent {
            telling.percent = percent;
            let message = format!("{} {}/{total}", name(telling.phase), telling.done);
            let value = json!({ "kind": "report", "message": message, "percentage": percent });
            self.tell(&telling.token, value);
        }
    }
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(telling) = state {
            self.tell(&telling.token, json!({ "kind": "end" }));
        }
    }
}
