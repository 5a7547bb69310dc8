//! Extents around a name in a text: its word, its path, the call or literal that it begins, the
//! head of its item.

use std::ops::Range;

use super::anatomy::Scan;
use super::lexer::Kind;

/// Operators and the like before a group that ends a head: `fn f(…) -> T {`.
const HEAD_ENDS: [u8; 2] = [b'{', b';'];

impl Scan<'_> {
    /// The name at a byte, without `r#`.
    pub fn name_at(&self, byte: u32) -> &str {
        self.name(self.token_around(byte))
    }

    fn name(&self, at: usize) -> &str {
        let normal = self.normal.get(self.source.token(at).start);
        normal.map_or_else(|| self.source.name(at), |name| name.strip_prefix("r#").unwrap_or(name))
    }

    /// The token that holds a byte, and its name without `r#`: empty where it is no word.
    pub fn word_at(&self, byte: u32) -> Option<(Range<u32>, &str)> {
        let at = self.token_around(byte);
        let token = self.source.token(at);
        let name = if token.kind == Kind::Word { self.name(at) } else { "" };
        (token.start <= byte && byte < token.end).then_some((token.start..token.end, name))
    }

    /// Start of the words that say how the name at a byte binds: `ref`, `mut`.
    pub fn binding_at(&self, byte: u32) -> u32 {
        let mut at = self.token_around(byte);
        while at > 0 && matches!(self.source.word(at - 1), "ref" | "mut" | "box") {
            at -= 1;
        }
        self.source.token(at).start
    }

    /// Start of the name behind the words that say how it binds.
    pub fn bound_at(&self, byte: u32) -> u32 {
        let mut at = self.token_around(byte);
        while matches!(self.source.word(at), "ref" | "mut" | "box") {
            at += 1;
        }
        self.source.token(at).start
    }

    /// The path that ends with the token at a byte: `a::b::c`.
    pub fn path_at(&self, byte: u32) -> Range<u32> {
        let at = self.token_around(byte);
        self.source.token(self.path_start(at)).start..self.source.token(at).end
    }

    /// The same with what is given to it: generic arguments, the arguments of a call, the fields
    /// of a literal or pattern.
    pub fn call_at(&self, byte: u32) -> Range<u32> {
        let source = &self.source;
        let at = self.token_around(byte);
        let start = source.token(self.path_start(at)).start;
        let mut behind = at + 1;
        if source.is(behind, b'!') {
            behind += 1;
        }
        let turbofish = source.is_op(behind, b"::") && source.is(behind + 2, b'<');
        let angle = if turbofish { behind + 2 } else { behind };
        if source.is(angle, b'<')
            && let Some(closed) = self.behind_angles(angle)
        {
            behind = closed;
        }
        if source.is(behind, b'(') || source.is(behind, b'[') || self.is_fields(behind) {
            behind = source.skip(behind);
        }
        start..source.token(behind - 1).end
    }

    /// From the name at a byte to the end of the head of its item.
    pub fn head_at(&self, byte: u32) -> Range<u32> {
        let source = &self.source;
        let first = self.token_around(byte);
        let ends = |at: usize| {
            let token = source.token(at);
            token.kind == Kind::End || HEAD_ENDS.into_iter().any(|byte| token.is(byte))
        };
        let mut at = first + 1;
        while !ends(at) {
            at = source.skip(at);
        }
        source.token(first).start..source.token(at - 1).end
    }

    /// Index of the token that holds a byte, or of the first one after it.
    fn token_around(&self, byte: u32) -> usize {
        self.source.tokens.partition_point(|token| token.end <= byte)
    }

    fn path_start(&self, mut at: usize) -> usize {
        let source = &self.source;
        while at >= 2 && source.is_op(at - 2, b"::") {
            at -= 2;
            if at == 0 || source.token(at - 1).kind != Kind::Word {
                break;
            }
            at -= 1;
        }
        at
    }

    /// Index after the `>` that closes the `<` at an index.
    fn behind_angles(&self, open: usize) -> Option<usize> {
        let source = &self.source;
        let mut depth = 0usize;
        let mut at = open;
        loop {
            let token = source.token(at);
            match token.kind {
                Kind::End | Kind::Close => return None,
                _ if source.is(at, b'<') => depth += 1,
                _ if source.closes_angle(at) => depth -= 1,
                // An expression: the `<` compares.
                _ if source.is(at, b';') || source.is(at, b'{') && depth == 0 => return None,
                _ => {}
            }
            at = source.skip(at);
            if depth == 0 {
                return Some(at);
            }
        }
    }

    /// Whether a brace opens fields, not a block: `{ a: 1 }`, `{ a, b }`, `{ .. }`.
    fn is_fields(&self, open: usize) -> bool {
        let source = &self.source;
        let name = source.token(open + 1).kind == Kind::Word;
        let colon = source.is(open + 2, b':') && !source.is_op(open + 2, b"::");
        source.is(open, b'{')
            && (source.is_op(open + 1, b"..") || name && (colon || source.is(open + 2, b',')))
    }
}
