//! Locates the parts of an item, for changing one part and leaving the rest.

use std::ops::Range;

use super::attrs::Attributes;
use super::head::{Enclosing, read};
use super::lexer::{Kind, lex};
use super::normal_names::NormalNames;
use super::source::Source;
use asof_model::{NodeKind, Span};

/// A text whose items can be divided into parts.
#[allow(missing_debug_implementations)]
pub struct Scan<'a> {
    pub(super) source: Source<'a>,
    pub(super) normal: NormalNames,
}

/// Parts of an item; bytes of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Anatomy {
    /// Documentation comments and `#[doc = "…"]`, in the order of the text; for a file, those
    /// in front of its items.
    pub docs: Vec<Range<u32>>,
    /// Attributes that are not documentation, adjacent ones as one; for a file, the inner
    /// ones in front of its items.
    pub attributes: Vec<Range<u32>>,
    /// First byte after the outer attributes and documentation.
    pub head: u32,
    /// From the visibility to the last token before the body, value or `;`.
    pub signature: Range<u32>,
    /// What is in the braces, or between `=` and `;`; for a file, all after the byte-order
    /// mark and shebang.
    pub inside: Option<Range<u32>>,
    /// [`Anatomy::inside`] with its braces.
    pub body: Option<Range<u32>>,
    /// After the inner attributes and documentation of the body: where a first child can be.
    pub first_child: Option<u32>,
}

impl<'a> Scan<'a> {
    /// Reads the tokens of any text.
    pub fn new(text: &'a str) -> Self {
        Self { source: Source::new(text), normal: NormalNames::read(text) }
    }

    /// Parts of the item at this span; `file`: of the module that the whole text is.
    pub fn anatomy(&self, span: &Span, kind: NodeKind, file: bool) -> Anatomy {
        let source = &self.source;
        let (start, end) = (source.at_byte(span.start_byte), source.at_byte(span.end_byte));
        if file {
            return self.file();
        }
        let behind_attributes = Attributes::default().outer(source, start, end);
        let docs = self.docs(start, behind_attributes);
        let head = source.token(behind_attributes).start;
        let attributes = self.attributes(start, behind_attributes);
        let mut parts = Anatomy { docs, attributes, head, ..Anatomy::default() };
        if matches!(kind, NodeKind::Field | NodeKind::Variant) {
            parts.signature = head..span.end_byte;
            // A variant's name, and its fields by name; a discriminant in braces comes after `=`.
            let open = behind_attributes + 1;
            if kind == NodeKind::Variant && open < end && source.is(open, b'{') {
                let (from, to) =
                    (source.token(open), source.token(source.token(open).mate as usize));
                parts.inside = Some(from.end..to.start.max(from.end));
                parts.first_child = Some(from.end);
            }
            return parts;
        }
        let read = read(source, behind_attributes, end, place(kind));
        let last = read.signature.end.max(behind_attributes + 1) - 1;
        let ends_in_semicolon = source.is(last, b';') && last > behind_attributes;
        let last = if ends_in_semicolon { last - 1 } else { last };
        parts.signature = head..source.token(last).end;
        if let Some(body) = read.body {
            let open = body.start.saturating_sub(1);
            let close = body.end;
            if source.is(open, b'{') && source.token(open).mate as usize == close {
                let (from, to) = (source.token(open), source.token(close));
                parts.inside = Some(from.end..to.start);
                parts.body = Some(from.start..to.end);
                let first = Attributes::default().inner(source, body.start, body.end);
                let first = source.token(first.saturating_sub(1)).end.max(from.end);
                parts.first_child = Some(first);
            } else if matches!(kind, NodeKind::Const | NodeKind::Static | NodeKind::AssocConst)
                && !body.is_empty()
            {
                let value = source.token(body.start).start..source.token(close - 1).end;
                parts.inside = Some(value.clone());
                parts.body = Some(value);
            }
        }
        parts
    }

    fn file(&self) -> Anatomy {
        let source = &self.source;
        let end = source.text.len() as u32;
        let first = source.prelude as u32;
        let behind = Attributes::default().inner(source, 0, source.tokens.len());
        let child = match behind.checked_sub(1) {
            Some(last) => source.token(last).end,
            None => first,
        };
        Anatomy {
            docs: self.docs(0, behind),
            attributes: self.attributes(0, behind),
            head: child,
            signature: first..first,
            inside: Some(first..end),
            body: Some(first..end),
            first_child: Some(child),
        }
    }

    /// Stretches of documentation among these tokens.
    fn docs(&self, start: usize, end: usize) -> Vec<Range<u32>> {
        let mut out: Vec<Range<u32>> = Vec::new();
        let mut open = false;
        for at in start..end {
            let token = self.source.token(at);
            let near = |last: &&mut Range<u32>| {
                open && token.doc && self.source.slice(last.end, token.start).trim().is_empty()
            };
            match out.last_mut().filter(near) {
                Some(last) => last.end = token.end,
                None if token.doc => out.push(token.start..token.end),
                None => {}
            }
            open = token.doc;
        }
        out
    }

    /// Stretches of attributes among these tokens.
    fn attributes(&self, start: usize, end: usize) -> Vec<Range<u32>> {
        let source = &self.source;
        let mut out: Vec<Range<u32>> = Vec::new();
        let mut at = start;
        while at < end {
            let open = at + 1 + usize::from(source.is(at + 1, b'!'));
            if source.token(at).doc || !source.is(at, b'#') || !source.is(open, b'[') {
                at += 1;
                continue;
            }
            let behind = source.skip(open);
            let (from, to) = (source.token(at).start, source.token(behind - 1).end);
            match out.last_mut() {
                Some(last) if source.slice(last.end, from).trim().is_empty() => last.end = to,
                _ => out.push(from..to),
            }
            at = behind;
        }
        out
    }

    /// The first token at or after a byte: its range, and its first byte.
    pub fn token_behind(&self, byte: u32) -> Option<(Range<u32>, u8)> {
        let token = self.source.token(self.source.at_byte(byte));
        (token.kind != Kind::End).then_some((token.start..token.end, token.byte))
    }

    /// The last token that ends at or before a byte.
    pub fn token_before(&self, byte: u32) -> Option<(Range<u32>, u8)> {
        let at = self.source.tokens.partition_point(|t| t.end <= byte).checked_sub(1)?;
        let token = self.source.token(at);
        Some((token.start..token.end, token.byte))
    }

    /// Ranges of the tokens that begin at or after a byte.
    pub fn tokens_from(&self, byte: u32) -> impl Iterator<Item = Range<u32>> + '_ {
        let tokens = self.source.tokens.iter().skip(self.source.at_byte(byte));
        tokens.map(|token| token.start..token.end)
    }

    /// Whether the text is one pair of brackets and its contents.
    pub fn is_one_group(&self) -> bool {
        let tokens = &self.source.tokens;
        let code = tokens.iter().filter(|t| t.kind != Kind::End).count();
        code > 1 && tokens.first().is_some_and(|t| t.is(b'{') && t.mate as usize + 1 == code)
    }

    /// Lines, counted from 0, that begin inside a literal: their blanks are part of a value.
    pub fn lines_in_literals(&self) -> Vec<u32> {
        let literals = self.source.tokens.iter().filter(|t| t.kind == Kind::Literal);
        let mut lines = Vec::new();
        for token in literals {
            let first = self.source.line(token.start);
            let last = self.source.line(token.end.saturating_sub(1).max(token.start));
            lines.extend(first..last);
        }
        lines
    }
}

/// Whether a text closes every bracket, literal and comment that it opens, and no other.
pub fn is_closed(code: &str) -> bool {
    // What is still open would take a mark after it in.
    let marked = format!("{code}\n;");
    let tokens = lex(&marked, 0);
    let pairs = tokens.iter().enumerate().all(|(at, token)| {
        !matches!(token.kind, Kind::Open | Kind::Close) || token.mate as usize != at
    });
    pairs && tokens.last().is_some_and(|t| t.is(b';') && t.end as usize == marked.len())
}

/// A place where an item of this kind can be: it decides the names of kinds, not a range.
fn place(kind: NodeKind) -> Enclosing {
    match kind {
        NodeKind::Method | NodeKind::AssocConst | NodeKind::AssocType => Enclosing::Impl,
        NodeKind::ForeignType => Enclosing::Foreign,
        _ => Enclosing::Module,
    }
}
