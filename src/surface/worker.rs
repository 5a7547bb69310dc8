//! A separate process for a script: if it exhausts its memory or overflows its stack, only this
//! process dies. It does not outlive its parent or its time limit.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use asof_engine::{Database, Refresh, Snapshot};
use asof_model::RevisionId;
use asof_model::{ErrorKind, Hint};
use asof_wire::When;
use asof_wire::{QueryRequest, QueryResult};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::problem::Problem;

/// The task of the process.
#[derive(Debug, Serialize, Deserialize)]
pub struct Task {
    pub database: PathBuf,
    pub root: Option<PathBuf>,
    pub revision: Option<RevisionId>,
    pub request: QueryRequest,
    /// The parent process.
    pub parent: u32,
}

impl Task {
    /// # Errors
    /// The database is in memory, where another process cannot read it.
    pub fn new(
        database: &Database,
        revision: Option<RevisionId>,
        request: QueryRequest,
    ) -> Result<Self, Problem> {
        let file = database.file().ok_or_else(|| Problem::internal("a database in memory"))?;
        Ok(Self {
            database: file.to_owned(),
            root: database.root().map(PathBuf::from),
            revision,
            request,
            parent: std::process::id(),
        })
    }
}

/// The reply of the process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    Answer(Json),
    Error(Box<Problem>),
}

/// Address space beyond the memory limit: the program itself, stacks, the page cache.
const HEADROOM: u64 = 768 << 20;
/// Time beyond the script's limit, for starting and ending the process.
const GRACE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);
/// The process ends itself later than its parent would end it, because the parent can say why.
const OWN_GRACE: Duration = Duration::from_secs(3);
/// How often it checks whether its parent still waits for the answer.
const WATCH: Duration = Duration::from_millis(200);

/// Runs a query of a server at the revision of its snapshot.
///
/// # Errors
/// The query failed, or reached a limit.
pub fn query(
    database: &Database,
    snapshot: &Snapshot<'_>,
    request: QueryRequest,
    stop: &AtomicBool,
) -> Result<QueryResult, Problem> {
    // The other process answers at the same revision.
    let task = Task::new(database, snapshot.basis().revision, request)?;
    let answer = ask(&task, stop)?;
    let mut found: QueryResult = serde_json::from_value(answer).map_err(Problem::internal)?;
    found.basis = snapshot.basis().clone();
    found.source = snapshot.source();
    Ok(found)
}

/// Runs a script in a separate process, which has ended when this returns: soon after `stop` is
/// set, if it is.
pub fn ask(task: &Task, stop: &AtomicBool) -> Result<Json, Problem> {
    let request = serde_json::to_vec(task).map_err(Problem::internal)?;
    let program = std::env::current_exe()
        .map_err(|error| Problem::io("find", "this program".as_ref(), &error))?;
    let mut child = Command::new(&program)
        .arg("__query-worker")
        // Address space that the allocator reserves, by default a gigabyte at once, counts
        // against the limit. The engine's C code uses the system's allocator.
        .env("MIMALLOC_ARENA_RESERVE", "16MiB")
        .env("MALLOC_ARENA_MAX", "2")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Problem::io("start", &program, &error))?;
    let stdin = child.stdin.take();
    // On a thread: a process that dies early must not block us in a write.
    thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&request)));
    let out = collect(child.stdout.take());
    let err = collect(child.stderr.take());
    let limit = Duration::from_millis(task.request.time_ms);
    let status = match wait(&mut child, limit + GRACE, stop)? {
        End::Itself(status) => status,
        End::Late => return Err(too_long(limit)),
        End::Stopped => return Err(stopped()),
    };
    let out = out.recv().unwrap_or_default();
    match serde_json::from_slice(&out) {
        Ok(Reply::Answer(answer)) if status.success() => Ok(answer),
        Ok(Reply::Error(failure)) if status.success() => Err(*failure),
        _ => {
            let said = String::from_utf8_lossy(&err.recv().unwrap_or_default()).into_owned();
            Err(died(status, &said, task.request.memory_bytes))
        }
    }
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        drop(read);
        let _ = send.send(bytes);
    });
    receive
}

/// How a process ended.
enum End {
    /// By itself.
    Itself(ExitStatus),
    /// Past its time.
    Late,
    /// The one that asked no longer wants the answer.
    Stopped,
}

/// Waits until the process ends, or ends it.
fn wait(child: &mut Child, limit: Duration, stop: &AtomicBool) -> Result<End, Problem> {
    let begin = Instant::now();
    let failed = |error| Problem::io("wait for", "the process of the query".as_ref(), &error);
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(End::Itself(status));
        }
        let end = match (stop.load(Ordering::Relaxed), begin.elapsed() > limit) {
            (true, _) => End::Stopped,
            (false, true) => End::Late,
            (false, false) => {
                thread::sleep(PAUSE);
                continue;
            }
        };
        let _ = child.kill();
        child.wait().map_err(failed)?;
        return Ok(end);
    }
}

fn too_long(limit: Duration) -> Problem {
    let message = format!("the query ran longer than {limit:?} and was stopped");
    Problem::new(ErrorKind::Limit, message, Hint::CheaperQuery)
}

fn stopped() -> Problem {
    Problem::new(ErrorKind::Interrupted, "the query was cancelled", "")
}

/// Why a process ended without an answer.
fn died(status: ExitStatus, said: &str, memory: usize) -> Problem {
    use std::os::unix::process::ExitStatusExt;
    let mut failure = if said.contains("overflowed its stack") {
        Problem::new(
            ErrorKind::Limit,
            "the query is nested too deeply: its process ran out of stack and was stopped",
            "split it into several rules",
        )
    } else if said.contains("memory allocation") || said.contains("allocate") {
        Problem::new(
            ErrorKind::Limit,
            format!("the query needed more memory than its limit of {} MiB", memory >> 20),
            Hint::MemoryLimit,
        )
    } else if let Some(signal) = status.signal() {
        Problem::new(
            ErrorKind::Limit,
            format!("the process of the query was ended by signal {signal}"),
            Hint::MemoryExhausted,
        )
    } else {
        Problem::new(
            ErrorKind::Failure,
            "the process of the query ended without an answer",
            "run it again; if it persists, please report it",
        )
    };
    failure.causes.extend(said.lines().find(|line| !line.trim().is_empty()).map(str::to_owned));
    failure
}

/// The process itself: reads a task and replies.
pub fn run() -> anyhow::Result<()> {
    let started = Instant::now();
    die_with_parent()?;
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let task: Task = serde_json::from_slice(&bytes)
        .map_err(|error| anyhow::anyhow!("no task on standard input: {error}"))?;
    watch(started, Duration::from_millis(task.request.time_ms), task.parent)?;
    let memory = u64::try_from(task.request.memory_bytes)?;
    let limit = memory.saturating_add(HEADROOM);
    let maximum = getrlimit(Resource::As).maximum;
    let limit = Some(maximum.map_or(limit, |maximum| maximum.min(limit)));
    setrlimit(Resource::As, Rlimit { current: limit, maximum: limit })
        .map_err(|error| anyhow::anyhow!("cannot limit the memory of a query: {error}"))?;
    let reply = match answer(&task) {
        Ok(answer) => Reply::Answer(answer),
        Err(error) => Reply::Error(Box::new(error)),
    };
    let mut out = serde_json::to_vec(&reply)?;
    out.push(b'\n');
    Ok(std::io::stdout().write_all(&out)?)
}

/// Asks the system to end this process with its parent. [`watch`] notices a parent that died
/// before.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn die_with_parent() -> anyhow::Result<()> {
    use rustix::process::{Signal, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| anyhow::anyhow!("cannot tie a query to its process: {error}"))
}

/// These systems have no such request: [`watch`] does it.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn die_with_parent() -> anyhow::Result<()> {
    Ok(())
}

/// Ends this process after its time limit, or when its parent is gone, whatever the engine is doing:
/// some of the engine's loops check neither.
fn watch(started: Instant, limit: Duration, parent: u32) -> std::io::Result<()> {
    let is_alone = move || std::os::unix::process::parent_id() != parent;
    if is_alone() {
        end();
    }
    let watching = move || {
        while started.elapsed() < limit + OWN_GRACE && !is_alone() {
            thread::sleep(WATCH);
        }
        end();
    };
    thread::Builder::new().name("watch".to_owned()).spawn(watching).map(drop)
}

/// Without handlers or destructors, because other threads are still running.
fn end() {
    use rustix::process::{Signal, getpid, kill_process};
    let _ = kill_process(getpid(), Signal::KILL);
    std::process::abort();
}

fn answer(task: &Task) -> Result<Json, Problem> {
    let database = Database::open_file(&task.database, task.root.as_deref())?;
    let when = task.revision.map_or(When::Now, When::Revision);
    // An empty database has no revision to query, and nothing that could be stale.
    let snapshot = database.snapshot(&when, Refresh::Skip)?;
    serde_json::to_value(snapshot.query(&task.request)?).map_err(Problem::internal)
}
