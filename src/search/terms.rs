//! Splits text into terms. An identifier gives a term for each of its words, and one for the whole:
//! `JoinSet` and `join_set` both give `join`, `set` and `joinset`. Words are lower-cased, common
//! abbreviations spelled out and stems taken, so that `dirs` and `directory` meet.

use std::cell::RefCell;
use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::vocabulary::{is_keyword, is_stop_word, spelled_out};
use asof_model::identifier_parts;

/// A term: 32 bits of a hash, the same on every machine. Two terms of one workspace rarely share
/// one, and then a score is a little off, never a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub u32);

/// Longer words are keys, hashes or tables, not words.
const MAX_WORD: usize = 64;

/// Words whose terms are kept in memory, and identifiers, for each thread.
const MAX_CACHE: usize = 1 << 16;

/// What kind of text is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// A name: every word counts.
    Name,
    /// Code: keywords and words without meaning are left out.
    Code,
    /// Documentation or a question: words without meaning are left out.
    Prose,
}

thread_local! {
    static WORDS: RefCell<Words> = RefCell::new(Words::new());
}

/// Terms of words, computed once for each.
struct Words {
    stemmer: Stemmer,
    known: HashMap<String, Known>,
    /// Terms of identifiers as written: a text repeats the same few.
    identifiers: HashMap<Box<str>, Box<[Found]>>,
}

/// A term of an identifier, and which texts have it.
#[derive(Clone, Copy)]
struct Found {
    term: Term,
    part: Part,
    /// Only names: it is a letter or has no meaning.
    in_names: bool,
    /// Code has it as a keyword.
    is_keyword: bool,
}

impl Found {
    fn counts_in(self, kind: Text) -> bool {
        match kind {
            Text::Name => true,
            Text::Code => !self.in_names && !self.is_keyword,
            Text::Prose => !self.in_names,
        }
    }
}

/// What is known of a lower-case word.
#[derive(Clone, Copy)]
struct Known {
    term: Term,
    is_stop_word: bool,
}

impl Words {
    fn new() -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        Self { stemmer, known: HashMap::new(), identifiers: HashMap::new() }
    }

    fn word(&mut self, lower: &str) -> Known {
        if let Some(known) = self.known.get(lower) {
            return *known;
        }
        let term = Term(hash(&self.normal(lower)));
        let known = Known { term, is_stop_word: is_stop_word(lower) };
        if self.known.len() < MAX_CACHE {
            self.known.insert(lower.to_owned(), known);
        }
        known
    }

    /// Calls `add` with the terms of an identifier.
    fn identifier(&mut self, word: &str, add: impl FnMut(Found)) {
        if let Some(terms) = self.identifiers.get(word) {
            return terms.iter().copied().for_each(add);
        }
        let mut terms = Vec::new();
        self.parts(word, |found, _| terms.push(found));
        terms.iter().copied().for_each(add);
        if self.identifiers.len() < MAX_CACHE {
            self.identifiers.insert(word.into(), terms.into());
        }
    }

    /// Calls `add` with the terms of an identifier, each with its word in lower case or, for the
    /// whole, as written.
    fn parts(&mut self, word: &str, mut add: impl FnMut(Found, &str)) {
        let parts = identifier_parts(word);
        let is_keyword = parts.len() == 1 && is_keyword(word);
        let mut lower = String::new();
        for part in &parts {
            lower.clear();
            lower.extend(part.chars().flat_map(char::to_lowercase));
            if lower.len() > 6 && lower.bytes().all(|b| b.is_ascii_digit()) {
                continue;
            }
            let Known { term, is_stop_word } = self.word(&lower);
            let in_names = is_stop_word || lower.len() == 1;
            add(Found { term, part: Part::Word, in_names, is_keyword }, &lower);
        }
        if parts.len() > 1 {
            let (term, part) = (whole(word), Part::Whole);
            add(Found { term, part, in_names: false, is_keyword: false }, word);
        }
    }

    /// The word that stands for this one: spelled out, and its stem.
    fn normal(&self, lower: &str) -> String {
        let full = spelled_out(lower).unwrap_or(lower);
        if full.len() > 2 && full.bytes().all(|b| b.is_ascii_alphabetic()) {
            self.stemmer.stem(full).into_owned()
        } else {
            full.to_owned()
        }
    }
}

/// FNV-1a of 64 bits, folded.
fn hash(word: &str) -> u32 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ (hash >> 32)) as u32
}

/// The words of a text: runs of letters, digits and `_`.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.len() <= MAX_WORD && word.bytes().any(|b| b != b'_'))
}

/// What a term of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A word, alone or in an identifier.
    Word,
    /// An identifier of several words.
    Whole,
}

/// Calls `add` with every term of a text.
pub(super) fn each_term(text: &str, kind: Text, mut add: impl FnMut(Term, Part)) {
    WORDS.with_borrow_mut(|known| {
        for word in words(text) {
            known.identifier(word, |found| {
                if found.counts_in(kind) {
                    add(found.term, found.part);
                }
            });
        }
    });
}

/// Calls `add` with every term of a text, and the word in lower case or the identifier as written.
pub fn each_word(text: &str, kind: Text, mut add: impl FnMut(Term, Part, &str)) {
    WORDS.with_borrow_mut(|known| {
        for word in words(text) {
            known.parts(word, |found, text| {
                if found.counts_in(kind) {
                    add(found.term, found.part, text);
                }
            });
        }
    });
}

/// The term of an identifier as a whole, however its words are joined.
pub fn whole(word: &str) -> Term {
    let joined = word.chars().filter(|c| *c != '_').flat_map(char::to_lowercase);
    Term(hash(&joined.collect::<String>()))
}

/// The term of one word.
pub(super) fn term_of(lower: &str) -> Term {
    WORDS.with_borrow_mut(|known| known.word(lower).term)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expected: &[&str]) {
        assert_eq!(identifier_parts(word), expected, "{word}");
    }

    #[test]
    fn identifiers_are_split_at_case_underscores_and_digits() {
        check("JoinSet", &["Join", "Set"]);
        check("join_set", &["join", "set"]);
        check("HTTPServer", &["HTTP", "Server"]);
        check("parseURL", &["parse", "URL"]);
        check("utf8_to_16", &["utf", "8", "to", "16"]);
        check("__private", &["private"]);
        check("MAX_LEN", &["MAX", "LEN"]);
        check("größe", &["größe"]);
        check("x", &["x"]);
    }

    #[test]
    fn forms_of_a_name_and_of_a_word_meet() {
        let terms = |text: &str| {
            let mut found = Vec::new();
            each_term(text, Text::Prose, |term, part| found.push((term, part)));
            found
        };
        assert_eq!(terms("JoinSet"), terms("join_set"));
        assert_eq!(terms("searching directories"), terms("search dir"));
        assert_eq!(terms("the of"), []);
        let whole_of = |text: &str| terms(text).into_iter().find(|(_, part)| *part == Part::Whole);
        assert_eq!(whole_of("JoinSet").map(|(term, _)| term), Some(whole("joinset")));
        assert_eq!(whole_of("Join"), None);
    }

    #[test]
    fn keywords_count_in_names_and_prose_but_not_in_code() {
        let count = |kind| {
            let mut n = 0;
            each_term("let matcher = match", kind, |_, _| n += 1);
            n
        };
        assert_eq!((count(Text::Code), count(Text::Prose)), (1, 3));
    }
}
