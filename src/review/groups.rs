//! What the brackets of a file enclose.

use std::collections::BTreeMap;

use super::known::{MacroReads, macro_reads};
use asof_syntax::{Kind, LexToken};

/// What a pair of brackets encloses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    /// Arguments, parameters or other lists in round brackets, in which a last comma says nothing.
    List,
    /// Round brackets in which a last comma may make a tuple.
    Round,
    /// Square or curly brackets of code.
    Code(u8),
    /// The tokens of an attribute.
    Attribute,
    /// The tokens of a macro call; the number of the token that is the macro's name.
    Macro(u32, MacroReads),
}

/// Words after which round brackets are no arguments.
const KEYWORDS: &[&str] = &[
    "as", "await", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "ref", "return",
    "static", "struct", "trait", "type", "unsafe", "use", "where", "while", "yield",
];

/// The tokens of a text.
pub(super) struct Tokens<'a> {
    pub text: &'a str,
    pub lexed: &'a [LexToken],
    /// The path of what a name at a byte means, if it is certain and of another crate.
    pub path: &'a dyn Fn(u32) -> Option<&'a str>,
}

impl Tokens<'_> {
    fn token_text(&self, token: &LexToken) -> &str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or_default()
    }
}

/// The groups of a file by the numbers of the tokens that open them.
pub(super) fn groups(file: &Tokens<'_>) -> BTreeMap<u32, Group> {
    let tokens = file.lexed;
    let opening = tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Open);
    opening.map(|(at, token)| (at as u32, group(file, at, token))).collect()
}

fn group(file: &Tokens<'_>, at: usize, token: &LexToken) -> Group {
    let before = |n: usize| at.checked_sub(n).and_then(|at| file.lexed.get(at));
    let is = |token: Option<&LexToken>, byte: u8| {
        token.is_some_and(|token| token.kind == Kind::Punct && token.byte == byte)
    };
    let is_word = |token: Option<&LexToken>| token.is_some_and(|token| token.kind == Kind::Word);
    if token.byte == b'[' && (is(before(1), b'#') || is(before(1), b'!') && is(before(2), b'#')) {
        return Group::Attribute;
    }
    // `name!(`, and `macro_rules! name {`.
    let name = if is(before(1), b'!') {
        at.checked_sub(2)
    } else if is_word(before(1)) && is(before(2), b'!') {
        at.checked_sub(3)
    } else {
        None
    };
    if let Some(name) = name.filter(|name| is_word(file.lexed.get(*name))) {
        let is_keyword =
            file.lexed.get(name).is_some_and(|token| KEYWORDS.contains(&file.token_text(token)));
        if !is_keyword {
            let path = file.lexed.get(name).and_then(|token| (file.path)(token.start));
            return Group::Macro(name as u32, macro_reads(path));
        }
    }
    match (token.byte, before(1)) {
        (b'(', Some(word)) if word.kind == Kind::Word => {
            let word = file.token_text(word);
            if KEYWORDS.contains(&word) { Group::Round } else { Group::List }
        }
        (b'(', Some(angle)) if angle.byte == b'>' && has_parameters(file, at, token) => Group::List,
        (b'(', _) => Group::Round,
        (byte, _) => Group::Code(byte),
    }
}

/// Whether round brackets have a colon of their own: they are those of parameters.
fn has_parameters(file: &Tokens<'_>, at: usize, open: &LexToken) -> bool {
    let mut next = at + 1;
    while next < open.mate as usize {
        let Some(token) = file.lexed.get(next) else { return false };
        let is_double = token.glued
            || next.checked_sub(1).and_then(|n| file.lexed.get(n)).is_some_and(|one| one.glued);
        if token.kind == Kind::Punct && token.byte == b':' && !is_double {
            return true;
        }
        next = if token.kind == Kind::Open && token.mate as usize > next {
            token.mate as usize + 1
        } else {
            next + 1
        };
    }
    false
}
