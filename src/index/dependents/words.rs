//! The names in texts of signatures and of the rules of macros.

use asof_syntax::{Kind, lex};

/// The names in the rules of a macro, and whether they call one: no attributes, texts and variables.
/// What a call among items makes is compared with its own attributes.
pub(super) fn words_of_rules(rules: &str) -> Vec<(&str, bool)> {
    let tokens = lex(rules, 0);
    let is = |at: usize, byte: u8| {
        tokens.get(at).is_some_and(|token| token.byte == byte && token.kind != Kind::Literal)
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let attribute = [at + 1, at + 2].into_iter().find(|open| is(*open, b'['));
        if is(at, b'#')
            && let Some(open) = attribute
            && (open == at + 1 || is(at + 1, b'!'))
            && let Some(end) = tokens.get(open).map(|token| token.mate as usize)
            && end > open
        {
            at = end + 1;
            continue;
        }
        if token.kind == Kind::Word
            && let Some(word) = rules.get(token.start as usize..token.end as usize)
        {
            let word = word.strip_prefix("r#").unwrap_or(word);
            let is_variable = at.checked_sub(1).is_some_and(|before| is(before, b'$'));
            let is_class = at
                .checked_sub(3)
                .is_some_and(|first| is(first, b'$') && is(first + 2, b':') && !is(at + 1, b':'));
            if !(is_variable && word != "crate" || is_class) {
                found.push((word, is(at + 1, b'!')));
            }
        }
        at += 1;
    }
    found
}

/// Identifiers in a text; no lifetimes.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let parts = text.split(move |c: char| !in_word(c));
    let is_lifetime = |part: &str| part.starts_with('\'') && !part.ends_with('\'');
    let words = parts.filter(move |part| !is_lifetime(part)).flat_map(|part| part.split('\''));
    words.filter(|word| !word.is_empty())
}

/// Names of the projections that attributes make of a type: `(argument=Name)` in its signature.
pub(super) fn projections(sig: &str) -> impl Iterator<Item = &str> {
    let named = sig.split('(').filter_map(|part| part.split_once(')')?.0.split_once('='));
    named.flat_map(|(_, name)| words(name))
}
