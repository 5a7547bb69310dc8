//! The time axis: microseconds since 1970, as integers. Stored times are
//! never floats.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Microseconds since 1970-01-01T00:00:00Z.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Micros(pub i64);

impl Micros {
    /// The earliest date that is accepted: 1970-01-01. A date before it in Git is nearly always
    /// damage.
    pub const EARLIEST: Self = Self(0);

    /// The latest date that is accepted: 2200-01-01.
    pub const LATEST: Self = Self(7_258_118_400_000_000);

    /// No revision has this time or a later one: the engine compares numbers as floats in some
    /// places, and a float holds whole numbers up to 2^53 only. 55 years of microseconds are
    /// between [`Micros::LATEST`] and here, for revisions after one at the latest date.
    pub const END: Self = Self(1 << 53);

    /// The clock's time, clamped to the accepted dates.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_micros()).unwrap_or(i64::MAX)).clamped()
    }

    /// The nearest accepted date.
    #[must_use]
    pub fn clamped(self) -> Self {
        self.clamp(Self::EARLIEST, Self::LATEST)
    }

    /// The timestamp of a transaction that begins at `now` after one at `last`: strictly
    /// increasing whatever the clock does. None where no time is left before [`Micros::END`].
    pub fn next(now: Self, last: Option<Self>) -> Option<Self> {
        let at = match last {
            Some(last) => Self(now.clamped().0.max(last.0.saturating_add(1))),
            None => now.clamped(),
        };
        (at < Self::END).then_some(at)
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
    fn revision_times_strictly_increase() {
        let next = |now, last: Option<i64>| Micros::next(Micros(now), last.map(Micros));
        assert_eq!(next(10, None), Some(Micros(10)));
        assert_eq!(next(10, Some(3)), Some(Micros(10)));
        assert_eq!(next(10, Some(10)), Some(Micros(11)));
        assert_eq!(next(1, Some(10)), Some(Micros(11)));
        assert_eq!(Micros(0).to_string(), "1970-01-01T00:00:00.000000Z");
    }

    #[test]
    fn impossible_dates_are_clamped() {
        assert_eq!(Micros::LATEST.to_string(), "2200-01-01T00:00:00.000000Z");
        let next = |now, last: Option<i64>| Micros::next(Micros(now), last.map(Micros));
        assert_eq!(next(i64::MAX, None), Some(Micros::LATEST));
        assert_eq!(next(-1, None), Some(Micros::EARLIEST));
        let latest = Micros::LATEST.0;
        assert_eq!(next(i64::MAX, Some(latest)), Some(Micros(latest + 1)));
        assert_eq!(next(5, Some(Micros::END.0 - 2)), Some(Micros(Micros::END.0 - 1)));
        assert_eq!(next(5, Some(Micros::END.0 - 1)), None);
        assert_eq!(next(5, Some(i64::MAX)), None);
        // The reason for this end: as floats, these are one number.
        let end = Micros::END.0;
        assert_ne!((end - 2) as f64, (end - 1) as f64);
        assert_eq!(end as f64, (end + 1) as f64);
    }
}
