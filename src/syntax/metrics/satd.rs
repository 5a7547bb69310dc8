//! Self-admitted technical debt: markers in comments.

use asof_model::Severity::{self, High, Low, Medium};

/// Markers, and whether one at the start of a line counts without `:` or `(` behind it: a sentence
/// may begin with `BUG`.
const MARKERS: &[(&str, Severity, bool)] = &[
    ("TODO", Low, true),
    ("FIXME", High, true),
    ("XXX", Medium, true),
    ("HACK", Medium, true),
    ("WORKAROUND", Medium, false),
    ("KLUDGE", Medium, true),
    ("BUG", High, false),
];

/// Most characters of a comment that are kept.
const MAX_TEXT: usize = 160;

/// A marker in a comment.
pub(super) struct Found {
    pub marker: &'static str,
    pub severity: Severity,
    /// Offset in the comment.
    pub at: usize,
    /// From the marker to the end of the line.
    pub text: String,
}

/// The markers in a comment, at most one a line.
pub(super) fn find(comment: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in comment.split_inclusive('\n') {
        found.extend(in_line(line).map(|one| Found { at: start + one.at, ..one }));
        start += line.len();
    }
    found
}

fn in_line(line: &str) -> Option<Found> {
    let lead = line.find(|c: char| !c.is_whitespace() && !"/*!-".contains(c))?;
    let mut at = lead;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(len)?;
        if let Some((marker, severity)) = marker(word, behind, at == lead) {
            return Some(Found { marker, severity, at, text: shortened(rest) });
        }
        at += len;
        at += line.get(at..)?.chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// The marker that a word is. In the middle of a line it needs `:` or `(`, and so does one in lower
/// case at the start.
fn marker(word: &str, behind: &str, first: bool) -> Option<(&'static str, Severity)> {
    if !(3..=10).contains(&word.len()) {
        return None;
    }
    let alone = |(text, ..): &&(&str, _, _)| word.eq_ignore_ascii_case(text);
    let (text, severity, bare) = *MARKERS.iter().find(alone)?;
    let marked = behind.starts_with(':') && !behind.starts_with("::") || behind.starts_with('(');
    let ends = behind.is_empty() || behind.starts_with([' ', '\t', '\r', '\n', ',', '.', '!', '?']);
    let counts = match (word == text, first) {
        (true, true) => marked || bare && ends,
        (true, false) => marked,
        (false, true) => marked && bare,
        (false, false) => false,
    };
    counts.then_some((text, severity))
}

fn shortened(rest: &str) -> String {
    let text = rest.trim_end().trim_end_matches("*/").trim_end();
    text.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn markers_are_words_that_begin_a_line_or_have_a_colon() {
        let check = |comment: &str, expected: &[(usize, &str, &str, &str)]| {
            let found: Vec<_> = super::find(comment)
                .into_iter()
                .map(|one| (one.at, one.marker, one.severity.as_str(), one.text))
                .collect();
            let expected: Vec<_> =
                expected.iter().map(|(at, m, s, t)| (*at, *m, *s, (*t).to_owned())).collect();
            assert_eq!(found, expected, "{comment}");
        };
        check("// TODO: later", &[(3, "TODO", "low", "TODO: later")]);
        check("//TODO later", &[(2, "TODO", "low", "TODO later")]);
        check("/// FIXME(bob): é", &[(4, "FIXME", "high", "FIXME(bob): é")]);
        check("// todo: small", &[(3, "TODO", "low", "todo: small")]);
        check(
            "/* a\n * XXX b\n * c HACK: d */",
            &[(8, "XXX", "medium", "XXX b"), (19, "HACK", "medium", "HACK: d")],
        );
        check("// é then BUG: one TODO: two", &[(11, "BUG", "high", "BUG: one TODO: two")]);
        for prose in [
            "// a TODO in the middle",
            "// `TODO` markers",
            "// TODO/FIXME markers",
            "// TODOS: none",
            "// BUG reports go there",
            "// Bug: 12",
            "// todo!() panics",
            "// \\uXXXX and XXXX: no",
            "// TODO::path",
            "//",
            "",
        ] {
            check(prose, &[]);
        }
    }
}
