//! Random edits of workspaces while another process changes the same files: each is applied
//! exactly, carried over exactly, or refused with the true reason.
//!
//! `ASOF_EDITS=200000 ASOF_SEED=1 ASOF_FUZZ_CORPUS=path,path
//! cargo test --release --test suite edit_fuzz:: -- --nocapture` is the long run. `ASOF_FUZZ_CORPUS`
//! adds real workspaces, `ASOF_FUZZ_THREADS` runs as many sessions at once, and
//! `ASOF_FUZZ_STATE` names a file with the counts, from which a stopped run continues.

use crate::support::fuzz;
use crate::support::tempdir;
use crate::support::this_test;

use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use fuzz::content::Wire;
use fuzz::modifier;
use fuzz::session::Session;
use fuzz::table::Table;

/// Where the other process finds the driver.
const SOCKET: &str = "ASOF_FUZZ_SOCKET";

/// Fixtures that are edited; some twice, since they have the most items.
const FIXTURES: [&str; 9] =
    ["items", "modules", "items", "cfg", "reexports", "items", "encodings", "targets", "plain"];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The process that changes files while the driver edits them.
struct Other {
    child: Child,
    wire: Wire<UnixStream>,
}

impl Other {
    fn start(folder: &Path) -> Self {
        let socket = folder.join("socket");
        let listener = UnixListener::bind(&socket).unwrap();
        let child = Command::new(std::env::current_exe().unwrap())
            .args([&this_test(module_path!(), "other_process"), "--exact", "--ignored"])
            .env(SOCKET, &socket)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let (stream, _) = listener.accept().unwrap();
        Self { child, wire: Wire(stream) }
    }

    fn stop(self) {
        drop(self.wire);
        let mut child = self.child;
        child.wait().unwrap();
    }
}

/// The same in a thread of this process.
fn thread() -> Wire<UnixStream> {
    let (here, there) = UnixStream::pair().unwrap();
    std::thread::spawn(move || modifier::serve(there));
    Wire(here)
}

#[test]
#[ignore = "started by the driver"]
fn other_process() {
    if let Ok(socket) = std::env::var(SOCKET) {
        modifier::serve(UnixStream::connect(socket).unwrap());
    }
}

/// What the sessions share: counts, and the number of the next one.
struct Shared {
    table: Table,
    next: u64,
    started: u64,
}

fn workspaces() -> Vec<PathBuf> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut all: Vec<PathBuf> = FIXTURES.iter().map(|name| fixtures.join(name)).collect();
    let corpus = std::env::var("ASOF_FUZZ_CORPUS").unwrap_or_default();
    all.extend(corpus.split(',').filter(|path| !path.is_empty()).map(PathBuf::from));
    all
}

fn work(shared: &Mutex<Shared>, wanted: u64, seed: u64, state: Option<&Path>) {
    let folder = tempdir();
    let mut other = Other::start(folder.path());
    let mut in_thread = thread();
    let workspaces = workspaces();
    loop {
        let (session, left) = {
            let mut shared = shared.lock().unwrap();
            if shared.table.edits >= wanted {
                break;
            }
            shared.next += 1;
            (shared.next, wanted - shared.table.edits)
        };
        let from = &workspaces[session as usize % workspaces.len()];
        let name = from.file_name().unwrap().to_str().unwrap();
        let copy = tempfile::tempdir_in(folder.path()).unwrap();
        let wire = if session.is_multiple_of(4) { &mut in_thread } else { &mut other.wire };
        let name = format!("seed {seed} session {session} ({name})");
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(session);
        let table = Session::new(name, from, copy.path(), seed, wire).run(left);
        let mut shared = shared.lock().unwrap();
        for told in &table.told {
            println!("{told}\n");
        }
        shared.table.add(table);
        if session >= shared.started + 50 {
            shared.started = session;
            println!("session {session}: {} edits, {:?}", shared.table.edits, shared.table.faults);
        }
        if let Some(state) = state {
            let text = serde_json::to_string(&(seed, shared.next, &shared.table)).unwrap();
            std::fs::write(state, text).unwrap();
        }
    }
    other.stop();
}

#[test]
fn every_edit_is_exact_or_refused_with_the_true_reason() {
    let wanted = number("ASOF_EDITS", 300);
    let seed = number("ASOF_SEED", 1);
    let threads = number("ASOF_FUZZ_THREADS", 1);
    let state = std::env::var_os("ASOF_FUZZ_STATE").map(PathBuf::from);
    let mut shared = Shared { table: Table::default(), next: 0, started: 0 };
    if let Some(text) = state.as_ref().and_then(|state| std::fs::read_to_string(state).ok()) {
        let (_, next, table): (u64, u64, Table) = serde_json::from_str(&text).unwrap();
        (shared.next, shared.table) = (next, table);
    }
    let shared = Mutex::new(shared);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(&shared, wanted, seed, state.as_deref()));
        }
    });
    let table = shared.into_inner().unwrap().table;
    println!("{table}");
    assert!(table.is_clean(), "{}", table.told.join("\n\n"));
}
