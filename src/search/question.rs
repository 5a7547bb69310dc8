//! A question: its terms, and the names of code that it mentions.

use super::error::SearchError;
use super::terms::{Part, Term, Text, each_term, term_of, whole, words};
use super::vocabulary::is_weak_word;

/// Longer texts are no questions.
pub const MAX_QUERY_BYTES: usize = 16 << 10;

/// Terms that are scored; the first ones of a longer question.
const MAX_TERMS: usize = 128;

/// Names that a question mentions; the first ones of a longer list.
const MAX_SYMBOLS: usize = 8;

/// What a question looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A name or path: `JoinSet`, `Router::route`.
    Symbol,
    /// Words.
    Words,
}

/// A term of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    /// The term.
    pub term: Term,
    /// The word that it is of.
    pub word: String,
    /// How much it counts; 1 for a plain word.
    pub weight: f64,
}

/// A question, ready to be searched for.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// As it was asked.
    pub text: String,
    /// What it looks like.
    pub shape: Shape,
    /// Its terms, each once.
    pub terms: Vec<QueryTerm>,
    /// The names that it mentions, each as a path of names in lower case without `_`.
    pub symbols: Vec<Vec<String>>,
}

/// Weight of words such as `with` and `into`, which names have, too.
const WEAK: f64 = 0.3;

/// Weight of two words as one identifier.
const PAIR: f64 = 0.5;

/// The text, if it is neither empty nor too long.
pub fn within_limits(text: &str) -> Result<&str, SearchError> {
    match text.len() {
        0 => Err(SearchError::Empty),
        len if len > MAX_QUERY_BYTES => Err(SearchError::TooLong { len, limit: MAX_QUERY_BYTES }),
        _ => Ok(text),
    }
}

impl Question {
    /// Reads a question.
    ///
    /// # Errors
    /// One that is empty, too long, or without a word.
    pub fn parse(text: &str) -> Result<Self, SearchError> {
        let text = within_limits(text.trim())?;
        let shape = if is_symbol(text) { Shape::Symbol } else { Shape::Words };
        let mut question =
            Self { text: text.to_owned(), shape, terms: Vec::new(), symbols: Vec::new() };
        let kind = if shape == Shape::Symbol { Text::Name } else { Text::Prose };
        question.add_words(text, kind);
        if question.terms.is_empty() {
            // Nothing but words such as `the`: then they are what is looked for.
            question.add_words(text, Text::Name);
        }
        if question.terms.is_empty() {
            return Err(SearchError::NoWords(text.chars().take(60).collect()));
        }
        question.add_symbols(text);
        Ok(question)
    }

    /// Whether it asks about tests, benches or examples.
    pub fn is_of_tests(&self) -> bool {
        let words = ["test", "bench", "benchmark", "example", "mock", "fixture"].map(term_of);
        self.terms.iter().any(|term| words.contains(&term.term))
    }

    fn add_words(&mut self, text: &str, kind: Text) {
        let mut before: Option<String> = None;
        for word in words(text) {
            let lower = word.to_lowercase();
            let mut seen = false;
            let mut found = Vec::new();
            each_term(word, kind, |term, part| found.push((term, part)));
            for (term, part) in found {
                seen = true;
                let weight = match part {
                    Part::Word if self.shape == Shape::Words && is_weak_word(&lower) => WEAK,
                    _ => 1.0,
                };
                self.add(term, &lower, weight);
            }
            if let (true, Some(before)) = (seen, &before) {
                let pair = format!("{before}{lower}");
                self.add(whole(&pair), &pair, PAIR);
            }
            if self.shape == Shape::Symbol {
                self.add(whole(word), &lower, 1.0);
            }
            before = seen.then_some(lower);
        }
    }

    /// Adds the terms of a word that is not in the text itself.
    pub(super) fn add_word(&mut self, word: &str, weight: f64) {
        let mut found = Vec::new();
        each_term(word, Text::Name, |term, _| found.push(term));
        found.into_iter().for_each(|term| self.add(term, word, weight));
    }

    fn add(&mut self, term: Term, word: &str, weight: f64) {
        if let Some(known) = self.terms.iter_mut().find(|known| known.term == term) {
            known.weight = known.weight.max(weight);
        } else if self.terms.len() < MAX_TERMS {
            self.terms.push(QueryTerm { term, word: word.to_owned(), weight });
        }
    }

    fn add_symbols(&mut self, text: &str) {
        for word in text.split_whitespace() {
            let quoted = word.starts_with('`');
            let word = word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
            let looks_like_one = self.shape == Shape::Symbol || quoted || is_identifier(word);
            let path: Vec<String> = path_of(word).map(plain_name).collect();
            let fits = !path.is_empty() && path.iter().all(|name| !name.is_empty());
            if looks_like_one && fits && self.symbols.len() < MAX_SYMBOLS {
                self.symbols.push(path);
            }
        }
    }
}

/// Names of a path, generic arguments and calls left out.
fn path_of(text: &str) -> impl Iterator<Item = &str> {
    let text = text.split(['<', '(']).next().unwrap_or_default();
    text.split("::").flat_map(|part| part.split('.')).filter(|part| !part.is_empty())
}

/// A name in lower case without `_`.
pub(super) fn plain_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a question is nothing but a name or path.
fn is_symbol(text: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || "_:<>()!&'.#".contains(c);
    text.chars().all(fits) && text.chars().any(char::is_alphanumeric)
}

/// Whether a word among others can only be an identifier: `JoinSet`, `join_set`, `a::b`.
fn is_identifier(word: &str) -> bool {
    let camel = || {
        let mut chars = word.chars();
        let first = chars.next().is_some_and(char::is_alphabetic);
        let rest: Vec<char> = chars.collect();
        first && rest.iter().any(|c| c.is_uppercase()) && rest.iter().any(|c| c.is_lowercase())
    };
    word.contains("::") || word.trim_matches('_').contains('_') || camel()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, shape: Shape, symbols: &[&[&str]]) {
        let question = Question::parse(text).unwrap();
        assert_eq!(question.shape, shape, "{text}");
        let found: Vec<Vec<&str>> =
            question.symbols.iter().map(|s| s.iter().map(String::as_str).collect()).collect();
        assert_eq!(found, symbols, "{text}");
    }

    #[test]
    fn names_are_told_from_words() {
        check("JoinSet", Shape::Symbol, &[&["joinset"]]);
        check("Router::route", Shape::Symbol, &[&["router", "route"]]);
        check("Vec<u8>::push()", Shape::Symbol, &[&["vec"]]);
        check("semaphore", Shape::Symbol, &[&["semaphore"]]);
        check("how does JoinSet drop tasks?", Shape::Words, &[&["joinset"]]);
        check("the `spawn` call", Shape::Words, &[&["spawn"]]);
        check("calls to spawn_local", Shape::Words, &[&["spawnlocal"]]);
        check("where are timers kept?", Shape::Words, &[]);
    }

    #[test]
    fn what_cannot_be_searched_for_is_an_error() {
        assert_eq!(Question::parse("  \n"), Err(SearchError::Empty));
        assert_eq!(Question::parse("?!"), Err(SearchError::NoWords("?!".to_owned())));
        let long = "word ".repeat(20_000);
        let len = long.trim().len();
        assert_eq!(
            Question::parse(&long),
            Err(SearchError::TooLong { len, limit: MAX_QUERY_BYTES })
        );
        assert!(!Question::parse("what is the").unwrap().terms.is_empty());
        let many: String = (0..2_000).map(|n| format!("w{n} ")).collect();
        assert_eq!(Question::parse(&many).unwrap().terms.len(), MAX_TERMS);
    }

    #[test]
    fn neighbours_are_also_looked_for_as_one_name() {
        let question = Question::parse("the timer wheel").unwrap();
        let words: Vec<&str> = question.terms.iter().map(|t| t.word.as_str()).collect();
        assert_eq!(words, ["timer", "wheel", "timerwheel"]);
    }
}
