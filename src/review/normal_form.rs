//! The normal form of an item.

use std::ops::Range;

use super::facts::Facts;
use super::token::Token;

/// The normal form of an item, with its text.
#[derive(Debug, Clone, Default)]
pub struct NormalForm {
    pub tokens: Vec<Token>,
    /// The item's own text.
    pub text: String,
    pub facts: Facts,
    /// Bytes of each token in `text`.
    pub(super) spans: Vec<Range<usize>>,
    /// Byte in the file of each token.
    pub(super) bytes: Vec<u32>,
}

impl NormalForm {
    /// Byte in the file of a token; of the last one if there are fewer.
    pub fn byte(&self, token: usize) -> Option<u32> {
        self.bytes.get(token).or(self.bytes.last()).copied()
    }

    /// The text of some tokens.
    pub fn source(&self, tokens: &Range<usize>) -> &str {
        let (start, end) = self.bytes(tokens);
        self.text.get(start..end).unwrap_or_default()
    }

    /// Adds the form of another part of the item.
    pub fn append(&mut self, other: Self) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.tokens.extend(other.tokens);
        self.spans.extend(other.spans.into_iter().map(|one| one.start + shift..one.end + shift));
        self.bytes.extend(other.bytes);
        self.facts.append(other.facts);
    }

    /// Where tokens are in the text; where they would be if there are none.
    pub(super) fn bytes(&self, tokens: &Range<usize>) -> (usize, usize) {
        let all = self.spans.get(tokens.clone()).unwrap_or_default();
        match (all.first(), all.iter().map(|one| one.end).max()) {
            (Some(first), Some(end)) => (first.start, end),
            _ => {
                let before = tokens.start.checked_sub(1).and_then(|at| self.spans.get(at));
                let at = before.map_or(0, |one| one.end);
                (at, at)
            }
        }
    }

    /// The blanks and comments before a token.
    pub(super) fn blank_before(&self, token: usize) -> &str {
        let before = token.checked_sub(1).and_then(|at| self.spans.get(at));
        let start = before.map_or(0, |one| one.end);
        let end = self.spans.get(token).map_or(start, |one| one.start);
        self.text.get(start..end).unwrap_or_default()
    }
}
