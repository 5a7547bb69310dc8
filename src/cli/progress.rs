//! Progress bars on standard error, if a person is looking.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use asof::index::Progress;
use asof::wire::Phase;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar a phase, one at a time.
#[derive(Debug)]
pub struct Bars {
    visible: bool,
    current: Mutex<Option<ProgressBar>>,
}

impl Bars {
    pub fn new(quiet: bool) -> Self {
        Self { visible: !quiet && std::io::stderr().is_terminal(), current: Mutex::default() }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = current.take() {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bars {
    fn begin(&self, phase: Phase, total: Option<u64>) {
        if !self.visible {
            return;
        }
        self.finish();
        let bar = match total {
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::new_spinner(),
        };
        let template = match total {
            Some(_) if phase == Phase::History => {
                "{msg:<10} {bar:40} {pos}/{len} commits, {per_sec}, {eta} left"
            }
            Some(_) => "{msg:<10} {bar:40} {pos}/{len}",
            None => "{msg:<10} {spinner}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(name(phase));
        bar.enable_steady_tick(Duration::from_millis(100));
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar);
    }

    fn step(&self) {
        if !self.visible {
            return;
        }
        if let Some(bar) = &*self.current.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.inc(1);
        }
    }
}

/// A phase in a word.
pub const fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Walk => "walk",
        Phase::Parse => "parse",
        Phase::Resolve => "resolve",
        Phase::Diff => "diff",
        Phase::Write => "write",
        Phase::History => "history",
    }
}
