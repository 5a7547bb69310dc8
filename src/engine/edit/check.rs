//! The user's check: a shell command, run in the root after the files are written. It has a time
//! limit and its own process group, all of which is ended with it.

use std::collections::VecDeque;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use asof_edit::EditError;

/// A command that must succeed for an edit to stay.
#[derive(Debug, Clone)]
pub struct Check {
    /// Run by `sh -c` in the root of the workspace.
    pub command: String,
    /// How long it may run.
    pub timeout: Duration,
    /// Set by the caller to stop it.
    pub stop: Arc<AtomicBool>,
}

impl Check {
    /// Default time limit of a check.
    pub const TIMEOUT: Duration = Duration::from_secs(600);

    /// A check with the default time limit.
    pub fn new(command: impl Into<String>) -> Self {
        Self { command: command.into(), timeout: Self::TIMEOUT, stop: Arc::default() }
    }
}

/// The shell watches its standard input beside the command. If it is closed without a word, our
/// process is dead, and the shell ends the whole group. The command itself gets no input.
const SCRIPT: &str = "exec 3<&0 </dev/null
(read -r word <&3 || kill -KILL 0) >/dev/null 2>&1 &
exec 3<&-
exec sh -c \"$1\"";

/// How many bytes of output are kept: the last ones.
const KEPT: usize = 64 << 10;
/// How many lines of output are reported.
const TOLD: usize = 40;
/// How often to check whether the command has ended.
const PAUSE: Duration = Duration::from_millis(5);
/// How long to wait for the rest of the output once the command has ended.
const REST: Duration = Duration::from_secs(2);

/// The end of a command's output.
#[derive(Debug, Default)]
struct Tail {
    bytes: VecDeque<u8>,
    /// Number of bytes dropped before it.
    dropped: u64,
    ended: bool,
}

/// Why a check did not end by itself.
enum Stop {
    Late,
    Asked,
}

/// Runs a check. If it fails, the end of its output is reported.
pub(super) fn run(check: &Check, root: &Path) -> Result<(), EditError> {
    let failed = |status: String, output: String| {
        Err(EditError::CheckFailed { command: check.command.clone(), status, output })
    };
    let tail = Arc::new(Mutex::new(Tail::default()));
    let mut child = match start(check, root, &tail) {
        Ok(child) => child,
        Err(error) => return failed(error.to_string(), String::new()),
    };
    let ended = wait(check, &child);
    // It is not reaped yet, so its pid still identifies the group.
    if let Some(group) = group(&child) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait();
    let output = last_output(&tail);
    match (ended, status) {
        (Err(Stop::Asked), _) => Err(EditError::CheckStopped { command: check.command.clone() }),
        (Err(Stop::Late), _) => {
            failed(format!("it ran longer than {:?} and was ended", check.timeout), output)
        }
        (Ok(()), Ok(status)) if status.success() => Ok(()),
        (Ok(()), Ok(status)) => failed(status.to_string(), output),
        (Ok(()), Err(error)) => failed(error.to_string(), output),
    }
}

fn start(check: &Check, root: &Path, tail: &Arc<Mutex<Tail>>) -> std::io::Result<Child> {
    let (mut reader, writer) = std::io::pipe()?;
    let mut shell = Command::new("sh");
    shell.args(["-c", SCRIPT, "sh", &check.command]).current_dir(root).process_group(0);
    shell.stdin(Stdio::piped()).stdout(writer.try_clone()?).stderr(writer);
    let child = shell.spawn()?;
    // It holds our end of the pipe.
    drop(shell);
    let tail = Arc::clone(tail);
    std::thread::spawn(move || {
        let mut piece = vec![0; 8 << 10];
        loop {
            let read = reader.read(&mut piece);
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            match read {
                Ok(0) | Err(_) => {
                    tail.ended = true;
                    return;
                }
                Ok(len) => tail.push(piece.get(..len).unwrap_or_default()),
            }
        }
    });
    Ok(child)
}

fn group(child: &Child) -> Option<Pid> {
    Pid::from_raw(i32::try_from(child.id()).ok()?)
}

/// Waits until the command has ended, without reaping it.
fn wait(check: &Check, child: &Child) -> Result<(), Stop> {
    let begin = Instant::now();
    let Some(pid) = group(child) else { return Ok(()) };
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(pid), look) {
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => return Ok(()),
        }
        if check.stop.load(Ordering::Relaxed) {
            return Err(Stop::Asked);
        }
        if begin.elapsed() > check.timeout {
            return Err(Stop::Late);
        }
        std::thread::sleep(PAUSE);
    }
}

impl Tail {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let surplus = self.bytes.len().saturating_sub(KEPT);
        self.bytes.drain(..surplus);
        self.dropped += surplus as u64;
    }
}

/// The last lines of the output, and how much was dropped before them.
fn last_output(tail: &Mutex<Tail>) -> String {
    let lock = || tail.lock().unwrap_or_else(PoisonError::into_inner);
    // A process that left the group may hold the pipe forever.
    let begin = Instant::now();
    while !lock().ended && begin.elapsed() < REST {
        std::thread::sleep(PAUSE);
    }
    let tail = lock();
    let bytes: Vec<u8> = tail.bytes.iter().copied().collect();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let skipped = lines.len().saturating_sub(TOLD);
    let mut out = String::new();
    if skipped > 0 || tail.dropped > 0 {
        let shown: usize = lines.iter().skip(skipped).map(|line| line.len() + 1).sum();
        let before = (tail.dropped + bytes.len() as u64).saturating_sub(shown as u64);
        out.push_str(&format!("\n  | … ({before} bytes before)"));
    }
    for line in lines.iter().skip(skipped) {
        out.push_str(&format!("\n  | {line}"));
    }
    out
}
