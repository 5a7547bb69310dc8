//! Wall times of a run.

use std::time::Instant;

use asof_wire::Phase;

/// Time by phase.
pub(super) struct Clock {
    last: Instant,
    pub laps: Vec<(Phase, f64)>,
}

impl Clock {
    pub fn start() -> Self {
        Self { last: Instant::now(), laps: Vec::new() }
    }

    pub fn lap(&mut self, phase: Phase) {
        let ms = self.last.elapsed().as_secs_f64() * 1e3;
        self.last = Instant::now();
        match self.laps.iter_mut().find(|(p, _)| *p == phase) {
            Some((_, sum)) => *sum += ms,
            None => self.laps.push((phase, ms)),
        }
    }
}
