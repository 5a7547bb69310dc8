//! Text search, with the libraries of ripgrep.

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Bytes;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

use super::lines::Hit;

/// Memory of a compiled pattern, bytes.
const MAX_PROGRAM: usize = 4 << 20;

/// A pattern that cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot search for this pattern: {0}")]
pub struct PatternError(String);

/// A search for a pattern.
#[derive(Debug)]
pub struct Search {
    matcher: RegexMatcher,
    searcher: Searcher,
}

impl Search {
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

    /// The matching lines of a file, with the number of matches in each.
    ///
    /// # Errors
    /// The searcher gave up.
    pub fn file(&mut self, path: &str, text: &[u8]) -> Result<Vec<Hit>, PatternError> {
        let mut hits = Vec::new();
        let matcher = &self.matcher;
        let sink = Bytes(|line, bytes| {
            let mut matches = 0;
            let counted = matcher.find_iter(bytes, |_| {
                matches += 1;
                true
            });
            counted.map_err(std::io::Error::other)?;
            let text = String::from_utf8_lossy(bytes).trim_end_matches(['\n', '\r']).to_owned();
            hits.push(Hit { file_path: path.to_owned(), line, text, matches });
            Ok(true)
        });
        self.searcher
            .search_slice(matcher, text, sink)
            .map_err(|error| PatternError(error.to_string()))?;
        Ok(hits)
    }
}
