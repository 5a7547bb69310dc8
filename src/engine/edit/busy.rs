//! Retries an edit while other programs write its files.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::thread;
use std::time::{Duration, Instant};

/// How long an edit tries to find a moment in which its files rest.
const LIMIT: Duration = Duration::from_secs(5);
/// Attempts that are made in any case, for a machine that is slow rather than a file that is busy.
const LEAST: usize = 8;
/// The longest pause between two attempts.
const PAUSE: Duration = Duration::from_millis(16);

/// Which files changed how often during an edit.
#[derive(Debug)]
pub(super) struct Busy {
    begin: Instant,
    changes: BTreeMap<String, usize>,
    attempts: usize,
}

impl Busy {
    pub(super) fn start() -> Self {
        Self { begin: Instant::now(), changes: BTreeMap::new(), attempts: 0 }
    }

    /// Counts a change of a file.
    pub(super) fn saw(&mut self, path: &str) {
        *self.changes.entry(path.to_owned()).or_default() += 1;
    }

    /// Counts a change that made an attempt fail. True after a pause of random length, so that
    /// attempts do not keep step with the other program; false if the time is over.
    pub(super) fn again(&mut self, path: &str) -> bool {
        self.saw(path);
        self.rest()
    }

    /// The same for a change that is counted already.
    pub(super) fn rest(&mut self) -> bool {
        self.attempts += 1;
        if self.attempts >= LEAST && self.begin.elapsed() >= LIMIT {
            return false;
        }
        // The first attempts follow at once: most changes are a single save.
        let most = PAUSE.min(Duration::from_millis(1 << self.attempts.min(4)));
        let part = RandomState::new().build_hasher().finish() % 1_000;
        thread::sleep(most * part as u32 / 1_000);
        true
    }

    /// The files, each with how often it changed.
    pub(super) fn list_changes(&self) -> Vec<String> {
        let seconds = self.begin.elapsed().as_secs_f64();
        let times =
            |count: usize| if count == 1 { "once".into() } else { format!("{count} times") };
        let files = self.changes.iter();
        files.map(|(path, &count)| format!("{path} ({} in {seconds:.1} s)", times(count))).collect()
    }

    /// For the end of a message; empty if no attempt failed and no file changed twice.
    pub(super) fn message_end(&self) -> String {
        if self.attempts == 0 && self.changes.values().all(|count| *count < 2) {
            return String::new();
        }
        format!("; seen to change: {}", self.list_changes().join(", "))
    }
}
