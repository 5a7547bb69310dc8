//! Tokens of declarations as text that can be compared.

use std::collections::{BTreeMap, BTreeSet};

use asof_syntax::code_tokens;

pub(super) type Tokens<'a> = [&'a str];

/// What names mean in a declaration.
#[derive(Debug, Clone, Default)]
pub(super) struct Names<'t> {
    /// Generic parameters by name, as text for their position.
    pub by_name: BTreeMap<&'t str, String>,
    /// The words of the type that `Self` is; empty if `Self` is written alone.
    pub self_type: Vec<String>,
}

impl<'t> Names<'t> {
    /// Numbers generic parameters: lifetimes apart from those that callers can give.
    pub fn add_generics(&mut self, params: &[&Tokens<'t>], mark: char) {
        let (mut lifetimes, mut others) = (0, 0);
        for param in params {
            let Some(name) = param.iter().find(|token| **token != "const") else { continue };
            let (mark, number) = if name.starts_with('\'') {
                (format!("'{mark}"), &mut lifetimes)
            } else {
                (mark.to_string(), &mut others)
            };
            self.by_name.insert(name, format!("{mark}{number}"));
            *number += 1;
        }
    }

    /// Names that mean something else than in the other declaration are no longer the same words.
    pub fn add_others(&mut self, others: &'t BTreeSet<String>) {
        for name in others {
            self.by_name.entry(name).or_insert_with(|| format!("{name}\'"));
        }
    }

    /// Where `Self` is no type that has another name.
    pub fn without_self(self) -> Self {
        Names { self_type: Vec::new(), ..self }
    }

    /// `Self` in the place of the type that it is.
    fn with_self(&self, words: &[String]) -> Vec<String> {
        let own = self.self_type.as_slice();
        if own.is_empty() {
            return words.to_vec();
        }
        let mut found = Vec::with_capacity(words.len());
        let mut rest = words;
        while let Some((first, behind)) = rest.split_first() {
            match rest.strip_prefix(own) {
                // `S<T>` is not the beginning of `S<T>::Item`, nor `S` of `S<u8>`.
                Some(behind) if behind.first().is_none_or(|next| next != "<") => {
                    found.push("Self".to_owned());
                    rest = behind;
                }
                _ => {
                    found.push(first.clone());
                    rest = behind;
                }
            }
        }
        found
    }
}

/// A word without the mark of a name that means something else.
pub(super) fn unmarked(word: &str) -> &str {
    word.trim_end_matches('\'')
}

/// Whether a declaration's head has a name.
pub(super) fn is_written(name: &str, head: &str) -> bool {
    code_tokens(head).iter().any(|token| token.text == name)
}

pub(super) fn without_visibility<'a, 't>(tokens: &'a Tokens<'t>) -> &'a Tokens<'t> {
    match tokens {
        ["pub", "(", ..] if matches!(tokens.get(2), Some(&("crate" | "super" | "self" | "in"))) => {
            tokens.get(closing(tokens, 1) + 1..).unwrap_or_default()
        }
        ["pub", rest @ ..] => rest,
        all => all,
    }
}

/// Index of the bracket that closes the one at `open`; the end of the tokens without one.
pub(super) fn closing(tokens: &Tokens<'_>, open: usize) -> usize {
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        let arrow = at > 0 && matches!(tokens.get(at - 1), Some(&("-" | "=")));
        match *token {
            "(" | "[" | "{" | "<" => depth += 1,
            ">" if arrow => {}
            ")" | "]" | "}" | ">" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

/// Index of a token outside of brackets; `:` is not a half of `::`.
pub(super) fn top(tokens: &Tokens<'_>, wanted: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match *token {
            "(" | "[" | "{" | "<" => at = closing(tokens, at),
            ":" if tokens.get(at + 1) == Some(&":") => at += 1,
            token if token == wanted => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

pub(super) fn split<'a, 't>(tokens: &'a Tokens<'t>, by: &str) -> Vec<&'a Tokens<'t>> {
    let mut parts = Vec::new();
    let mut rest = tokens;
    while let Some(at) = top(rest, by) {
        parts.extend(rest.get(..at));
        rest = rest.get(at + 1..).unwrap_or_default();
    }
    parts.push(rest);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Tokens as text, paths cut to their last name, generic parameters by their position.
pub(super) fn plain(tokens: &Tokens<'_>, names: &Names<'_>) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_word = token.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_segment = is_word && tokens.get(at + 1..at + 3) == Some(&[":", ":"]);
        let is_start = *token == ":" && tokens.get(at + 1) == Some(&":");
        let of_generic = names.by_name.contains_key(token) || *token == "Self";
        if is_segment && !of_generic {
            at += 3;
        } else if is_start && words.last().is_none_or(|last| last != ">") {
            at += 2;
        } else {
            words.push(names.by_name.get(token).cloned().unwrap_or_else(|| (*token).to_owned()));
            at += 1;
        }
    }
    // A comma before a closing bracket means nothing.
    let mut text = names.with_self(&words).join(" ");
    for (long, short) in [(", )", ")"), (", >", ">"), (", ]", "]")] {
        text = text.replace(long, short);
    }
    text
}
