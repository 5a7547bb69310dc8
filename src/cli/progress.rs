//! Progress bars on standard error, if it is a terminal.

use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use asof_index::Progress;
use asof_wire::Phase;
use indicatif::{ProgressBar, ProgressStyle};

/// One bar per phase, one at a time.
#[derive(Debug)]
pub struct Bars {
    visible: bool,
    current: Mutex<Option<(ProgressBar, Pace)>>,
}

impl Bars {
    pub fn new(quiet: bool) -> Self {
        Self { visible: !quiet && std::io::stderr().is_terminal(), current: Mutex::default() }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some((bar, _)) = self.current().take() {
            bar.finish_and_clear();
        }
    }

    fn current(&self) -> MutexGuard<'_, Option<(ProgressBar, Pace)>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Durations of the steps of a phase.
#[derive(Debug)]
struct Pace {
    last: Instant,
    /// Of steps with actual work.
    steps: Vec<Duration>,
}

impl Pace {
    /// Shorter steps were skipped: commits that an earlier run had imported.
    const WORK: Duration = Duration::from_micros(100);
    /// Steps before the first estimate. The first commit is a full index and says nothing about the
    /// others.
    const FEWEST: usize = 8;

    fn new() -> Self {
        Self { last: Instant::now(), steps: Vec::new() }
    }

    fn step(&mut self, now: Instant) {
        let took = now.saturating_duration_since(self.last);
        self.last = now;
        if took >= Self::WORK {
            self.steps.push(took);
        }
    }

    /// Time for the remaining steps, from the mean of the newest quarter of finished ones, because
    /// later commits are larger.
    fn left(&self, rest: u64) -> Option<Duration> {
        let done = self.steps.len();
        if done <= Self::FEWEST {
            return None;
        }
        let newest = self.steps.iter().rev().take(Self::FEWEST.max(done / 4));
        let mean = newest.clone().sum::<Duration>() / u32::try_from(newest.len()).ok()?;
        Some(mean.saturating_mul(u32::try_from(rest).ok()?))
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
            Some(_) if phase == Phase::History => "{msg:<10} {bar:40} {pos}/{len} commits{prefix}",
            Some(_) if phase == Phase::Embed => "{msg:<10} {bar:40} {pos}/{len} items{prefix}",
            Some(_) => "{msg:<10} {bar:40} {pos}/{len}",
            None => "{msg:<10} {spinner}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(name(phase));
        bar.enable_steady_tick(Duration::from_millis(100));
        *self.current() = Some((bar, Pace::new()));
    }

    fn step(&self) {
        if !self.visible {
            return;
        }
        if let Some((bar, pace)) = &mut *self.current() {
            bar.inc(1);
            pace.step(Instant::now());
            let rest = bar.length().unwrap_or_default().saturating_sub(bar.position());
            if let Some(left) = pace.left(rest) {
                let left = duration(left.as_secs_f64() * 1e3);
                bar.set_prefix(format!(", about {left} left"));
            }
        }
    }
}

/// The name of a phase.
pub const fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Walk => "walk",
        Phase::Parse => "parse",
        Phase::Resolve => "resolve",
        Phase::Diff => "diff",
        Phase::Write => "write",
        Phase::History => "history",
        Phase::Embed => "embed",
        Phase::Copy => "copy",
    }
}

/// Formats milliseconds for people.
pub fn duration(ms: f64) -> String {
    let seconds = (ms / 1e3).round() as u64;
    match seconds {
        _ if ms < 1e3 => format!("{ms:.0} ms"),
        _ if ms < 60e3 => format!("{:.1} s", ms / 1e3),
        0..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        let shown = [999.0, 1_000.0, 59_940.0, 60_000.0, 3_599_000.0, 7_260_000.0].map(duration);
        assert_eq!(shown, ["999 ms", "1.0 s", "59.9 s", "1 min 0 s", "59 min 59 s", "2 h 1 min"]);
    }

    /// Seconds that are left of `rest` steps after steps of these milliseconds.
    fn left(steps: &[u64], rest: u64) -> Option<f64> {
        let mut pace = Pace::new();
        let mut now = pace.last;
        for ms in steps {
            now += Duration::from_millis(*ms);
            pace.step(now);
        }
        pace.left(rest).map(|left| left.as_secs_f64())
    }

    #[test]
    fn the_rest_is_estimated_from_the_newest_steps() {
        // A first commit that takes a minute is no pace, and neither are skipped ones.
        let first = [&[60_000][..], &[0; 100], &[10; 7]].concat();
        assert_eq!(left(&first, 100), None);
        assert_eq!(left(&[&first[..], &[10]].concat(), 100), Some(1.0));
        // Commits that grow: the newest quarter counts.
        let growing = [&[10; 75][..], &[40; 25]].concat();
        assert_eq!(left(&growing, 50), Some(2.0));
        assert_eq!(left(&growing, 0), Some(0.0));
    }
}
