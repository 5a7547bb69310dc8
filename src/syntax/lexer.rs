//! A tolerant tokeniser: bytes in, flat tokens with exact byte ranges out. It never fails, so
//! that hashes and texts mean the same for a file that parses and for one that does not.
//!
//! Operators stay single characters with a mark where the next one belongs to the same operator
//! (`+=`, `::`, `->`). `>` is never joined to what follows: `Vec<Vec<T>>=` and `Vec<Vec<T> > =`
//! are the same tokens, and valid Rust cannot tell `> >` from `>>` otherwise.

/// Class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Identifiers and keywords, `r#` included.
    Word,
    Lifetime,
    Literal,
    Punct,
    Open,
    Close,
    /// A documentation comment.
    Doc,
    /// After the last token.
    End,
}

/// One token. `byte` is its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub start: u32,
    pub end: u32,
    /// Index of the other bracket of a pair; its own index where there is none.
    pub mate: u32,
    pub kind: Kind,
    pub byte: u8,
    /// Whether the next character belongs to the same operator.
    pub glued: bool,
    /// Whether it is part of the documentation: a comment, or `#[doc = "…"]`.
    pub doc: bool,
}

impl Token {
    pub(super) fn is(self, byte: u8) -> bool {
        self.byte == byte && matches!(self.kind, Kind::Punct | Kind::Open | Kind::Close)
    }
}

struct Lexer<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    open: Vec<u32>,
}

/// The tokens of `text` from byte `from` on.
pub fn lex(text: &str, from: usize) -> Vec<Token> {
    let bytes = text.as_bytes();
    let tokens = Vec::with_capacity(bytes.len() / 4);
    let mut lexer = Lexer { bytes, text, at: from, tokens, open: Vec::new() };
    while lexer.step() {}
    let mut tokens = lexer.tokens;
    mark_docs(&mut tokens, bytes);
    tokens
}

/// Marks the tokens of `#[doc = "…"]` and `#![doc = "…"]`.
fn mark_docs(tokens: &mut [Token], bytes: &[u8]) {
    let mut at = 0;
    while at < tokens.len() {
        if let Some(len) = doc_attribute(tokens.get(at..).unwrap_or_default(), bytes) {
            for token in tokens.iter_mut().skip(at).take(len) {
                token.doc = true;
            }
            at += len;
        } else {
            at += 1;
        }
    }
}

fn doc_attribute(tokens: &[Token], bytes: &[u8]) -> Option<usize> {
    let is = |i: usize, byte| tokens.get(i).is_some_and(|t| t.is(byte));
    if !is(0, b'#') {
        return None;
    }
    let open = if is(1, b'!') { 2 } else { 1 };
    let word = tokens.get(open + 1)?;
    let found = is(open, b'[')
        && bytes.get(word.start as usize..word.end as usize)? == b"doc"
        && is(open + 2, b'=')
        && tokens.get(open + 3)?.kind == Kind::Literal
        && is(open + 4, b']');
    found.then_some(open + 5)
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, start: usize, kind: Kind) {
        let (byte, mate) = (self.bytes.get(start).copied().unwrap_or(0), self.tokens.len() as u32);
        let doc = kind == Kind::Doc;
        let (start, end) = (start as u32, self.at as u32);
        self.tokens.push(Token { start, end, mate, kind, byte, glued: false, doc });
    }

    /// Reads one token or one stretch of blank; false at the end.
    fn step(&mut self) -> bool {
        let start = self.at;
        let byte = self.peek(0);
        match byte {
            _ if start >= self.bytes.len() => return false,
            b' ' | b'\t'..=b'\r' => self.at += 1,
            b'/' if self.peek(1) == b'/' => self.line_comment(),
            b'/' if self.peek(1) == b'*' => self.block_comment(),
            b'"' => {
                self.at += 1;
                self.string(b'"');
                self.push(start, Kind::Literal);
            }
            b'\'' => self.quote(),
            b'0'..=b'9' => self.number(),
            b'(' | b'[' | b'{' => {
                self.at += 1;
                self.open.push(self.tokens.len() as u32);
                self.push(start, Kind::Open);
            }
            b')' | b']' | b'}' => {
                self.at += 1;
                self.push(start, Kind::Close);
                self.pair(byte);
            }
            b'r' | b'b' | b'c' if self.prefixed() => self.push(start, Kind::Literal),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            0x80.. => self.other(),
            _ => self.operator(),
        }
        true
    }

    /// Pairs the closing bracket just pushed with the last open one, if they fit.
    fn pair(&mut self, close: u8) {
        let closing = self.tokens.len() as u32 - 1;
        let wanted = match close {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        let Some(&opening) = self.open.last() else { return };
        let Some(open) = self.tokens.get_mut(opening as usize) else { return };
        if open.byte != wanted {
            return;
        }
        open.mate = closing;
        self.open.pop();
        if let Some(close) = self.tokens.last_mut() {
            close.mate = opening;
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let len = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let doc = rest.starts_with(b"//!") || rest.starts_with(b"///") && self.peek(3) != b'/';
        // The carriage return of a CRLF is blank, not text.
        let text = if len > 0 && rest.get(len - 1) == Some(&b'\r') { len - 1 } else { len };
        self.at += text;
        if doc {
            self.push(start, Kind::Doc);
        }
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let doc = rest.starts_with(b"/*!")
            || rest.starts_with(b"/**") && !matches!(self.peek(3), b'*' | b'/');
        self.at += block_comment_len(rest);
        if doc {
            self.push(start, Kind::Doc);
        }
    }

    /// Moves after the closing quote, respecting escapes.
    fn string(&mut self, quote: u8) {
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\\' => self.at += 2,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// Literals that begin with a letter: `r"…"`, `r#"…"#`, `b"…"`, `b'…'`, `br`, `c`, `cr`.
    /// Moves after one and returns true, or stays.
    fn prefixed(&mut self) -> bool {
        let letters = match self.rest() {
            [b'b' | b'c', b'r', b'"' | b'#', ..] => 2,
            _ => 1,
        };
        let raw = letters == 2 || self.peek(0) == b'r';
        let mut hashes = 0;
        while raw && self.peek(letters + hashes) == b'#' {
            hashes += 1;
        }
        match self.peek(letters + hashes) {
            b'"' if raw => {
                self.at += letters + hashes + 1;
                let rest = self.rest();
                let mut end = rest.len();
                for (i, _) in rest.iter().enumerate().filter(|(_, b)| **b == b'"') {
                    let tail = rest.get(i + 1..i + 1 + hashes).unwrap_or(b"-");
                    if tail.iter().all(|&b| b == b'#') {
                        end = i + 1 + hashes;
                        break;
                    }
                }
                self.at += end.min(self.rest().len());
                true
            }
            quote @ (b'"' | b'\'') if !raw && (quote == b'"' || self.peek(0) == b'b') => {
                self.at += 2;
                self.string(quote);
                true
            }
            _ => false,
        }
    }

    /// A character or a lifetime.
    fn quote(&mut self) {
        let start = self.at;
        let mut chars = self.text.get(start + 1..).unwrap_or_default().chars();
        let (first, second) = (chars.next(), chars.next());
        match first {
            Some('\\') => {
                self.at += 1;
                self.string(b'\'');
                self.push(start, Kind::Literal);
            }
            Some(c) if second == Some('\'') => {
                self.at += 2 + c.len_utf8();
                self.push(start, Kind::Literal);
            }
            Some(c) if word_start(c) => {
                self.at += 1;
                self.word_end();
                if self.peek(0) == b'#' && self.bytes.get(start + 1..self.at) == Some(b"r") {
                    self.at += 1;
                    self.word_end();
                }
                self.push(start, Kind::Lifetime);
            }
            _ => {
                self.at += 1;
                self.push(start, Kind::Punct);
            }
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let based = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'o' | b'b');
        let mut dot = false;
        loop {
            match self.peek(0) {
                b'e' | b'E' if !based && matches!(self.peek(1), b'+' | b'-') => self.at += 2,
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.at += 1,
                // `1.5` and `1.`, but not `1..2` and `1.max(2)`.
                b'.' if !dot
                    && !based
                    && !matches!(self.peek(1), b'.' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80..) =>
                {
                    dot = true;
                    self.at += 1;
                }
                _ => break,
            }
        }
        self.push(start, Kind::Literal);
    }

    fn word_end(&mut self) {
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.at += 1,
                0x80.. => match self.char() {
                    Some(c) if is_word_part(c) => self.at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
    }

    fn word(&mut self) {
        let start = self.at;
        if self.peek(0) == b'r' && self.peek(1) == b'#' {
            self.at += 2;
        }
        self.word_end();
        self.push(start, Kind::Word);
    }

    fn char(&self) -> Option<char> {
        self.text.get(self.at..).and_then(|rest| rest.chars().next())
    }

    /// A character that is not ASCII: a word, a blank, or a token of its own.
    fn other(&mut self) {
        let start = self.at;
        match self.char() {
            Some(c) if word_start(c) => self.word(),
            Some(c) => {
                self.at += c.len_utf8();
                if !c.is_whitespace() && !matches!(c, '\u{200e}' | '\u{200f}') {
                    self.push(start, Kind::Punct);
                }
            }
            // Not at a boundary of characters: cannot happen in a `str`.
            None => self.at += 1,
        }
    }

    fn operator(&mut self) {
        let len = match self.rest() {
            [b'.', b'.', b'.' | b'=', ..] | [b'<', b'<', b'=', ..] => 3,
            [b':', b':', ..]
            | [b'-' | b'=', b'>', ..]
            | [b'&', b'&', ..]
            | [b'|', b'|', ..]
            | [b'<', b'<', ..]
            | [b'.', b'.', ..]
            | [
                b'=' | b'!' | b'<' | b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'&' | b'|',
                b'=',
                ..,
            ] => 2,
            _ => 1,
        };
        for left in (0..len).rev() {
            let start = self.at;
            self.at += 1;
            self.push(start, Kind::Punct);
            if let Some(token) = self.tokens.last_mut() {
                token.glued = left > 0;
            }
        }
    }
}

/// Letters of every script may begin a word. Wider than Unicode's XID on purpose: a tolerant
/// reader need not refuse what the compiler refuses.
fn word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether a word goes on with a character.
pub fn is_word_part(c: char) -> bool {
    // Combining marks are not `alphanumeric` but continue words.
    c == '_' || c.is_alphanumeric() || (!c.is_ascii() && !c.is_whitespace() && mark(c))
}

fn mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}' | '\u{200c}' | '\u{200d}')
}

/// Length of the block comment that a text begins with, those nested in it included; all of the
/// text if it does not end.
pub(crate) fn block_comment_len(text: &[u8]) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while at < text.len() {
        match (text.get(at), text.get(at + 1)) {
            (Some(b'/'), Some(b'*')) => {
                depth += 1;
                at += 2;
            }
            (Some(b'*'), Some(b'/')) => {
                depth = depth.saturating_sub(1);
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}
