//! What the brackets of a file enclose.

use std::collections::BTreeMap;

use super::item_text::FileText;
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

/// The groups of a file by the numbers of the tokens that open them.
pub(super) fn groups(file: &FileText) -> BTreeMap<u32, Group> {
    let tokens = &file.lexed;
    let opening = tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Open);
    opening.map(|(at, token)| (at as u32, group(file, at, token))).collect()
}

fn group(file: &FileText, at: usize, token: &LexToken) -> Group {
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
            return Group::Macro(name as u32, macro_reads(macro_path(file, name)));
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

/// The path of a macro of another crate, if it is certain.
fn macro_path(file: &FileText, name: usize) -> Option<&str> {
    let byte = file.lexed.get(name)?.start;
    match file.uses_at(byte) {
        [one] if one.is_certain => one.outside.as_deref(),
        _ => None,
    }
}

/// Whether round brackets have a colon of their own: they are those of parameters.
fn has_parameters(file: &FileText, at: usize, open: &LexToken) -> bool {
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
