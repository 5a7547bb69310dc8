//! What a server gave to a model, as a context trace that `asof trace` reads: one event a line.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use asof_model::{Hint, Micros, OrNever};
use asof_search::count_tokens;
use asof_wire::{TraceEvent, TraceKind};
use rustix::fs::OFlags;

use super::problem::Problem;

/// A file that the events of a server are added to.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    state: Mutex<State>,
    /// Gets a warning if the file cannot be written any more.
    warn: fn(&str),
}

#[derive(Debug)]
struct State {
    /// None after a failure.
    file: Option<File>,
    /// Number of the next call: each is an iteration of the model.
    next: u32,
}

impl Trace {
    /// Opens a file to add to, or creates one that only its owner can read.
    ///
    /// # Errors
    /// A link, a file with another name, or anything but a regular file is in its place, or it
    /// cannot be created.
    pub fn open(path: &Path, warn: fn(&str)) -> Result<Self, Problem> {
        let failed =
            |error: io::Error| match error.raw_os_error().map(rustix::io::Errno::from_raw_os_error)
            {
                Some(rustix::io::Errno::LOOP | rustix::io::Errno::NXIO) => refused(path),
                _ => Problem::io("write", path, &error),
            };
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .custom_flags(flags.bits().cast_signed())
            .open(path)
            .map_err(failed)?;
        let meta = file.metadata().map_err(failed)?;
        if !meta.is_file() || meta.nlink() > 1 {
            return Err(refused(path));
        }
        let state = State { file: Some(file), next: 0 };
        Ok(Self { path: path.to_owned(), state: Mutex::new(state), warn })
    }

    /// Adds a call and its answer. A failure is reported once, and ends the trace.
    pub fn call(&self, name: &str, arguments: &str, answer: &str) {
        let tokens = [arguments, answer].map(count_tokens);
        let kinds = [TraceKind::ToolCall, TraceKind::ToolResult];
        self.add(name, kinds.into_iter().zip(tokens));
    }

    /// Adds what a client reads before the first call.
    pub fn system(&self, name: &str, text: &str) {
        self.add(name, [(TraceKind::SystemPrompt, count_tokens(text))]);
    }

    fn add(&self, name: &str, events: impl IntoIterator<Item = (TraceKind, usize)>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { file: slot, next } = &mut *state;
        let Some(file) = slot else { return };
        let mut lines = String::new();
        let mut is_call = false;
        for (kind, tokens) in events {
            is_call |= kind == TraceKind::ToolCall;
            let event = TraceEvent {
                kind,
                tokens: tokens as u64,
                iteration: *next,
                label: Some(name.to_owned()),
                timestamp: Some(Micros::now().to_string()),
            };
            lines.push_str(&serde_json::to_string(&event).or_never("an event is plain data"));
            lines.push('\n');
        }
        // In one call, so that the lines of two servers do not mix.
        match file.write_all(lines.as_bytes()) {
            Ok(()) => *next = next.saturating_add(u32::from(is_call)),
            Err(error) => {
                *slot = None;
                (self.warn)(&format!("the trace {} ends here: {error}", self.path.display()));
            }
        }
    }
}

fn refused(path: &Path) -> Problem {
    let message = format!("{} is not a regular file of its own", path.display());
    let hint = Hint::advice("traces are not written through links; choose another path");
    Problem::bad_request(message, hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_call_is_two_events_of_one_iteration() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.jsonl");
        let trace = Trace::open(&path, |_| {}).unwrap();
        trace.system("tools/list", "a b c");
        trace.call("show", "{}", "fn f() {}");
        Trace::open(&path, |_| {}).unwrap().call("show", "{}", "");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let text = std::fs::read_to_string(&path).unwrap();
        let events: Vec<TraceEvent> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found: Vec<_> = events.iter().map(|e| (e.kind, e.tokens > 0, e.iteration)).collect();
        let (call, result) = (TraceKind::ToolCall, TraceKind::ToolResult);
        let first = [(TraceKind::SystemPrompt, true, 0), (call, true, 0), (result, true, 0)];
        assert_eq!(found, [&first[..], &[(call, true, 0), (result, false, 0)]].concat());
    }

    #[test]
    fn what_is_not_a_file_of_its_own_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        std::fs::write(&target, "").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(Trace::open(&link, |_| {}).is_err());
        assert!(Trace::open(folder.path(), |_| {}).is_err());
        std::fs::hard_link(&target, folder.path().join("other")).unwrap();
        assert!(Trace::open(&target, |_| {}).is_err());
        assert_eq!(std::fs::read(&target).unwrap(), b"");
    }

    #[test]
    fn a_failure_is_reported_once() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static WARNED: AtomicUsize = AtomicUsize::new(0);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace");
        let mut trace = Trace::open(&path, |_| {
            WARNED.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        // It cannot be written through this handle.
        trace.state.get_mut().unwrap().file = Some(File::open(&path).unwrap());
        trace.call("show", "{}", "");
        trace.call("show", "{}", "");
        assert_eq!(WARNED.load(Ordering::Relaxed), 1);
    }
}
