//! Times for people.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A time (RFC 3339) to the second, in the zone of the user and with its offset:
/// `2026-08-07 04:10:17 +02:00`. A text that is no time stays as it is.
pub fn local(time: &str) -> String {
    local_in(time, TimeZone::system())
}

fn local_in(time: &str, zone: TimeZone) -> String {
    match time.parse::<Timestamp>() {
        Ok(at) => at.to_zoned(zone).strftime("%F %T %:z").to_string(),
        Err(_) => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::offset;

    use super::*;

    #[test]
    fn times_have_the_offset_of_the_zone() {
        let shown = |time, hours| local_in(time, TimeZone::fixed(offset(hours)));
        assert_eq!(shown("2026-08-07T23:10:17.999999Z", 2), "2026-08-08 01:10:17 +02:00");
        assert_eq!(shown("2026-08-07T02:10:17Z", -5), "2026-08-06 21:10:17 -05:00");
        assert_eq!(shown("yesterday", 0), "yesterday");
    }
}
