//! Moments, as users write them.

use std::borrow::Cow;
use std::fmt;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use asof_model::{Micros, RevisionId};

/// The moment that a request is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum When {
    /// The newest revision.
    #[default]
    Now,
    /// The newest revision, without a comparison with the files on disk; for holders of the write
    /// lock.
    Newest,
    /// The state at this time.
    At(Micros),
    /// The state this many microseconds ago.
    Ago(i64),
    /// The state at this revision.
    Revision(RevisionId),
    /// The state at this Git commit, branch or tag, or at the revision whose id starts with this.
    Named(String),
}

impl When {
    /// Parses a moment:
    /// - `NOW`;
    /// - a time (RFC 3339), or a date with or without a time (`2026-11-01`, `2026-11-01 10:00`),
    ///   which is in UTC; a bare date is its first moment;
    /// - an age (`-10min`, `-1d`, `2 weeks ago`, `yesterday`); a day has 24 hours;
    /// - a revision id or a prefix of one;
    /// - the name of a Git commit, branch or tag (`v1.0`, `HEAD~3`).
    ///
    /// # Errors
    /// The text is none of these. Whether the database knows the moment is not checked.
    pub fn parse(text: &str) -> Result<Self, UnreadableMoment> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("now") {
            return Ok(Self::Now);
        }
        if text.eq_ignore_ascii_case("yesterday") {
            return Ok(Self::Ago(24 * 60 * 60 * 1_000_000));
        }
        if let Ok(id) = text.parse::<RevisionId>() {
            return Ok(Self::Revision(id));
        }
        if let Some(time) = time(text) {
            return Ok(Self::At(time));
        }
        let age = text.strip_prefix('-').or_else(|| text.strip_suffix(" ago"));
        if let Some(age) = age {
            return self::age(age).map(Self::Ago).ok_or_else(|| unreadable(text));
        }
        if is_date_like(text) || !is_name(text) {
            Err(unreadable(text))
        } else {
            Ok(Self::Named(text.to_owned()))
        }
    }

    /// Parses a moment; the error names the forms.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn read(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|error| format!("{error}: {}", UnreadableMoment::HINT))
    }

    /// Parses `A..B`: two moments; the later one is `NOW` if omitted. As in `git diff`, the earlier
    /// moment of `A...B` is the newest commit that both have; `HEAD` stands for what is omitted.
    /// `None` for a text without `..`.
    ///
    /// # Errors
    /// The earlier moment is missing, or one of the two is invalid.
    pub fn parse_range(text: &str) -> Option<Result<(Self, Self), UnreadableMoment>> {
        if let Some((from, to)) = text.split_once("...") {
            let [from, to] =
                [from, to].map(|side| Some(side.trim()).filter(|side| !side.is_empty()));
            let [from, to] = [from, to].map(|side| side.unwrap_or("HEAD"));
            let both = [from, to].map(Self::parse);
            let [Ok(Self::Named(_)), Ok(later @ Self::Named(_))] = both else {
                return Some(Err(unreadable(text)));
            };
            return Some(Ok((Self::Named(format!("{from}...{to}")), later)));
        }
        let (from, to) = text.split_once("..")?;
        let later = if to.trim().is_empty() { Ok(Self::Now) } else { Self::parse(to) };
        Some(Self::parse(from).and_then(|from| Ok((from, later?))))
    }
}

/// Times as people see them: to the second, in their zone. The fraction is cut off, so what is
/// printed of a revision means all of the second, with the revision in it.
const PRINTED: &str = "%Y-%m-%d %H:%M:%S %:z";
const LAST_OF_SECOND: i64 = 999_999;

/// Parses a time, a date with a time, or a date; in UTC unless an offset is given.
pub fn time(text: &str) -> Option<Micros> {
    if let Ok(printed) = Timestamp::strptime(PRINTED, text) {
        return Some(Micros(printed.as_microsecond().saturating_add(LAST_OF_SECOND)));
    }
    let time = match text.parse::<Timestamp>() {
        Ok(time) => time,
        Err(_) if is_date_like(text) => {
            text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp()
        }
        Err(_) => return None,
    };
    Some(Micros(time.as_microsecond()))
}

/// Parses an age (`10min`, `1d`, `2 weeks`, `6months`), in microseconds.
pub fn age(text: &str) -> Option<i64> {
    let span: Span = text.trim().parse().ok().filter(|span: &Span| !span.is_negative())?;
    let now = Timestamp::now().to_zoned(TimeZone::UTC);
    let then = now.checked_sub(span).ok()?;
    Some(now.timestamp().as_microsecond().saturating_sub(then.timestamp().as_microsecond()))
}

fn unreadable(text: &str) -> UnreadableMoment {
    UnreadableMoment(text.to_owned())
}

/// A text that is not a moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read `{0}` as a moment")]
pub struct UnreadableMoment(pub String);

impl UnreadableMoment {
    /// Description of the forms.
    pub const HINT: &str = "a moment is NOW, a time (RFC 3339), a date (2026-11-01, UTC), an age \
        (-10min, -2w, `2 weeks ago`, yesterday), a revision id, or a git commit, branch or tag; \
        A..B names two";
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now | Self::Newest => f.write_str("NOW"),
            Self::At(at) => write!(f, "{at}"),
            Self::Ago(ago) => write!(f, "-{:#}", SignedDuration::from_micros(*ago)),
            Self::Revision(id) => write!(f, "{id}"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

impl Serialize for When {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|error| {
            serde::de::Error::custom(format!("{error}: {}", UnreadableMoment::HINT))
        })
    }
}

impl JsonSchema for When {
    fn schema_name() -> Cow<'static, str> {
        "When".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": UnreadableMoment::HINT })
    }
}

/// Whether a text starts with a full date and is therefore not a name: `2026-11-01`, also followed
/// by a time, but not `2026-11-01-rc`.
fn is_date_like(text: &str) -> bool {
    let mut parts = text.split(['T', 't', ' ']);
    let date: Vec<&str> = parts.next().unwrap_or_default().split('-').collect();
    let number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    date.len() == 3 && date.first().is_some_and(|year| year.len() == 4) && date.iter().all(number)
}

/// Whether this may be a Git name or a revision id: the rules of `git check-ref-format`, and what
/// may follow a name (`~3`, `^`, `@{1 day ago}`).
fn is_name(text: &str) -> bool {
    let bare = text.split("@{").next().unwrap_or_default();
    let bad = |c: char| c.is_whitespace() || c.is_control() || "\\?*[".contains(c);
    !text.is_empty() && !text.starts_with('.') && !text.contains("..") && !bare.contains(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60 * 1_000_000;

    #[track_caller]
    fn check(text: &str, expected: When) {
        match (When::parse(text), expected) {
            // Months are counted from today.
            (Ok(When::Ago(found)), When::Ago(wanted)) => {
                assert_eq!(found, wanted, "{text}");
            }
            (found, expected) => assert_eq!(found.unwrap(), expected, "{text}"),
        }
    }

    #[test]
    fn ages_have_days_and_weeks() {
        check("-10min", When::Ago(600_000_000));
        for (text, days) in [
            ("-1d", 1),
            ("-2w", 14),
            ("2 weeks ago", 14),
            ("1 day ago", 1),
            ("1d ago", 1),
            ("-1day", 1),
            ("yesterday", 1),
            ("Yesterday", 1),
        ] {
            check(text, When::Ago(days * DAY));
        }
        check("-1h30m", When::Ago(5_400_000_000));
    }

    #[test]
    fn dates_are_moments_in_utc() {
        let at = |text: &str| When::At(Micros(text.parse::<Timestamp>().unwrap().as_microsecond()));
        check("2026-11-01", at("2026-11-01T00:00:00Z"));
        check("2026-11-01T10:00:00Z", at("2026-11-01T10:00:00Z"));
        check("2026-11-01T10:00:00+02:00", at("2026-11-01T08:00:00Z"));
        check("2026-11-01T10:00:00", at("2026-11-01T10:00:00Z"));
        check("2026-11-01 10:00", at("2026-11-01T10:00:00Z"));
        check("2026-11-01 10:00:00 +02:00", at("2026-11-01T08:00:00.999999Z"));
    }

    #[test]
    fn a_moment_that_is_written_reads_as_itself() {
        for text in ["NOW", "2026-11-01T10:00:00Z", "v1.0", "-1h 30m", "-90s"] {
            let when = When::parse(text).unwrap();
            let json = serde_json::to_value(&when).unwrap();
            assert_eq!(serde_json::from_value::<When>(json).unwrap(), when, "{text}");
        }
        let error = serde_json::from_str::<When>("\"5 parsecs ago\"").unwrap_err();
        assert!(error.to_string().contains("a moment is NOW"), "{error}");
    }

    #[test]
    fn names_are_left_to_git() {
        for name in ["v1.0", "HEAD~3", "main@{2 days ago}", "2026-11-01-rc", "deadbeef", "10min"] {
            check(name, When::Named(name.to_owned()));
        }
    }

    #[test]
    fn what_cannot_be_read_is_a_fault_of_the_request() {
        for text in [
            "", " ", "-x", "-", "--1d", "5 parsecs ago", "2026-13-01", "2026-11-01T99:00", "a b",
            "a..b",
        ] {
            assert_eq!(When::parse(text), Err(UnreadableMoment(text.trim().to_owned())));
        }
    }

    #[test]
    fn two_moments_in_one_text() {
        let both = When::parse_range("v1.0..-1d").unwrap().unwrap();
        assert_eq!(both, (When::Named("v1.0".to_owned()), When::Ago(DAY)));
        let open = When::parse_range("2026-11-01..").unwrap().unwrap();
        assert_eq!(open.1, When::Now);
        assert!(When::parse_range("v1.0").is_none());
        let shared = |text: &str| When::parse_range(text).unwrap().unwrap();
        let named = |name: &str| When::Named(name.to_owned());
        assert_eq!(shared("main...topic"), (named("main...topic"), named("topic")));
        assert_eq!(shared("main..."), (named("main...HEAD"), named("HEAD")));
        assert!(When::parse_range("-1d...main").unwrap().is_err());
        for text in ["..v1.0", "a....b", "a..b..c", ".."] {
            assert!(When::parse_range(text).unwrap().is_err(), "{text}");
        }
    }
}
