//! The time axis: microseconds since 1970, as integers. Floats and wall-clock reads have
//! no place in stored time.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Microseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Micros(pub i64);

impl Micros {
    /// The timestamp of a transaction that begins at `now` after one at `last`:
    /// strictly increasing whatever the clock does.
    pub fn next(now: Micros, last: Option<Micros>) -> Micros {
        match last {
            Some(last) => Micros(now.0.max(last.0.saturating_add(1))),
            None => now,
        }
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(time) => write!(f, "{time:.6}"),
            Err(_) => write!(f, "{}µs", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_never_stands_still_or_runs_back() {
        assert_eq!(Micros::next(Micros(10), None), Micros(10));
        assert_eq!(Micros::next(Micros(10), Some(Micros(3))), Micros(10));
        assert_eq!(Micros::next(Micros(10), Some(Micros(10))), Micros(11));
        assert_eq!(Micros::next(Micros(1), Some(Micros(10))), Micros(11));
        assert_eq!(Micros(0).to_string(), "1970-01-01T00:00:00.000000Z");
    }
}
