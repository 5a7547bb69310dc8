//! The documentation of a source text as Markdown, each byte with its place in the source (The
//! rustdoc book, "How to write documentation").

use super::words::is_word;
use asof_syntax::{Kind, LexToken, lex};

/// The documentation of an item, or a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DocText {
    /// Markdown.
    pub text: String,
    /// Parts of it that are in the source as they are: first byte here, first byte there.
    pieces: Vec<(usize, u32)>,
}

impl DocText {
    /// A document that is Markdown as a whole.
    pub fn of_document(text: &str) -> Self {
        Self { text: text.to_owned(), pieces: vec![(0, 0)] }
    }

    /// The place in the source of a byte.
    pub fn source_byte(&self, at: usize) -> u32 {
        let piece = self.pieces.partition_point(|(start, _)| *start <= at).checked_sub(1);
        let piece = piece.and_then(|piece| self.pieces.get(piece));
        piece.map_or(0, |(start, source)| source + (at - start) as u32)
    }

    fn push(&mut self, text: &str, source: usize) {
        self.pieces.push((self.text.len(), source as u32));
        self.text.push_str(text);
    }
}

/// A line of a comment: its text, and where that begins in the source.
struct Line<'t> {
    text: &'t str,
    start: usize,
}

/// The documentation of a source text: comments and attributes that follow each other are one.
pub(super) fn doc_texts(source: &str) -> Vec<DocText> {
    let mark = source.len() - source.trim_start_matches('\u{feff}').len();
    let tokens = lex(source, mark);
    let mut found = Vec::new();
    let mut open: Vec<&LexToken> = Vec::new();
    let mut last_end = 0;
    for token in tokens.iter().filter(|token| token.doc || token.kind == Kind::Doc) {
        let between = source.get(last_end..token.start as usize).unwrap_or_default();
        if !between.trim().is_empty() && !open.is_empty() {
            found.extend(doc_text(source, &std::mem::take(&mut open)));
        }
        last_end = token.end as usize;
        open.push(token);
    }
    found.extend(doc_text(source, &open));
    found
}

fn doc_text(source: &str, tokens: &[&LexToken]) -> Option<DocText> {
    let mut out = DocText::default();
    let mut lines = Vec::new();
    for token in tokens {
        let (start, end) = (token.start as usize, token.end as usize);
        let text = source.get(start..end)?;
        match token.kind {
            Kind::Doc => lines.extend(comment_lines(text, start)),
            Kind::Literal => {
                put(&mut out, std::mem::take(&mut lines));
                literal(&mut out, text, start);
            }
            _ => {}
        }
    }
    put(&mut out, lines);
    (!out.text.is_empty()).then_some(out)
}

/// The lines of a comment without what makes them one.
fn comment_lines(comment: &str, start: usize) -> Vec<Line<'_>> {
    let is_block = comment.starts_with("/*");
    let end = if is_block { comment.trim_end_matches("*/").len() } else { comment.len() };
    let mut at = 0;
    let mut lines = Vec::new();
    for line in comment.get(..end).unwrap_or_default().split_inclusive('\n') {
        let blanks = line.len() - line.trim_start().len();
        let bare = line.trim_start();
        let head = match bare.get(..3) {
            Some("///" | "//!") => blanks + 3,
            Some("/**" | "/*!") if at == 0 => 3,
            _ if is_block && bare.starts_with('*') => blanks + 1,
            _ => 0,
        };
        let text = line.get(head..).unwrap_or_default().trim_end_matches(['\n', '\r']);
        lines.push(Line { text, start: start + at + head });
        at += line.len();
    }
    lines
}

/// Writes lines without the blanks that all of them begin with.
fn put(out: &mut DocText, lines: Vec<Line<'_>>) {
    let blanks = |line: &Line<'_>| line.text.len() - line.text.trim_start_matches(' ').len();
    let written = lines.iter().filter(|line| !line.text.trim().is_empty());
    let common = written.map(blanks).min().unwrap_or_default();
    for line in &lines {
        let cut = common.min(blanks(line));
        out.push(line.text.get(cut..).unwrap_or_default(), line.start + cut);
        out.text.push('\n');
    }
}

/// Writes the text of a literal; escapes stand for themselves.
fn literal(out: &mut DocText, literal: &str, start: usize) {
    let Some(open) = literal.find('"') else { return };
    let Some(close) = literal.rfind('"').filter(|close| *close > open) else { return };
    let inside = literal.get(open + 1..close).unwrap_or_default();
    let mut at = start + open + 1;
    if literal.starts_with('r') {
        out.push(inside, at);
        out.text.push('\n');
        return;
    }
    let mut rest = inside;
    while let Some(escape) = rest.find('\\') {
        out.push(rest.get(..escape).unwrap_or_default(), at);
        let behind = rest.get(escape + 1..).unwrap_or_default();
        let shown = match behind.chars().next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some(other) if !is_word(other) => other,
            _ => ' ',
        };
        let len = 1 + behind.chars().next().map_or(0, char::len_utf8);
        out.push(&shown.to_string(), at + escape);
        at += escape + len;
        rest = rest.get(escape + len..).unwrap_or_default();
    }
    out.push(rest, at);
    out.text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_is_read_with_its_places() {
        let source = "\
/// One
///   two
/** Three
 * four */
#[doc = \"five\\nsix\"]
fn f() {}
//! Seven
";
        let texts = doc_texts(source);
        let shown: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
        assert_eq!(shown, ["One\n  two\nThree\nfour \nfive\nsix\n", "Seven\n"]);
        for word in ["two", "four", "six"] {
            let at = shown[0].find(word).unwrap();
            assert_eq!(texts[0].source_byte(at), source.find(word).unwrap() as u32, "{word}");
        }
    }
}
