//! A text with its tokens and lines, and small accessors that every other part uses. An index out
//! of range gives an end token or an empty text.

use std::ops::Range;

use proc_macro2::LineColumn;

use super::lexer::{Kind, Token, lex};
use super::normal_names::NormalNames;
use asof_model::Span;

/// A range of token indices.
pub(super) type Toks = Range<usize>;

/// One text, tokenised.
pub(super) struct Source<'a> {
    pub text: &'a str,
    pub tokens: Vec<Token>,
    /// First byte of each line.
    lines: Vec<u32>,
    /// Characters before each block of bytes; empty where every character is a byte.
    chars: Vec<u32>,
    /// Bytes before the code: byte-order mark, shebang, frontmatter.
    pub prelude: usize,
    normal: &'a NormalNames,
}

impl<'a> Source<'a> {
    /// Names are as they are written.
    pub(super) fn new(text: &'a str) -> Self {
        Self::with_names(text, NormalNames::NONE)
    }

    /// Names are those that the compiler compares.
    pub(super) fn with_names(text: &'a str, normal: &'a NormalNames) -> Self {
        let prelude = prelude(text);
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let lines = std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect();
        let (tokens, chars) = (lex(text, prelude), char_blocks(text));
        Source { text, tokens, lines, chars, prelude, normal }
    }

    #[inline]
    pub(super) fn token(&self, at: usize) -> Token {
        self.tokens.get(at).copied().unwrap_or(Token {
            start: self.text.len() as u32,
            end: self.text.len() as u32,
            mate: at as u32,
            kind: Kind::End,
            byte: 0,
            glued: false,
            doc: false,
        })
    }

    /// Text of a token.
    #[inline]
    pub(super) fn str(&self, at: usize) -> &'a str {
        let token = self.token(at);
        self.slice(token.start, token.end)
    }

    /// Text between two bytes.
    #[inline]
    pub(super) fn slice(&self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The word at this place, or nothing where there is no word.
    #[inline]
    pub(super) fn word(&self, at: usize) -> &'a str {
        if self.token(at).kind == Kind::Word { self.str(at) } else { "" }
    }

    /// The name at this place: the word without `r#`.
    #[inline]
    pub(super) fn name(&self, at: usize) -> &'a str {
        let word = self.normal.get(self.token(at).start).unwrap_or_else(|| self.word(at));
        word.strip_prefix("r#").unwrap_or(word)
    }

    #[inline]
    pub(super) fn is(&self, at: usize, byte: u8) -> bool {
        self.token(at).is(byte)
    }

    /// Whether the operator of these characters begins here.
    #[inline]
    pub(super) fn is_op(&self, at: usize, op: &[u8]) -> bool {
        op.iter().enumerate().all(|(i, &byte)| {
            let token = self.token(at + i);
            token.is(byte) && token.glued == (i + 1 < op.len())
        })
    }

    /// Whether a `>` here closes generic arguments: one that is not the tip of an arrow.
    pub(super) fn closes_angle(&self, at: usize) -> bool {
        self.is(at, b'>') && !(at > 0 && self.token(at - 1).glued)
    }

    /// Index after this token, or after the whole group that it opens.
    pub(super) fn skip(&self, at: usize) -> usize {
        let token = self.token(at);
        if token.kind == Kind::Open { (token.mate as usize).max(at) + 1 } else { at + 1 }
    }

    /// Index of the first token at or after this byte.
    pub(super) fn at_byte(&self, byte: u32) -> usize {
        self.tokens.partition_point(|t| t.start < byte)
    }

    /// Index of the line of this byte, from 0.
    fn line_index(&self, byte: u32) -> usize {
        self.lines.partition_point(|&start| start <= byte).saturating_sub(1)
    }

    /// First byte of each line.
    pub(super) fn line_starts(&self) -> &[u32] {
        &self.lines
    }

    /// Line of this byte, from 1.
    pub(super) fn line(&self, byte: u32) -> u32 {
        self.line_index(byte) as u32 + 1
    }

    /// Bytes between the start of the line and this byte.
    pub(super) fn column(&self, byte: u32) -> u32 {
        let start = self.lines.get(self.line_index(byte)).copied().unwrap_or_default();
        byte.saturating_sub(start)
    }

    /// Number of lines; a final line break does not begin another line.
    pub(super) fn line_count(&self) -> u32 {
        let open = !self.text.is_empty() && !self.text.ends_with('\n');
        self.lines.len() as u32 - 1 + u32::from(open)
    }

    /// The span between two bytes.
    pub(super) fn span(&self, start: u32, end: u32) -> Span {
        Span {
            start_byte: start,
            end_byte: end,
            start_line: self.line(start),
            end_line: self.line(end.saturating_sub(1).max(start)),
        }
    }

    /// The span of these tokens.
    pub(super) fn span_of(&self, toks: &Toks) -> Span {
        let start = self.token(toks.start).start;
        let end = if toks.is_empty() { start } else { self.token(toks.end - 1).end };
        self.span(start, end)
    }

    /// The byte of a position that `proc_macro2` counted in lines and characters, in a text that
    /// begins at `base`.
    pub(super) fn byte_of(&self, place: LineColumn, base: u32) -> u32 {
        let start = if place.line <= 1 {
            base
        } else {
            let index = self.line_index(base) + place.line - 1;
            self.lines.get(index).copied().unwrap_or(self.text.len() as u32)
        };
        if self.chars.is_empty() {
            return start + place.column as u32;
        }
        self.byte_of_char(self.chars_before(start as usize) + place.column as u32)
    }

    /// Characters that begin before this byte.
    fn chars_before(&self, byte: usize) -> u32 {
        let block = byte / BLOCK;
        let bytes = self.text.as_bytes().get(block * BLOCK..byte).unwrap_or_default();
        self.chars.get(block).copied().unwrap_or_default() + count_chars(bytes)
    }

    /// The byte where the character of this number begins.
    fn byte_of_char(&self, number: u32) -> u32 {
        let block = self.chars.partition_point(|&before| before <= number).saturating_sub(1);
        let mut left = number - self.chars.get(block).copied().unwrap_or_default();
        let bytes = self.text.as_bytes().get(block * BLOCK..).unwrap_or_default();
        for (i, &byte) in bytes.iter().enumerate() {
            if begins_char(byte) {
                if left == 0 {
                    return (block * BLOCK + i) as u32;
                }
                left -= 1;
            }
        }
        self.text.len() as u32
    }
}

/// Bytes in a block of [`Source::chars`], so that long lines cost no more than short ones.
const BLOCK: usize = 256;

fn begins_char(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

fn count_chars(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| begins_char(**byte)).count() as u32
}

fn char_blocks(text: &str) -> Vec<u32> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut before = 0;
    let count = |block: &[u8]| {
        let here = before;
        before += count_chars(block);
        here
    };
    text.as_bytes().chunks(BLOCK).map(count).collect()
}

/// Length of what comes before the code: a byte-order mark, a shebang line as rustc reads it
/// (a `#!` that does not begin an attribute), and a frontmatter fence of cargo scripts.
fn prelude(text: &str) -> usize {
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let rest = text.get(at..).unwrap_or_default();
    if let Some(behind) = rest.strip_prefix("#!") {
        let attribute = lex(behind.get(..behind.len().min(4096)).unwrap_or(behind), 0)
            .iter()
            .find(|t| t.kind != Kind::Doc)
            .is_some_and(|t| t.is(b'['));
        if !attribute {
            at += rest.find('\n').unwrap_or(rest.len());
        }
    }
    let rest = text.get(at..).unwrap_or_default();
    let code = rest.trim_start();
    if code.starts_with("---") {
        let dashes = code.len() - code.trim_start_matches('-').len();
        let fence = code.get(..dashes).unwrap_or("---");
        let close = code.match_indices('\n').find(|(line, _)| {
            let line = code.get(line + 1..).unwrap_or_default();
            let line = line.lines().next().unwrap_or_default();
            line.trim_end() == fence
        });
        if let Some((line, _)) = close {
            at += (rest.len() - code.len()) + line + 1 + dashes;
        }
    }
    at
}

/// Rust's keywords, reserved ones too, without those that are values or begin paths: none ends an
/// operand. Words that are keywords only in places (`default`, `auto`, `union`) are not among them.
pub(super) fn is_keyword(word: &str) -> bool {
    match word {
        "await" | "crate" | "false" | "self" | "Self" | "super" | "true" => false,
        "do" | "macro" | "try" | "yield" => true,
        _ => asof_model::is_keyword(word),
    }
}
