//! Splits identifiers into words, and says when two are the same.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// An identifier in Normalization Form C, in which the compiler compares them (Reference,
/// "Identifiers").
pub fn normalize_identifier(name: &str) -> Cow<'_, str> {
    if name.is_ascii() || is_nfc_quick(name.chars()) == IsNormalized::Yes {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.nfc().collect())
    }
}

/// The parts of an identifier, as written: `HTTPServer2` gives `HTTP`, `Server` and `2`.
pub fn identifier_parts(word: &str) -> Vec<&str> {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Lower,
        Upper,
        Digit,
        Gap,
    }
    let class = |c: char| match c {
        '_' => Class::Gap,
        c if c.is_numeric() => Class::Digit,
        c if c.is_uppercase() => Class::Upper,
        _ => Class::Lower,
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = word.char_indices().peekable();
    let mut before = Class::Gap;
    while let Some((at, c)) = chars.next() {
        let now = class(c);
        let next = chars.peek().map(|(_, c)| class(*c));
        let cut = match (before, now) {
            (Class::Gap, _) | (_, Class::Gap) => true,
            (Class::Lower, Class::Upper) => true,
            // The last letter of an acronym belongs to the word after it.
            (Class::Upper, Class::Upper) => next == Some(Class::Lower),
            (Class::Digit, other) | (other, Class::Digit) => other != Class::Digit,
            _ => false,
        };
        if cut {
            found.extend(word.get(start..at));
            start = at;
        }
        if now == Class::Gap {
            start = at + c.len_utf8();
        }
        before = now;
    }
    found.extend(word.get(start..));
    found.retain(|part| !part.is_empty());
    found
}
