//! Names in tokens that are not read as code: bodies of `macro_rules!`, tokens of macro calls that
//! are not expressions, placeholders in format strings, arguments of attributes. They only say
//! that a definition of that name may be used here.

use super::super::head::Head;
use super::super::lexer::Kind;
use super::super::source::Toks;
use super::super::split::commas;
use super::reader::{Reader, is_reserved};
use asof_model::{Header, ItemFacts, Mention, NodeKind};

/// Attributes of the compiler whose arguments name no item.
const INERT: &[&str] = &[
    "allow", "cfg", "deny", "deprecated", "derive", "doc", "expect", "feature", "forbid", "inline",
    "link", "must_use", "path", "repr", "should_panic", "target_feature", "warn",
];

/// Attributes of well-known crates whose strings are formats of messages: `thiserror`, `displaydoc`,
/// `derive_more`.
const MESSAGES: &[&str] = &["debug", "display", "error"];

impl Reader<'_, '_> {
    /// Tokens that were skipped in a body.
    pub(super) fn unread(&mut self, item: &ItemFacts, head: &Head, into: &mut Vec<Mention>) {
        let reads = match head.kind {
            NodeKind::Macro => true,
            NodeKind::MacroCall => item.header == Header::MacroCall { items: false },
            kind => kind.has_body(),
        };
        let Some(body) = head.body.clone().filter(|_| reads) else { return };
        let mut at = body.start;
        while at < body.end {
            // Items in bodies have mentions of their own.
            let next = self.inner.partition_point(|(start, ..)| *start < at);
            match self.inner.get(next) {
                Some((start, end, _)) if *start == at => at = (*end).max(at + 1),
                _ => {
                    self.unread_token(at, Strings::Placeholders, into);
                    at += 1;
                }
            }
        }
    }

    /// Arguments of an attribute that is not the compiler's: `#[serde(default = "preset")]`.
    pub(super) fn unread_arguments(&mut self, inside: Toks, depth: u32, into: &mut Vec<Mention>) {
        let source = self.source;
        let word = source.word(inside.start);
        if word == "cfg_attr" && depth < 4 {
            // The condition names no item, and each attribute behind it is one of its own.
            let list = inside.start + 2..inside.end.saturating_sub(1);
            for attribute in commas(source, list).into_iter().skip(1) {
                self.unread_arguments(attribute, depth + 1, into);
            }
            return;
        }
        if INERT.contains(&word) {
            return;
        }
        let strings = if MESSAGES.contains(&word) { Strings::Placeholders } else { Strings::Code };
        for at in inside.start + 1..inside.end {
            let is_argument_name = source.is_op(at + 1, b"=");
            if !is_argument_name {
                self.unread_token(at, strings, into);
            }
        }
    }

    fn unread_token(&mut self, at: usize, strings: Strings, into: &mut Vec<Mention>) {
        let source = self.source;
        let token = source.token(at);
        match token.kind {
            Kind::Word => {
                let name = source.name(at);
                let variable = at > 0 && source.is(at - 1, b'$');
                let own = matches!(name, "self" | "Self" | "super" | "crate" | "_");
                if self.read.get(at) == Some(&true)
                    || own
                    || variable
                    || is_reserved(source.word(at))
                {
                    return;
                }
                let start = token.end.saturating_sub(name.len() as u32);
                into.push(Mention { name: self.names.number(name), at: start });
            }
            Kind::Literal => {
                let text = source.str(at);
                let is_read = self.read.get(at) == Some(&true);
                if !text.ends_with(['"', '#']) || is_read {
                    return;
                }
                let is_code = strings == Strings::Code && !is_prose(text);
                for (from, word) in words(text) {
                    let behind = text.get(from + word.len()..).unwrap_or_default();
                    let before = text.get(..from).unwrap_or_default();
                    let placeholder = before.ends_with('{') && behind.starts_with(['}', ':']);
                    // `{:width$}` and `{:.digits$}`.
                    let counted = behind.starts_with('$');
                    if is_code || placeholder || counted {
                        let at = token.start + from as u32;
                        into.push(Mention { name: self.names.number(word), at });
                    }
                }
            }
            _ => {}
        }
    }
}

/// Which words count in the text of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strings {
    /// Names in braces, as in format strings.
    Placeholders,
    /// Every word, if the text reads as code: `"crate::hex"`, `"Vec<Item>"`.
    Code,
}

/// Whether a text is a message to people: no path, type or expression has two names beside each
/// other without a sign or keyword between them, and none ends with a full stop.
fn is_prose(text: &str) -> bool {
    if text.trim_end_matches(['"', '#']).ends_with('.') {
        return true;
    }
    let mut last: Option<(usize, &str)> = None;
    for (from, word) in words(text) {
        if let Some((before, name)) = last
            && let Some(between) = text.get(before + name.len()..from)
            && !between.is_empty()
            && between.chars().all(char::is_whitespace)
            && ![name, word].iter().any(|word| is_reserved(word))
            && !is_lifetime(text, before)
        {
            return true;
        }
        last = Some((from, word));
    }
    false
}

/// Whether the word at this place is the name of a lifetime: `&'a Item`, not `can't stop`.
fn is_lifetime(text: &str, from: usize) -> bool {
    let before = text.get(..from).and_then(|before| before.strip_suffix('\''));
    before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

/// Words of a text that may be names, each with its first byte.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let apart = |c: char| !c.is_alphanumeric() && c != '_';
    let mut next = 0;
    text.split_inclusive(apart).filter_map(move |piece| {
        let at = next;
        next += piece.len();
        let word = piece.trim_end_matches(apart);
        let begins = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        (begins && word != "_").then_some((at, word))
    })
}
