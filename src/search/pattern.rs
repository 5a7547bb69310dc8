//! Text search by line.

use regex::bytes::{Regex, RegexBuilder};

/// Memory of a compiled pattern, bytes.
const MAX_PROGRAM: usize = 4 << 20;

/// A pattern that cannot be searched for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the pattern cannot be read: {0}")]
pub struct PatternError(#[from] regex::Error);

/// A line that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedLine {
    /// Line, from 1.
    pub line: u64,
    /// First byte of the first match, from 0.
    pub start: usize,
    /// The line without its end.
    pub text: String,
    /// Number of matches in the line.
    pub matches: u64,
}

/// A search for a pattern.
#[derive(Debug)]
pub struct TextSearch {
    regex: Regex,
}

impl TextSearch {
    /// A search for literal text or a regular expression. Time is linear in the text: there are
    /// no patterns with catastrophic backtracking.
    ///
    /// # Errors
    /// The expression is invalid, or takes more than 4 MB.
    pub fn new(pattern: &str, regex: bool) -> Result<Self, PatternError> {
        let mut builder = if regex {
            RegexBuilder::new(pattern)
        } else {
            RegexBuilder::new(&regex::escape(pattern))
        };
        let regex = builder.size_limit(MAX_PROGRAM).dfa_size_limit(MAX_PROGRAM).build()?;
        Ok(Self { regex })
    }

    /// The matching lines of a text. No match goes beyond a line, and `$` is before its end, LF or
    /// CRLF. Bytes that are not UTF-8 are replaced in what is shown.
    pub fn lines(&self, text: &[u8]) -> Vec<MatchedLine> {
        let lines = text.split_inclusive(|byte| *byte == b'\n').zip(1..);
        lines.filter_map(|(line, number)| self.matched(without_end(line), number)).collect()
    }

    fn matched(&self, line: &[u8], number: u64) -> Option<MatchedLine> {
        let mut matches = self.regex.find_iter(line);
        let start = matches.next()?.start();
        Some(MatchedLine {
            line: number,
            start,
            text: String::from_utf8_lossy(line).into_owned(),
            matches: 1 + matches.count() as u64,
        })
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines, positions and numbers of matches.
    fn found(pattern: &str, regex: bool, text: &[u8]) -> Vec<(u64, usize, u64)> {
        let lines = TextSearch::new(pattern, regex).unwrap().lines(text);
        lines.into_iter().map(|hit| (hit.line, hit.start, hit.matches)).collect()
    }

    #[test]
    fn lines_are_counted_with_their_matches() {
        let text = b"let a = b.c;\r\n\n  a(a)\nbac";
        assert_eq!(found("a", false, text), [(1, 4, 1), (3, 2, 2), (4, 1, 1)]);
        assert_eq!(found("b.c", false, text), [(1, 8, 1)]);
        assert_eq!(found("b.c", true, text), [(1, 8, 1), (4, 0, 1)]);
        assert_eq!(found("x", false, text), []);
        assert_eq!(found("", true, b""), []);
        assert_eq!(found("x*", true, b"ab\n\n"), [(1, 0, 3), (2, 0, 1)]);
    }

    #[test]
    fn anchors_are_those_of_a_line() {
        let text = b"one\r\ntwo one\none two\n";
        assert_eq!(found("one$", true, text), [(1, 0, 1), (2, 4, 1)]);
        assert_eq!(found("^one", true, text), [(1, 0, 1), (3, 0, 1)]);
        assert_eq!(found(r"\Aone\z", true, text), [(1, 0, 1)]);
        assert_eq!(found("one\\s+two", true, text), [(3, 0, 1)]);
        assert_eq!(found("one\ntwo", false, text), []);
    }

    #[test]
    fn case_words_and_bytes_that_are_no_text() {
        assert_eq!(found("(?i:ÄB)", true, "xäb".as_bytes()), [(1, 1, 1)]);
        let word = r"\b{start-half}(?:-x)\b{end-half}";
        assert_eq!(found(word, true, b"a -x\n--xy"), [(1, 2, 1)]);
        let lines = TextSearch::new("b", false).unwrap().lines(b"\0a\xff b\n");
        assert_eq!(
            lines.iter().map(|hit| hit.text.as_str()).collect::<Vec<_>>(),
            ["\0a\u{fffd} b"]
        );
    }

    #[test]
    fn what_is_no_pattern_or_too_large_is_refused() {
        for pattern in ["fn (", r"\w{5000}"] {
            let error = TextSearch::new(pattern, true).unwrap_err();
            assert!(error.to_string().contains("the pattern cannot be read: "), "{error}");
        }
    }
}
