//! What the engine takes from the crate `chrono-tz`: time zones by name. Their rules are those of
//! jiff, which other crates bring anyway: the system's, and its own where the system has none.

use std::fmt;
use std::str::FromStr;

use chrono::{
    Datelike, FixedOffset, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeZone,
    Timelike,
};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone as Rules};

/// A time zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tz(Rules);

/// The offset of a time zone at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TzOffset {
    zone: Tz,
    fixed: FixedOffset,
}

impl Tz {
    pub const UTC: Self = Self(Rules::UTC);

    /// Offsets are less than a day, but for those that a damaged database of zones has.
    fn offset(&self, offset: jiff::tz::Offset) -> TzOffset {
        let fixed = FixedOffset::east_opt(offset.seconds()).unwrap_or_else(|| chrono::Utc.fix());
        TzOffset { zone: self.clone(), fixed }
    }
}

impl FromStr for Tz {
    type Err = jiff::Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Rules::get(name).map(Self)
    }
}

impl fmt::Display for Tz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.iana_name().unwrap_or("UTC"))
    }
}

impl fmt::Display for TzOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fixed.fmt(f)
    }
}

impl Offset for TzOffset {
    fn fix(&self) -> FixedOffset {
        self.fixed
    }
}

impl TimeZone for Tz {
    type Offset = TzOffset;

    fn from_offset(offset: &TzOffset) -> Self {
        offset.zone.clone()
    }

    fn offset_from_local_date(&self, local: &NaiveDate) -> LocalResult<TzOffset> {
        self.offset_from_local_datetime(&local.and_time(NaiveTime::MIN))
    }

    fn offset_from_local_datetime(&self, local: &NaiveDateTime) -> LocalResult<TzOffset> {
        match self.0.to_ambiguous_timestamp(civil(local)).offset() {
            AmbiguousOffset::Unambiguous { offset } => LocalResult::Single(self.offset(offset)),
            AmbiguousOffset::Gap { .. } => LocalResult::None,
            AmbiguousOffset::Fold { before, after } => {
                LocalResult::Ambiguous(self.offset(before), self.offset(after))
            }
        }
    }

    fn offset_from_utc_date(&self, utc: &NaiveDate) -> TzOffset {
        self.offset_from_utc_datetime(&utc.and_time(NaiveTime::MIN))
    }

    fn offset_from_utc_datetime(&self, utc: &NaiveDateTime) -> TzOffset {
        let seconds = utc.and_utc().timestamp();
        let limit = if seconds < 0 { Timestamp::MIN } else { Timestamp::MAX };
        self.offset(self.0.to_offset(Timestamp::from_second(seconds).unwrap_or(limit)))
    }
}

/// A local time; beyond what jiff knows, years −9999 to 9999, its first or last one.
fn civil(local: &NaiveDateTime) -> DateTime {
    let limit = if local.year() < 0 { DateTime::MIN } else { DateTime::MAX };
    let date = || {
        let year = i16::try_from(local.year()).ok()?;
        let (month, day) = (i8::try_from(local.month()).ok()?, i8::try_from(local.day()).ok()?);
        Date::new(year, month, day).ok()
    };
    let part = |value: u32| i8::try_from(value).unwrap_or_default();
    match date() {
        Some(date) => date.at(part(local.hour()), part(local.minute()), part(local.second()), 0),
        None => limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Utc;

    #[test]
    fn offsets_follow_the_rules_of_a_zone() {
        let zone: Tz = "Europe/Berlin".parse().unwrap();
        let shown = |seconds| {
            let time = Utc.timestamp_opt(seconds, 0).unwrap();
            time.with_timezone(&zone).to_rfc3339()
        };
        assert_eq!(shown(1_700_000_000), "2023-11-14T23:13:20+01:00");
        assert_eq!(shown(1_690_000_000), "2023-07-22T06:26:40+02:00");
        assert_eq!(zone.to_string(), "Europe/Berlin");
        assert!("Nowhere/Else".parse::<Tz>().is_err());
        let utc = Utc.timestamp_opt(0, 0).unwrap().with_timezone(&Tz::UTC);
        assert_eq!(utc.to_rfc3339(), "1970-01-01T00:00:00+00:00");
    }

    #[test]
    fn local_times_may_be_missing_or_twice() {
        let zone: Tz = "Europe/Berlin".parse().unwrap();
        let local = |month, day| {
            let time = NaiveDate::from_ymd_opt(2023, month, day).unwrap();
            zone.from_local_datetime(&time.and_hms_opt(2, 30, 0).unwrap())
        };
        assert!(matches!(local(3, 26), LocalResult::None));
        let LocalResult::Ambiguous(first, second) = local(10, 29) else { panic!() };
        assert_eq!((second - first).num_hours(), 1);
        assert_eq!(local(7, 1).unwrap().to_rfc3339(), "2023-07-01T02:30:00+02:00");
    }

    #[test]
    fn times_beyond_the_rules_have_their_last_offset() {
        let zone: Tz = "Asia/Tokyo".parse().unwrap();
        for year in [-200_000, 200_000] {
            let time = NaiveDate::from_ymd_opt(year, 1, 1).unwrap().and_time(NaiveTime::MIN);
            assert_eq!(zone.from_utc_datetime(&time).naive_utc(), time);
            assert!(zone.from_local_datetime(&time).single().is_some());
        }
    }
}
