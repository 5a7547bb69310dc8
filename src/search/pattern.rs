//! Text search by line, with the libraries of ripgrep.

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Bytes;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

/// Memory of a compiled pattern, bytes.
const MAX_PROGRAM: usize = 4 << 20;

/// A pattern that cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the pattern cannot be read: {0}")]
pub struct PatternError(String);

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
    matcher: RegexMatcher,
    searcher: Searcher,
}

impl TextSearch {
    /// A search for literal text or a regular expression. Time is linear in the text: there are
    /// no patterns with catastrophic backtracking.
    ///
    /// # Errors
    /// The expression is invalid, or takes more than 4 MB.
    pub fn new(pattern: &str, regex: bool) -> Result<Self, PatternError> {
        let mut builder = RegexMatcherBuilder::new();
        builder.size_limit(MAX_PROGRAM).dfa_size_limit(MAX_PROGRAM).fixed_strings(!regex);
        let matcher = builder.build(pattern).map_err(|error| PatternError(error.to_string()))?;
        let searcher = SearcherBuilder::new()
            .line_number(true)
            .binary_detection(BinaryDetection::none())
            .build();
        Ok(Self { matcher, searcher })
    }

    /// The matching lines of a text.
    ///
    /// # Errors
    /// The searcher gave up.
    pub fn lines(&mut self, text: &[u8]) -> Result<Vec<MatchedLine>, PatternError> {
        let mut found = Vec::new();
        let matcher = &self.matcher;
        let sink = Bytes(|line, bytes| {
            let (mut start, mut matches) = (0, 0);
            let counted = matcher.find_iter(bytes, |hit| {
                if matches == 0 {
                    start = hit.start();
                }
                matches += 1;
                true
            });
            counted.map_err(std::io::Error::other)?;
            let text = String::from_utf8_lossy(bytes).trim_end_matches(['\n', '\r']).to_owned();
            found.push(MatchedLine { line, start, text, matches });
            Ok(true)
        });
        self.searcher
            .search_slice(matcher, text, sink)
            .map_err(|error| PatternError(error.to_string()))?;
        Ok(found)
    }
}
