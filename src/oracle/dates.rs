//! Dates with the name of a month.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// `August 3rd, 2026`, `3 Aug 2026`, `the 3rd of August 2026`.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let month = "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
    let day = r"(\d\d?)(?:st|nd|rd|th)?";
    Regex::new(&format!(
        r"(?i)\b(?:{month}\.? (?:the )?{day},? (\d{{4}})|{day}(?: of)? {month}\.?,? (\d{{4}}))\b"
    ))
    .ok()
});

/// A text in which dates with the name of a month are written `2026-08-03`.
pub fn with_iso_dates(text: &str) -> Cow<'_, str> {
    let Some(regex) = NAMED.as_ref() else { return Cow::Borrowed(text) };
    regex.replace_all(text, |found: &Captures<'_>| {
        let part =
            |one, other| found.get(one).or(found.get(other)).map_or("", |part| part.as_str());
        let (month, day, year) = (part(1, 5).to_ascii_lowercase(), part(2, 4), part(3, 6));
        let number = MONTHS.iter().position(|&short| month.starts_with(short));
        number.map_or_else(
            || found.get(0).map_or("", |whole| whole.as_str()).to_owned(),
            |at| format!("{year}-{:02}-{day:0>2}", at + 1),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::with_iso_dates;

    #[test]
    fn months_may_have_names() {
        let check = |text: &str, expected: &str| assert_eq!(with_iso_dates(text), expected);
        check("on August 3, 2026", "on 2026-08-03");
        check("Aug. 13th 2026 or 2 may 2025", "2026-08-13 or 2025-05-02");
        check("the 21st of September, 2024.", "the 2024-09-21.");
        check("may 3 of them, in 2026", "may 3 of them, in 2026");
    }
}
