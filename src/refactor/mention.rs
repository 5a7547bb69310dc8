//! Excludes meanings of a word in tokens that are not read as code, by the tokens beside it.

use super::written::Writer;
use asof_model::NodeKind;

/// Words behind which a name is declared.
const DECLARING: [&str; 10] =
    ["fn", "struct", "enum", "union", "trait", "type", "mod", "const", "static", "let"];

/// Fragments of macro patterns: `$name:expr`.
const FRAGMENTS: [&str; 15] = [
    "block", "expr", "expr_2021", "ident", "item", "lifetime", "literal", "meta", "pat",
    "pat_param", "path", "stmt", "tt", "ty", "vis",
];

/// The item that a word may mean.
#[derive(Debug, Clone, Copy)]
pub struct Meant {
    pub kind: NodeKind,
    /// Whether it is declared in a trait: an impl that a macro makes may have it.
    pub of_trait: bool,
    /// Whether it is declared in a macro call, which may make a macro of its name, too.
    pub in_call: bool,
}

impl Writer<'_> {
    /// Whether the name at a byte may mean an item; `is_generic` tells type parameters around it.
    pub fn may_mean(&self, byte: u32, item: Meant, is_generic: impl Fn(&str) -> bool) -> bool {
        let Some((token, name)) = self.scan.word_at(byte).filter(|(_, name)| !name.is_empty())
        else {
            return true;
        };
        let before = |at: u32| self.scan.token_before(at);
        let first = before(token.start);
        let second = first.as_ref().and_then(|(range, _)| before(range.start));
        let third = second.as_ref().and_then(|(range, _)| before(range.start));
        let byte_of = |one: &Option<(std::ops::Range<u32>, u8)>| one.as_ref().map(|one| one.1);
        let (a, b, c) = (byte_of(&first), byte_of(&second), byte_of(&third));
        let word = |one: &Option<(std::ops::Range<u32>, u8)>| {
            let found = one.as_ref().and_then(|(range, _)| self.scan.word_at(range.start));
            found.map_or("", |(_, name)| name)
        };
        let behind = self.scan.token_behind(token.end).map(|(_, byte)| byte);
        // `$name`, `$x:name`.
        if a == Some(b'$') || a == Some(b':') && c == Some(b'$') && FRAGMENTS.contains(&name) {
            return false;
        }
        let is_associated = matches!(
            item.kind,
            NodeKind::Method | NodeKind::AssocType | NodeKind::AssocConst | NodeKind::Variant
        );
        // `.name`, but not `..name`.
        if a == Some(b'.') && b != Some(b'.') {
            return matches!(item.kind, NodeKind::Method | NodeKind::Field);
        }
        if DECLARING.contains(&word(&first)) {
            return item.of_trait;
        }
        if a == Some(b':') && b == Some(b':') {
            let through = word(&third);
            let of_type = through == "Self" || is_generic(through);
            return item.kind != NodeKind::Field && (is_associated || !of_type);
        }
        match item.kind {
            // A method is behind a dot or a path, or handed to a macro as a name.
            NodeKind::Field => !matches!(behind, Some(b'(' | b'!')),
            NodeKind::Macro => !matches!(behind, Some(b'(' | b'.')),
            _ => item.in_call || behind != Some(b'!') || self.is_negated(token.end),
        }
    }

    /// Whether `=` is behind the name at a byte: in an attribute it names an argument.
    pub fn is_key(&self, byte: u32) -> bool {
        let Some((token, _)) = self.scan.word_at(byte) else { return false };
        let Some((mark, b'=')) = self.scan.token_behind(token.end) else { return false };
        let second = self.scan.token_behind(mark.end);
        second.is_none_or(|(next, byte)| next.start > mark.end || byte != b'=')
    }

    /// Whether `!=` is at a byte.
    fn is_negated(&self, byte: u32) -> bool {
        let Some((mark, _)) = self.scan.token_behind(byte) else { return false };
        self.scan.token_behind(mark.end).is_some_and(|(_, byte)| byte == b'=')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: NodeKind, of_trait: bool, expected: bool) {
        let facts = asof_syntax::parse_file_isolated("lib.rs", text.as_bytes());
        let writer = Writer::new(text, &facts.uses);
        let at = text.find("old").unwrap() as u32;
        let item = Meant { kind, of_trait, in_call: false };
        assert_eq!(writer.may_mean(at, item, |name| name == "G"), expected, "{text} {kind}");
    }

    #[test]
    fn neighbours_tell_what_a_word_cannot_mean() {
        use NodeKind::{AssocType, Field, Function, Macro, Method, Struct};
        for (text, kind, of_trait, expected) in [
            ("m!(a.old());", Function, false, false),
            ("m!(a.old());", Method, false, true),
            ("m!(a.old);", Field, false, true),
            ("m!(0..old);", Function, false, true),
            ("m!(fn old() {});", Function, false, false),
            ("m!(fn old() {});", Method, true, true),
            ("m!(type old = u8;);", Struct, false, false),
            ("m!(type old = u8;);", AssocType, true, true),
            ("m!(G::old);", Struct, false, false),
            ("m!(G::old);", AssocType, true, true),
            ("m!(a::old);", Struct, false, true),
            ("m!($old);", Function, false, false),
            ("m!(a, old, b);", Field, false, true),
            ("m!(old());", Field, false, false),
            ("m!(old!());", Function, false, false),
            ("m!(old != 1);", Function, false, true),
            ("m!(old!());", Macro, false, true),
            ("m!(old());", Macro, false, false),
        ] {
            check(text, kind, of_trait, expected);
        }
    }
}
