//! Progress on standard error: bars on a terminal, else a line every ten seconds.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use asof_index::Progress;
use asof_wire::Phase;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// One bar per phase, one at a time.
#[derive(Debug)]
pub struct Bars {
    form: Form,
    state: Mutex<State>,
}

/// Where progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Bar,
    /// For logs.
    Lines,
    Nothing,
}

#[derive(Debug)]
struct State {
    current: Option<(ProgressBar, Pace)>,
    /// When the last line was printed, or the work began.
    last_line: Instant,
}

/// Between two lines.
const PERIOD: Duration = Duration::from_secs(10);

impl Bars {
    pub fn new(quiet: bool) -> Self {
        let form = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Form::Nothing,
            (false, true) => Form::Bar,
            (false, false) => Form::Lines,
        };
        Self { form, state: Mutex::new(State { current: None, last_line: Instant::now() }) }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some((bar, _)) = self.state().current.take() {
            bar.finish_and_clear();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Prints how far the work is, if the last line is old.
    fn print_line(&mut self, now: Instant) {
        let is_due = now.saturating_duration_since(self.last_line) >= PERIOD;
        if let Some((bar, _)) = self.current.as_ref().filter(|_| is_due) {
            self.last_line = now;
            let text = line(&bar.message(), bar.position(), bar.length(), &bar.prefix());
            // Nobody may read it any more.
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }
}

/// How far a phase is: `history 120/3000, about 3 min 2 s left`.
fn line(phase: &str, done: u64, total: Option<u64>, left: &str) -> String {
    let steps = total.map(|total| format!(" {done}/{total}")).unwrap_or_default();
    format!("{phase}{steps}{left}")
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
        if self.form == Form::Nothing {
            return;
        }
        self.finish();
        let bar = match total {
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::new_spinner(),
        };
        if self.form == Form::Lines {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
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
        if self.form == Form::Bar {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        let mut state = self.state();
        state.current = Some((bar, Pace::new()));
        if self.form == Form::Lines {
            state.print_line(Instant::now());
        }
    }

    fn step(&self) {
        if self.form == Form::Nothing {
            return;
        }
        let now = Instant::now();
        let mut state = self.state();
        if let Some((bar, pace)) = &mut state.current {
            bar.inc(1);
            pace.step(now);
            let rest = bar.length().unwrap_or_default().saturating_sub(bar.position());
            if let Some(left) = pace.left(rest) {
                let left = duration(left.as_secs_f64() * 1e3);
                bar.set_prefix(format!(", about {left} left"));
            }
        }
        if self.form == Form::Lines {
            state.print_line(now);
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
        Phase::Verify => "verify",
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
    fn without_a_terminal_a_line_is_printed_every_ten_seconds() {
        let bar = ProgressBar::with_draw_target(Some(30), ProgressDrawTarget::hidden());
        bar.set_message("history");
        bar.inc(12);
        bar.set_prefix(", about 2.0 s left");
        let begun = Instant::now();
        let mut state = State { current: Some((bar, Pace::new())), last_line: begun };
        state.print_line(begun + PERIOD / 2);
        assert_eq!(state.last_line, begun);
        state.print_line(begun + PERIOD);
        assert_eq!(state.last_line, begun + PERIOD);
        let (bar, _) = state.current.as_ref().unwrap();
        let text = line(&bar.message(), bar.position(), bar.length(), &bar.prefix());
        assert_eq!(text, "history 12/30, about 2.0 s left");
        assert_eq!(line("walk", 0, None, ""), "walk");
    }

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
